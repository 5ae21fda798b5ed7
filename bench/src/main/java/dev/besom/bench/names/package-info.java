/** Filters that know the distribution, on real names with real weights. */
@NullMarked
package dev.besom.bench.names;

import org.jspecify.annotations.NullMarked;
