package dev.besom.compact;

import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedBytes;

/**
 * Where each of many blocks of nearly equal length starts, in a few bits a block.
 *
 * <pre>
 *   lines         | of group 0 | of group 1 | ... | where the last group's line ends |        in words of 8 bytes
 *   deviations    | of block 0 | of block 1 | ... | of the end of the last block |
 *
 *   start of block i of a group  =  8 * line + (8 * line of next group - 8 * line) * i / 32 + deviation - bias      in bytes
 * </pre>
 *
 * Lengths are sums of many small random ones, so starts are as near to the line between those of two groups of 32 blocks as a
 * random walk that has to come back: with blocks of 64 to 100 keys eight bits a block. The width is that of the farthest one.
 *
 * <p>A block's start and its end are found in the same way, also where a group begins with either. It takes two reads: two lines lie
 * beside each other, and two deviations.
 */
final class BlockStarts {

    private static final int GROUP_BITS = 5;
    private static final int GROUP = 1 << GROUP_BITS;

    private static final int WORD_SHIFT = 3;
    private static final int RISE_SHIFT = GROUP_BITS - WORD_SHIFT;

    /** Two numbers that are as wide as this are read at once. */
    private static final int MOST_PAIRED_BITS = 28;

    /** Lines are as wide as the words of {@link GolombBlocks#MOST_BYTES} take. */
    static final int MOST_LINE_BITS = MOST_PAIRED_BITS;

    /** No deviation is wider: starts and lines are below {@code 2^31}. */
    static final int MOST_DEVIATION_BITS = 32;

    private final PackedBytes lines;
    private final PackedBytes deviations;
    private final long blocks;
    private final int lineBits;
    private final int deviationBits;
    private final long lineMask;
    private final long deviationMask;
    private final long bias;

    /** Where the first block would start that has a deviation of 0. */
    private final int first;

    private BlockStarts(PackedArray lines, PackedArray deviations, long bias) {
        this.lines = PackedBytes.of(lines);
        this.deviations = PackedBytes.of(deviations);
        this.blocks = deviations.length() - 1;
        this.lineBits = lines.widthInBits();
        this.deviationBits = deviations.widthInBits();
        this.lineMask = (1L << lineBits) - 1;
        this.deviationMask = (1L << deviationBits) - 1;
        this.bias = bias;
        this.first = (int) (GolombBlocks.LEAD - bias);
    }

    /** @param starts of all blocks in ascending order from 0 on, and where the last one ends; at least one block */
    static BlockStarts of(int[] starts) {
        int blocks = starts.length - 1;
        long[] line = lines(starts);
        long least = 0;
        long most = 0;
        for (int block = 0; block <= blocks; block++) {
            long deviation = starts[block] - line(line, block);
            least = Math.min(least, deviation);
            most = Math.max(most, deviation);
        }
        PackedArray lines = new PackedArray(line.length, bitsFor(line[line.length - 1]));
        for (int group = 0; group < line.length; group++) {
            lines.set(group, line[group]);
        }
        PackedArray deviations = new PackedArray(blocks + 1L, bitsFor(most - least));
        for (int block = 0; block <= blocks; block++) {
            deviations.set(block, starts[block] - line(line, block) - least);
        }
        return new BlockStarts(lines, deviations, -least);
    }

    /** The lines of all groups, and where the last one ends, which goes on beyond the last block if that group is not full. */
    private static long[] lines(int[] starts) {
        int blocks = starts.length - 1;
        long[] lines = new long[(int) groups(blocks) + 1];
        for (int group = 0; group < lines.length - 1; group++) {
            lines[group] = starts[group << GROUP_BITS] >> WORD_SHIFT;
        }
        int first = (lines.length - 2) << GROUP_BITS;
        long end = starts[first] + ((long) (starts[blocks] - starts[first]) << GROUP_BITS) / (blocks - first);
        lines[lines.length - 1] = Math.min(end >> WORD_SHIFT, (1L << MOST_LINE_BITS) - 1);
        return lines;
    }

    private static long line(long[] lines, int block) {
        int group = Math.min(block >>> GROUP_BITS, lines.length - 2);
        return lineAt(lines[group], lines[group + 1] - lines[group], block - ((long) group << GROUP_BITS));
    }

    /** A line in bytes. */
    private static long lineAt(long line, long rise, long inGroup) {
        return (line << WORD_SHIFT) + ((rise * inGroup) >> RISE_SHIFT);
    }

    private static long groups(long blocks) {
        return (blocks + GROUP - 1) >>> GROUP_BITS;
    }

    private static int bitsFor(long most) {
        return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(most));
    }

    /**
     * Reads what {@link #lines()} and {@link #deviations()} gave, of which nothing is known.
     *
     * @throws IllegalArgumentException if they have wrong lengths
     */
    static BlockStarts read(long[] lines, long[] deviations, long blocks, Widths widths) {
        return new BlockStarts(
                PackedArray.checked(lines, groups(blocks) + 1, widths.lineBits()),
                PackedArray.checked(deviations, blocks + 1, widths.deviationBits()),
                widths.bias());
    }

    /**
     * How lines and deviations are packed.
     *
     * @param lineBits bits of a line
     * @param deviationBits bits of a deviation
     * @param bias what is taken from a deviation
     */
    record Widths(int lineBits, int deviationBits, long bias) {}

    Widths widths() {
        return new Widths(lineBits, deviationBits, bias);
    }

    long[] lines() {
        return lines.toWords();
    }

    long[] deviations() {
        return deviations.toWords();
    }

    long sizeInBits() {
        return lines.sizeInBits() + deviations.sizeInBits();
    }

    /** Where a block starts, or the last one ends. */
    long start(long block) {
        long group = Math.min(block >>> GROUP_BITS, groups(blocks) - 1);
        long line = lines.get(group);
        long inGroup = block - (group << GROUP_BITS);
        return lineAt(line, lines.get(group + 1) - line, inGroup) + deviations.get(block) - bias;
    }

    /** Whether a block holds a number. */
    boolean isIn(GolombBlocks coded, long block, long number) {
        long pair = lines.bitsFrom(block >>> GROUP_BITS);
        long line = pair & lineMask;
        long rise = (pair >>> lineBits & lineMask) - line;
        long risen = rise * (block & (GROUP - 1));
        long deviation = deviations.bitsFrom(block);
        long next = deviationBits <= MOST_PAIRED_BITS ? deviation >>> deviationBits : deviations.get(block + 1);
        int base = first + (int) (line << WORD_SHIFT);
        return coded.contains(
                base + (int) (risen >> RISE_SHIFT) + (int) (deviation & deviationMask),
                base + (int) ((risen + rise) >> RISE_SHIFT) + (int) (next & deviationMask),
                number);
    }
}
