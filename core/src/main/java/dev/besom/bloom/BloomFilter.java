package dev.besom.bloom;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.MergeCheck;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The classic Bloom filter: {@code m} bits of which each key sets {@code k}. A hash is "maybe" there if all its bits are set.
 *
 * <pre>
 *   hash  ------+--------------------+-----------------------------+ ...     three bits in a cache line each
 *               |  |     |                 | |      |
 *   bits  0 1 0 1 [1] 0 [1] 0 0 1 0 0 1 0 [1][0] 0 [1] 1 0 1 0 0 1 ...
 *                                              a miss: one bit is not set
 * </pre>
 *
 * One thread inserts, any number query meanwhile; through {@link #shared()} any number insert. No locks.
 *
 * <p>Departs from the paper in where bits lie: not each anywhere, but three at a time in one cache line ({@link LinedWords}), for a
 * filter that is about one percent larger. With the option {@code scheme} each lies anywhere.
 *
 * <p>Costs, in lines: a miss touches one, and one miss in eight a second one; a hit k / 3. Where bits lie anywhere, 2.5 and k. By
 * default k is the fewest probes with which a filter whose bits lie anywhere is at most one percent larger than it must be
 * ({@link BloomMath#fewProbes(double)}).
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970.
 */
public final class BloomFilter extends GrowingBits implements MergeableFilter {

    static final String KIND = "bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField SIZE = FORM.whole("bits", "size in bits, a multiple of 64, with scheme 4 of 512");
    private static final LongField PROBES = FORM.whole("probes", "bits a key sets, 1 to 64");
    private static final LongField SCHEME =
            FORM.whole("scheme", "index scheme: 0 enhanced double, 1 double, 2 triple, 3 slices, 4 lines");
    private static final LongField SEED = FORM.whole("seed", "seed");
    private static final LongField COUNT = FORM.whole("count", "keys that were new when they were inserted");
    private static final Section WORDS = FORM.section("words", "the bits; bit i is bit i mod 64 of word i / 64");

    private final long seed;
    private final IndexScheme scheme;
    private final ProbedWords probed;

    /** The same by its class, where it is that: so that queries and inserts call it directly. */
    private final @Nullable LinedWords lined;

    BloomFilter(BitVector bits, int probes, IndexScheme scheme, long seed, long count) {
        super(bits, count);
        this.scheme = scheme;
        this.seed = seed;
        this.probed = ProbedWords.of(bits, probes, scheme, seed);
        this.lined = probed instanceof LinedWords lines ? lines : null;
    }

    /** A filter sized for the spec, or as its options {@code bits}, {@code probes} and {@code scheme} say. */
    static BloomFilter make(FilterSpec spec) {
        IndexScheme scheme = IndexScheme.ofLabel(spec.option("scheme", IndexScheme.LINES.label()));
        boolean sized = spec.options().containsKey("bits");
        long givenBits = spec.option("bits", 1, 1, BitVector.MAX_SIZE_IN_BITS);
        int probes = (int) spec.option(
                "probes",
                sized ? BloomMath.bestProbes(givenBits, spec.capacity()) : BloomMath.fewProbes(spec.fpp()),
                1,
                BloomMath.MAX_PROBES);
        long bits = sized ? givenBits : scheme.bits(spec.capacity(), spec.fpp(), probes);
        if (bits > scheme.mostBits()) {
            throw new IllegalArgumentException(
                    "a Bloom filter of " + bits + " bits is larger than the largest, " + scheme.mostBits());
        }
        return new BloomFilter(new BitVector(scheme.roundedUp(bits)), probes, scheme, spec.seed(), 0);
    }

    /**
     * A filter that keeps the rate with so many keys by {@link #count()}: keys that looked new when they were inserted.
     * Such keys set more bits than keys at random do, for those that set none are not among them; as many, at most, as
     * {@code capacity / (1 - fpp)} keys at random.
     */
    static BloomFilter makeForCounted(FilterSpec spec) {
        return make(spec.withCapacity((long) Math.ceil(spec.capacity() / (1 - spec.fpp()))));
    }

    /** A filter of the same shape without keys. */
    BloomFilter emptied() {
        return new BloomFilter(new BitVector(bits.sizeInBits()), probes(), scheme, seed, 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return lined != null ? lined.areSet(hash) : probed.areSet(hash);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.inBatches(hashes, from, count, result, probed);
    }

    @Override
    boolean areAllBitsSet(long hash) {
        return probed.areSetByLoop(hash);
    }

    @Override
    void setAtomically(long hash) {
        probed.setAtomically(bits, hash);
    }

    @Override
    public boolean insertHash(long hash) {
        if (set(hash) == 0) {
            return false;
        }
        addToCount(1);
        return true;
    }

    @Override
    public void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        long added = 0;
        for (int at = from; at < from + count; at++) {
            added += set(hashes[at]);
        }
        addToCount(added);
    }

    private long set(long hash) {
        return lined != null ? lined.set(hash) : probed.set(hash);
    }

    @Override
    public double expectedFpp() {
        return probed.expectedFpp();
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

    /** How many bits a key sets. */
    public int probes() {
        return probed.probes;
    }

    /** How the bits of a hash are found. */
    public IndexScheme scheme() {
        return scheme;
    }

    /** What the hash functions are drawn from. */
    public long seed() {
        return seed;
    }

    private double estimate(long setBits) {
        return scheme.keysFromFill(bits.sizeInBits(), Math.min(setBits, bits.sizeInBits() - 1), probes());
    }

    private BloomFilter sameShape(MergeableFilter other) {
        MergeCheck check = new MergeCheck(KIND);
        BloomFilter same = check.type(BloomFilter.class, other);
        check.same("bits", bits.sizeInBits(), same.bits.sizeInBits());
        check.same("probes", probes(), same.probes());
        check.same("scheme", scheme.label(), same.scheme.label());
        check.same("seed", seed, same.seed);
        return same;
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(SIZE, bits.sizeInBits())
                .set(PROBES, probes())
                .set(SCHEME, scheme.id())
                .set(SEED, seed)
                .set(COUNT, count())
                .set(WORDS, bits.words())
                .image();
    }

    static BloomFilter read(FilterImage image) {
        long size = image.get(SIZE, 1, BitVector.MAX_SIZE_IN_BITS);
        int probes = (int) image.get(PROBES, 1, BloomMath.MAX_PROBES);
        Optional<IndexScheme> scheme = IndexScheme.ofId(image.get(SCHEME));
        long count = image.get(COUNT, 0, Long.MAX_VALUE);
        image.check(scheme.isPresent(), "index scheme " + image.get(SCHEME) + " is not known");
        image.check((size & 63) == 0, size + " bits are no whole number of words");
        image.check(
                scheme.orElseThrow().roundedUp(size) == size, size + " bits are no whole number of lines of 512 bits");
        BitVector bits = image.checked(() -> new BitVector(image.get(WORDS), size));
        return new BloomFilter(bits, probes, scheme.orElseThrow(), image.get(SEED), count);
    }
}
