package dev.besom.lab.race;

import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.lab.keys.KeyFormat;
import dev.besom.lab.workload.KeyFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files from which kinds that know the distribution learn it.
 *
 * @param keys a sample of what is stored; the stored keys themselves where it is missing
 * @param queries a sample of what is asked; without it nothing is learned
 */
public record Samples(Optional<Path> keys, Optional<Path> queries) {

    /** Nothing to learn from. */
    public static final Samples NONE = new Samples(Optional.empty(), Optional.empty());

    public Samples {
        if (keys.isPresent() && queries.isEmpty()) {
            throw new IllegalArgumentException("a sample of keys says nothing without a sample of queries");
        }
    }

    /** What the samples say for a filter of so many keys at that rate. */
    Distribution learn(KeyFormat format, long seed, long[] stored, double n, double fpp) {
        DistributionLearner learner = new DistributionLearner();
        queries.ifPresent(file -> new KeyFile(file, format, seed).forEach(learner::addQuery));
        if (keys.isPresent()) {
            new KeyFile(keys.get(), format, seed).forEach(learner::addKey);
        } else {
            for (long key : stored) {
                learner.addKey(key);
            }
        }
        return learner.learn(n, fpp);
    }
}
