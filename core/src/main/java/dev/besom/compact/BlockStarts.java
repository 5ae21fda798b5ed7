package dev.besom.compact;

import dev.besom.bits.BitStrings;
import dev.besom.bits.Words;

/**
 * Where each of many blocks of nearly equal length starts, in a few bits a block.
 *
 * <pre>
 *   group of 16 blocks    | start of block 0 | how far off the straight line blocks 1 to 15 start |
 *                                            |&lt;-- 15 * deviationBits --------------------------&gt;|
 *
 *   start of block i  =  start of group + (start of next group - start of group) * i / 16 + deviation - bias
 * </pre>
 *
 * Lengths are sums of many small random ones, so starts are as near to the line between those of two groups as a random walk
 * that has to come back: with blocks of 80 keys at 1 % eleven bits a block. The width is that of the farthest one.
 */
final class BlockStarts {

    static final int GROUP_BITS = 4;
    private static final int GROUP = 1 << GROUP_BITS;

    private final long[] words;
    private final long blocks;
    private final int startBits;
    private final int deviationBits;
    private final long bias;

    /**
     * @param words groups, one more that is only a start, and one word more
     * @param blocks how many there are
     * @param startBits bits of a group's start
     * @param deviationBits bits of a deviation
     * @param bias what is taken from a deviation
     */
    BlockStarts(long[] words, long blocks, int startBits, int deviationBits, long bias) {
        this.words = words;
        this.blocks = blocks;
        this.startBits = startBits;
        this.deviationBits = deviationBits;
        this.bias = bias;
    }

    /** @param starts of all blocks, and where the last one ends */
    static BlockStarts of(long[] starts) {
        int blocks = starts.length - 1;
        int groups = (int) groups(blocks);
        long least = 0;
        long most = 0;
        for (int block = 0; block < blocks; block++) {
            long deviation = starts[block] - line(starts, block);
            least = Math.min(least, deviation);
            most = Math.max(most, deviation);
        }
        int startBits = bitsFor(starts[blocks]);
        int deviationBits = bitsFor(most - least);
        long[] words = Words.allocate(wordCount(blocks, startBits, deviationBits));
        BlockStarts index = new BlockStarts(words, blocks, startBits, deviationBits, -least);
        for (int group = 0; group <= groups; group++) {
            BitStrings.put(words, index.groupAt(group), starts[Math.min(blocks, group << GROUP_BITS)], startBits);
        }
        for (int block = 0; block < blocks; block++) {
            int inGroup = block & (GROUP - 1);
            if (inGroup != 0) {
                BitStrings.put(
                        words,
                        index.deviationAt(index.groupAt(block >>> GROUP_BITS), inGroup),
                        starts[block] - line(starts, block) - least,
                        deviationBits);
            }
        }
        return index;
    }

    long[] words() {
        return words;
    }

    int startBits() {
        return startBits;
    }

    int deviationBits() {
        return deviationBits;
    }

    long bias() {
        return bias;
    }

    private static long groups(long blocks) {
        return (blocks + GROUP - 1) >>> GROUP_BITS;
    }

    private static int bitsFor(long most) {
        return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(most));
    }

    static long wordCount(long blocks, int startBits, int deviationBits) {
        return Words.forBits(groups(blocks) * ((long) startBits + (GROUP - 1L) * deviationBits) + startBits) + 1;
    }

    private static long line(long[] starts, int block) {
        int first = block & -GROUP;
        int last = Math.min(starts.length - 1, first + GROUP);
        return line(starts[first], starts[last], block & (GROUP - 1));
    }

    private static long line(long start, long next, int inGroup) {
        return start + (((next - start) * inGroup) >>> GROUP_BITS);
    }

    private long groupAt(long group) {
        return group * (startBits + (GROUP - 1L) * deviationBits);
    }

    private long deviationAt(long groupAt, int inGroup) {
        return groupAt + startBits + (inGroup - 1L) * deviationBits;
    }

    /** Where a block starts, or the last one ends. */
    long start(long block) {
        if (block == blocks) {
            return groupStart(groups(blocks));
        }
        long group = block >>> GROUP_BITS;
        long groupStart = groupStart(group);
        return (block & (GROUP - 1)) == 0 ? groupStart : startIn(block, groupStart, groupStart(group + 1));
    }

    private long groupStart(long group) {
        return BitStrings.get(words, groupAt(group), startBits);
    }

    /** Where a block starts that is not the first one of its group. */
    private long startIn(long block, long groupStart, long nextGroupStart) {
        int inGroup = (int) block & (GROUP - 1);
        long deviation =
                BitStrings.get(words, deviationAt(groupAt(block >>> GROUP_BITS), inGroup), deviationBits) - bias;
        return line(groupStart, nextGroupStart, inGroup) + deviation;
    }

    /** Whether a block holds a number; both ends of the block are found in the same group. */
    boolean isIn(GolombBlocks coded, long block, long number) {
        long group = block >>> GROUP_BITS;
        long groupStart = groupStart(group);
        long nextGroupStart = groupStart(group + 1);
        long next = block + 1;
        boolean isFirst = (block & (GROUP - 1)) == 0;
        boolean isLast = (next & (GROUP - 1)) == 0 || next == blocks;
        return coded.contains(
                isFirst ? groupStart : startIn(block, groupStart, nextGroupStart),
                isLast ? nextGroupStart : startIn(next, groupStart, nextGroupStart),
                number);
    }
}
