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
 * The classic Bloom filter: {@code m} bits, of which each key sets {@code k}. A hash is "maybe" there if all its bits are
 * set.
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
 * <p>Departure from the schoolbook: in filters larger than 32 KB both bits that are looked at together lie in one cache line
 * ({@link IndexScheme#PAIRED}), which halves the memory accesses and makes the filter a quarter of a percent larger; the
 * option {@code scheme} asks for one of the others.
 *
 * <p>Costs: a miss touches about 1.3 cache lines, a hit k / 2; with the other schemes 2.5 and k. By default k is the fewest
 * probes with which the filter is at most one percent larger than it must be ({@link BloomMath#fewProbes(double)}).
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

    /** What a step of the walk is good for: two probes of 32 bits each; one of 64 bits; two in one cache line. */
    private static final int NARROW = 0;

    private static final int WIDE = 1;
    private static final int PAIRED = 2;

    /** The words of a cache line, and the bits that name a bit of it. */
    private static final int LINE_SHIFT = 3;

    private static final int WORD_IN_LINE = (1 << LINE_SHIFT) - 1;
    private static final int PLACE_BITS = 9;

    private static final long LOW_HALF = 0xFFFFFFFFL;

    /** Keeps the seed 0 from leaving the hash 0 at 0. */
    private static final long SEED_SALT = 0x6A09E667F3BCC909L;

    private final long seed;
    private final int probes;
    private final IndexScheme scheme;

    /** What {@link #mightContain(long)} needs, at hand: the words, how many there are, the sums' constants. */
    private final long[] words;

    private final long wordCount;
    private final long lineCount;
    private final int form;
    private final long factor;
    private final long growth;

    BloomFilter(BitVector bits, int probes, IndexScheme scheme, long seed, long count) {
        super(bits, count);
        this.probes = probes;
        this.scheme = scheme;
        this.seed = seed;
        this.words = bits.words();
        this.wordCount = Words.count(words);
        this.lineCount = wordCount >>> LINE_SHIFT;
        this.form = scheme == IndexScheme.PAIRED ? PAIRED : wordCount > NARROW_WORDS ? WIDE : NARROW;
        this.factor = Mix.factor(seed + SEED_SALT);
        this.growth = scheme.constantGrowth();
    }

    /** A filter sized for the spec, or as its options {@code bits}, {@code probes} and {@code scheme} say. */
    public static BloomFilter of(FilterSpec spec) {
        boolean sized = spec.options().containsKey("bits");
        long givenBits = spec.option("bits", 1, 1, BitVector.MAX_SIZE_IN_BITS);
        int probes = (int) spec.option(
                "probes", sized ? BloomMath.bestProbes(givenBits, spec.capacity()) : 0, 1, BloomMath.MAX_PROBES);
        int taken = probes == 0 ? BloomMath.fewProbes(spec.fpp()) : probes;
        long least = sized ? givenBits : BloomMath.bits(spec.capacity(), spec.fpp(), taken);
        boolean pays = BloomMath.isWorthPairs(least, spec.capacity(), taken);
        IndexScheme scheme = IndexScheme.ofLabel(
                spec.option("scheme", (pays ? IndexScheme.PAIRED : IndexScheme.ENHANCED_DOUBLE).label()));
        boolean paired = scheme == IndexScheme.PAIRED;
        BloomMath.Shape shape = sized
                ? BloomMath.shapeOf(givenBits, probes, paired)
                : BloomMath.shape(spec.capacity(), spec.fpp(), probes, paired);
        if (shape.bits() > BitVector.MAX_SIZE_IN_BITS) {
            throw new IllegalArgumentException("a Bloom filter of " + shape.bits()
                    + " bits is larger than the largest, " + BitVector.MAX_SIZE_IN_BITS);
        }
        return new BloomFilter(new BitVector(shape.bits()), shape.probes(), scheme, spec.seed(), 0);
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
    public boolean mightContain(long hash) {
        // Each call is compiled with its constant.
        return switch (form) {
            case PAIRED -> mightContain(hash, PAIRED);
            case WIDE -> mightContain(hash, WIDE);
            default -> mightContain(hash, NARROW);
        };
    }

    private boolean mightContain(long hash, int form) {
        long x = IndexScheme.start(hash, factor);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        return (firstBits(x, y, z, form) & 1) != 0 && otherBitsAreSet(x, y, z, form);
    }

    /** In its lowest bit: whether the first two bits of a walk, or the only one, are set. */
    private long firstBits(long x, long y, long z, int form) {
        return probes == 1 ? bitAt(x, y, z, 0, form) : twoBitsAt(x, y, z, 0, form);
    }

    /** In its lowest bit: whether the bit of probe {@code i} and that of the next are set. */
    private long twoBitsAt(long x, long y, long z, int i, int form) {
        return bitAt(x, y, z, i, form) & bitAt(x, y, z, i + 1, form);
    }

    /** Whether the bits after the first two of a walk are set. */
    private boolean otherBitsAreSet(long x, long y, long z, int form) {
        int next = GROUP;
        if (probes >= 3 * GROUP) {
            // The usual case with no loop: the compiler makes more of a loop than a few probes are worth.
            if ((twoBitsAt(x, y, z, 2, form) & 1) == 0 || (twoBitsAt(x, y, z, 4, form) & 1) == 0) {
                return false;
            }
            next = 3 * GROUP;
        }
        for (; next < probes; next++) {
            if ((bitAt(x, y, z, next, form) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void mightContain(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            result[base >>> 6] = switch (form) {
                case PAIRED -> lanesThatMight(hashes, from + base, lanes, PAIRED);
                case WIDE -> lanesThatMight(hashes, from + base, lanes, WIDE);
                default -> lanesThatMight(hashes, from + base, lanes, NARROW);
            };
        }
    }

    /** Asks for up to 64 hashes: the first bits of all of them, then the others of those that are left. */
    private long lanesThatMight(long[] hashes, int from, int lanes, int form) {
        // No branch depends on what is read, so many memory accesses are under way at once.
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            long x = IndexScheme.start(hashes[from + lane], factor);
            maybe |= (firstBits(x, IndexScheme.stride(x), growth(x), form) & 1) << lane;
        }
        long result = maybe;
        for (long left = maybe; left != 0; left &= left - 1) {
            int lane = Long.numberOfTrailingZeros(left);
            long x = IndexScheme.start(hashes[from + lane], factor);
            if (!otherBitsAreSet(x, IndexScheme.stride(x), growth(x), form)) {
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
            long place = place(x, y, z, i, form);
            bits.setAtomically(wordIndex(x, y, z, i, form) - Words.LEAD, 1L << place);
        }
    }

    @Override
    public void insertAll(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            added += switch (form) {
                case PAIRED -> set(hashes[at], PAIRED);
                case WIDE -> set(hashes[at], WIDE);
                default -> set(hashes[at], NARROW);
            };
        }
        addToCount(added);
    }

    /** Sets all bits of a hash, for a single writer; 1 if one of them was not set, 0 otherwise. */
    private long set(long hash, int form) {
        long x = IndexScheme.start(hash, factor);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        long present = 1;
        int next = 0;
        if (probes >= 3 * GROUP) {
            // As in a question: the usual case with no loop.
            present = setBit(x, y, z, 0, form)
                    & setBit(x, y, z, 1, form)
                    & setBit(x, y, z, 2, form)
                    & setBit(x, y, z, 3, form)
                    & setBit(x, y, z, 4, form)
                    & setBit(x, y, z, 5, form);
            next = 3 * GROUP;
        }
        for (; next < probes; next++) {
            present &= setBit(x, y, z, next, form);
        }
        return ~present & 1;
    }

    /** Sets the bit of probe {@code i} and returns what it was, lowest in the word. */
    private long setBit(long x, long y, long z, int i, int form) {
        int word = wordIndex(x, y, z, i, form);
        long place = place(x, y, z, i, form);
        long before = words[word];
        words[word] = before | 1L << place;
        return before >>> place;
    }

    private long growth(long start) {
        return scheme == IndexScheme.TRIPLE ? IndexScheme.drawnGrowth(start) : growth;
    }

    /** The bit of probe {@code i}, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long x, long y, long z, int i, int form) {
        return words[wordIndex(x, y, z, i, form)] >>> place(x, y, z, i, form);
    }

    /** The array index of the word of probe {@code i}; where {@code i} is constant, so are all factors but the walk's own. */
    private int wordIndex(long x, long y, long z, int i, int form) {
        long place = place(x, y, z, i, form);
        long word = switch (form) {
            case PAIRED -> line(x, y, z, i) << LINE_SHIFT | (place >>> 6 & WORD_IN_LINE);
            case WIDE -> Math.multiplyHigh(place >>> 1, 2 * wordCount);
            default -> (place * wordCount) >>> 32;
        };
        return (int) word + Words.LEAD;
    }

    /** The cache line of probe {@code i} where probes go in pairs. */
    private long line(long x, long y, long z, int i) {
        return Math.multiplyHigh(step(x, y, z, i >>> 1) >>> 1, 2 * lineCount);
    }

    /** Probe {@code i}: its lowest six bits name a bit of its word. A fraction of 2^64 if wide, of 2^32 if narrow. */
    private long place(long x, long y, long z, int i, int form) {
        if (form == PAIRED) {
            long step = step(x, y, z, i >>> 1);
            return (i & 1) == 0 ? step : step >>> PLACE_BITS;
        }
        if (scheme == IndexScheme.SLICES) {
            long slice = Mix.expand(x, 0, i);
            return form == WIDE ? slice : slice >>> 32;
        }
        if (form == WIDE) {
            return step(x, y, z, i);
        }
        long step = step(x, y, z, i >>> 1);
        return (i & 1) == 0 ? step >>> 32 : step & LOW_HALF;
    }

    private long step(long x, long y, long z, int j) {
        return IndexScheme.step(x, y, z, growth, j);
    }

    @Override
    public double expectedFpp() {
        double fill = (double) bits.cardinality() / bits.sizeInBits();
        if (form != PAIRED) {
            return Math.pow(fill, probes);
        }
        return Math.pow(pairsSet(), probes >>> 1) * Math.pow(fill, probes & 1);
    }

    /** The share of pairs of bits in one line, over all lines and places, of which both are set. */
    private double pairsSet() {
        double pairs = 0;
        for (int line = Words.LEAD; line < words.length; line += 1 << LINE_SHIFT) {
            double set = 0;
            for (int word = line; word <= line + WORD_IN_LINE; word++) {
                set += Long.bitCount(words[word]);
            }
            pairs += set * set;
        }
        return pairs / ((double) bits.sizeInBits() * BloomMath.LINE_BITS);
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
        double touched = form == PAIRED ? BloomMath.pairedBitsTouched(probes) : probes;
        return BloomMath.keysFromFill(bits.sizeInBits(), Math.min(setBits, bits.sizeInBits() - 1), touched);
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
        image.check(
                scheme.orElseThrow() != IndexScheme.PAIRED || (size > 0 && size % BloomMath.LINE_BITS == 0),
                size + " bits are no whole number of cache lines");
        BitVector bits = Shapes.readBits(image, section, size);
        return new BloomFilter(bits, (int) probes, scheme.orElseThrow(), image.parameter(parameter + 3), count);
    }
}
