package dev.besom.testkit.daisy;

import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.distribution.ScoredKeys;
import dev.besom.testkit.HashStream;
import java.util.Arrays;
import java.util.List;

/** Distributions of every source under which hashes at random all are alike, so that the usual promises can be tested. */
final class Oracles {

    private static final double TINY = Math.scalb(1.0, -70);
    private static final long SEED = 4711;

    /** A model of keys that are hashes themselves, with classes that are stored and asked for unlike each other. */
    static final ScoredKeys.Model<Long> MODEL = new ScoredKeys.Model<>(
            "highest bits",
            key -> (double) (key >>> 60),
            List.of(4.0, 12.0),
            Arrays.stream(HashStream.stored(SEED).next(512)).boxed().toList(),
            128);

    private Oracles() {}

    /** A table of a hundred hashes that random ones never meet. */
    static Distribution table() {
        double[] p = new double[100];
        double[] q = new double[100];
        for (int i = 0; i < 100; i++) {
            p[i] = TINY * (1 + i % 8);
            q[i] = TINY / 4 * (1 + i % 7);
        }
        return Distribution.exact(HashStream.stored(SEED).next(100), p, q, new KeyClass(TINY, TINY, 1, 1));
    }

    /** By rank; random hashes have none. */
    static Distribution ranks() {
        Distribution zipf = Distribution.zipf(0.7, 0, 100_000, SEED);
        int rest = zipf.classCount() - 1;
        return zipf.withClasses(keys -> keys.equals(zipf.classes().get(rest))
                ? new KeyClass(TINY, TINY, 1, 1)
                : new KeyClass(keys.insertProbability() * 1e-9, keys.queryProbability() * 1e-9, 0, 0));
    }

    /** A sketch that tells nothing, its classes having all the same numbers. */
    static Distribution sketch() {
        DistributionLearner learner = new DistributionLearner(7);
        long[] hot = HashStream.stored(SEED).next(20);
        HashStream all = HashStream.stored(SEED + 1);
        for (int i = 0; i < 20_000; i++) {
            learner.addKey(all.next());
            learner.addMiss(hot[i % hot.length]);
        }
        Distribution learned = learner.learn(1e6, 0.01);
        int classes = learned.classCount();
        return learned.withClasses(keys -> new KeyClass(TINY, TINY, 1.0 / classes, 1.0 / classes));
    }

    /** A classifier whose classes have all the same numbers. */
    static Distribution classified(boolean sharesKnown) {
        HashClassifier lowest = new HashClassifier() {
            @Override
            public String id() {
                return "lowest bit";
            }

            @Override
            public int classOf(long hash) {
                return (int) hash & 1;
            }
        };
        KeyClass half = new KeyClass(TINY, TINY, 0.5, 0.5);
        return Distribution.classified(lowest, List.of(half, half), sharesKnown);
    }

    static Distribution scored() {
        return Distribution.scored(
                MODEL,
                List.of(
                        new KeyClass(TINY, 2 * TINY, 0.25, 0.5),
                        new KeyClass(TINY, 0.96 * TINY, 0.5, 0.48),
                        new KeyClass(TINY, 0.08 * TINY, 0.25, 0.02)));
    }
}
