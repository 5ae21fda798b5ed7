/** The rates that the Bloom family promises, measured. */
@NullMarked
package dev.besom.testkit.bloom;

import org.jspecify.annotations.NullMarked;
