package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A compressed multiset of numbers that changes: numbers come, also more than once, and go again.
 *
 * <pre>
 *   number  =  | group | block of 16 | number in the block's range |
 *
 *   group   | lengths of 16 blocks, 16 bits each | block 0 | block 1 | ... | block 15 | some free bits |
 *   block   codes of gaps, see {@link RiceStream}; a number that was put in twice has a gap of 0
 * </pre>
 *
 * A group is an array of its own, so that a change moves the bits of one group only. Numbers should be spread evenly.
 */
public final class GolombGroups {

    private static final int GROUP_BITS = 4;
    private static final int GROUP = 1 << GROUP_BITS;
    private static final int LENGTH_BITS = 16;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final int LENGTH_WORDS = GROUP * LENGTH_BITS / Long.SIZE;

    /** Groups grow and shrink by so many words. */
    private static final int WORD_STEP = 4;

    private static final double MOST_GROUPS = 1 << 26;

    /** The part of a filter's image that these groups are. */
    public static final ImageForm FORM = new ImageForm("golomb-groups");

    private static final LongField RANGE = FORM.whole("range", "numbers are below it");
    private static final LongField REMAINDER_BITS = FORM.whole("remainderBits", "bits of a remainder, 1 to 62");
    private static final LongField BLOCK_BITS = FORM.whole("blockBits", "log2 of the numbers that a block covers");
    private static final Section LENGTHS = FORM.section("lengths", "bits of each block, 16 bits each, four a word");
    private static final Section CODES =
            FORM.section("codes", "blocks of each group, first bit highest, in whole words for each group");

    private final long range;
    private final int remainderBits;
    private final int blockBits;
    private final long[][] groups;

    /** What a change writes before it goes into a group. */
    private final RiceStream change = new RiceStream();

    private GolombGroups(long range, int remainderBits, int blockBits) {
        this.range = range;
        this.remainderBits = remainderBits;
        this.blockBits = blockBits;
        this.groups = new long[(int) groupCount(range, blockBits)][];
        Arrays.setAll(groups, i -> new long[LENGTH_WORDS]);
    }

    private static long groupCount(long range, int blockBits) {
        return ((range - 1) >>> blockBits >>> GROUP_BITS) + 1;
    }

    /**
     * An empty multiset.
     *
     * @param keys how many numbers are planned for
     * @param fpp numbers for each that is there: a number is one of {@code keys / fpp}
     * @param tailBits bits that a number has below that, for what a caller keeps with it
     * @throws IllegalArgumentException if no multiset is that large
     */
    public static GolombGroups make(long keys, double fpp, int tailBits) {
        double range = Math.ceil(keys / fpp);
        int blockBits = GolombMath.blockBits(fpp);
        int remainderBits = GolombMath.remainderBits(fpp);
        if (Math.scalb(range, tailBits) > 0x1p62
                || blockBits + tailBits > 61
                || remainderBits + tailBits > 61
                || Math.scalb(range, -blockBits - GROUP_BITS) > MOST_GROUPS) {
            throw new IllegalArgumentException(
                    "no Golomb-coded set that changes holds " + keys + " keys at a false-positive rate of " + fpp);
        }
        return new GolombGroups((long) range << tailBits, remainderBits + tailBits, blockBits + tailBits);
    }

    /**
     * An empty multiset of numbers of a range that the caller chooses.
     *
     * @param range numbers are below it
     * @param planned how many numbers codes are made for: at least 1 and less than {@code range}
     * @throws IllegalArgumentException if no multiset is that large
     */
    public static GolombGroups ofRange(long range, long planned) {
        double fpp = (double) planned / range;
        int blockBits = GolombMath.blockBits(fpp);
        if (Math.scalb((double) range, -blockBits - GROUP_BITS) > MOST_GROUPS) {
            throw new IllegalArgumentException("no Golomb-coded set that changes holds " + planned + " numbers");
        }
        return new GolombGroups(range, GolombMath.remainderBits(fpp), blockBits);
    }

    /** Gives every number in ascending order, one that is there more than once as often. */
    public void forEach(LongConsumer action) {
        for (int index = 0; index < groups.length; index++) {
            long[] group = groups[index];
            int at = LENGTH_WORDS * Long.SIZE;
            for (int block = 0; block < GROUP; block++) {
                long number = ((long) index << GROUP_BITS | block) << blockBits;
                int end = at + lengthOf(group, block);
                while (at < end) {
                    int codeEnd = codeEnd(group, at, end);
                    number += gap(group, at, codeEnd);
                    action.accept(number);
                    at = codeEnd;
                }
            }
        }
    }

    /** Numbers are below it. */
    public long range() {
        return range;
    }

    /** A place among the codes of a block, found by walking over the codes of smaller numbers. */
    private final class Place {
        final long[] group;
        final int block;

        /** Where the code begins of the first number that is not smaller, or the block ends. */
        int at;

        final int end;

        /** The number before, and the one whose code begins here or -1, as seen from the start of the block's range. */
        long before;

        long here = -1;

        Place(long number) {
            this.group = groups[(int) (number >>> blockBits >>> GROUP_BITS)];
            this.block = (int) (number >>> blockBits) & (GROUP - 1);
            long wanted = number & ((1L << blockBits) - 1);
            at = startOf(group, block);
            end = at + lengthOf(group, block);
            while (at < end) {
                int codeEnd = codeEnd(group, at, end);
                long found = before + gap(group, at, codeEnd);
                if (found >= wanted) {
                    here = found;
                    return;
                }
                before = found;
                at = codeEnd;
            }
        }
    }

    private int codeEnd(long[] group, int at, int end) {
        return at + RiceStream.quotient(group, at, end) + 1 + remainderBits;
    }

    private long gap(long[] group, int at, int codeEnd) {
        long quotient = codeEnd - at - 1L - remainderBits;
        return (quotient << remainderBits) + RiceStream.remainder(group, codeEnd - remainderBits, remainderBits);
    }

    private static int lengthOf(long[] group, int block) {
        return (int) (group[block >>> 2] >>> ((block & 3) << 4)) & LENGTH_MASK;
    }

    /** The place of a block's first bit, the words of lengths included. */
    private static int startOf(long[] group, int block) {
        int start = LENGTH_WORDS * Long.SIZE;
        for (int i = 0; i < block; i++) {
            start += lengthOf(group, i);
        }
        return start;
    }

    /**
     * The smallest number from {@code number} on that is there.
     *
     * @return it, or -1 if there is none in the rest of the range of a block
     */
    public long ceiling(long number) {
        long[] group = groups[(int) (number >>> blockBits >>> GROUP_BITS)];
        int block = (int) (number >>> blockBits) & (GROUP - 1);
        int at = startOf(group, block);
        int end = at + lengthOf(group, block);
        long way = number & ((1L << blockBits) - 1);
        while (at < end) {
            int quotient = RiceStream.quotient(group, at, end);
            at += quotient + 1;
            way -= ((long) quotient << remainderBits) + RiceStream.remainder(group, at, remainderBits);
            at += remainderBits;
            if (way <= 0) {
                return number - way;
            }
        }
        return -1;
    }

    /**
     * Puts a number in.
     *
     * @return whether it was not there
     * @throws FilterFullException if so many numbers have come to one block that it can take no more
     */
    public boolean insert(long number) {
        long wanted = number & ((1L << blockBits) - 1);
        Place place = new Place(number);
        change.clear().append(wanted - place.before, remainderBits);
        int replaced = 0;
        if (place.here >= 0) {
            change.append(place.here - wanted, remainderBits);
            replaced = codeEnd(place.group, place.at, place.end) - place.at;
        }
        if (lengthOf(place.group, place.block) + change.length() - replaced > LENGTH_MASK) {
            throw new FilterFullException("a block of a Golomb-coded set has no room for so many equal keys");
        }
        replace(number, place, replaced);
        return place.here != wanted;
    }

    /**
     * Takes a number out once, if it is there.
     *
     * @return how often it was there, where 2 stands for any number from 2 on
     */
    public int delete(long number) {
        long wanted = number & ((1L << blockBits) - 1);
        Place place = new Place(number);
        if (place.here != wanted) {
            return 0;
        }
        int next = codeEnd(place.group, place.at, place.end);
        change.clear();
        long gap = -1;
        int replaced = next - place.at;
        if (next < place.end) {
            int nextEnd = codeEnd(place.group, next, place.end);
            gap = gap(place.group, next, nextEnd);
            change.append(wanted - place.before + gap, remainderBits);
            replaced = nextEnd - place.at;
        }
        replace(number, place, replaced);
        return gap == 0 ? 2 : 1;
    }

    /** Puts the bits of {@link #change} where {@code replaced} bits of a group were. */
    private void replace(long number, Place place, int replaced) {
        int changed = change.length();
        long[] group = place.group;
        int end = startOf(group, GROUP);
        change.append(group, place.at + replaced, end - place.at - replaced);
        int words = roomFor(RiceStream.wordsFor(place.at + change.length()) - LENGTH_WORDS);
        if (words != group.length) {
            group = Arrays.copyOf(group, words);
            groups[(int) (number >>> blockBits >>> GROUP_BITS)] = group;
        }
        change.writeTo(group, place.at);
        long length = (long) lengthOf(group, place.block) + changed - replaced;
        int shift = (place.block & 3) << 4;
        group[place.block >>> 2] = (group[place.block >>> 2] & ~((long) LENGTH_MASK << shift)) | length << shift;
    }

    /** The words of a group whose codes take so many. */
    private static int roomFor(int codeWords) {
        return LENGTH_WORDS + (codeWords + WORD_STEP - 1) / WORD_STEP * WORD_STEP;
    }

    /** The memory of all groups; a reference to each counts as 64 bits. */
    public long sizeInBits() {
        long words = groups.length;
        for (long[] group : groups) {
            words += group.length;
        }
        return words << 6;
    }

    /** The groups as a part of an image. */
    public FilterImage image() {
        long[] lengths = Words.allocate((long) groups.length * LENGTH_WORDS);
        long codeWords = 0;
        for (int i = 0; i < groups.length; i++) {
            System.arraycopy(groups[i], 0, lengths, Words.LEAD + i * LENGTH_WORDS, LENGTH_WORDS);
            codeWords += usedWords(groups[i]);
        }
        long[] codes = Words.allocate(codeWords);
        int next = Words.LEAD;
        for (long[] group : groups) {
            System.arraycopy(group, LENGTH_WORDS, codes, next, usedWords(group));
            next += usedWords(group);
        }
        return FORM.write()
                .set(RANGE, range)
                .set(REMAINDER_BITS, remainderBits)
                .set(BLOCK_BITS, blockBits)
                .set(LENGTHS, lengths)
                .set(CODES, codes)
                .image();
    }

    /** The words of a group's codes. */
    private static int usedWords(long[] group) {
        return RiceStream.wordsFor(startOf(group, GROUP)) - LENGTH_WORDS;
    }

    /** The groups of a part of an image. What they hold is for {@link #tally()} to say. */
    public static GolombGroups read(FilterImage image) {
        FORM.check(image);
        long range = image.get(RANGE, 1, 1L << 62);
        int blockBits = (int) image.get(BLOCK_BITS, 1, 61);
        int remainderBits = (int) image.get(REMAINDER_BITS, 1, 61);
        long[] lengths = image.get(LENGTHS);
        long groupCount = groupCount(range, blockBits);
        image.check(
                groupCount <= Words.count(lengths) && Words.count(lengths) == groupCount * LENGTH_WORDS,
                "a wrong number of lengths");
        GolombGroups result = new GolombGroups(range, remainderBits, blockBits);
        long[] codes = image.get(CODES);
        int next = Words.LEAD;
        for (int i = 0; i < result.groups.length; i++) {
            int from = Words.LEAD + i * LENGTH_WORDS;
            long[] head = Arrays.copyOfRange(lengths, from, from + LENGTH_WORDS);
            int used = usedWords(head);
            image.check(used <= codes.length - next, "fewer codes than the lengths say");
            result.groups[i] = Arrays.copyOf(head, roomFor(used));
            System.arraycopy(codes, next, result.groups[i], LENGTH_WORDS, used);
            next += used;
        }
        image.check(next == codes.length, "more codes than the lengths say");
        return result;
    }

    /**
     * What a multiset holds.
     *
     * @param total numbers, repeated ones included
     * @param different different numbers
     */
    public record Tally(long total, long different) {}

    /**
     * Walks over all codes.
     *
     * @throws IllegalStateException if one is not whole, a number is outside of the range, or bits behind them are set
     */
    public Tally tally() {
        long total = 0;
        long different = 0;
        for (int i = 0; i < groups.length; i++) {
            long[] group = groups[i];
            for (int block = 0; block < GROUP; block++) {
                int at = startOf(group, block);
                int end = at + lengthOf(group, block);
                long first = ((long) i << GROUP_BITS | block) << blockBits;
                long number = 0;
                boolean isFirst = true;
                while (at < end) {
                    int codeEnd = codeEnd(group, at, end);
                    require(codeEnd <= end, "a code that is not whole");
                    require(
                            codeEnd - at - 1L - remainderBits <= 1L << blockBits >>> remainderBits,
                            "a number too large");
                    long gap = gap(group, at, codeEnd);
                    number += gap;
                    require(
                            number >= 0 && number >>> blockBits == 0 && first + number < range,
                            "a number outside of its block");
                    total++;
                    different += isFirst || gap > 0 ? 1 : 0;
                    isFirst = false;
                    at = codeEnd;
                }
            }
            requireClean(group, startOf(group, GROUP));
        }
        return new Tally(total, different);
    }

    private static void requireClean(long[] group, int end) {
        boolean isClean = (end & 63) == 0 || group[end >>> 6] << end == 0;
        for (int word = RiceStream.wordsFor(end); word < group.length; word++) {
            isClean &= group[word] == 0;
        }
        require(isClean, "bits behind the codes are set");
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalStateException(complaint);
        }
    }
}
