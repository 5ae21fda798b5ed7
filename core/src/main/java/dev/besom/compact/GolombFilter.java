package dev.besom.compact;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A Golomb-coded set: a static filter that keeps one number a key, in {@code [0, n / fpp)}, sorted and compressed. It is
 * within 0.3 bits a key of what any code of such a sorted set takes, and within 0.2 at 1 % and 0.1 %.
 *
 * <pre>
 *   mixed hash * blocks          =  | block  | rest in 64 bits |
 *   rest       * block's range   =  | number in the block | unused |
 *
 *   index    where each block starts
 *   blocks   | the numbers of about 64 to 128 keys | ... |
 * </pre>
 *
 * The pictures are in {@link BlockStarts} and {@link GolombBlocks}. Blocks and numbers are in the order of mixed hashes, so sorting
 * those is all that building takes.
 *
 * <p>Departures from the paper: blocks of equal ranges, so that no search leads to a block; a block's codes are split into
 * remainders and quotients, so that most of a block is passed over without decoding it.
 *
 * <p>Cost: {@code log2(e / fpp)} bits a key, up to 0.1 more for codes that are whole bits and 0.1 to 0.17 for the index and the
 * ends of blocks. A query computes one hash, reads two places of the index and passes over half a block on average. Building takes
 * 8 bytes a key beside the filter.
 *
 * <p>F. Putze, P. Sanders and J. Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007.
 */
public final class GolombFilter implements PersistentFilter {

    static final String KIND = "golomb";

    static final long SEED_SALT = 0xA54FF53A5F1D36F1L;

    private static final int MOST_KEYS = 1 << 30;
    private static final double MOST_RANGE = 0x1p61;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField BLOCK_COUNT = FORM.whole("blockCount", "number of blocks");
    private static final LongField BLOCK_RANGE = FORM.whole("blockRange", "keys of a block are numbers below it");
    private static final LongField REMAINDER_BITS = FORM.whole("remainderBits", "bits of a remainder, 1 to 56");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final LongField COUNT = FORM.whole("count", "different keys");
    private static final LongField NUMBERS = FORM.whole("numbers", "different numbers");
    private static final LongField LINE_BITS = FORM.whole("lineBits", "bits of a group's line in the index");
    private static final LongField DEVIATION_BITS =
            FORM.whole("deviationBits", "bits of a block's deviation in the index");
    private static final LongField BIAS = FORM.whole("bias", "what is taken from a deviation");
    private static final Section LINES = FORM.section("lines", "where lines of groups of 32 blocks start");
    private static final Section DEVIATIONS = FORM.section("deviations", "how far blocks start from the lines");
    private static final Section BLOCKS = FORM.section("blocks", "remainders and quotients of each block");

    /**
     * Which numbers keys are.
     *
     * @param blockCount number of blocks
     * @param blockRange keys of a block are numbers below it
     * @param remainderBits bits of a remainder
     * @param seed of the hash function
     */
    record Scheme(long blockCount, long blockRange, int remainderBits, long seed) {

        static Scheme of(FilterSpec spec, long count) {
            double range = Math.ceil(count / spec.fpp());
            if (range > MOST_RANGE) {
                throw new IllegalArgumentException(count + " keys at a false-positive rate of " + spec.fpp()
                        + " take numbers of more than 61 bits");
            }
            int remainderBits = (int) spec.option(
                    "remainderBits", GolombMath.remainderBits(spec.fpp()), 1, GolombMath.MOST_REMAINDER_BITS);
            long blockCount = Math.max(1, count / GolombMath.blockKeys(remainderBits));
            long blockRange = Math.max(1, ((long) range + blockCount - 1) / blockCount);
            return new Scheme(blockCount, blockRange, remainderBits, spec.seed());
        }

        long mixed(long hash) {
            return GolombFilter.mixed(hash, seed);
        }

        long block(long mixed) {
            return FastRange.placeOfEven(mixed, 2 * blockCount);
        }

        long numberInBlock(long mixed) {
            return FastRange.placeOfEven((mixed >>> 1) * (2 * blockCount), 2 * blockRange);
        }
    }

    /** Different hashes have different ones. */
    private static long mixed(long hash, long seed) {
        return Mix.mix(hash + seed + SEED_SALT);
    }

    private final Scheme scheme;
    private final BlockStarts starts;
    private final GolombBlocks blocks;
    private final long count;
    private final long numbers;

    private GolombFilter(Scheme scheme, BlockStarts starts, GolombBlocks blocks, long count, long numbers) {
        this.scheme = scheme;
        this.starts = starts;
        this.blocks = blocks;
        this.count = count;
        this.numbers = numbers;
    }

    static GolombFilter build(FilterSpec spec, HashSource source) {
        if (source.count() > MOST_KEYS) {
            throw new IllegalArgumentException("a Golomb-coded set holds at most " + MOST_KEYS + " keys, not "
                    + source.count() + "; fuse holds more");
        }
        long[] mixed = new long[(int) source.count()];
        int[] next = {0};
        long seed = spec.seed();
        source.forEach(hash -> mixed[next[0]++] = mixed(hash, seed) ^ Long.MIN_VALUE);
        int count = distinct(mixed);
        return encode(Scheme.of(spec, count), mixed, count);
    }

    /** Sorts numbers and moves the different ones to the front; returns how many they are. */
    private static int distinct(long[] numbers) {
        Arrays.sort(numbers);
        int kept = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (i == 0 || numbers[i] != numbers[i - 1]) {
                numbers[kept++] = numbers[i];
            }
        }
        return kept;
    }

    /** @param mixed different hashes with their highest bit flipped, so that they are sorted; overwritten */
    private static GolombFilter encode(Scheme scheme, long[] mixed, int count) {
        int blockCount = (int) scheme.blockCount();
        int[] firsts = new int[blockCount + 1];
        int kept = 0;
        int block = 0;
        for (int i = 0; i < count; i++) {
            long hash = mixed[i] ^ Long.MIN_VALUE;
            for (long own = scheme.block(hash); block < own; ) {
                firsts[++block] = kept;
            }
            long number = scheme.numberInBlock(hash);
            if (kept == firsts[block] || mixed[kept - 1] != number) {
                mixed[kept++] = number;
            }
        }
        Arrays.fill(firsts, block + 1, blockCount + 1, kept);
        int[] starts = new int[blockCount + 1];
        long end = 0;
        for (block = 0; block < blockCount; block++) {
            end += GolombBlocks.bytesOf(mixed, firsts[block], firsts[block + 1], scheme.remainderBits());
            if (end > GolombBlocks.MOST_BYTES) {
                throw new IllegalArgumentException("a Golomb-coded set has at most " + GolombBlocks.MOST_BYTES
                        + " bytes, too few for " + count + " keys with remainders of " + scheme.remainderBits()
                        + " bits; fuse holds more");
            }
            starts[block + 1] = (int) end;
        }
        GolombBlocks blocks =
                GolombBlocks.allocate((int) end, scheme.remainderBits(), QuotientLine.of(scheme, kept, 8.0 * end));
        for (block = 0; block < blockCount; block++) {
            blocks.write(starts[block], starts[block + 1], mixed, firsts[block], firsts[block + 1]);
        }
        return new GolombFilter(scheme, BlockStarts.of(starts), blocks, count, kept);
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = scheme.mixed(hash);
        return starts.isIn(blocks, scheme.block(mixed), scheme.numberInBlock(mixed));
    }

    /** Gives every number of the set in ascending order; the range of a block begins where that of the one before ends. */
    void forEachNumber(LongConsumer action) {
        for (long block = 0; block < scheme.blockCount(); block++) {
            long first = block * scheme.blockRange();
            blocks.forEach(
                    (int) starts.start(block), (int) starts.start(block + 1), number -> action.accept(first + number));
        }
    }

    Scheme scheme() {
        return scheme;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return starts.sizeInBits() + (Words.forBits((long) blocks.byteCount() << 3) << 6);
    }

    @Override
    public double expectedFpp() {
        return (double) numbers / ((double) scheme.blockCount() * scheme.blockRange());
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(BLOCK_COUNT, scheme.blockCount())
                .set(BLOCK_RANGE, scheme.blockRange())
                .set(REMAINDER_BITS, scheme.remainderBits())
                .set(SEED, scheme.seed())
                .set(COUNT, count)
                .set(NUMBERS, numbers)
                .set(LINE_BITS, starts.widths().lineBits())
                .set(DEVIATION_BITS, starts.widths().deviationBits())
                .set(BIAS, starts.widths().bias())
                .set(LINES, starts.lines())
                .set(DEVIATIONS, starts.deviations())
                .set(BLOCKS, blocks.toWords())
                .image();
    }

    static GolombFilter read(FilterImage image) {
        FORM.check(image);
        Scheme scheme = new Scheme(
                image.get(BLOCK_COUNT, 1, MOST_KEYS),
                image.get(BLOCK_RANGE, 1, (long) MOST_RANGE),
                (int) image.get(REMAINDER_BITS, 1, GolombMath.MOST_REMAINDER_BITS),
                image.get(SEED));
        image.check((double) scheme.blockCount() * scheme.blockRange() <= 2 * MOST_RANGE, "a range that is too large");
        long numbers = image.get(NUMBERS, 0, MOST_KEYS);
        long count = image.get(COUNT, numbers, MOST_KEYS);
        BlockStarts.Widths widths = new BlockStarts.Widths(
                (int) image.get(LINE_BITS, 1, BlockStarts.MOST_LINE_BITS),
                (int) image.get(DEVIATION_BITS, 1, BlockStarts.MOST_DEVIATION_BITS),
                image.get(BIAS, 0, Integer.MAX_VALUE));
        BlockStarts starts = image.checked(
                () -> BlockStarts.read(image.get(LINES), image.get(DEVIATIONS), scheme.blockCount(), widths));
        long end = starts.start(scheme.blockCount());
        long[] words = image.get(BLOCKS);
        image.check(
                end >= 0 && end <= GolombBlocks.MOST_BYTES && Words.count(words) == Words.forBits(end << 3),
                "blocks of a wrong length");
        image.check((end & 7) == 0 || words[words.length - 1] >>> (end << 3) == 0, "bits behind the last block");
        GolombBlocks blocks =
                GolombBlocks.of(words, (int) end, scheme.remainderBits(), QuotientLine.of(scheme, numbers, 8.0 * end));
        GolombFilter filter = new GolombFilter(scheme, starts, blocks, count, numbers);
        image.check(filter.isWhole(), "blocks that are not whole");
        return filter;
    }

    private boolean isWhole() {
        long end = starts.start(scheme.blockCount());
        if (starts.start(0) != 0) {
            return false;
        }
        long[] state = {0, -1};
        for (long block = 0; block < scheme.blockCount(); block++) {
            long from = starts.start(block);
            long to = starts.start(block + 1);
            if (from < 0 || to < from || to > end) {
                return false;
            }
            state[1] = -1;
            boolean isWhole = blocks.forEach((int) from, (int) to, number -> {
                state[0]++;
                state[1] = number > state[1] && number < scheme.blockRange() ? number : Long.MAX_VALUE;
            });
            if (!isWhole || state[1] == Long.MAX_VALUE) {
                return false;
            }
        }
        return state[0] == numbers;
    }
}
