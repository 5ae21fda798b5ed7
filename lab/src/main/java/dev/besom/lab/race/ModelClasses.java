package dev.besom.lab.race;

import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.ScoredKeys;
import dev.besom.hash.Mix;
import dev.besom.lab.workload.KeySource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What a model of the user's own says of the keys of a race or a log. The lab knows keys by their hashes only, so it keeps the
 * scores of all of them; a filter is charged for the model's memory, not for that.
 */
public final class ModelClasses {

    private final ScoredKeys.Model<Double> model;
    private final Map<Long, Double> scores = new HashMap<>();

    /** Begins with no keys. */
    public ModelClasses(ScoredKeys.Model<Double> model) {
        this.model = model;
    }

    /**
     * Notes the score of a key.
     *
     * @throws IllegalArgumentException if the key was in another class before
     */
    public void add(long hash, double score) {
        Double before = scores.putIfAbsent(hash, score);
        if (before != null && model.classOf(before) != model.classOf(score)) {
            throw new IllegalArgumentException("a key has the scores " + before + " and " + score
                    + ", in different classes: filters would lose it");
        }
    }

    /** What filters of the stored keys can know from some queries, of which those for other keys count. */
    public Distribution distribution(long[] stored, KeySource queries) {
        long[] sorted = stored.clone();
        Arrays.sort(sorted);
        LongStream.Builder missed = LongStream.builder();
        queries.forEach(query -> {
            if (Arrays.binarySearch(sorted, query) < 0) {
                missed.add(query);
            }
        });
        return distribution(stored, missed.build().toArray());
    }

    /** What filters of the stored keys can know, given some queries for others. */
    public Distribution distribution(long[] stored, long[] missed) {
        if (missed.length == 0) {
            throw new IllegalArgumentException("no query for a key that is not stored, to learn from");
        }
        Distribution byScore = model.distribution(scoresOf(stored), scoresOf(missed));
        return Distribution.classified(new Classifier(missed.clone()), byScore.classes(), true);
    }

    private List<Double> scoresOf(long[] hashes) {
        return Arrays.stream(hashes).mapToObj(this::scoreOf).toList();
    }

    private double scoreOf(long hash) {
        Double score = scores.get(hash);
        if (score == null) {
            throw new IllegalArgumentException("a key has no score");
        }
        return score;
    }

    /** Knows keys that have a score by it; all others are taken for misses like those learned from, by chance. */
    private final class Classifier implements HashClassifier {

        private final long[] missed;

        Classifier(long[] missed) {
            this.missed = missed;
        }

        @Override
        public String id() {
            return model.id();
        }

        @Override
        public long sizeInBits() {
            return model.sizeInBits();
        }

        @Override
        public int classOf(long hash) {
            Double score = scores.get(hash);
            return model.classOf(
                    score != null
                            ? score
                            : scoreOf(missed[(int) Long.remainderUnsigned(Mix.mix(hash), missed.length)]));
        }
    }
}
