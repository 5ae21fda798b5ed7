/**
 * Cuckoo filters: tables of fingerprints in which each key has a few places, and a key that finds them taken makes others
 * move on to theirs.
 *
 * <ol>
 *   <li>{@code Pairing}: which place belongs to which. {@code KickSearch}: the shortest way to a free slot.
 *   <li>{@code PartialKeyFilter}: filters whose fingerprints are all that is needed to move them. What a place is differs:
 *       {@code CuckooFilter} has buckets of four slots, {@code SingleSlotCuckooFilter} four tables of single slots, {@code
 *       WindowedCuckooFilter} windows of two slots that overlap.
 *   <li>{@code StaticCuckooFilter}: built from whole hashes at once, of which a signature each is kept.
 *   <li>{@code AdaptiveCuckooFilter}: filters that repair false positives by giving a key another place or another
 *       fingerprint. They have to know whole hashes to move anything: {@code SlotOwners}.
 * </ol>
 *
 * <p>A <i>bucket</i> is a group of slots that a key may have any one of. A <i>kick</i> is the move of a fingerprint to
 * another of its places to make room.
 */
@NullMarked
package dev.besom.cuckoo;

import org.jspecify.annotations.NullMarked;
