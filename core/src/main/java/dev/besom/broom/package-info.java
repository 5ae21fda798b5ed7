/**
 * The broom filter: fingerprints that are prefixes of hashes, kept in small bins, lengthened where they were mistaken.
 *
 * <p>Beside the words of {@code dev.besom}: a <b>bin</b> is a block of slots that a query reads as one; the
 * <b>primary</b> bin of a key follows from its hash, an <b>overflow</b> page takes what its primary bin has no room for; a
 * <b>group</b> is the primary bins that share a page; <b>look-alikes</b> are entries with one quotient and one
 * remainder; an <b>area</b> is the bins of one sort. Where remainders are large, the <b>front yard</b> has bins that hold their first bits, <b>signatures</b>, and
 * the <b>back yard</b> whole hashes.
 *
 * <p>Whose slot is whose is found out by {@link dev.besom.adaptive.RunOwners}, and bins
 * that have learned more than they can hold share {@link dev.besom.adaptive.GroupSpill}.
 */
@NullMarked
package dev.besom.broom;

import org.jspecify.annotations.NullMarked;
