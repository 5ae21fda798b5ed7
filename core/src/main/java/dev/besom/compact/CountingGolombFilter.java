package dev.besom.compact;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;

/**
 * A Golomb-coded multiset that changes: keys come, also more than once, and go again. It is the smallest counting filter here.
 *
 * <pre>
 *   hash --mix--&gt; number (fastrange of capacity / fpp)  =  | group | block of 16 | number in the block's range |
 *
 *   group   | lengths of 16 blocks, 16 bits each | block 0 | block 1 | ... | block 15 | some free bits |
 *   block   codes of gaps, see {@link RiceStream}; a number that was put in twice has a gap of 0
 * </pre>
 *
 * A group is an array of its own, so that a change moves the bits of one group only: at most 15 of its blocks and 80 to 160
 * keys a block.
 *
 * <p>Departure from the paper, which only says that this can be done: groups.
 *
 * <p>Cost: {@code log2(e / fpp)} bits a key and about half a bit, and as much again for each repeated key as for others. A query
 * adds up to 15 lengths and decodes half a block; a change moves up to two kilobytes. Not safe for concurrent use.
 *
 * <p>F. Putze, P. Sanders and J. Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007.
 */
public final class CountingGolombFilter implements DeletableFilter, PersistentFilter {

    static final String KIND = "golomb-counting";

    private static final long SEED_SALT = 0x3C6EF372FE94F82BL;
    private static final int GROUP_BITS = 4;
    private static final int GROUP = 1 << GROUP_BITS;
    private static final int LENGTH_BITS = 16;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final int LENGTH_WORDS = GROUP * LENGTH_BITS / Long.SIZE;

    /** Groups grow and shrink by so many words. */
    private static final int WORD_STEP = 4;

    private static final int MOST_REMAINDER_BITS = 56;
    private static final double MOST_GROUPS = 1 << 26;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField RANGE = FORM.whole("range", "keys are numbers below it");
    private static final LongField CAPACITY = FORM.whole("capacity", "most different numbers");
    private static final LongField REMAINDER_BITS = FORM.whole("remainderBits", "bits of a remainder, 1 to 56");
    private static final LongField BLOCK_BITS = FORM.whole("blockBits", "log2 of the numbers that a block covers");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final LongField COUNT = FORM.whole("count", "keys, repeated ones included");
    private static final LongField NUMBERS = FORM.whole("numbers", "different numbers");
    private static final Section LENGTHS = FORM.section("lengths", "bits of each block, 16 bits each, four a word");
    private static final Section CODES =
            FORM.section("codes", "blocks of each group, first bit highest, in whole words for each group");

    private final long range;
    private final long capacity;
    private final int remainderBits;
    private final int blockBits;
    private final long seed;
    private final long[][] groups;
    private long count;
    private long numbers;

    /** What a change writes before it goes into a group. */
    private final RiceStream change = new RiceStream();

    private CountingGolombFilter(long range, long capacity, int remainderBits, int blockBits, long seed) {
        this.range = range;
        this.capacity = capacity;
        this.remainderBits = remainderBits;
        this.blockBits = blockBits;
        this.seed = seed;
        this.groups = new long[groupCount(range, blockBits)][];
        Arrays.setAll(groups, i -> new long[LENGTH_WORDS]);
    }

    private static int groupCount(long range, int blockBits) {
        return (int) (((range - 1) >>> blockBits >>> GROUP_BITS) + 1);
    }

    static CountingGolombFilter make(FilterSpec spec) {
        double range = Math.ceil(spec.capacity() / spec.fpp());
        int blockBits = GolombMath.blockBits(spec.fpp());
        if (range > 0x1p62 || Math.scalb(range, -blockBits - GROUP_BITS) > MOST_GROUPS) {
            throw new IllegalArgumentException("no Golomb-coded set that changes holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        return new CountingGolombFilter(
                (long) range, spec.capacity(), GolombMath.remainderBits(spec.fpp()), blockBits, spec.seed());
    }

    private long number(long hash) {
        return FastRange.place(Mix.mix(hash + seed + SEED_SALT), range);
    }

    /** A place among the codes of a block, found by walking over the codes of smaller numbers. */
    private final class Place {
        final long[] group;
        final int block;

        /** Where the code begins of the first number that is not smaller, or the block ends. */
        int at;

        /** How far the number before is behind the start of the range, and the one that begins here. */
        long before;

        long here;
        int end;

        Place(long number) {
            this.group = groups[(int) (number >>> blockBits >>> GROUP_BITS)];
            this.block = (int) (number >>> blockBits) & (GROUP - 1);
            long wanted = number & ((1L << blockBits) - 1);
            at = startOf(group, block);
            end = at + lengthOf(group, block);
            while (at < end) {
                int quotient = RiceStream.quotient(group, at, end);
                int codeEnd = at + quotient + 1 + remainderBits;
                here = before
                        + ((long) quotient << remainderBits)
                        + RiceStream.remainder(group, codeEnd - remainderBits, remainderBits);
                if (here >= wanted) {
                    return;
                }
                before = here;
                at = codeEnd;
            }
            here = -1;
        }

        int codeEnd() {
            return at + RiceStream.quotient(group, at, end) + 1 + remainderBits;
        }
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

    @Override
    public boolean mightContainHash(long hash) {
        long number = number(hash);
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
                return way == 0;
            }
        }
        return false;
    }

    /**
     * {@inheritDoc}
     *
     * @throws FilterFullException if the number is new and there are as many different ones as planned, or if it has come so
     *     often that a block can take no more
     */
    @Override
    public boolean insertHash(long hash) {
        long number = number(hash);
        long wanted = number & ((1L << blockBits) - 1);
        Place place = new Place(number);
        boolean isNew = place.here != wanted;
        if (isNew && numbers == capacity) {
            throw new FilterFullException(
                    "a Golomb-coded set that changes is full with " + numbers + " different keys");
        }
        change.clear().append(wanted - place.before, remainderBits);
        int replaced = 0;
        if (place.here >= 0) {
            change.append(place.here - wanted, remainderBits);
            replaced = place.codeEnd() - place.at;
        }
        if (lengthOf(place.group, place.block) + change.length() - replaced > LENGTH_MASK) {
            throw new FilterFullException("a block of a Golomb-coded set has no room for so many equal keys");
        }
        replace(number, place, replaced);
        count++;
        numbers += isNew ? 1 : 0;
        return isNew;
    }

    @Override
    public boolean deleteHash(long hash) {
        long number = number(hash);
        long wanted = number & ((1L << blockBits) - 1);
        Place place = new Place(number);
        if (place.here != wanted) {
            return false;
        }
        int next = place.codeEnd();
        change.clear();
        boolean isLast = true;
        int replaced = next - place.at;
        if (next < place.end) {
            int quotient = RiceStream.quotient(place.group, next, place.end);
            int nextEnd = next + quotient + 1 + remainderBits;
            long gap = ((long) quotient << remainderBits)
                    + RiceStream.remainder(place.group, nextEnd - remainderBits, remainderBits);
            isLast = gap != 0;
            change.append(wanted - place.before + gap, remainderBits);
            replaced = nextEnd - place.at;
        }
        replace(number, place, replaced);
        count--;
        numbers -= isLast ? 1 : 0;
        return true;
    }

    /** Puts the bits of {@link #change} where {@code replaced} bits of a group were. */
    private void replace(long number, Place place, int replaced) {
        int changed = change.length();
        long[] group = place.group;
        int end = startOf(group, GROUP);
        change.append(group, place.at + replaced, end - place.at - replaced);
        int newWords = LENGTH_WORDS
                + (RiceStream.wordsFor(place.at + change.length()) - LENGTH_WORDS + WORD_STEP - 1)
                        / WORD_STEP
                        * WORD_STEP;
        if (newWords != group.length) {
            group = Arrays.copyOf(group, newWords);
            groups[(int) (number >>> blockBits >>> GROUP_BITS)] = group;
        }
        write(group, place.at);
        int length = lengthOf(group, place.block) + changed - replaced;
        int shift = (place.block & 3) << 4;
        group[place.block >>> 2] = (group[place.block >>> 2] & ~((long) LENGTH_MASK << shift)) | (long) length << shift;
    }

    /** Writes {@link #change} over a group's bits from a place on; what is behind it becomes 0. */
    private void write(long[] group, int from) {
        int first = from >>> 6;
        int shift = from & 63;
        long[] source = change.words();
        long kept = shift == 0 ? 0 : group[first] & -1L << (Long.SIZE - shift);
        for (int word = first; word < group.length; word++) {
            int i = word - first;
            long high = i < source.length ? source[i] >>> shift : 0;
            long low = i > 0 && i - 1 < source.length && shift > 0 ? source[i - 1] << (Long.SIZE - shift) : 0;
            group[word] = high | low;
        }
        group[first < group.length ? first : 0] |= first < group.length ? kept : 0;
    }

    @Override
    public long count() {
        return count;
    }

    /** {@inheritDoc} A reference to each group counts as 64 bits. */
    @Override
    public long sizeInBits() {
        long words = groups.length;
        for (long[] group : groups) {
            words += group.length;
        }
        return words << 6;
    }

    @Override
    public double expectedFpp() {
        return (double) numbers / range;
    }

    @Override
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
                .set(CAPACITY, capacity)
                .set(REMAINDER_BITS, remainderBits)
                .set(BLOCK_BITS, blockBits)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(NUMBERS, numbers)
                .set(LENGTHS, lengths)
                .set(CODES, codes)
                .image();
    }

    /** The words of a group's codes. */
    private static int usedWords(long[] group) {
        return RiceStream.wordsFor(startOf(group, GROUP)) - LENGTH_WORDS;
    }

    static CountingGolombFilter read(FilterImage image) {
        FORM.check(image);
        long range = image.get(RANGE, 1, 1L << 62);
        int blockBits = (int) image.get(BLOCK_BITS, 1, 62);
        long[] lengths = image.get(LENGTHS);
        long groupCount = ((range - 1) >>> blockBits >>> GROUP_BITS) + 1;
        image.check(
                groupCount <= Words.count(lengths) && Words.count(lengths) == groupCount * LENGTH_WORDS,
                "a wrong number of lengths");
        CountingGolombFilter filter = new CountingGolombFilter(
                range,
                image.get(CAPACITY, 1, Long.MAX_VALUE),
                (int) image.get(REMAINDER_BITS, 1, MOST_REMAINDER_BITS),
                blockBits,
                image.get(SEED));
        filter.count = image.get(COUNT, 0, Long.MAX_VALUE);
        filter.numbers = image.get(NUMBERS, 0, Math.min(filter.count, filter.capacity));
        long[] codes = image.get(CODES);
        int next = Words.LEAD;
        for (int i = 0; i < filter.groups.length; i++) {
            long[] head =
                    Arrays.copyOfRange(lengths, Words.LEAD + i * LENGTH_WORDS, Words.LEAD + (i + 1) * LENGTH_WORDS);
            int used = usedWords(head);
            image.check(used <= codes.length - next, "fewer codes than the lengths say");
            long[] group = Arrays.copyOf(head, LENGTH_WORDS + (used + WORD_STEP - 1) / WORD_STEP * WORD_STEP);
            System.arraycopy(codes, next, group, LENGTH_WORDS, used);
            next += used;
            filter.groups[i] = group;
        }
        image.check(next == codes.length, "more codes than the lengths say");
        image.checkInvariants(filter::checkInvariants);
        return filter;
    }

    /** Refuses codes that are not whole, numbers outside of the range, counts that are wrong and bits behind the codes. */
    void checkInvariants() {
        long seenKeys = 0;
        long seenNumbers = 0;
        for (int i = 0; i < groups.length; i++) {
            long[] group = groups[i];
            for (int block = 0; block < GROUP; block++) {
                int at = startOf(group, block);
                int end = at + lengthOf(group, block);
                long first = ((long) i << GROUP_BITS | block) << blockBits;
                long number = 0;
                boolean isFirst = true;
                while (at < end) {
                    int quotient = RiceStream.quotient(group, at, end);
                    at += quotient + 1 + remainderBits;
                    require(at <= end && quotient <= 1L << blockBits >>> remainderBits, "a code that is not whole");
                    long gap = ((long) quotient << remainderBits)
                            + RiceStream.remainder(group, at - remainderBits, remainderBits);
                    number += gap;
                    require(number >= 0 && number >>> blockBits == 0 && first + number < range, "a number too large");
                    seenKeys++;
                    seenNumbers += isFirst || gap > 0 ? 1 : 0;
                    isFirst = false;
                }
            }
            int end = startOf(group, GROUP);
            boolean isClean = (end & 63) == 0 || group[end >>> 6] << end == 0;
            for (int word = RiceStream.wordsFor(end); word < group.length; word++) {
                isClean &= group[word] == 0;
            }
            require(isClean, "bits behind the codes are set");
        }
        require(seenKeys == count && seenNumbers == numbers, "counts that are not those of the codes");
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalStateException(complaint);
        }
    }
}
