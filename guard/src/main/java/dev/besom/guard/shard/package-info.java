/**
 * One shard of a guard: its filter, the stored hashes of its range, changes, repairs, growth and snapshots. Not exported.
 *
 * <p>A shard is a range of the stored hashes. A <i>hash</i> is what a key hasher gives; a <i>local hash</i> is what is left
 * of it after the shard's number, moved to the highest bits, and is all that the shard's filter sees.
 */
@NullMarked
package dev.besom.guard.shard;

import org.jspecify.annotations.NullMarked;
