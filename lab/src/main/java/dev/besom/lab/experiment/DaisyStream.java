package dev.besom.lab.experiment;

import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.distribution.Distribution;
import dev.besom.hash.Mix;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.ZipfSampler;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Keys drawn by rank under Zipf's law, with repetitions, and queries that are uniform over the same universe. */
final class DaisyStream {

    private final long universe;
    private final long seed;
    private final long[] drawn;
    private final StoredKeys stored;
    private final long distinctCount;

    DaisyStream(double exponent, long universe, int draws, long seed) {
        this.universe = universe;
        this.seed = seed;
        this.drawn = new long[draws];
        ZipfSampler ranks = new ZipfSampler(exponent, universe);
        SplittableRandom random = new SplittableRandom(Mix.mix(seed + 11));
        for (int i = 0; i < draws; i++) {
            drawn[i] = Distribution.hashOfRank(ranks.sample(random), seed);
        }
        stored = new StoredKeys(drawn);
        distinctCount = Arrays.stream(drawn).sorted().distinct().count();
    }

    int drawCount() {
        return drawn.length;
    }

    long distinctCount() {
        return distinctCount;
    }

    void fill(InsertableFilter filter) {
        filter.insertHashes(drawn, 0, drawn.length);
        for (long hash : drawn) {
            if (!filter.mightContainHash(hash)) {
                throw new IllegalStateException("a drawn key is not found");
            }
        }
    }

    /** The part of all queries that are answered "maybe" though their key was not drawn. */
    double rate(MembershipFilter filter, int queries) {
        SplittableRandom random = new SplittableRandom(Mix.mix(seed + 12));
        long wrong = 0;
        for (int i = 0; i < queries; i++) {
            long hash = Distribution.hashOfRank(1 + random.nextLong(universe), seed);
            if (filter.mightContainHash(hash) && !stored.contains(hash)) {
                wrong++;
            }
        }
        return wrong / (double) queries;
    }
}
