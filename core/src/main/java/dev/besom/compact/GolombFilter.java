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
 * within 0.2 bits a key of what any code of such a sorted set takes.
 *
 * <pre>
 *   hash --mix--&gt; number (fastrange of n / fpp)  =  | block | number in the block's range |
 *
 *   index    where each block starts
 *   blocks   | 80 to 160 numbers | ... |
 * </pre>
 *
 * The pictures are in {@link BlockStarts} and {@link GolombBlocks}.
 *
 * <p>Departures from the paper: blocks of equal ranges, so that no search leads to a block; a block's codes are split into
 * remainders and quotients, so that most of a block is passed over without decoding it.
 *
 * <p>Cost: {@code log2(e / fpp)} bits a key and 0.03 to 0.09 more for codes that are whole bits and 0.1 to 0.17 for the index. A
 * query computes one hash, reads one place of the index and passes over half a block on average. Building takes 24 bytes a key.
 *
 * <p>F. Putze, P. Sanders and J. Singler: Cache-, hash- and space-efficient Bloom filters. WEA 2007.
 */
public final class GolombFilter implements PersistentFilter {

    static final String KIND = "golomb";

    static final long SEED_SALT = 0xA54FF53A5F1D36F1L;

    private static final int MOST_KEYS = 1 << 30;
    private static final double MOST_RANGE = 0x1p62;

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField RANGE = FORM.whole("range", "keys are numbers below it");
    private static final LongField REMAINDER_BITS = FORM.whole("remainderBits", "bits of a remainder, 1 to 56");
    private static final LongField BLOCK_BITS = FORM.whole("blockBits", "log2 of the numbers that a block covers");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final LongField COUNT = FORM.whole("count", "different keys");
    private static final LongField NUMBERS = FORM.whole("numbers", "different numbers");
    private static final LongField START_BITS = FORM.whole("startBits", "bits of a group's start in the index");
    private static final LongField DEVIATION_BITS =
            FORM.whole("deviationBits", "bits of a block's deviation in the index");
    private static final LongField BIAS = FORM.whole("bias", "what is taken from a deviation");
    private static final Section INDEX = FORM.section("index", "starts and deviations of groups of 16 blocks");
    private static final Section BLOCKS =
            FORM.section("blocks", "remainders and quotients of each block, and one word more");

    /**
     * Which numbers keys are.
     *
     * @param range keys are numbers below it
     * @param remainderBits bits of a remainder
     * @param blockBits log2 of the numbers that a block covers
     * @param seed of the hash function
     */
    record Scheme(long range, int remainderBits, int blockBits, long seed) {

        long number(long hash) {
            return FastRange.place(Mix.mix(hash + seed + SEED_SALT), range);
        }

        long blockCount() {
            return ((range - 1) >>> blockBits) + 1;
        }
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
        long[] hashes = new long[(int) source.count()];
        int[] next = {0};
        source.forEach(hash -> hashes[next[0]++] = hash);
        int count = distinct(hashes);
        int remainderBits = (int)
                spec.option("remainderBits", GolombMath.remainderBits(spec.fpp()), 1, GolombMath.MOST_REMAINDER_BITS);
        double range = Math.ceil(count / spec.fpp());
        if (range > MOST_RANGE) {
            throw new IllegalArgumentException(
                    count + " keys at a false-positive rate of " + spec.fpp() + " take numbers of more than 62 bits");
        }
        Scheme scheme =
                new Scheme(Math.max(1, (long) range), remainderBits, GolombMath.blockBits(spec.fpp()), spec.seed());
        return encode(scheme, numbers(scheme, hashes, count), count);
    }

    /** Sorts hashes and moves the different ones to the front; returns how many they are. */
    private static int distinct(long[] hashes) {
        Arrays.sort(hashes);
        int kept = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (i == 0 || hashes[i] != hashes[i - 1]) {
                hashes[kept++] = hashes[i];
            }
        }
        return kept;
    }

    private static long[] numbers(Scheme scheme, long[] hashes, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = scheme.number(hashes[i]);
        }
        return Arrays.copyOf(numbers, distinct(numbers));
    }

    private static GolombFilter encode(Scheme scheme, long[] sorted, long count) {
        int blockCount = Math.toIntExact(scheme.blockCount());
        int[] firsts = new int[blockCount + 1];
        long mask = (1L << scheme.blockBits()) - 1;
        int next = 0;
        for (int block = 0; block < blockCount; block++) {
            firsts[block] = next;
            while (next < sorted.length && sorted[next] >>> scheme.blockBits() == block) {
                sorted[next++] &= mask;
            }
        }
        firsts[blockCount] = next;
        long[] starts = new long[blockCount + 1];
        for (int block = 0; block < blockCount; block++) {
            starts[block + 1] = starts[block]
                    + GolombBlocks.bitsOf(sorted, firsts[block], firsts[block + 1], scheme.remainderBits());
        }
        long[] words = Words.allocate(Words.forBits(starts[blockCount]) + 1);
        GolombBlocks blocks = blocks(scheme, words, sorted.length);
        for (int block = 0; block < blockCount; block++) {
            blocks.write(starts[block], starts[block + 1], sorted, firsts[block], firsts[block + 1]);
        }
        return new GolombFilter(scheme, BlockStarts.of(starts), blocks, count, sorted.length);
    }

    private static GolombBlocks blocks(Scheme scheme, long[] words, long numbers) {
        double unaryBits = (Words.count(words) - 1.0) * Long.SIZE - (double) numbers * scheme.remainderBits();
        return new GolombBlocks(
                words,
                scheme.remainderBits(),
                Math.max(0, unaryBits) * Math.scalb(1.0, scheme.remainderBits()) / scheme.range());
    }

    @Override
    public boolean mightContainHash(long hash) {
        long number = scheme.number(hash);
        long block = number >>> scheme.blockBits();
        return starts.isIn(blocks, block, number & ((1L << scheme.blockBits()) - 1));
    }

    /** Gives every number of the set in ascending order. */
    void forEachNumber(LongConsumer action) {
        for (long block = 0; block < scheme.blockCount(); block++) {
            long first = block << scheme.blockBits();
            blocks.forEach(starts.start(block), starts.start(block + 1), number -> action.accept(first + number));
        }
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return (long) (Words.count(starts.words()) + Words.count(blocks.words())) << 6;
    }

    @Override
    public double expectedFpp() {
        return (double) numbers / scheme.range();
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(RANGE, scheme.range())
                .set(REMAINDER_BITS, scheme.remainderBits())
                .set(BLOCK_BITS, scheme.blockBits())
                .set(SEED, scheme.seed())
                .set(COUNT, count)
                .set(NUMBERS, numbers)
                .set(START_BITS, starts.startBits())
                .set(DEVIATION_BITS, starts.deviationBits())
                .set(BIAS, starts.bias())
                .set(INDEX, starts.words())
                .set(BLOCKS, blocks.words())
                .image();
    }

    static GolombFilter read(FilterImage image) {
        FORM.check(image);
        Scheme scheme = new Scheme(
                image.get(RANGE, 1, (long) MOST_RANGE),
                (int) image.get(REMAINDER_BITS, 1, GolombMath.MOST_REMAINDER_BITS),
                (int) image.get(BLOCK_BITS, 1, 62),
                image.get(SEED));
        long numbers = image.get(NUMBERS, 0, MOST_KEYS);
        long count = image.get(COUNT, numbers, MOST_KEYS);
        int startBits = (int) image.get(START_BITS, 1, 62);
        int deviationBits = (int) image.get(DEVIATION_BITS, 1, 62);
        long bias = image.get(BIAS, 0, Long.MAX_VALUE >>> 1);
        long[] index = image.get(INDEX);
        image.check(
                scheme.blockCount() <= (long) Words.count(index) << 6
                        && Words.count(index) == BlockStarts.wordCount(scheme.blockCount(), startBits, deviationBits),
                "an index of a wrong length");
        long[] words = image.get(BLOCKS);
        BlockStarts starts = new BlockStarts(index, scheme.blockCount(), startBits, deviationBits, bias);
        GolombFilter filter = new GolombFilter(scheme, starts, blocks(scheme, words, numbers), count, numbers);
        image.check(filter.isWhole(), "blocks that are not whole");
        return filter;
    }

    private boolean isWhole() {
        long end = starts.start(scheme.blockCount());
        if (Words.count(blocks.words()) != Words.forBits(end) + 1 || starts.start(0) != 0) {
            return false;
        }
        long[] state = {0, -1};
        for (long block = 0; block < scheme.blockCount(); block++) {
            long from = starts.start(block);
            long to = starts.start(block + 1);
            long first = block << scheme.blockBits();
            long after = Math.min(scheme.range(), first + (1L << scheme.blockBits()));
            if (from < 0 || to < from || to > end) {
                return false;
            }
            boolean isWhole = blocks.forEach(from, to, number -> {
                state[0]++;
                boolean isNext = number >= 0 && first + number > state[1] && first + number < after;
                state[1] = isNext ? first + number : Long.MAX_VALUE;
            });
            if (!isWhole || state[1] == Long.MAX_VALUE) {
                return false;
            }
        }
        return state[0] == numbers;
    }
}
