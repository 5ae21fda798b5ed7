/** How the values of a column become the hashes that the core would give them. */
@NullMarked
package dev.besom.spark.keys;

import org.jspecify.annotations.NullMarked;
