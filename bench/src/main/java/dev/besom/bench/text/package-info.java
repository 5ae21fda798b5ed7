/** How fast filters are whose keys are texts, hashing included. */
@NullMarked
package dev.besom.bench.text;

import org.jspecify.annotations.NullMarked;
