package dev.besom.bloom;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * The masks of a blocked Bloom filter: sets of {@code b} bits of a word, of which each key draws one in each of its words.
 *
 * <pre>
 *   16 drawn masks, each rotated by 0 to 63 places    | mask 0 | mask 0, by 1 | ... | mask 1 | mask 1, by 1 | ...  shuffled
 * </pre>
 *
 * All rotations are there, so every bit is in as many masks as any other. Two rotations of one mask have at most one bit in common:
 * the distances between the bits of a drawn mask, around the word, are all different.
 *
 * <p>Frozen: files hold what masks have set. All filters share them, 8 KB for each number of bits: half as many would make two keys
 * alike too often (see {@link BlockedBloomMath}), and twice as many would take half of a first level cache.
 */
final class BlockedMasks {

    /** log2 of the number of masks. */
    static final int BITS = 10;

    static final int COUNT = 1 << BITS;

    private static final long[][] OF_BITS = new long[BlockedBloomMath.MAX_BITS_PER_GROUP + 1][];

    static {
        for (int bitCount = 1; bitCount < OF_BITS.length; bitCount++) {
            OF_BITS[bitCount] = make(bitCount);
        }
    }

    private BlockedMasks() {}

    /** The masks of so many bits; not to be changed. */
    static long[] of(int bitCount) {
        return OF_BITS[bitCount];
    }

    /** The drawn masks of so many bits, of which the others are rotations. */
    static long[] drawn(int bitCount) {
        return Drawn.of(bitCount).masks;
    }

    /** Masks, and how many draws they took. */
    private static final class Drawn {
        private final long[] masks;
        private final long draws;

        private Drawn(long[] masks, long draws) {
            this.masks = masks;
            this.draws = draws;
        }

        static Drawn of(int bitCount) {
            long[] masks = new long[COUNT / Long.SIZE];
            long draws = 0;
            for (int i = 0; i < masks.length; i++) {
                long drawn = 0;
                while (Long.bitCount(drawn) < bitCount) {
                    long more = drawn | 1L << Mix.expand(draws, bitCount, 0);
                    draws++;
                    // Which a mask cannot be completed from is begun anew.
                    drawn = areDistancesDifferent(more) ? more : draws % Long.SIZE == 0 ? 0 : drawn;
                }
                masks[i] = drawn;
            }
            return new Drawn(masks, draws);
        }
    }

    private static long[] make(int bitCount) {
        Drawn drawn = Drawn.of(bitCount);
        long[] masks = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            masks[i] = Long.rotateLeft(drawn.masks[i / Long.SIZE], i);
        }
        shuffle(masks, drawn.draws);
        return masks;
    }

    /** Ids that are given for hashes draw neighbours, which must not look alike. */
    private static void shuffle(long[] masks, long draws) {
        for (int i = COUNT - 1; i > 0; i--) {
            int other = (int) FastRange.place(Mix.expand(draws + i, COUNT, 0), i + 1);
            long mask = masks[i];
            masks[i] = masks[other];
            masks[other] = mask;
        }
    }

    /** Whether a mask and any rotation of it have at most one bit in common. */
    private static boolean areDistancesDifferent(long mask) {
        for (int distance = 1; distance < Long.SIZE; distance++) {
            if (Long.bitCount(mask & Long.rotateLeft(mask, distance)) > 1) {
                return false;
            }
        }
        return true;
    }
}
