/**
 * Measurements of guards: what a lookup costs beside the bare filter, what growth does to lookups, how fast a filter is built
 * from sorted hashes, and what is wasted on skewed misses. Run by {@code java -cp '.besom/lib/*' dev.besom.bench.guard.GuardLab}.
 */
@NullMarked
package dev.besom.bench.guard;

import org.jspecify.annotations.NullMarked;
