package dev.besom.guard;

import dev.besom.guard.shard.Shard;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of a bulk lookup that might be stored. Keys are ordered by shard first, so that each shard's filter is queried
 * once, for all of its keys.
 */
final class BulkLookup<K> {

    private final List<K> keys;
    private final long[] hashes;

    private BulkLookup(List<K> keys, long[] hashes) {
        this.keys = keys;
        this.hashes = hashes;
    }

    /** All keys, where the filters cannot answer. */
    static <K> BulkLookup<K> ofAll(List<K> keys, long[] hashes) {
        return new BulkLookup<>(keys, hashes);
    }

    /** The keys that might be stored, in their order. */
    List<K> keys() {
        return keys;
    }

    /** The hash of one of these keys. */
    long hash(int index) {
        return hashes[index];
    }

    /**
     * Queries the filters.
     *
     * @param keys all keys
     * @param hashes of all keys
     * @param shift what is left of a hash after its shard's number
     * @param counters look at some of the lookups that the filters answer
     */
    static <K> BulkLookup<K> of(List<K> keys, long[] hashes, Shard<K>[] shards, int shift, Counters counters) {
        int count = hashes.length;
        int[] shardEnds = new int[shards.length];
        for (long hash : hashes) {
            shardEnds[(int) (hash >>> shift)]++;
        }
        for (int shard = 1; shard < shards.length; shard++) {
            shardEnds[shard] += shardEnds[shard - 1];
        }
        int[] order = new int[count];
        long[] localHashes = new long[count];
        int[] next = shardEnds.clone();
        for (int i = count - 1; i >= 0; i--) {
            int shard = (int) (hashes[i] >>> shift);
            int at = --next[shard];
            order[at] = i;
            localHashes[at] = shards[shard].toLocalHash(hashes[i]);
        }
        boolean[] isMaybe = new boolean[count];
        long[] answers = new long[(count + Long.SIZE - 1) / Long.SIZE];
        int from = 0;
        for (int shard = 0; shard < shards.length; shard++) {
            int size = shardEnds[shard] - from;
            if (size > 0) {
                shards[shard].mightContainLocalHashes(localHashes, from, size, answers);
            }
            for (int i = 0; i < size; i++) {
                isMaybe[order[from + i]] = (answers[i >>> 6] >>> i & 1) != 0;
            }
            from += size;
        }
        for (int i = 0; i < count; i++) {
            if (!isMaybe[i]) {
                counters.sample(hashes[i]);
            }
        }
        return maybes(keys, hashes, shards, shift, isMaybe);
    }

    private static <K> BulkLookup<K> maybes(
            List<K> keys, long[] hashes, Shard<K>[] shards, int shift, boolean[] isMaybe) {
        List<K> maybes = new ArrayList<>();
        long[] hashesOfMaybes = new long[hashes.length];
        for (int i = 0; i < hashes.length; i++) {
            if (isMaybe[i] && !shards[(int) (hashes[i] >>> shift)].isInseparable(keys.get(i))) {
                hashesOfMaybes[maybes.size()] = hashes[i];
                maybes.add(keys.get(i));
            }
        }
        return new BulkLookup<>(maybes, hashesOfMaybes);
    }
}
