package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.quotient.QuotientFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The space-efficient filter that knows the distribution: keys that deserve j bits of information go to the fingerprint
 * filter of class j, whose rate is 2^-j. Keys that deserve none are not stored and always "maybe".
 *
 * <pre>
 *   hash --distribution--&gt; class --&gt; j = 0            always "maybe"
 *                                    j of many keys   quotient filter of j, rate 2^-j, room for (1 + 1 / log2 n) n_j
 *                                    j of few keys    one quotient filter for all of them, rate fpp
 * </pre>
 *
 * <b>Terms.</b> n_j is how many of n draws are of keys that deserve j. Few is less than n / (log2 n)^2.5.
 *
 * <p><b>Overflow.</b> A class that gets more keys than planned grows: a second filter of twice the room and half the rate
 * takes the next ones, and so on. No key is lost or refused; the rate of the class at most doubles.
 *
 * <p><b>Warming up.</b> If the shares of the classes are not known, the first draws are kept and counted, as in a
 * {@link DaisyFilter}.
 *
 * <p><b>Departures from the paper.</b> The filters inside are quotient filters, whose operations take constant time on
 * average and the time of a logarithm at worst. A key whose fingerprint is there already takes no second slot, since draws
 * repeat. The room of the rare classes is their expected number and six standard deviations, where the paper has a bound.
 *
 * <p><b>Cost.</b> (j + 2.125) / 0.95 bits for a key of class j: below j = 6 a {@link DaisyFilter} is smaller, whose keys
 * take 1.44 j. One writer at a time.
 *
 * <p><b>At worst.</b> No filter inside is filled beyond the 95 % that it is planned for, and none has a fingerprint twice. So
 * a run of fingerprints is d slots away from its home with a chance of e^-0.1 d, and the next free slot is d slots away with
 * one of e^-0.0013 d. Among n keys the worst query therefore crosses about 10 ln n slots, whose metadata are two words in
 * 64 slots, and the worst insert moves about 770 ln n slots, where the mean is 200. Neither is bounded by a constant; both are
 * with high probability by these logarithms. A query reads one filter, and one more for each overflow of its class, which
 * are at most log2 of how many times too large the class is. The insert that overflows makes the next filter at once, in time
 * proportional to it.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024, section 4.
 */
public final class DaisyFingerprintFilter extends DistributionFilter {

    static final String KIND = "daisy-fingerprint";

    private static final DaisyForm IMAGE = new DaisyForm(
            KIND, "group of each class from 1 on, 0 for classes that are always \"maybe\"", ClassNumbers::parts);
    static final ImageForm FORM = IMAGE.form;
    private static final WarmUpForm WARM_UP = new WarmUpForm(FORM);

    static {
        FORM.list("of each group: how many filters it has, planned keys of the first one, f64 rate of the first one");
        FORM.parts("quotient filters, group by group");
    }

    private static final Inside<QuotientFilter> QUOTIENT = Inside.quotient(QuotientFilter.class);

    private static final int NUMBERS_PER_GROUP = 3;

    private Layers[] groups;

    /** Whether there are classes whose keys are always "maybe". */
    private boolean hasUnstored;

    private @Nullable WarmUp warmUp;

    private DaisyFingerprintFilter(DaisyHeader header, Layers[] groups, @Nullable WarmUp warmUp) {
        super(header);
        this.groups = groups;
        this.hasUnstored = hasUnstored(header);
        this.warmUp = warmUp;
    }

    private static boolean hasUnstored(DaisyHeader header) {
        return Arrays.stream(header.numbers().toArray()).anyMatch(group -> group == 0);
    }

    /** An empty filter of keys that all are alike, with the option {@code universe}. */
    static DaisyFingerprintFilter make(FilterSpec spec) {
        return make(spec, DaisyKinds.uniform(spec));
    }

    /** An empty filter that knows a distribution. */
    static DaisyFingerprintFilter make(FilterSpec spec, Distribution distribution) {
        DaisyKinds.checkRate(FORM.kind(), spec.fpp());
        if (!distribution.areSharesKnown()) {
            int[] none = new int[distribution.classCount()];
            return new DaisyFingerprintFilter(
                    DaisyHeader.of(spec, distribution, ClassNumbers.parts(none)),
                    new Layers[0],
                    new WarmUp(WarmUp.drawsFor(spec.capacity()), distribution.classCount()));
        }
        FingerprintPlan plan = planFor(spec, distribution);
        return new DaisyFingerprintFilter(
                DaisyHeader.of(spec, distribution, ClassNumbers.parts(plan.groupOfClass())),
                groups(plan, spec.seed()),
                null);
    }

    private static FingerprintPlan planFor(FilterSpec spec, Distribution known) {
        return FingerprintPlan.of(known.classes(), (double) spec.capacity(), spec.fpp());
    }

    private static Layers[] groups(FingerprintPlan plan, long seed) {
        Layers[] groups = new Layers[plan.rates().size()];
        for (int group = 0; group < groups.length; group++) {
            groups[group] = Layers.make(Layers.plan(
                    group, plan.capacities().get(group), plan.rates().get(group), seed));
        }
        return groups;
    }

    /** Makes the filters of each class, and puts in what was kept. */
    private void finish(WarmUp first) {
        Distribution known = distribution().withCountedInserts(first.drawsOfClass());
        FilterSpec spec = header().spec();
        FingerprintPlan plan = planFor(spec, known);
        DaisyHeader planned = DaisyHeader.of(spec, known, ClassNumbers.parts(plan.groupOfClass()));
        setHeader(planned);
        groups = groups(plan, spec.seed());
        hasUnstored = hasUnstored(planned);
        warmUp = null;
        for (int i = 0; i < first.size(); i++) {
            put(first.hash(i), first.classOf(i));
        }
    }

    /** Whether the first keys are still being counted. */
    public boolean isWarmingUp() {
        return warmUp != null;
    }

    @Override
    public boolean mightContainHash(long hash, int keyClass) {
        WarmUp first = warmUp;
        if (first != null) {
            return first.contains(hash);
        }
        int group = numberToQuery(keyClass);
        return group > 0 ? groups[group - 1].mightContain(hash) : group == 0 || mightBeInAny(hash);
    }

    /** For a hash of unknown class. */
    private boolean mightBeInAny(long hash) {
        if (hasUnstored) {
            return true;
        }
        for (Layers group : groups) {
            if (group.mightContain(hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean put(long hash, int keyClass) {
        WarmUp first = warmUp;
        if (first != null) {
            boolean isFirst = first.add(hash, keyClass);
            if (first.isOver()) {
                finish(first);
            }
            return isFirst;
        }
        boolean isNew = !mightContainHash(hash, keyClass);
        int group = numberToInsert(keyClass);
        if (group > 0 && isNew) {
            groups[group - 1].add(hash);
        } else if (keyClass == Distribution.UNKNOWN) {
            for (Layers each : groups) {
                if (!each.mightContain(hash)) {
                    each.add(hash);
                }
            }
        }
        return isNew;
    }

    Layers layersOfGroup(int group) {
        return groups[group];
    }

    /** How many filters have been added because classes overflowed. */
    public int overflowCount() {
        return Arrays.stream(groups)
                .mapToInt(group -> group.filters().size() - 1)
                .sum();
    }

    @Override
    public DaisyFingerprintFilter bind(HashClassifier classifier) {
        return new DaisyFingerprintFilter(header().bind(classifier), groups, warmUp);
    }

    @Override
    public long bitsWithoutDistribution() {
        WarmUp first = warmUp;
        return Arrays.stream(groups).mapToLong(Layers::sizeInBits).sum() + (first == null ? 0 : first.sizeInBits());
    }

    @Override
    IntToDoubleFunction rates() {
        if (warmUp != null) {
            return keyClass -> 0;
        }
        double[] rates = new double[groups.length + 1];
        rates[0] = 1;
        for (int group = 0; group < groups.length; group++) {
            rates[group + 1] = groups[group].rate();
        }
        return keyClass -> rates[numberToQuery(keyClass)];
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = WARM_UP.write(IMAGE.write(header()), warmUp);
        long[] list = new long[NUMBERS_PER_GROUP * groups.length];
        for (int group = 0; group < groups.length; group++) {
            Layers layers = groups[group];
            list[NUMBERS_PER_GROUP * group] = layers.filters().size();
            list[NUMBERS_PER_GROUP * group + 1] = layers.plan().capacity();
            list[NUMBERS_PER_GROUP * group + 2] =
                    Double.doubleToRawLongBits(layers.plan().fpp());
            layers.filters().forEach(layer -> writer.part(layer.image()));
        }
        return writer.list(list).image();
    }

    static DaisyFingerprintFilter read(FilterImage image) {
        long[] list = image.list(FORM);
        int groupCount = list.length / NUMBERS_PER_GROUP;
        image.check(
                groupCount <= DaisyMath.MAX_PROBES + 1 && groupCount * NUMBERS_PER_GROUP == list.length,
                list.length + " numbers are not those of groups");
        DaisyHeader header = IMAGE.read(image, groupCount);
        List<QuotientFilter> filters = new ArrayList<>(QUOTIENT.read(FORM, image));
        Layers[] groups = new Layers[groupCount];
        for (int group = 0; group < groupCount; group++) {
            long count = list[NUMBERS_PER_GROUP * group];
            long capacity = list[NUMBERS_PER_GROUP * group + 1];
            double rate = Double.longBitsToDouble(list[NUMBERS_PER_GROUP * group + 2]);
            image.check(
                    count >= 1 && count <= Math.min(Layers.MOST, filters.size()),
                    count + " filters of a class cannot be");
            image.check(capacity >= 1 && rate > 0 && rate < 1, "a group cannot be planned like that");
            List<QuotientFilter> own = filters.subList(0, (int) count);
            groups[group] =
                    Layers.of(Layers.plan(group, capacity, rate, header.spec().seed()), own);
            own.clear();
        }
        image.check(filters.isEmpty(), "there are filters of no group");
        return new DaisyFingerprintFilter(header, groups, WARM_UP.read(image, header));
    }
}
