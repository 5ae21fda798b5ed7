package dev.besom.compact;

/**
 * Sums of remainders that lie side by side in words, each in a lane of {@code k} bits.
 *
 * <pre>
 *   word           | r7 | r6 | r5 | r4 | r3 | r2 | r1 | r0 |      k = 7: eight lanes in 56 bits
 *
 *   even lanes     |    | r6 |    | r4 |    | r2 |    | r0 |
 *   odd lanes      |    | r7 |    | r5 |    | r3 |    | r1 |      the word less its even lanes, shifted
 *   pairs          | r7 + r6 | r5 + r4 | r3 + r2 | r1 + r0 |      added up over words, then to each other
 * </pre>
 *
 * A pair of lanes has room for the pairs of {@code 2^(k - 1)} words. Adding pairs to each other takes as long as a few words do, so
 * it is done once.
 */
final class RemainderLanes {

    /** Remainders of a word where they are narrow: eight take as many bytes as one has bits. */
    static final int NARROW = Byte.SIZE;

    /** Narrower ones add up to more than pairs hold, wider ones are longer than a read. */
    private static final int LEAST_NARROW_BITS = 4;

    private static final int MOST_NARROW_BITS = 7;

    /** Bits of a word that lanes take: what a read of bytes has, and above it room for the sum of four words. */
    private static final int MOST_BITS = 56;

    /** log2 of the most words: with 128 the sum of lanes of 11 bits has more than the 20 bits above four of them. */
    private static final int MOST_WORD_BITS = 6;

    private final int remainderBits;
    private final int lanes;
    private final int words;
    private final long evenMask;
    private final long quadMask;
    private final long quadOnes;
    private final int quadShift;

    RemainderLanes(int remainderBits) {
        int quadBits = 4 * remainderBits;
        this.remainderBits = remainderBits;
        this.words = 1 << Math.min(MOST_WORD_BITS, remainderBits - 1);
        this.lanes = lanes(remainderBits);
        long even = 0;
        for (int lane = 0; lane < lanes; lane += 2) {
            even |= ones(remainderBits) << (lane * remainderBits);
        }
        long mask = 0;
        long first = 0;
        int quads = 0;
        for (int lane = 0; lane < lanes; lane += 4) {
            mask |= ones(2 * remainderBits) << (lane * remainderBits);
            first |= 1L << (lane * remainderBits);
            quads++;
        }
        this.evenMask = even;
        this.quadMask = mask;
        // The sum of all quads comes out in the highest bits of a product, with nothing above it.
        int unused = Math.max(0, Long.SIZE - quads * quadBits);
        this.quadOnes = first << unused;
        this.quadShift = (quads - 1) * quadBits + unused;
    }

    /** Whether {@link #NARROW} remainders of so many bits are read at once. */
    static boolean isNarrow(int remainderBits) {
        return remainderBits >= LEAST_NARROW_BITS && remainderBits <= MOST_NARROW_BITS;
    }

    private static int lanes(int remainderBits) {
        if (isNarrow(remainderBits)) {
            return NARROW;
        }
        // The sum of lanes of one bit must be less than the 16 that four of them hold.
        return remainderBits == 1 ? 14 : MOST_BITS / remainderBits;
    }

    private static long ones(int count) {
        return count >= Long.SIZE ? -1L : (1L << count) - 1;
    }

    /** Remainders in a word. */
    int lanes() {
        return lanes;
    }

    /** So many remainders can be added up. */
    int mostSummed() {
        return lanes * words;
    }

    /** The bits of so many remainders of a word; none for fewer than 0 and all for more than it has. */
    long mask(int count) {
        return (1L << (Math.min(lanes, Math.max(0, count)) * remainderBits)) - 1;
    }

    /** The sums of the pairs of two words. */
    long pairs(long word0, long word1) {
        return pairsOfSums(word0 + word1, (word0 & evenMask) + (word1 & evenMask));
    }

    /** The sums of the pairs of four words. */
    long pairs(long word0, long word1, long word2, long word3) {
        return pairsOfSums(
                word0 + word1 + (word2 + word3),
                (word0 & evenMask) + (word1 & evenMask) + ((word2 & evenMask) + (word3 & evenMask)));
    }

    /**
     * The sums of pairs.
     *
     * @param all the sum of words
     * @param even the sum of their even lanes
     */
    private long pairsOfSums(long all, long even) {
        return even + ((all - even) >>> remainderBits);
    }

    /** The sum of all lanes of the words whose pairs were added up. */
    long sum(long pairs) {
        long quads = (pairs & quadMask) + ((pairs >>> remainderBits >>> remainderBits) & quadMask);
        return (quads * quadOnes) >>> quadShift;
    }
}
