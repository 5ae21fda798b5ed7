/**
 * Compact hash tables of fingerprints: TinySet, rank-indexed hashing and d-left hashing.
 *
 * <p>TinySet has three storeys, each of which knows only the one below it:
 *
 * <ol>
 *   <li>{@code ChainBlock}: where the bits of a block lie, and how a block is queried; {@code LineBlock} the same for blocks
 *       of a cache line.
 *   <li>{@code BlockEditor}: how a block changes: grows ({@code ArrayGrowth}, {@code LineGrowth}), gives slots up, takes
 *       them again, unites with another.
 *   <li>{@code TinySetFilter} and {@code TinySetShape}: which block, chain and fingerprint a hash has, and how large it
 *       all is.
 * </ol>
 *
 * <p>A <i>chain</i> is the list of all fingerprints of a block that have the same place in it.
 */
@NullMarked
package dev.besom.compact;

import org.jspecify.annotations.NullMarked;
