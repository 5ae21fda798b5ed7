/** Sizes, false-positive rates and lower bounds as pure functions: used to size filters, to test them and to advise. */
@NullMarked
package dev.besom.math;

import org.jspecify.annotations.NullMarked;
