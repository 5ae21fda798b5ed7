/** Binds what a guard counts to a meter registry. */
@NullMarked
package dev.besom.micrometer;

import org.jspecify.annotations.NullMarked;
