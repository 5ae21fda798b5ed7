package dev.besom.daisy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.quotient.QuotientFilter;
import dev.besom.quotient.QuotientKinds;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
 * <p><b>Departures from the paper.</b> The filters inside are quotient filters, whose operations take constant time on
 * average and the time of a logarithm at worst. A key whose fingerprint is there already takes no second slot, since draws
 * repeat. The room of the rare classes is their expected number and six standard deviations, where the paper has a bound.
 *
 * <p><b>Cost.</b> (j + 2.125) / 0.95 bits for a key of class j: below j = 6 a {@link DaisyFilter} is smaller, whose keys
 * take 1.44 j. One writer at a time.
 *
 * <p><b>At worst.</b> No filter inside is filled beyond the 95 % that it is planned for, and none has a fingerprint twice. So
 * a run of fingerprints is d slots away from its home with a chance of e^-0.1 d, and the next free slot is d slots away with
 * one of e^-0.0013 d. Among n keys the worst question therefore crosses about 10 ln n slots, whose metadata are two words in
 * 64 slots, and the worst insert moves about 770 ln n slots, where the mean is 200. Neither is bounded by a constant; both are
 * with high probability by these logarithms. A question asks one filter, and one more for each overflow of its class, which
 * are at most log2 of how many times too large the class is. The insert that overflows makes the next filter at once, in time
 * proportional to it.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024, section 4.
 */
public final class DaisyFingerprintFilter implements ClassifiedFilter, PersistentFilter {

    static final String KIND = "daisy-fingerprint";

    private static final int OWN_PARAMETERS = DaisyKinds.PARAMETERS + 1;
    private static final int LAYER_PARAMETERS = 5;
    private static final int LAYER_SECTIONS = 3;
    private static final int MOST_LAYERS = 48;

    /** A table has no longer ones: past that the layers of a class have the same rate. */
    private static final int MOST_REMAINDER_BITS = 32;

    /** A layer that overflowing makes has at least so much room. */
    private static final long LEAST_ROOM = 64;

    private static final long SEED_STEP = 0x7137449123EF65CDL;

    private final FilterSpec spec;
    private final Distribution distribution;

    /** The group of each class: 0 is "always maybe", the others are one higher than their index. */
    private final ClassNumbers groupOfClass;

    /** The filters of each group: the first as planned, the others after an overflow. */
    private final QuotientFilter[][] groups;

    /** By group: how many keys its last filter is planned for. One more would make runs longer than promised. */
    private final long[] rooms;

    /** Whether there are classes whose keys are always "maybe". */
    private final boolean hasUnstored;

    private long count;

    private DaisyFingerprintFilter(
            FilterSpec spec,
            Distribution distribution,
            ClassNumbers groupOfClass,
            QuotientFilter[][] groups,
            long count) {
        this.spec = spec;
        this.distribution = distribution;
        this.groupOfClass = groupOfClass;
        this.groups = groups;
        this.rooms =
                Arrays.stream(groups).mapToLong(DaisyFingerprintFilter::roomOf).toArray();
        this.hasUnstored = Arrays.stream(groupOfClass.toArray()).anyMatch(group -> group == 0);
        this.count = count;
    }

    /** A filter of keys that all are alike, with the option {@code universe}. */
    public static DaisyFingerprintFilter of(FilterSpec spec) {
        return of(spec, DaisyKinds.uniform(spec));
    }

    /** A filter that knows a distribution. */
    public static DaisyFingerprintFilter of(FilterSpec spec, Distribution distribution) {
        DaisyKinds.checkRate(KIND, spec.fpp());
        DaisyKinds.checkShares(KIND, distribution);
        FingerprintPlan plan = FingerprintPlan.of(distribution.classes(), (double) spec.capacity(), spec.fpp());
        QuotientFilter[][] groups = new QuotientFilter[plan.rates().size()][];
        for (int group = 0; group < groups.length; group++) {
            groups[group] = new QuotientFilter[] {
                layer(group, 0, plan.capacities().get(group), plan.rates().get(group), spec.seed())
            };
        }
        return new DaisyFingerprintFilter(
                DaisyKinds.plain(spec), distribution, ClassNumbers.parts(plan.groupOfClass()), groups, 0);
    }

    private static QuotientFilter layer(int group, int index, long capacity, double rate, long seed) {
        long own = seed + SEED_STEP * (group * (long) MOST_LAYERS + index + 1);
        return QuotientKinds.makeQuotient(FilterSpec.of(capacity, rate).withSeed(own));
    }

    @Override
    public boolean mightContain(long hash, int keyClass) {
        int group = groupOfClass.toAsk(keyClass);
        return group > 0 ? isIn(groups[group - 1], hash) : group == 0 || mightBeInAny(hash);
    }

    private static boolean isIn(QuotientFilter[] layers, long hash) {
        for (QuotientFilter layer : layers) {
            if (layer.mightContainHash(hash)) {
                return true;
            }
        }
        return false;
    }

    /** For a hash of unknown class. */
    private boolean mightBeInAny(long hash) {
        if (hasUnstored) {
            return true;
        }
        for (QuotientFilter[] layers : groups) {
            if (isIn(layers, hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean insert(long hash, int keyClass) {
        boolean isNew = !mightContain(hash, keyClass);
        int group = groupOfClass.toSet(keyClass);
        if (group > 0 && isNew) {
            add(group - 1, hash);
        } else if (keyClass == Distribution.UNKNOWN) {
            for (int each = 0; each < groups.length; each++) {
                if (!isIn(groups[each], hash)) {
                    add(each, hash);
                }
            }
        }
        count += isNew ? 1 : 0;
        return isNew;
    }

    private void add(int group, long hash) {
        QuotientFilter[] layers = groups[group];
        QuotientFilter last = layers[layers.length - 1];
        if (last.count() < rooms[group]) {
            try {
                last.insertHash(hash);
                return;
            } catch (FilterFullException e) {
                // One in 10^9 tables has no slot left behind its end before it is full.
            }
        }
        QuotientFilter next = nextLayer(group, layers);
        next.insertHash(hash);
        QuotientFilter[] more = Arrays.copyOf(layers, layers.length + 1);
        more[layers.length] = next;
        groups[group] = more;
        rooms[group] = roomOf(more);
    }

    private static long roomOf(QuotientFilter[] layers) {
        return layers[layers.length - 1].image().parameter(0);
    }

    private QuotientFilter nextLayer(int group, QuotientFilter[] layers) {
        if (layers.length == MOST_LAYERS) {
            throw new FilterFullException("a class has overflowed " + MOST_LAYERS + " times");
        }
        FilterImage first = layers[0].image();
        long capacity = Math.max(LEAST_ROOM, first.parameter(0)) << layers.length;
        int remainderBits = (int) Math.min(MOST_REMAINDER_BITS, first.parameter(2) + layers.length);
        double rate = Math.scalb(1.0, -remainderBits);
        return layer(group, layers.length, capacity, rate, spec.seed());
    }

    /** How many filters have been added because classes overflowed. */
    public int overflowCount() {
        int layers = 0;
        for (QuotientFilter[] group : groups) {
            layers += group.length - 1;
        }
        return layers;
    }

    @Override
    public Distribution distribution() {
        return distribution;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return bitsWithoutDistribution() + groupOfClass.sizeInBits() + distribution.sizeInBits();
    }

    /** The memory of the fingerprint filters alone, the part that the paper speaks of. */
    public long bitsWithoutDistribution() {
        long size = 0;
        for (QuotientFilter[] group : groups) {
            for (QuotientFilter layer : group) {
                size += layer.sizeInBits();
            }
        }
        return size;
    }

    /** Over the questions of the distribution. */
    @Override
    public double expectedFpp() {
        double[] rates = new double[groups.length + 1];
        rates[0] = 1;
        for (int group = 0; group < groups.length; group++) {
            double none = 1;
            for (QuotientFilter layer : groups[group]) {
                // No fingerprint is there twice, so the rate is the mean number of equal ones, not the chance of any.
                none *= 1 - Math.min(1, -Math.log1p(-layer.expectedFpp()));
            }
            rates[group + 1] = 1 - none;
        }
        return groupOfClass.meanOverQuestions(distribution, count, rates);
    }

    @Override
    public FilterImage image() {
        List<FilterImage> images = new ArrayList<>();
        for (QuotientFilter[] group : groups) {
            for (QuotientFilter layer : group) {
                images.add(layer.image());
            }
        }
        long[] parameters = DaisyKinds.parameters(spec, count, 1 + groups.length + LAYER_PARAMETERS * images.size());
        parameters[OWN_PARAMETERS - 1] = groups.length;
        for (int group = 0; group < groups.length; group++) {
            parameters[OWN_PARAMETERS + group] = groups[group].length;
        }
        List<long[]> sections = new ArrayList<>();
        for (int i = 0; i < images.size(); i++) {
            for (int j = 0; j < LAYER_PARAMETERS; j++) {
                parameters[OWN_PARAMETERS + groups.length + i * LAYER_PARAMETERS + j] =
                        images.get(i).parameter(j);
            }
            sections.addAll(images.get(i).sections());
        }
        sections.add(groupOfClass.toWords());
        sections.addAll(new DistributionForm(distribution).sections());
        return new FilterImage(KIND, parameters, sections);
    }

    static DaisyFingerprintFilter of(FilterImage image) {
        image.check(image.parameterCount() >= OWN_PARAMETERS, "too few parameters");
        FilterSpec spec = DaisyKinds.readSpec(image);
        long count = DaisyKinds.readCount(image);
        long groupCount = image.parameter(OWN_PARAMETERS - 1);
        image.check(
                groupCount >= 0
                        && groupCount <= DaisyMath.MAX_PROBES + 1
                        && OWN_PARAMETERS + groupCount <= image.parameterCount(),
                groupCount + " groups cannot be");
        QuotientFilter[][] groups = new QuotientFilter[(int) groupCount][];
        int layers = 0;
        for (int group = 0; group < groups.length; group++) {
            long length = image.parameter(OWN_PARAMETERS + group);
            image.check(length >= 1 && length <= MOST_LAYERS, length + " filters of a class cannot be");
            groups[group] = new QuotientFilter[(int) length];
            layers += (int) length;
        }
        int numbersSection = LAYER_SECTIONS * layers;
        image.checkForm(
                OWN_PARAMETERS + groups.length + LAYER_PARAMETERS * layers,
                numbersSection + 1 + DistributionForm.SECTION_COUNT);
        int at = 0;
        for (QuotientFilter[] group : groups) {
            for (int i = 0; i < group.length; i++, at++) {
                group[i] = Inside.quotient(
                        image, OWN_PARAMETERS + groups.length + at * LAYER_PARAMETERS, at * LAYER_SECTIONS);
            }
        }
        Distribution distribution = DistributionForm.read(image, numbersSection + 1);
        int[] groupOfClass = ClassNumbers.read(image, numbersSection, distribution.classCount(), groups.length);
        return new DaisyFingerprintFilter(spec, distribution, ClassNumbers.parts(groupOfClass), groups, count);
    }
}
