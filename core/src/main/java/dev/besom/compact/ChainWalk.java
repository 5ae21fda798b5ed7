package dev.besom.compact;

/**
 * The way down a chain of a rank-indexed bucket, level by level.
 *
 * <pre>
 *   level 1   | 1 0 [1] 1 0 ... |             the chain's bit is set: its first fingerprint is the 2nd of its level
 *   level 2           | 1 [0] 0 |             the bit of that fingerprint is the 2nd: it is 0, and the chain ends
 * </pre>
 */
final class ChainWalk {

    private final RankBuckets buckets;
    private final int bucket;

    /** Where the level starts in the index, how many bits it has, and the chain's bit among them. */
    private int start;

    private int width;
    private int bit;

    private long level;
    private int above;

    /** A walk that stands on the first level. */
    ChainWalk(RankBuckets buckets, int bucket, int chain) {
        this.buckets = buckets;
        this.bucket = bucket;
        this.width = RankIndexedMath.CHAINS;
        this.bit = chain;
        this.level = buckets.readIndex(bucket, 0);
    }

    /** Whether the chain has a fingerprint on this level. */
    boolean hasFingerprint() {
        return (level >>> bit & 1) != 0;
    }

    /** The place in the index of the bit that tells. */
    int bitInIndex() {
        return start + bit;
    }

    /** The place of the chain's fingerprint of this level, or of one put in here, among those of the bucket. */
    int place() {
        return above + Long.bitCount(level & ChainBlock.lowest(bit));
    }

    /** How many fingerprints the levels above have. */
    int fingerprintsAbove() {
        return above;
    }

    /** Whether there are no more levels. */
    boolean isBelowAllLevels() {
        return width == 0;
    }

    /** Goes down a level: one with a bit for each fingerprint of this one. */
    void goDown() {
        bit = place() - above;
        start += width;
        width = Long.bitCount(level);
        above += width;
        level = width == 0 ? 0 : buckets.readIndex(bucket, start) & -1L >>> -width;
    }
}
