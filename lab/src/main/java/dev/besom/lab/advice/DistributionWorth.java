package dev.besom.lab.advice;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.lab.race.ModelClasses;
import dev.besom.lab.workload.KeySource;
import java.util.stream.LongStream;

/**
 * What it is worth to know how often each key is stored and asked for.
 *
 * @param bitsPerKey what a {@code daisy} filter takes that learned the distribution from the sample, which it keeps
 * @param bitsPerKeyWithout what one takes that knows nothing of it
 * @param isWorthIt whether the learner found anything that pays for itself
 * @param isKnown whether there was enough to learn from
 */
public record DistributionWorth(double bitsPerKey, double bitsPerKeyWithout, boolean isWorthIt, boolean isKnown) {

    /** The part of the misses that may be taken for hits, and not be learned from. */
    private static final double TAKEN_FOR_HITS = 0.001;

    /** Learns from both files: from all keys, and from the queries for none of them. */
    public static DistributionWorth of(KeySource keys, KeySource queries, double n, double fpp) {
        DistributionLearner learner = new DistributionLearner();
        InsertableFilter stored = Filters.makeHashFilter(
                "scalable-bloom",
                FilterSpec.of(Math.max(1, (long) n), TAKEN_FOR_HITS),
                StoredHashes.none(),
                InsertableFilter.class);
        keys.forEach(key -> {
            learner.addKey(key);
            stored.insertHash(key);
        });
        queries.forEach(query -> learner.addQuery(query, stored));
        Distribution learned = learner.learn(n, fpp);
        double without = bits(Distribution.uniform(Distribution.WHOLE_UNIVERSE), n, fpp);
        return new DistributionWorth(
                bits(learned, n, fpp) / n, without / n, learned.classCount() > 1, learner.isLargeEnough());
    }

    /** The same by what a model says of keys, which it is charged for. */
    public static DistributionWorth of(ModelClasses model, KeySource keys, KeySource queries, Size size) {
        LongStream.Builder stored = LongStream.builder();
        keys.forEach(stored::add);
        Distribution known = model.distribution(stored.build().toArray(), queries);
        double with = bits(known, size.n, size.fpp) / size.n;
        double without = bits(Distribution.uniform(Distribution.WHOLE_UNIVERSE), size.n, size.fpp) / size.n;
        return new DistributionWorth(with, without, with < without, true);
    }

    /**
     * What a filter is planned for.
     *
     * @param n keys
     * @param fpp the rate
     */
    public record Size(double n, double fpp) {}

    private static double bits(Distribution known, double n, double fpp) {
        return known.sizeInBits() + DaisyPlan.of(known.classes(), n, fpp).bits();
    }
}
