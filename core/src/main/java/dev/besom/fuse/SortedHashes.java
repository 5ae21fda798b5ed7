package dev.besom.fuse;

import java.util.Arrays;

/**
 * Different hashes in ascending (signed) order, and where each of them stands.
 *
 * <pre>
 *   hash     | prefix | ... |
 *
 *   firsts   | index of the first hash with prefix 0 | 1 | ... |      about eight hashes have the same prefix
 * </pre>
 *
 * Hashes that are not spread evenly are found as well, in more steps.
 *
 * <p>Cost: half a byte to a byte a hash, beside the hashes. A look-up reads one place of each array.
 */
public final class SortedHashes {

    private static final int HASHES_OF_PREFIX_BITS = 3;

    private final long[] hashes;
    private final int[] firsts;
    private final int prefixShift;

    /** @param hashes in ascending (signed) order, each once; not copied */
    public SortedHashes(long[] hashes) {
        this.hashes = hashes;
        int hashBits = Integer.SIZE - Integer.numberOfLeadingZeros(hashes.length);
        int prefixBits = Math.max(1, hashBits - HASHES_OF_PREFIX_BITS);
        this.prefixShift = Long.SIZE - prefixBits;
        this.firsts = new int[(1 << prefixBits) + 1];
        int next = 0;
        for (int prefix = 0; prefix < firsts.length; prefix++) {
            while (next < hashes.length && prefix(hashes[next]) < prefix) {
                next++;
            }
            firsts[prefix] = next;
        }
    }

    private int prefix(long hash) {
        return (int) ((hash ^ Long.MIN_VALUE) >>> prefixShift);
    }

    /** Shared, not copied. */
    public long[] hashes() {
        return hashes;
    }

    /** The index of a hash; negative if it is not there. */
    public int indexOf(long hash) {
        int prefix = prefix(hash);
        return Arrays.binarySearch(hashes, firsts[prefix], firsts[prefix + 1], hash);
    }
}
