package dev.besom.lab.advice;

import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.lab.workload.KeySource;

/**
 * What it is worth to know how often each key is stored and asked for.
 *
 * @param bitsPerKey what a {@code daisy} filter takes that learned the distribution from the sample, which it keeps
 * @param bitsPerKeyWithout what one takes that knows nothing of it
 * @param isWorthIt whether the learner found anything that pays for itself
 * @param isKnown whether there was enough to learn from
 */
public record DistributionWorth(double bitsPerKey, double bitsPerKeyWithout, boolean isWorthIt, boolean isKnown) {

    /** Learns from both files. */
    public static DistributionWorth of(KeySource keys, KeySource queries, double n, double fpp) {
        DistributionLearner learner = new DistributionLearner();
        keys.forEach(learner::addKey);
        queries.forEach(learner::addQuery);
        Distribution learned = learner.learn(n, fpp);
        double without = bits(Distribution.uniform(Distribution.WHOLE_UNIVERSE), n, fpp);
        return new DistributionWorth(
                bits(learned, n, fpp) / n, without / n, learned.classCount() > 1, learner.isLargeEnough());
    }

    private static double bits(Distribution known, double n, double fpp) {
        return known.sizeInBits() + DaisyPlan.of(known.classes(), n, fpp).bits();
    }
}
