package dev.besom.bloom;

import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.PersistentFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.math.BlockedBloomMath;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter in blocks of one cache line: all bits of a key lie in one block of 512 bits, so that a question costs
 * one memory access.
 *
 * <pre>
 *   block   word 0   word 1   word 2   ...                word 7
 *          +--------+--------+--------+--------+---  ---+--------+
 *          |        | bit s0 | bit s1 | bit s2 |  ...   |        |     start word r = 1
 *          +--------+--------+--------+--------+---  ---+--------+
 * </pre>
 *
 * A key draws a block, a start word r, and for each of its k bits a position of 6 bits; bit j lies in word (r + j) mod 8.
 * Putting consecutive bits in different words costs nothing in false positives against k positions drawn from the whole
 * block, and needs no 9-bit positions that are checked against each other.
 *
 * <p>Blocks are filled unevenly, which costs space: the size and k are taken from the sum over all fillings
 * ({@link BlockedBloomMath}), so that the rate asked for is the rate delivered: 10.1 bits a key at 1 %, 15.7 at 0.1 %.
 *
 * <p>Any number of threads may insert and ask at once; no locks.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009.
 */
public final class BlockedBloomFilter extends ConcurrentBits implements MergeableFilter, PersistentFilter {

    static final String KIND = "blocked-bloom";

    private static final int BLOCK_WORDS = 8;
    private static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;
    private static final int WORD_MASK = BLOCK_WORDS - 1;

    /** Start word (3 bits), then positions of 6 bits each, from the top of a word drawn from the hash. */
    private static final int START_SHIFT = 61;

    private static final int POSITION_BITS = 6;
    private static final int FIRST_POSITION_SHIFT = START_SHIFT - POSITION_BITS;

    /** As many as one word gives; more would not make a rate above 1e-5 smaller. */
    private static final int MAX_PROBES = 10;

    private static final double SPACE_FOR_PROBES = 1.02;
    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;
    private static final long DRAW = 0xA54FF53A5F1D36F1L;

    private final long seed;
    private final int probes;

    /** What a question needs, at hand. */
    private final long[] words;

    private final long doubleBlockCount;
    private final long salt;

    private BlockedBloomFilter(BitVector bits, int probes, long seed, long count) {
        super(bits, count);
        this.seed = seed;
        this.probes = probes;
        this.words = bits.words();
        this.doubleBlockCount = 2 * (bits.sizeInBits() / BLOCK_BITS);
        this.salt = seed + SEED_SALT;
    }

    /** A filter sized for the spec, or with as many probes as its option {@code probes} says. */
    public static BlockedBloomFilter of(FilterSpec spec) {
        int probes = (int) spec.option("probes", fewProbes(spec.fpp()), 1, MAX_PROBES);
        double bitsPerKey = BlockedBloomMath.bitsPerKey(spec.fpp(), BLOCK_WORDS, probes);
        long blocks = (long) Math.max(1, Math.ceil(spec.capacity() * bitsPerKey / BLOCK_BITS));
        if (blocks > BitVector.MAX_SIZE_IN_BITS / BLOCK_BITS) {
            throw new IllegalArgumentException("no blocked Bloom filter with " + probes + " probes holds "
                    + spec.capacity() + " keys at a false-positive rate of " + spec.fpp());
        }
        return new BlockedBloomFilter(new BitVector(blocks * BLOCK_BITS), probes, spec.seed(), 0);
    }

    /** The fewest probes with which the filter is at most two percent larger than it must be. */
    private static int fewProbes(double fpp) {
        double most = SPACE_FOR_PROBES
                * BlockedBloomMath.bitsPerKey(
                        fpp, BLOCK_WORDS, BlockedBloomMath.probesForLeastSpace(fpp, BLOCK_WORDS, MAX_PROBES));
        int probes = 1;
        while (BlockedBloomMath.bitsPerKey(fpp, BLOCK_WORDS, probes) > most) {
            probes++;
        }
        return probes;
    }

    @Override
    public boolean mightContain(long hash) {
        long mixed = Mix.mix(hash + salt);
        return blockMightContain(firstWord(mixed), mixed * DRAW);
    }

    private boolean blockMightContain(int firstWord, long draw) {
        int word = (int) (draw >>> START_SHIFT);
        long all = words[firstWord + word] >>> (draw >>> FIRST_POSITION_SHIFT);
        int shift = FIRST_POSITION_SHIFT;
        for (int j = 1; j < probes; j++) {
            shift -= POSITION_BITS;
            all &= words[firstWord + ((word + j) & WORD_MASK)] >>> (draw >>> shift);
        }
        return (all & 1) != 0;
    }

    @Override
    public void mightContain(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            // First one bit of each hash, in a loop short enough for many memory accesses to be under way.
            long maybe = 0;
            for (int lane = 0; lane < lanes; lane++) {
                long mixed = Mix.mix(hashes[from + base + lane] + salt);
                long draw = mixed * DRAW;
                long bit = words[firstWord(mixed) + (int) (draw >>> START_SHIFT)] >>> (draw >>> FIRST_POSITION_SHIFT);
                maybe |= (bit & 1) << lane;
            }
            long word = 0;
            for (long left = maybe; left != 0; left &= left - 1) {
                int lane = Long.numberOfTrailingZeros(left);
                if (mightContain(hashes[from + base + lane])) {
                    word |= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    void setAtomically(long hash) {
        long mixed = Mix.mix(hash + salt);
        long draw = mixed * DRAW;
        long firstBit = (long) (firstWord(mixed) - Words.LEAD) << 6;
        int word = (int) (draw >>> START_SHIFT);
        int shift = FIRST_POSITION_SHIFT;
        for (int j = 0; j < probes; j++) {
            bits.setAtomically(firstBit + ((word + j & WORD_MASK) << 6) + (draw >>> shift & 63));
            shift -= POSITION_BITS;
        }
    }

    @Override
    public void insertAll(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            long mixed = Mix.mix(hashes[at] + salt);
            long draw = mixed * DRAW;
            int firstWord = firstWord(mixed);
            int word = (int) (draw >>> START_SHIFT);
            int shift = FIRST_POSITION_SHIFT;
            long present = 1;
            for (int j = 0; j < probes; j++) {
                int index = firstWord + (word + j & WORD_MASK);
                long before = words[index];
                words[index] = before | 1L << (draw >>> shift);
                present &= before >>> (draw >>> shift);
                shift -= POSITION_BITS;
            }
            added += ~present & 1;
        }
        addToCount(added);
    }

    /** The array index of the first word of the hash's block. */
    private int firstWord(long mixed) {
        return (int) Math.multiplyHigh(mixed >>> 1, doubleBlockCount) * BLOCK_WORDS + Words.LEAD;
    }

    @Override
    public double expectedFpp() {
        double sum = 0;
        double[] fill = new double[BLOCK_WORDS];
        for (int first = Words.LEAD; first < words.length; first += BLOCK_WORDS) {
            for (int word = 0; word < BLOCK_WORDS; word++) {
                fill[word] = Long.bitCount(words[first + word]) / (double) Long.SIZE;
            }
            for (int start = 0; start < BLOCK_WORDS; start++) {
                double all = 1;
                for (int j = 0; j < probes; j++) {
                    all *= fill[(start + j) & WORD_MASK];
                }
                sum += all;
            }
        }
        return sum / (words.length - Words.LEAD);
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        Shapes shapes = new Shapes(KIND);
        BlockedBloomFilter same = shapes.sameClass(BlockedBloomFilter.class, other);
        shapes.same("bits", bits.sizeInBits(), same.bits.sizeInBits());
        shapes.same("probes", probes, same.probes);
        shapes.same("seed", seed, same.seed);
        bits.or(same.bits);
        addToCount(Math.round(estimatedCount()) - count());
    }

    /** How many different keys the filter most likely holds, from the fill of its blocks alone. */
    public double estimatedCount() {
        double keys = 0;
        // A word gets probes / 8 bits of each key of its block; a full one counts as if one bit were missing.
        double bitsOfAKey = (double) probes / BLOCK_WORDS;
        for (int i = Words.LEAD; i < words.length; i++) {
            double missing = Math.max(1, Long.SIZE - Long.bitCount(words[i]));
            keys += Math.log(missing / Long.SIZE) / Math.log1p(-bitsOfAKey / Long.SIZE);
        }
        return keys / BLOCK_WORDS;
    }

    public int probes() {
        return probes;
    }

    @Override
    public FilterImage image() {
        return new FilterImage(KIND, new long[] {bits.sizeInBits(), probes, seed, count()}, List.of(bits.words()));
    }

    static BlockedBloomFilter of(FilterImage image) {
        image.checkForm(4, 1);
        long size = image.parameter(0);
        long probes = image.parameter(1);
        long count = image.parameter(3);
        image.check(size % BLOCK_BITS == 0, size + " bits are no whole number of blocks");
        image.check(probes >= 1 && probes <= MAX_PROBES, probes + " probes cannot be");
        image.check(count >= 0, "a count of " + count + " cannot be");
        return new BlockedBloomFilter(Shapes.readBits(image, 0, size), (int) probes, image.parameter(2), count);
    }
}
