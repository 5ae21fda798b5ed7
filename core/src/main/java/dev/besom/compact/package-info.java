/**
 * Compact hash tables of fingerprints: TinySet, rank-indexed hashing, d-left hashing and hash compaction; and Golomb-coded
 * sets, in which a key is one number among sorted ones.
 *
 * <p>TinySet has three storeys, each of which knows only the one below it:
 *
 * <ol>
 *   <li>{@code BlockLayout}: where the bits of a block lie, and how a block is queried: {@code ChainBlock} in planes,
 *       {@code CountedBlock} with a counter and fingerprints in words; {@code LineBlock} and {@code CountedLine} the same for
 *       blocks of a cache line.
 *   <li>{@code BlockWriter}: how a block changes: grows, gives slots up, takes them again, unites with another.
 *       {@code BlockEditor} (with {@code ArrayGrowth}, {@code LineGrowth}) and {@code CountedEditor} do so.
 *   <li>{@code TinySetFilter} and {@code TinySetShape}: which block, chain and fingerprint a hash has, and how large it
 *       all is.
 * </ol>
 *
 * <p>Golomb-coded sets: {@code GolombBlocks} and {@code BlockStarts} are the blocks of a static one and where they start;
 * {@code QuotientLine} and {@code RemainderLanes} lead a search through a block. {@code GolombGroups} are numbers that change,
 * {@code RiceStream} is their coder.
 *
 * <p>A <i>chain</i> is the list of all fingerprints of a block that have the same place in it.
 */
@NullMarked
package dev.besom.compact;

import org.jspecify.annotations.NullMarked;
