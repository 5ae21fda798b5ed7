/** Filters that know the distribution, on real names with real weights. */
@NullMarked
package dev.besom.lab.names;

import org.jspecify.annotations.NullMarked;
