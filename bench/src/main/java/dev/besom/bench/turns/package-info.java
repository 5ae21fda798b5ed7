/** Times of filters that are measured a few milliseconds each in turn, each in a JVM of its own. */
@NullMarked
package dev.besom.bench.turns;

import org.jspecify.annotations.NullMarked;
