/**
 * Static filters, built from all their hashes at once: an array of fingerprints in which the exclusive or of a key's few
 * slots is the key's own fingerprint.
 *
 * <ol>
 *   <li>{@code FuseShape}: which slots a hash has and how many there are.
 *   <li>{@code FusePeeling}: finds an order in which the slots of one shard can be filled, and fills them.
 *   <li>{@code FuseBuilder}: cuts a source of hashes into shards and builds one after the other.
 *   <li>{@code FuseFilter}: queries.
 * </ol>
 *
 * <p>{@code FuseFunction} and {@code PerfectHash} are functions of hashes by the same peeling, for maps;
 * {@code RibbonFunction} is one by the equations of {@code RibbonFilter}, for lists.
 *
 * <p>A <i>shard</i> is a contiguous range of hashes with slots of its own, so that a filter can be built piece by piece in
 * little memory.
 */
@NullMarked
package dev.besom.fuse;

import org.jspecify.annotations.NullMarked;
