/** Benchmarks with JMH over all kinds and peers, and the table that is made of them. */
@NullMarked
package dev.besom.bench;

import org.jspecify.annotations.NullMarked;
