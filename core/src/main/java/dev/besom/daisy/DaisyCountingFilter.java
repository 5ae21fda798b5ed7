package dev.besom.daisy;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.bloom.IndexScheme;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.function.IntToDoubleFunction;

/**
 * A {@link DaisyFilter} of counters instead of bits: a multiset, from which each draw can be taken out again.
 *
 * <pre>
 *   hash --distribution--&gt; class --&gt; k probes        k = 0: always "maybe", nothing is counted
 *   counters   [ 3 ] [ 0 ] [ 1 ] [ 15 ] ...           4 bits each, unless the option counterBits says otherwise
 *                                   stuck: never changes again
 * </pre>
 *
 * A counter that has reached its highest value sticks there, which costs false positives and no key. Keys that are likely
 * stored are drawn often, and those have few counters or none.
 *
 * <p>A delete needs the class that the key was inserted with. A hash whose class only the caller could tell, and did not, is
 * not deleted unless all classes have the same number of probes: nobody knows how many counters it has.
 *
 * <p>Departure from the paper, which names multiplicities in a footnote and leaves them out: counters as in a counting Bloom
 * filter. There are as many as a {@link DaisyFilter} has bits.
 *
 * <p>Cost: as a {@link DaisyFilter}, with as many times the memory as a counter has bits. One writer at a time.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024. L. Fan, P. Cao, J. Almeida, A. Z. Broder: Summary
 * cache: a scalable wide-area web cache sharing protocol. IEEE/ACM Transactions on Networking 8(3), 2000.
 */
public final class DaisyCountingFilter extends DistributionFilter implements DeletableFilter {

    static final String KIND = "daisy-counting";

    private static final DaisyForm IMAGE = new DaisyForm(KIND, "probes of each class", ClassNumbers::probes);
    static final ImageForm FORM = IMAGE.form;
    private static final ImageForm.LongField COUNTERS = FORM.whole("counters", "how many there are");
    private static final ImageForm.LongField COUNTER_BITS = FORM.whole("counterBits", "bits of a counter, 2 to 16");
    private static final ImageForm.Section WORDS =
            FORM.section("words", "the counters, packed, the lowest first; and a word of 0");

    private static final int USUAL_COUNTER_BITS = 4;
    private static final int FEWEST_COUNTER_BITS = 2;
    private static final int MOST_COUNTER_BITS = 16;
    private static final long SEED_SALT = 0x59F111F1B605D019L;

    private final PackedArray counters;
    private final long stuck;
    private final long salt;

    private DaisyCountingFilter(DaisyHeader header, PackedArray counters) {
        super(header);
        this.counters = counters;
        this.stuck = (1L << counters.widthInBits()) - 1;
        this.salt = header.spec().seed() + SEED_SALT;
    }

    /** An empty filter of keys that all are alike, with the options {@code universe} and {@code counterBits}. */
    static DaisyCountingFilter make(FilterSpec spec) {
        return make(spec, DaisyKinds.uniform(spec));
    }

    /** An empty filter that knows a distribution, with the option {@code counterBits}. */
    static DaisyCountingFilter make(FilterSpec spec, Distribution distribution) {
        DaisyKinds.checkRate(FORM.kind(), spec.fpp());
        DaisyKinds.checkShares(FORM.kind(), distribution);
        int width = (int) spec.option("counterBits", USUAL_COUNTER_BITS, FEWEST_COUNTER_BITS, MOST_COUNTER_BITS);
        DaisyPlan plan = DaisyPlan.of(distribution.classes(), (double) spec.capacity(), spec.fpp());
        double length = Math.max(Long.SIZE, Math.ceil(plan.bits()));
        if (length * width > (Words.MAX_COUNT - 1) * 64.0) {
            throw new IllegalArgumentException(
                    "a " + FORM.kind() + " filter of " + length + " counters is larger than the largest");
        }
        return new DaisyCountingFilter(
                DaisyHeader.of(spec, distribution, ClassNumbers.probes(plan.probesOfClasses())),
                new PackedArray((long) length, width));
    }

    @Override
    public boolean mightContainHash(long hash, int keyClass) {
        return leastCounter(hash, numberToQuery(keyClass)) > 0;
    }

    /**
     * At most how often a hash of a class was inserted and not deleted; the highest value of a counter may stand for more,
     * and stands for anything where the class has no counters.
     */
    public int countOfHash(long hash, int keyClass) {
        return (int) leastCounter(hash, numberToQuery(keyClass));
    }

    private long leastCounter(long hash, int probes) {
        long start = Mix.mix(hash + salt);
        long least = stuck;
        for (int i = 0; i < probes && least > 0; i++) {
            least = Math.min(least, counters.get(index(start, i)));
        }
        return least;
    }

    private long index(long start, int probe) {
        return FastRange.place(IndexScheme.step(start, probe), counters.length());
    }

    @Override
    boolean put(long hash, int keyClass) {
        boolean isNew = !mightContainHash(hash, keyClass);
        add(hash, numberToInsert(keyClass), 1);
        return isNew;
    }

    @Override
    boolean isMultiset() {
        return true;
    }

    @Override
    public boolean deleteHash(long hash) {
        return deleteHash(hash, distribution().classOf(hash));
    }

    /**
     * Takes out a hash of a class once.
     *
     * @return false, and no change, where nothing matched, or where the class is {@link Distribution#UNKNOWN} and matters
     */
    public boolean deleteHash(long hash, int keyClass) {
        int probes = numberToInsert(keyClass);
        if (probes != numberToQuery(keyClass) || !mightContainHash(hash, keyClass)) {
            return false;
        }
        add(hash, probes, -1);
        takeOut();
        return true;
    }

    /** Moves each counter of a hash that is not stuck by one. */
    private void add(long hash, int probes, int change) {
        long start = Mix.mix(hash + salt);
        for (int i = 0; i < probes; i++) {
            long index = index(start, i);
            long value = counters.get(index);
            // A walk that meets a counter twice has moved it twice; only one that has stuck in between is at its end.
            if (value != stuck && value + change >= 0) {
                counters.set(index, value + change);
            }
        }
    }

    @Override
    public DaisyCountingFilter bind(HashClassifier classifier) {
        return new DaisyCountingFilter(header().bind(classifier), counters);
    }

    @Override
    public long bitsWithoutDistribution() {
        return counters.sizeInBits();
    }

    @Override
    IntToDoubleFunction rates() {
        long set = 0;
        for (long i = 0; i < counters.length(); i++) {
            set += counters.get(i) > 0 ? 1 : 0;
        }
        double fill = (double) set / counters.length();
        return keyClass -> Math.pow(fill, numberToQuery(keyClass));
    }

    @Override
    public FilterImage image() {
        return IMAGE.write(header())
                .set(COUNTERS, counters.length())
                .set(COUNTER_BITS, counters.widthInBits())
                .set(WORDS, counters.words())
                .image();
    }

    static DaisyCountingFilter read(FilterImage image) {
        DaisyHeader header = IMAGE.read(image, DaisyMath.MAX_PROBES);
        int width = (int) image.get(COUNTER_BITS, FEWEST_COUNTER_BITS, MOST_COUNTER_BITS);
        long length = image.get(COUNTERS, 1, (Words.MAX_COUNT - 1) * Long.SIZE / width);
        long[] words = image.get(WORDS);
        image.check(Words.count(words) == PackedArray.wordCount(length, width), "a wrong number of words");
        PackedArray counters = image.checked(() -> PackedArray.checked(words, length, width));
        return new DaisyCountingFilter(header, counters);
    }
}
