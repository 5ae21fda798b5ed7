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
 *   8 bits a key    word 0   word 1   word 2   word 3   word 4   word 5   word 6   word 7
 *                  +--------+--------+--------+--------+--------+--------+--------+--------+
 *                  |  p0    |  p1    |  p2    |  p3    |  p4    |  p5    |  p6    |  p7    |
 *                  +--------+--------+--------+--------+--------+--------+--------+--------+
 *   16 bits           p0,p8    p1,p9    p2,p10   ...
 *   4 bits, r = 1           |  p0    |        |  p1    |        |  p2    |        |  p3    |
 *   6 bits, r, s = 1   also          |  p4    |                          |  p5    |
 *   2 bits, r = 2                    |  p0    |                          |  p1    |
 * </pre>
 *
 * A key draws a block and sets k = 2, 4, 6, 8 or 16 bits there, spread evenly over the words: with fewer than eight it
 * draws where to start as well, with sixteen it sets two bits in each word. Each position p is 6 bits of a word drawn
 * from the hash. Spreading the bits evenly costs nothing in false positives against positions drawn from the whole block,
 * and lets all of them be read from fixed places with no check that they differ.
 *
 * <p>Blocks are filled unevenly, which costs space: the size and k are taken from the sum over all fillings
 * ({@link BlockedBloomMath}), so that the rate asked for is the rate delivered: 9.95 bits a key at 1 %, 15.7 at 0.1 %. These
 * five k are at most 3.5 % larger than the best at any rate from 30 % to 1e-6.
 *
 * <p>Any number of threads may insert and ask at once; no locks.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009.
 */
public final class BlockedBloomFilter extends ConcurrentBits implements MergeableFilter, PersistentFilter {

    static final String KIND = "blocked-bloom";

    private static final int BLOCK_WORDS = 8;
    private static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;
    private static final int MAX_PROBES = 2 * BLOCK_WORDS;

    /** Positions are taken from the top of a drawn word, 6 bits each; a shift looks at no more of them than that. */
    private static final int POSITION_BITS = 6;

    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;
    private static final long DRAW = 0xA54FF53A5F1D36F1L;
    private static final long SECOND_DRAW = 0x510E527FADE682D1L;

    private final long seed;
    private final int probes;

    /** What a question needs, at hand. */
    private final long[] words;

    private final long doubleBlockCount;
    private final int startMask;
    private final long salt;

    private BlockedBloomFilter(BitVector bits, int probes, long seed, long count) {
        super(bits, count);
        this.seed = seed;
        this.probes = probes;
        this.words = bits.words();
        this.doubleBlockCount = 2 * (bits.sizeInBits() / BLOCK_BITS);
        this.startMask = probes == 2 ? 3 : probes < BLOCK_WORDS ? 1 : 0;
        this.salt = seed + SEED_SALT;
    }

    /** A filter sized for the spec, or with as many probes as its option {@code probes} says. */
    public static BlockedBloomFilter of(FilterSpec spec) {
        int probes = (int) spec.option("probes", probesForLeastSpace(spec.fpp()), 2, MAX_PROBES);
        if (!isPossible(probes)) {
            throw new IllegalArgumentException("option probes must be 2, 4, 6, 8 or 16, not " + probes);
        }
        double bitsPerKey = BlockedBloomMath.bitsPerKey(spec.fpp(), BLOCK_WORDS, probes);
        double blocks = Math.max(1, Math.ceil(spec.capacity() * bitsPerKey / BLOCK_BITS));
        if (blocks > BitVector.MAX_SIZE_IN_BITS / (double) BLOCK_BITS) {
            throw new IllegalArgumentException("no blocked Bloom filter with " + probes + " probes holds "
                    + spec.capacity() + " keys at a false-positive rate of " + spec.fpp());
        }
        return new BlockedBloomFilter(new BitVector(BLOCK_BITS * (long) blocks), probes, spec.seed(), 0);
    }

    private static boolean isPossible(long probes) {
        return probes == 2 || probes == 4 || probes == 6 || probes == BLOCK_WORDS || probes == MAX_PROBES;
    }

    private static int probesForLeastSpace(double fpp) {
        int best = 2;
        for (int probes = 4; probes <= MAX_PROBES; probes += 2) {
            if (isPossible(probes)
                    && BlockedBloomMath.bitsPerKey(fpp, BLOCK_WORDS, probes)
                            < BlockedBloomMath.bitsPerKey(fpp, BLOCK_WORDS, best)) {
                best = probes;
            }
        }
        return best;
    }

    @Override
    public boolean mightContain(long hash) {
        long mixed = Mix.mix(hash + salt);
        long draw = mixed * DRAW;
        int first = firstWord(mixed);
        if (probes >= BLOCK_WORDS) {
            return isSetInEachWord(first, draw)
                    && (probes == BLOCK_WORDS || isSetInEachWord(first, mixed * SECOND_DRAW));
        }
        int start = first + startWord(draw);
        if (probes == 2) {
            return (bitAt(start, draw, 0) & bitAt(start + 4, draw, 1) & 1) != 0;
        }
        long all = bitAt(start, draw, 0)
                & bitAt(start + 2, draw, 1)
                & bitAt(start + 4, draw, 2)
                & bitAt(start + 6, draw, 3);
        if (probes == 6) {
            int between = first + betweenWord(draw);
            all &= bitAt(between, draw, 4) & bitAt(between + 4, draw, 5);
        }
        return (all & 1) != 0;
    }

    private boolean isSetInEachWord(int first, long draw) {
        long all = bitAt(first, draw, 0)
                & bitAt(first + 1, draw, 1)
                & bitAt(first + 2, draw, 2)
                & bitAt(first + 3, draw, 3)
                & bitAt(first + 4, draw, 4)
                & bitAt(first + 5, draw, 5)
                & bitAt(first + 6, draw, 6)
                & bitAt(first + 7, draw, 7);
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
                maybe |= (bitAt(firstWord(mixed) + startWord(draw), draw, 0) & 1) << lane;
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
        int first = firstWord(mixed);
        for (int i = 0; i < probes; i++) {
            long draw = mixed * (i < BLOCK_WORDS ? DRAW : SECOND_DRAW);
            int j = i & (BLOCK_WORDS - 1);
            long word = (long) first + wordOfBit(draw, j) - Words.LEAD;
            bits.setAtomically((word << 6) + (position(draw, j) & 63));
        }
    }

    @Override
    public void insertAll(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            long mixed = Mix.mix(hashes[at] + salt);
            long draw = mixed * DRAW;
            int first = firstWord(mixed);
            long present = 1;
            if (probes >= BLOCK_WORDS) {
                present = setInEachWord(first, draw);
                if (probes > BLOCK_WORDS) {
                    present &= setInEachWord(first, mixed * SECOND_DRAW);
                }
            } else {
                int start = first + startWord(draw);
                if (probes == 2) {
                    present = setBit(start, draw, 0) & setBit(start + 4, draw, 1);
                } else {
                    present = setBit(start, draw, 0)
                            & setBit(start + 2, draw, 1)
                            & setBit(start + 4, draw, 2)
                            & setBit(start + 6, draw, 3);
                    if (probes == 6) {
                        int between = first + betweenWord(draw);
                        present &= setBit(between, draw, 4) & setBit(between + 4, draw, 5);
                    }
                }
            }
            added += ~present & 1;
        }
        addToCount(added);
    }

    private long setInEachWord(int first, long draw) {
        return setBit(first, draw, 0)
                & setBit(first + 1, draw, 1)
                & setBit(first + 2, draw, 2)
                & setBit(first + 3, draw, 3)
                & setBit(first + 4, draw, 4)
                & setBit(first + 5, draw, 5)
                & setBit(first + 6, draw, 6)
                & setBit(first + 7, draw, 7);
    }

    /** The array index of the first word of the hash's block. */
    private int firstWord(long mixed) {
        return (int) Math.multiplyHigh(mixed >>> 1, doubleBlockCount) * BLOCK_WORDS + Words.LEAD;
    }

    /** The word of the block in which the first bit lies: r, or 0 where every word has a bit. */
    private int startWord(long draw) {
        return (int) draw & startMask;
    }

    /** The word of the block in which the fifth of six bits lies: of the words that the first four leave free. */
    private static int betweenWord(long draw) {
        return ((int) ~draw & 1) + ((int) draw & 2);
    }

    /** The word of the block in which bit {@code j} lies. */
    private int wordOfBit(long draw, int j) {
        if (probes == 6) {
            return j < 4 ? startWord(draw) + 2 * j : betweenWord(draw) + 4 * (j - 4);
        }
        return startWord(draw) + j * (startMask + 1);
    }

    /** Position {@code j} in its lowest 6 bits, as far as a shift looks. */
    private static long position(long draw, int j) {
        return draw >>> (Long.SIZE - POSITION_BITS - j * POSITION_BITS);
    }

    /** Bit {@code j} of a key, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(int word, long draw, int j) {
        return words[word] >>> position(draw, j);
    }

    /** Sets bit {@code j} of a key and returns what it was, as {@link #bitAt(int, long, int)} does. */
    private long setBit(int word, long draw, int j) {
        long before = words[word];
        words[word] = before | 1L << position(draw, j);
        return before >>> position(draw, j);
    }

    @Override
    public double expectedFpp() {
        double sum = 0;
        double[] fill = new double[BLOCK_WORDS];
        // The lowest two bits of a draw say in which words the key's bits lie.
        int draws = 4;
        for (int first = Words.LEAD; first < words.length; first += BLOCK_WORDS) {
            for (int word = 0; word < BLOCK_WORDS; word++) {
                fill[word] = Long.bitCount(words[first + word]) / (double) Long.SIZE;
            }
            for (int draw = 0; draw < draws; draw++) {
                double all = 1;
                for (int i = 0; i < probes; i++) {
                    all *= fill[wordOfBit(draw, i & (BLOCK_WORDS - 1))];
                }
                sum += all;
            }
        }
        return sum / draws * BLOCK_WORDS / Words.count(words);
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
        image.check(isPossible(probes), probes + " probes cannot be");
        image.check(count >= 0, "a count of " + count + " cannot be");
        return new BlockedBloomFilter(Shapes.readBits(image, 0, size), (int) probes, image.parameter(2), count);
    }
}
