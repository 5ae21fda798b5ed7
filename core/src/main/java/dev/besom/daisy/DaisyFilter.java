package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.Words;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Daisy Bloom filter: one array of bits in which each key has as many probes as its chances of being stored and of
 * being asked for deserve, from none to log2(1 / fpp) rounded up. With no more knowledge than that all keys are alike it
 * is a Bloom filter.
 *
 * <pre>
 *   hash --distribution--&gt; class --&gt; probes          surely stored, or seldom asked      0   always "maybe"
 *                                     |              rather stored than asked            1 ... 6
 *   bits  0 1 0 [1] 0 0 1 [1] 0 [0] ...              rather asked than stored            7   (at 1 %)
 * </pre>
 *
 * <b>Terms.</b> The <em>capacity</em> is a number of draws: keys come with repetitions, and how many different ones come
 * follows from the distribution. The rate is that over the questions of the distribution.
 *
 * <p><b>No key is lost whatever the distribution says</b>, because a hash has the same class and a class the same probes
 * in every question as at the insert: both are saved with the filter and never change. A wrong distribution costs space
 * or rate: if its p and q are off by a factor of f, keys have up to log2(f) probes too many or too few.
 *
 * <p><b>Warming up.</b> If the shares of the classes are not known, the first (log2 n)^3 draws are kept exactly, counted by
 * class, and put in when the size of the bits follows from the counts.
 *
 * <p><b>Departures from the paper.</b> The size is the one with which the rate is that asked for, and k is that of a lower
 * rate where this takes less space ({@link DaisyPlan}); the option {@code sizing=formula} gives the paper's k and LB / ln 2,
 * with up to a third more false positives under Zipf's law. Classes stand for keys that are nearly alike.
 *
 * <p><b>Cost.</b> A question for a key of k probes touches at most k cache lines, after one look-up of its class. One
 * writer at a time.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
public final class DaisyFilter implements ClassifiedFilter, MergeableFilter, PersistentFilter {

    static final String KIND = "daisy";

    private static final int PARAMETERS = 6;
    private static final int FIRST_DISTRIBUTION_SECTION = 4;

    private final FilterSpec spec;
    private final boolean byFormula;
    private ProbedBits bits;
    private @Nullable WarmUp warmUp;
    private long count;

    private DaisyFilter(FilterSpec spec, boolean byFormula, ProbedBits bits, @Nullable WarmUp warmUp, long count) {
        this.spec = spec;
        this.byFormula = byFormula;
        this.bits = bits;
        this.warmUp = warmUp;
        this.count = count;
    }

    /** A filter of keys that all are alike, with the options {@code universe} and {@code sizing}. */
    public static DaisyFilter of(FilterSpec spec) {
        return of(spec, DaisyKinds.uniform(spec));
    }

    /** A filter that knows a distribution, with the option {@code sizing}. */
    public static DaisyFilter of(FilterSpec spec, Distribution distribution) {
        boolean byFormula = DaisyKinds.isSizedByFormula(spec);
        DaisyKinds.checkRate(KIND, spec.fpp());
        FilterSpec plain = DaisyKinds.plain(spec);
        if (distribution.areSharesKnown()) {
            return new DaisyFilter(plain, byFormula, plan(plain, byFormula, distribution), null, 0);
        }
        int[] none = new int[distribution.classCount()];
        return new DaisyFilter(
                plain,
                byFormula,
                ProbedBits.allocate(KIND, distribution, none, 0, spec.seed()),
                new WarmUp(WarmUp.drawsFor(spec.capacity()), distribution.classCount()),
                0);
    }

    /** Sets the probes of each class and makes the bits. */
    private static ProbedBits plan(FilterSpec spec, boolean byFormula, Distribution known) {
        List<KeyClass> classes = known.classes();
        double n = (double) spec.capacity();
        DaisyPlan plan = byFormula ? DaisyPlan.byFormula(classes, n, spec.fpp()) : DaisyPlan.of(classes, n, spec.fpp());
        return ProbedBits.allocate(KIND, known, plan.probesOfClasses(), plan.bits(), spec.seed());
    }

    private void finish(WarmUp first) {
        bits = plan(spec, byFormula, distribution().withCountedInserts(first.drawsOfClass()));
        for (int i = 0; i < first.size(); i++) {
            bits.set(first.hash(i), first.classOf(i));
        }
        warmUp = null;
    }

    @Override
    public boolean mightContain(long hash, int keyClass) {
        WarmUp first = warmUp;
        return first != null ? first.contains(hash) : bits.areSet(hash, keyClass);
    }

    @Override
    public boolean insert(long hash, int keyClass) {
        WarmUp first = warmUp;
        boolean isNew;
        if (first == null) {
            isNew = bits.set(hash, keyClass);
        } else {
            isNew = first.add(hash, keyClass);
            if (first.isOver()) {
                finish(first);
            }
        }
        count += isNew ? 1 : 0;
        return isNew;
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        if (!(other instanceof DaisyFilter that)) {
            throw DaisyKinds.notMergeable(KIND, other);
        }
        DaisyKinds.requireSameSpec(spec, that.spec);
        DaisyKinds.requireSame("states of warming up", warmUp != null, that.warmUp != null);
        bits.requireAlike(that.bits);
        WarmUp others = that.warmUp;
        if (others != null && that != this) {
            for (int i = 0; i < others.size(); i++) {
                insert(others.hash(i), others.classOf(i));
            }
            return;
        }
        bits.or(that.bits);
        count += that == this ? 0 : that.count;
    }

    /**
     * This filter with the caller's classifier at hand, which a file does not hold; it takes this one's place. Without a
     * classifier nothing is lost, but the filter asks with the fewest probes of any class.
     *
     * @throws IllegalArgumentException if the classifier is not the one that the filter was made with
     */
    public DaisyFilter bind(HashClassifier classifier) {
        return new DaisyFilter(spec, byFormula, bits.bind(classifier), warmUp, count);
    }

    /** Whether the first keys are still being counted. */
    public boolean isWarmingUp() {
        return warmUp != null;
    }

    /** How many probes keys of a class have; 0 while the filter is warming up. */
    public int probesOf(int keyClass) {
        return bits.probesOf(keyClass);
    }

    /** The paper's condition for its rate, n * sum(p q) &lt;= fpp, for this filter's distribution. */
    public DaisyMath.Condition condition() {
        return DaisyMath.condition(distribution().classes(), (double) spec.capacity(), spec.fpp());
    }

    @Override
    public Distribution distribution() {
        return bits.distribution();
    }

    @Override
    public long count() {
        return count;
    }

    /** The bits, and what the filter knows of the distribution. */
    @Override
    public long sizeInBits() {
        WarmUp first = warmUp;
        return bits.sizeInBits() + (first == null ? 0 : first.sizeInBits());
    }

    /** The memory of the bits alone, the part that the paper speaks of. */
    public long bitsWithoutDistribution() {
        return bits.bitsWithoutDistribution();
    }

    /** Over the questions of the distribution. */
    @Override
    public double expectedFpp() {
        return warmUp != null ? 0 : bits.expectedFpp(count);
    }

    @Override
    public FilterImage image() {
        WarmUp first = warmUp;
        long[] parameters = {
            spec.capacity(),
            Double.doubleToRawLongBits(spec.fpp()),
            spec.seed(),
            byFormula ? 1 : 0,
            count,
            first == null ? 0 : first.limit()
        };
        List<long[]> sections = new ArrayList<>(bits.sections());
        sections.add(first == null ? Words.allocate(0) : first.hashWords());
        sections.add(first == null ? Words.allocate(0) : first.drawWords());
        sections.addAll(new DistributionForm(distribution()).sections());
        return new FilterImage(KIND, parameters, sections);
    }

    static DaisyFilter of(FilterImage image) {
        image.checkForm(PARAMETERS, FIRST_DISTRIBUTION_SECTION + DistributionForm.SECTION_COUNT);
        FilterSpec spec = DaisyKinds.readSpec(image);
        long byFormula = image.parameter(3);
        long count = image.parameter(4);
        long limit = image.parameter(5);
        ProbedBits bits = ProbedBits.read(image, FIRST_DISTRIBUTION_SECTION, spec.seed());
        image.check(byFormula == 0 || byFormula == 1, "sizing " + byFormula + " is not known");
        image.check(count >= 0 && limit >= 0, "negative counts cannot be");
        WarmUp warmUp = null;
        if (limit > 0) {
            warmUp = WarmUp.read(image, 2, limit, bits.distribution().classCount());
            image.check(count == warmUp.size(), count + " keys are not those that were kept");
        } else {
            image.check(
                    Words.count(image.sections().get(2)) == 0
                            && Words.count(image.sections().get(3)) == 0,
                    "keys are kept in a filter that is not warming up");
        }
        return new DaisyFilter(spec, byFormula == 1, bits, warmUp, count);
    }
}
