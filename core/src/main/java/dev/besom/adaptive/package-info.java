/**
 * What families of adaptive filters share. None of it knows how a family lays out its fingerprints.
 *
 * <ul>
 *   <li>{@link dev.besom.adaptive.RunOwners}: which stored hash owns which slot.
 *   <li>{@link dev.besom.adaptive.Extensions}: bits that lengthen a fingerprint.
 *   <li>{@link dev.besom.adaptive.Tombstones}: what was learned of keys that were deleted.
 *   <li>{@link dev.besom.adaptive.InFlight}: keys that were put in and may not be stored yet.
 *   <li>{@link dev.besom.adaptive.OrderedHashes}: hashes in order that come and go one at a time.
 *   <li>{@link dev.besom.adaptive.WaitingDeletes}: deletes that have to be tried again.
 *   <li>{@link dev.besom.adaptive.GroupSpill}: words for blocks whose own code has no room.
 *   <li>{@link dev.besom.adaptive.RepairCounts}: what repairs have answered and cost.
 * </ul>
 */
@NullMarked
package dev.besom.adaptive;

import org.jspecify.annotations.NullMarked;
