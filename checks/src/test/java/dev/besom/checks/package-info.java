/** Tests of the project as a whole. */
@NullMarked
package dev.besom.checks;

import org.jspecify.annotations.NullMarked;
