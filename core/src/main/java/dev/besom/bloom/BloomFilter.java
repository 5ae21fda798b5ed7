package dev.besom.bloom;

import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.PersistentFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.math.BloomMath;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The classic Bloom filter: {@code m} bits, of which each key sets {@code k}. A hash is "maybe" there if all its bits
 * are set.
 *
 * <pre>
 *   hash  --start--&gt; x ------------+--- + y ---------+--- + y + z ----+ ...
 *                                  |                 |                |
 *   bits  0 1 0 0 1 0 0 0 0 [1] 0 0 1 0 [0] 0 1 1 0 0 1 0 [1] 0 ...
 *                              a miss: one bit is not set
 * </pre>
 *
 * Any number of threads may insert and ask at once; no locks.
 *
 * <p>A question looks at three bits before it branches: a miss passes those with a chance of one in eight, where a
 * branch after each bit is wrong every second time, and a wrong guess costs as much as the memory access it waited for.
 * The remaining bits are then read together.
 *
 * <p>Costs: a miss touches 3 cache lines, a hit k. By default k is the fewest probes with which the filter is at most
 * one percent larger than it must be ({@link BloomMath#fewProbes(double)}).
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970.
 */
public final class BloomFilter extends ConcurrentBits implements MergeableFilter, PersistentFilter {

    static final String KIND = "bloom";

    /** The probes of a question before its first branch. */
    private static final int FIRST_PROBES = 3;

    /** Keeps the seed 0 from leaving the hash 0 at 0. */
    private static final long SEED_SALT = 0x6A09E667F3BCC909L;

    private final long seed;
    private final int probes;
    private final IndexScheme scheme;

    /** What {@link #mightContain(long)} needs, at hand: the words, twice the size in bits, the sums' constants. */
    private final long[] words;

    private final long doubleSize;
    private final long salt;
    private final long growthStep;
    private final boolean arithmetic;

    BloomFilter(BitVector bits, int probes, IndexScheme scheme, long seed, long count) {
        super(bits, count);
        this.probes = probes;
        this.scheme = scheme;
        this.seed = seed;
        this.words = bits.words();
        this.doubleSize = bits.sizeInBits() << 1;
        this.salt = seed + SEED_SALT;
        this.growthStep = scheme.growthStep();
        this.arithmetic = scheme != IndexScheme.SLICES;
    }

    /** A filter sized for the spec, or as its options {@code bits}, {@code probes} and {@code scheme} say. */
    public static BloomFilter of(FilterSpec spec) {
        IndexScheme scheme = IndexScheme.ofLabel(spec.option("scheme", IndexScheme.ENHANCED_DOUBLE.label()));
        boolean sized = spec.options().containsKey("bits");
        long givenBits = spec.option("bits", 1, 1, BitVector.MAX_SIZE_IN_BITS);
        int probes = (int) spec.option(
                "probes",
                sized ? BloomMath.bestProbes(givenBits, spec.capacity()) : BloomMath.fewProbes(spec.fpp()),
                1,
                BloomMath.MAX_PROBES);
        long bits = sized ? givenBits : BloomMath.bits(spec.capacity(), spec.fpp(), probes);
        if (bits > BitVector.MAX_SIZE_IN_BITS) {
            throw new IllegalArgumentException(
                    "a Bloom filter of " + bits + " bits is larger than the largest, " + BitVector.MAX_SIZE_IN_BITS);
        }
        return new BloomFilter(new BitVector(bits), probes, scheme, spec.seed(), 0);
    }

    @Override
    public boolean mightContain(long hash) {
        long x = IndexScheme.start(hash, salt);
        if (!arithmetic) {
            return slicesMightContain(x);
        }
        long y = IndexScheme.stride(x);
        long z = scheme.growth(x);
        int left = probes;
        if (left >= FIRST_PROBES) {
            long first = bitAt(x);
            x += y;
            y += z;
            z += growthStep;
            first &= bitAt(x);
            x += y;
            y += z;
            z += growthStep;
            first &= bitAt(x);
            if ((first & 1) == 0) {
                return false;
            }
            x += y;
            y += z;
            z += growthStep;
            left -= FIRST_PROBES;
        }
        long all = 1;
        for (; left > 0; left--) {
            all &= bitAt(x);
            x += y;
            y += z;
            z += growthStep;
        }
        return (all & 1) != 0;
    }

    @Override
    public void mightContain(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            // First the first two bits of each hash, in a loop short enough for many memory accesses to be under way.
            long maybe = 0;
            for (int lane = 0; lane < lanes; lane++) {
                long x = IndexScheme.start(hashes[from + base + lane], salt);
                maybe |= (firstBits(x) & 1) << lane;
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

    /** In its lowest bit: whether the first two bits of the walk from x, or the first one by slices, are set. */
    private long firstBits(long x) {
        if (!arithmetic) {
            return bitAt(slice(x, 0));
        }
        return probes == 1 ? bitAt(x) : bitAt(x) & bitAt(x + IndexScheme.stride(x));
    }

    @Override
    void setAtomically(long hash) {
        long x = IndexScheme.start(hash, salt);
        long y = IndexScheme.stride(x);
        long z = scheme.growth(x);
        for (int i = 0; i < probes; i++) {
            bits.setAtomically(index(arithmetic ? x : slice(IndexScheme.start(hash, salt), i)));
            x += y;
            y += z;
            z += growthStep;
        }
    }

    @Override
    public void insertAll(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            long x = IndexScheme.start(hashes[at], salt);
            long start = x;
            long y = IndexScheme.stride(x);
            long z = scheme.growth(x);
            long present = 1;
            for (int i = 0; i < probes; i++) {
                long index = index(arithmetic ? x : slice(start, i));
                int word = (int) (index >>> 6) + Words.LEAD;
                long before = words[word];
                words[word] = before | 1L << index;
                present &= before >>> index;
                x += y;
                y += z;
                z += growthStep;
            }
            added += ~present & 1;
        }
        addToCount(added);
    }

    /** Where a fraction of 2^64 falls in the vector. Its lowest bit is dropped, so that a signed product will do. */
    private long index(long fraction) {
        return Math.multiplyHigh(fraction >>> 1, doubleSize);
    }

    /** The bit at a fraction, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long fraction) {
        long index = index(fraction);
        return words[(int) (index >>> 6) + Words.LEAD] >>> index;
    }

    private boolean slicesMightContain(long start) {
        for (int i = 0; i < probes; i++) {
            if ((bitAt(slice(start, i)) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Slice {@code i} of the endless bit string of a hash, as a fraction. A slice has eight bits more than it takes to
     * number the filter's bits, so that no bit is preferred by more than 1 in 256.
     */
    private long slice(long start, int i) {
        int width = Math.min(Long.SIZE, Long.SIZE - Long.numberOfLeadingZeros(bits.sizeInBits()) + 8);
        int perWord = Long.SIZE / width;
        return Mix.expand(start, 0, i / perWord) << (i % perWord * width);
    }

    @Override
    public double expectedFpp() {
        return Math.pow((double) bits.cardinality() / bits.sizeInBits(), probes);
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        BloomFilter same = sameShape(other);
        bits.or(same.bits);
        addToCount(Math.round(estimatedCount()) - count());
    }

    /** Leaves only the bits that both filters have set: a filter for the keys that are in both, and more positives. */
    public void intersectWith(BloomFilter other) {
        bits.and(sameShape(other).bits);
        addToCount(Math.round(estimatedCount()) - count());
    }

    /** How many different keys the filter most likely holds, from its fill alone. */
    public double estimatedCount() {
        return estimate(bits.cardinality());
    }

    /** How many different keys the two filters together most likely hold. */
    public double estimatedUnionCount(BloomFilter other) {
        BitVector union = bits.copy();
        union.or(sameShape(other).bits);
        return estimate(union.cardinality());
    }

    /** How many keys the two filters most likely have in common. */
    public double estimatedIntersectionCount(BloomFilter other) {
        return Math.max(0, estimatedCount() + other.estimatedCount() - estimatedUnionCount(other));
    }

    public int probes() {
        return probes;
    }

    public IndexScheme scheme() {
        return scheme;
    }

    public long seed() {
        return seed;
    }

    private double estimate(long setBits) {
        return BloomMath.keysFromFill(bits.sizeInBits(), Math.min(setBits, bits.sizeInBits() - 1), probes);
    }

    private BloomFilter sameShape(MergeableFilter other) {
        Shapes shapes = new Shapes(KIND);
        BloomFilter same = shapes.sameClass(BloomFilter.class, other);
        shapes.same("bits", bits.sizeInBits(), same.bits.sizeInBits());
        shapes.same("probes", probes, same.probes);
        shapes.same("scheme", scheme.label(), same.scheme.label());
        shapes.same("seed", seed, same.seed);
        return same;
    }

    @Override
    public FilterImage image() {
        return new FilterImage(
                KIND, new long[] {bits.sizeInBits(), probes, scheme.id(), seed, count()}, List.of(bits.words()));
    }

    static BloomFilter of(FilterImage image) {
        image.checkForm(5, 1);
        return of(image, 0, 0);
    }

    /** Reads a filter whose five parameters and one section start at these places of the image. */
    static BloomFilter of(FilterImage image, int parameter, int section) {
        long size = image.parameter(parameter);
        long probes = image.parameter(parameter + 1);
        Optional<IndexScheme> scheme = IndexScheme.ofId(image.parameter(parameter + 2));
        long count = image.parameter(parameter + 4);
        image.check(probes >= 1 && probes <= BloomMath.MAX_PROBES, probes + " probes cannot be");
        image.check(scheme.isPresent(), "index scheme " + image.parameter(parameter + 2) + " is not known");
        image.check(count >= 0, "a count of " + count + " cannot be");
        BitVector bits = Shapes.readBits(image, section, size);
        return new BloomFilter(bits, (int) probes, scheme.orElseThrow(), image.parameter(parameter + 3), count);
    }
}
