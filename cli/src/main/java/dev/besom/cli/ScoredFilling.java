package dev.besom.cli;

import dev.besom.FilterSpec;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.cli.keys.Outcome;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.ScoredKeys;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/** How a filter is filled whose keys a model of the user's own has scored: from what is stored and what is looked up. */
final class ScoredFilling {

    private final Kind kind;
    private final ScoredKeys.Model<Double> model;
    private final KeyHashing hashing;
    private final Keys stored;

    /** Hashes and scores of some keys, in memory. */
    private static final class Keys {

        private long[] hashes = new long[1 << 10];
        private double[] scores = new double[1 << 10];
        private int count;

        void add(long hash, double score) {
            if (count == hashes.length) {
                if (count > 1 << 29) {
                    throw new InputException("KEYS: more than can be held in memory");
                }
                hashes = Arrays.copyOf(hashes, 2 * count);
                scores = Arrays.copyOf(scores, 2 * count);
            }
            hashes[count] = hash;
            scores[count++] = score;
        }

        List<Double> scores() {
            return new AbstractList<>() {
                @Override
                public Double get(int index) {
                    return scores[index];
                }

                @Override
                public int size() {
                    return count;
                }
            };
        }
    }

    /** Reads the keys that are to be stored. */
    ScoredFilling(Kind kind, ScoredKeys.Model<Double> model, KeyHashing hashing, KeyFiles files, Scored scored)
            throws IOException {
        this.kind = kind;
        this.model = model;
        this.hashing = hashing;
        this.stored = read(files, scored, new long[0]);
        BesomCommand.check(stored.count > 0, "KEYS: no keys");
    }

    /**
     * How some keys stand in their files, and their scores.
     *
     * @param layout of the keys
     * @param scores of the keys, in their order
     */
    record Scored(KeyLayout layout, ScoreLines scores) {}

    /** All keys but some, in ascending order, that do not count; of a log those that were not found. */
    private Keys read(KeyFiles files, Scored scored, long[] without) throws IOException {
        Keys keys = new Keys();
        files.forEachBatch(scored.layout, hashing, (batch, count) -> {
            for (int i = 0; i < count; i++) {
                long hash = batch.hashes()[i];
                double score = scored.scores.next();
                boolean counts = batch.outcome(i) != Outcome.HIT && Arrays.binarySearch(without, hash) < 0;
                for (long repeat = counts ? batch.count(i) : 0; repeat > 0; repeat--) {
                    keys.add(hash, score);
                }
            }
        });
        scored.scores.requireEnd();
        return keys;
    }

    /**
     * Makes and fills the filter.
     *
     * @param capacity of the spec, or 0 for as many keys as there are
     */
    Filling.Filled fill(FilterSpec spec, long capacity, KeyFiles queries, Scored scored) throws IOException {
        long[] sorted = Arrays.copyOf(stored.hashes, stored.count);
        Arrays.sort(sorted);
        Keys missed = read(queries, scored, sorted);
        BesomCommand.check(missed.count > 0, "--sample-queries: no query for a key that is not stored");
        FilterSpec sized = spec.withCapacity(capacity > 0 ? capacity : stored.count);
        Distribution distribution = model.distribution(stored.scores(), missed.scores());
        PersistentFilter filter =
                BesomCommand.ofOption("--kind " + kind.name(), () -> Filters.makeHashFilter(kind, sized, distribution));
        ClassifiedFilter target = (ClassifiedFilter) filter;
        for (int i = 0; i < stored.count; i++) {
            target.insertHash(stored.hashes[i], model.classOf(stored.scores[i]));
        }
        return new Filling.Filled(filter, stored.count, sized.capacity());
    }
}
