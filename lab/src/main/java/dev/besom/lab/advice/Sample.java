package dev.besom.lab.advice;

import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import dev.besom.math.ZipfMath;
import java.util.Optional;

/**
 * What real keys and queries tell. Numbers are exact up to {@value #MOST_KEYS} different keys and as many different
 * misses, and estimates from so many beyond that; memory is bounded whatever the files' length.
 *
 * @param keys different stored keys
 * @param queries all queries
 * @param misses the queries for keys that are not stored
 * @param isExact whether everything was counted, and nothing estimated
 */
public record Sample(double keys, long queries, Misses misses, boolean isExact) {

    /**
     * The queries for keys that are not stored.
     *
     * @param count how many
     * @param distinct the different keys among them
     * @param hottest how often the most frequent of these is asked for
     * @param exponent the exponent of the Zipf law under which they are most likely
     */
    public record Misses(double count, double distinct, long hottest, double exponent) {}

    /** How many keys and how many misses are kept in memory at most. */
    public static final int MOST_KEYS = 1 << 21;

    /**
     * Reads both files once.
     *
     * @throws IllegalArgumentException if a file is not what it should be or has nothing in it
     * @throws java.io.UncheckedIOException if reading fails
     */
    public static Sample of(KeySource keysFile, KeySource queriesFile) {
        DistinctCounts keys = read(keysFile, MOST_KEYS);
        try (QueryStream queries = queriesFile.open()) {
            Sample sample = of(keys, queries, MOST_KEYS);
            if (sample.queries == 0) {
                throw new IllegalArgumentException(queriesFile.name() + ": no queries");
            }
            return sample;
        }
    }

    /**
     * Reads a log that tells hits from misses itself.
     *
     * @param keys how many stored keys there are
     * @param all all queries of the log
     * @param misses the queries for keys that were not found
     */
    public static Sample ofOutcomes(double keys, KeySource all, KeySource misses) {
        long[] queries = new long[1];
        all.forEach(key -> queries[0]++);
        if (queries[0] == 0) {
            throw new IllegalArgumentException(all.name() + ": no queries");
        }
        try (QueryStream stream = misses.open()) {
            Sample missed = of(new DistinctCounts(MOST_KEYS, 0), stream, MOST_KEYS);
            return new Sample(keys, queries[0], missed.misses, missed.isExact);
        }
    }

    /** How many different keys a file has, estimated where there are very many. */
    public static double distinctKeys(KeySource file) {
        return read(file, MOST_KEYS).distinct();
    }

    private static DistinctCounts read(KeySource file, int mostKeys) {
        DistinctCounts keys;
        try (QueryStream stream = file.open()) {
            keys = count(stream, mostKeys);
        }
        if (keys.distinct() == 0) {
            throw new IllegalArgumentException(file.name() + ": no keys");
        }
        return keys;
    }

    static DistinctCounts count(QueryStream stream, int mostKeys) {
        DistinctCounts keys = new DistinctCounts(mostKeys, 0);
        while (stream.hasNext()) {
            keys.add(stream.next());
        }
        return keys;
    }

    static Sample of(DistinctCounts keys, QueryStream stream, int mostMisses) {
        DistinctCounts misses = new DistinctCounts(mostMisses, keys.level());
        long queries = 0;
        long judged = 0;
        long judgedMisses = 0;
        while (stream.hasNext()) {
            long key = stream.next();
            queries++;
            // Where only some keys are kept, only queries for such keys can be told to be hits or misses.
            if (keys.covers(key)) {
                judged++;
                if (!keys.contains(key)) {
                    judgedMisses++;
                    misses.add(key);
                }
            }
        }
        long[] counts = misses.countsDescending();
        double total = 0;
        double logRanks = 0;
        for (int i = 0; i < counts.length; i++) {
            total += counts[i];
            logRanks += counts[i] * Math.log(i + 1);
        }
        return new Sample(
                keys.distinct(),
                queries,
                new Misses(
                        judged == 0 ? 0 : (double) judgedMisses / judged * queries,
                        misses.distinct(),
                        counts.length == 0 ? 0 : counts[0],
                        counts.length < 2 ? 0 : ZipfMath.exponent(counts.length, total, logRanks)),
                misses.level() == 0);
    }

    /** The sample as the traffic to plan for. */
    public Traffic traffic() {
        double count = misses.count;
        double hottestShare = count > 0 ? misses.hottest / count : 0;
        return new Traffic((double) queries, count, Math.min(misses.distinct, count), hottestShare, Optional.empty())
                .withExponent(misses.exponent);
    }
}
