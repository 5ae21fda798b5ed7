/** Exact lists: what they take, on real and on random keys. */
@NullMarked
package dev.besom.bench.lists;

import org.jspecify.annotations.NullMarked;
