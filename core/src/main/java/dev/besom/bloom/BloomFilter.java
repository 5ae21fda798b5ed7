package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The classic Bloom filter: {@code m} bits, a whole number of words, of which each key sets {@code k}. A hash is "maybe"
 * there if all its bits are set.
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
 * <p>A question looks at two bits before it branches: a miss passes those with a chance of one in four, where a branch
 * after each bit is wrong every second time, and a wrong guess costs as much as the memory access it waited for. The others
 * follow two by two.
 *
 * <p>Costs: a miss touches about 2.5 cache lines, a hit k. By default k is the fewest probes with which the filter is at most
 * one percent larger than it must be ({@link BloomMath#fewProbes(double)}).
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970.
 */
public final class BloomFilter extends ConcurrentBits implements MergeableFilter, PersistentFilter {

    static final String KIND = "bloom";

    /** The bits that a question looks at before it branches. */
    private static final int GROUP = 2;

    /**
     * Up to this many words, 16 MB, 32 bits choose a word and a bit of it, with no bit preferred by more than 1 in 32. At
     * eight times as many, bits would differ by a quarter, and the rate be higher by a twenty-fifth.
     */
    private static final long NARROW_WORDS = 1L << 21;

    private static final long LOW_HALF = 0xFFFFFFFFL;

    /** Keeps the seed 0 from leaving the hash 0 at 0. */
    private static final long SEED_SALT = 0x6A09E667F3BCC909L;

    private final long seed;
    private final int probes;
    private final IndexScheme scheme;

    /** What {@link #mightContainHash(long)} needs, at hand: the words, how many there are, the sums' constants. */
    private final long[] words;

    private final long wordCount;
    private final boolean wide;
    private final long factor;
    private final long growth;

    BloomFilter(BitVector bits, int probes, IndexScheme scheme, long seed, long count) {
        super(bits, count);
        this.probes = probes;
        this.scheme = scheme;
        this.seed = seed;
        this.words = bits.words();
        this.wordCount = Words.count(words);
        this.wide = wordCount > NARROW_WORDS;
        this.factor = Mix.factor(seed + SEED_SALT);
        this.growth = scheme.constantGrowth();
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
        return new BloomFilter(new BitVector(Words.forBits(bits) << 6), probes, scheme, spec.seed(), 0);
    }

    /**
     * A filter that keeps the rate with so many keys by {@link #count()}: keys that looked new when they were inserted.
     * Such keys set more bits than keys at random do, for those that set none are not among them; as many, at most, as
     * {@code capacity / (1 - fpp)} keys at random.
     */
    static BloomFilter forCounted(FilterSpec spec) {
        return of(spec.withCapacity((long) Math.ceil(spec.capacity() / (1 - spec.fpp()))));
    }

    @Override
    public boolean mightContainHash(long hash) {
        // Each call is compiled with its constant.
        return wide ? mightContain(hash, true) : mightContain(hash, false);
    }

    private boolean mightContain(long hash, boolean wide) {
        long x = IndexScheme.start(hash, factor);
        if (scheme == IndexScheme.SLICES) {
            return slicesMightContain(x, wide);
        }
        long y = IndexScheme.stride(x);
        long z = growth(x);
        return (firstBits(x, y, z, wide) & 1) != 0 && otherBitsAreSet(x, y, z, wide);
    }

    /** In its lowest bit: whether the first two bits of a walk, or the only one, are set. */
    private long firstBits(long x, long y, long z, boolean wide) {
        return probes == 1 ? bitAt(x, y, z, 0, wide) : twoBitsAt(x, y, z, 0, wide);
    }

    /** In its lowest bit: whether the bit of probe {@code i} and that of the next are set. */
    private long twoBitsAt(long x, long y, long z, int i, boolean wide) {
        return bitAt(x, y, z, i, wide) & bitAt(x, y, z, i + 1, wide);
    }

    /** Whether the bits after the first two of a walk are set. */
    private boolean otherBitsAreSet(long x, long y, long z, boolean wide) {
        int next = GROUP;
        if (probes >= 3 * GROUP) {
            // The usual case with no loop: the compiler makes more of a loop than a few probes are worth.
            if ((twoBitsAt(x, y, z, 2, wide) & 1) == 0 || (twoBitsAt(x, y, z, 4, wide) & 1) == 0) {
                return false;
            }
            next = 3 * GROUP;
        }
        for (; next < probes; next++) {
            if ((bitAt(x, y, z, next, wide) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        if (scheme == IndexScheme.SLICES) {
            super.mightContainHashes(hashes, from, count, result);
            return;
        }
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            result[base >>> 6] = wide
                    ? lanesThatMight(hashes, from + base, lanes, true)
                    : lanesThatMight(hashes, from + base, lanes, false);
        }
    }

    /** Asks for up to 64 hashes: the first bits of all of them, then the others of those that are left. */
    private long lanesThatMight(long[] hashes, int from, int lanes, boolean wide) {
        // No branch depends on what is read, so many memory accesses are under way at once.
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            long x = IndexScheme.start(hashes[from + lane], factor);
            maybe |= (firstBits(x, IndexScheme.stride(x), growth(x), wide) & 1) << lane;
        }
        long result = maybe;
        for (long left = maybe; left != 0; left &= left - 1) {
            int lane = Long.numberOfTrailingZeros(left);
            long x = IndexScheme.start(hashes[from + lane], factor);
            if (!otherBitsAreSet(x, IndexScheme.stride(x), growth(x), wide)) {
                result ^= 1L << lane;
            }
        }
        return result;
    }

    @Override
    void setAtomically(long hash) {
        long x = IndexScheme.start(hash, factor);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        for (int i = 0; i < probes; i++) {
            long fraction = scheme == IndexScheme.SLICES ? slice(x, i, wide) : fraction(x, y, z, i, wide);
            bits.setAtomically(((long) (wordIndex(fraction, wide) - Words.LEAD) << 6) | (fraction & 63));
        }
    }

    @Override
    public void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            added += wide ? set(hashes[at], true) : set(hashes[at], false);
        }
        addToCount(added);
    }

    /** Sets all bits of a hash, for a single writer; 1 if one of them was not set, 0 otherwise. */
    private long set(long hash, boolean wide) {
        long x = IndexScheme.start(hash, factor);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        long present = 1;
        int next = 0;
        if (probes >= 3 * GROUP && scheme != IndexScheme.SLICES) {
            // As in a question: the usual case with no loop.
            present = setBit(fraction(x, y, z, 0, wide), wide)
                    & setBit(fraction(x, y, z, 1, wide), wide)
                    & setBit(fraction(x, y, z, 2, wide), wide)
                    & setBit(fraction(x, y, z, 3, wide), wide)
                    & setBit(fraction(x, y, z, 4, wide), wide)
                    & setBit(fraction(x, y, z, 5, wide), wide);
            next = 3 * GROUP;
        }
        for (; next < probes; next++) {
            present &=
                    setBit(scheme == IndexScheme.SLICES ? slice(x, next, wide) : fraction(x, y, z, next, wide), wide);
        }
        return ~present & 1;
    }

    /** Sets the bit at a fraction and returns what it was, lowest in the word. */
    private long setBit(long fraction, boolean wide) {
        int word = wordIndex(fraction, wide);
        long before = words[word];
        words[word] = before | 1L << fraction;
        return before >>> fraction;
    }

    private long growth(long start) {
        return scheme == IndexScheme.TRIPLE ? IndexScheme.drawnGrowth(start) : growth;
    }

    /** Where probe {@code i} of a walk looks; where {@code i} is constant, so are all factors but the walk's own. */
    private long fraction(long x, long y, long z, int i, boolean wide) {
        if (wide) {
            return IndexScheme.step(x, y, z, growth, i);
        }
        long step = IndexScheme.step(x, y, z, growth, i >>> 1);
        return (i & 1) == 0 ? step >>> 32 : step & LOW_HALF;
    }

    /** Where probe {@code i} by slices looks: as many bits of a slice as a fraction has. */
    private static long slice(long start, int i, boolean wide) {
        long slice = Mix.expand(start, 0, i);
        return wide ? slice : slice >>> 32;
    }

    /** The array index of the word at a fraction of 2^64 in wide filters, of 2^32 in others. */
    private int wordIndex(long fraction, boolean wide) {
        long word = wide ? Math.multiplyHigh(fraction >>> 1, 2 * wordCount) : (fraction * wordCount) >>> 32;
        return (int) word + Words.LEAD;
    }

    /** The bit of probe {@code i}, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long x, long y, long z, int i, boolean wide) {
        long fraction = fraction(x, y, z, i, wide);
        return words[wordIndex(fraction, wide)] >>> fraction;
    }

    private boolean slicesMightContain(long start, boolean wide) {
        for (int i = 0; i < probes; i++) {
            long fraction = slice(start, i, wide);
            if ((words[wordIndex(fraction, wide)] >>> fraction & 1) == 0) {
                return false;
            }
        }
        return true;
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
        image.check((size & 63) == 0, size + " bits are no whole number of words");
        BitVector bits = Shapes.readBits(image, section, size);
        return new BloomFilter(bits, (int) probes, scheme.orElseThrow(), image.parameter(parameter + 3), count);
    }
}
