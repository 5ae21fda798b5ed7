package dev.besom.compact;

/**
 * The way down a chain of a rank-indexed bucket, level by level.
 *
 * <pre>
 *   level 1   | 1 0 [1] 1 0 ... |             the chain's bit is set: its first fingerprint is the 2nd of its level
 *   level 2           | 1 [0] 0 |             the bit of that fingerprint is the 2nd: it is 0, and the chain ends
 *
 *   position  | fingerprints above 16 | bit 16 | width 16 | start 16 |      where a walk stands; start and width of its level
 * </pre>
 *
 * A position is a number, not an object, so that a query allocates nothing however it is compiled.
 */
final class ChainWalk {

    private static final int FIELD = 16;
    private static final int FIELD_MASK = (1 << FIELD) - 1;

    private ChainWalk() {}

    /** The position on the first level of a chain. */
    static long first(int chain) {
        return position(0, RankIndexedMath.CHAINS, chain, 0);
    }

    private static long position(int start, int width, int bit, int above) {
        return ((long) above << FIELD | bit) << (2 * FIELD) | (long) width << FIELD | start;
    }

    private static int start(long position) {
        return (int) position & FIELD_MASK;
    }

    private static int width(long position) {
        return (int) (position >>> FIELD) & FIELD_MASK;
    }

    private static int bit(long position) {
        return (int) (position >>> (2 * FIELD)) & FIELD_MASK;
    }

    /** How many fingerprints the levels above have. */
    static int fingerprintsAbove(long position) {
        return (int) (position >>> (3 * FIELD));
    }

    /** Whether there are no more levels. */
    static boolean isBelowAllLevels(long position) {
        return width(position) == 0;
    }

    /** The bits of the level that a position is on. */
    static long level(RankBuckets buckets, int bucket, long position) {
        int width = width(position);
        return width == 0 ? 0 : buckets.readIndex(bucket, start(position)) & -1L >>> -width;
    }

    /** Whether the chain has a fingerprint on this level. */
    static boolean hasFingerprint(long level, long position) {
        return (level >>> bit(position) & 1) != 0;
    }

    /** The place in the index of the bit that tells. */
    static int bitInIndex(long position) {
        return start(position) + bit(position);
    }

    /** The place of the chain's fingerprint of this level, or of one put in here, among those of the bucket. */
    static int place(long level, long position) {
        return fingerprintsAbove(position) + Long.bitCount(level & ChainBlock.lowest(bit(position)));
    }

    /** The position a level further down, which has a bit for each fingerprint of this one. */
    static long down(long level, long position) {
        int above = fingerprintsAbove(position);
        int width = Long.bitCount(level);
        return position(start(position) + width(position), width, place(level, position) - above, above + width);
    }
}
