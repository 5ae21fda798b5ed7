package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.IndexScheme;
import dev.besom.filters.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bloom filters in turn of stored keys and of known misses, which are those that the filters before let through: what is
 * asked often and is known not to be there beforehand is hardly ever a false positive.
 *
 * <pre>
 *   level 0    stored keys           "no": not there
 *   level 1    known misses          "no": maybe there        of level 0 passed
 *   level 2    stored keys           "no": not there          of level 1 passed
 *   level 3    known misses          "no": maybe there        of level 2 passed
 *   level 4    stored keys           "no": not there          of level 3 passed; else maybe there
 * </pre>
 *
 * <p>All levels have the same rate <i>a</i>. With <i>k</i> known misses for <i>n</i> keys they take the bits of one Bloom filter
 * of {@code n (1 + a + a^2) + k (a + a^2)} keys; a known miss is a false positive with the chance {@code a^3} and another one
 * with about {@code a}. How many of the most frequent misses are known is chosen so that their log would waste fewest reads.
 *
 * <p>It is told before it is filled what will be asked often, from the very queries that follow: no log of yesterday is that
 * good, so it stands for the most that a filter can gain which learns once. It takes keys later too, but gives none up.
 *
 * <p>K. Deeds, B. Hentschel, S. Idreos: Stacked filters: learning to filter by structure. VLDB 2021.
 */
final class StackedFilter implements Rival {

    private static final int LEVELS = 5;
    private static final double BITS_A_HALVING = 1 / Math.log(2);
    private static final int SEARCH_STEPS = 50;

    private final InsertableFilter[] levels = new InsertableFilter[LEVELS];
    private long count;

    StackedFilter(RivalPlan plan, long[] keys) {
        KnownMisses known = plan.known().get();
        Shape shape = fit(plan, known);
        List<long[]> passed = new ArrayList<>(List.of(keys, known.first(shape.known())));
        for (int level = 0; level < LEVELS; level++) {
            levels[level] = level(plan.spec(), shape, level);
            long[] ours = passed.get(level % 2);
            levels[level].insertHashes(ours, 0, ours.length);
            passed.set(1 - level % 2, passing(levels[level], passed.get(1 - level % 2)));
        }
        count = keys.length;
    }

    /** The best shape whose filters, with their whole probes and words, fit. */
    private static Shape fit(RivalPlan plan, KnownMisses known) {
        double bits = (double) plan.mostBits();
        while (true) {
            Shape shape = Shape.best((double) plan.spec().capacity(), known, bits);
            long taken = 0;
            for (int level = 0; level < LEVELS; level++) {
                taken += level(plan.spec(), shape, level).sizeInBits();
            }
            if (taken <= plan.mostBits()) {
                return shape;
            }
            bits *= Math.min(0.999, plan.mostBits() / (double) taken);
        }
    }

    /** An empty filter for those keys or known misses that pass all levels before. */
    private static InsertableFilter level(FilterSpec plan, Shape shape, int level) {
        double all = level % 2 == 0 ? (double) plan.capacity() : shape.known();
        int levelsOfOthers = (level + 1) / 2;
        double passing = all * Math.pow(shape.rate(), levelsOfOthers);
        FilterSpec spec = FilterSpec.of(Math.max(1, (long) Math.ceil(passing)), shape.rate())
                .withSeed(plan.seed() + level)
                .with("scheme", IndexScheme.ENHANCED_DOUBLE.label());
        return (InsertableFilter) Filters.kind("bloom").make(spec, StoredHashes.none());
    }

    private static long[] passing(InsertableFilter filter, long[] hashes) {
        return Arrays.stream(hashes).filter(filter::mightContainHash).toArray();
    }

    /**
     * How many misses are known, and the rate of all levels.
     *
     * @param known the most frequent ones
     * @param rate the rate of each level
     */
    record Shape(int known, double rate) {

        /** The shape that wastes fewest reads of the log in so many bits. */
        static Shape best(double keys, KnownMisses log, double bits) {
            Shape best = new Shape(0, rate(keys, 0, bits));
            double least = best.rate();
            long covered = 0;
            int next = 1;
            for (int i = 0; i < log.size(); i++) {
                covered += log.count(i);
                if (i + 1 == next || i + 1 == log.size()) {
                    double rate = rate(keys, i + 1, bits);
                    double share = covered / (double) log.queries();
                    double wasted = share * rate * rate * rate + (1 - share) * rate;
                    if (wasted < least) {
                        least = wasted;
                        best = new Shape(i + 1, rate);
                    }
                    next = Math.max(next + 1, next * 5 / 4);
                }
            }
            return best;
        }

        /** The rate at which all levels take so many bits together. */
        private static double rate(double keys, double known, double bits) {
            double low = -60;
            double high = -1e-6;
            for (int step = 0; step < SEARCH_STEPS; step++) {
                double middle = (low + high) / 2;
                double rate = Math.pow(2, middle);
                double entries = keys * (1 + rate + rate * rate) + known * (rate + rate * rate);
                if (-middle * BITS_A_HALVING * entries <= bits) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return Math.pow(2, high);
        }
    }

    @Override
    public boolean mightContainHash(long hash) {
        for (int level = 0; level < LEVELS; level++) {
            if (!levels[level].mightContainHash(hash)) {
                return level % 2 == 1;
            }
        }
        return true;
    }

    /** What it knows, it knew before. */
    @Override
    public void learnMissing(long hash) {}

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        levels[0].insertHash(hash);
        for (int level = 1; level < LEVELS && levels[level].mightContainHash(hash); level += 2) {
            levels[level + 1].insertHash(hash);
        }
        count++;
        return isNew;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return Arrays.stream(levels).mapToLong(InsertableFilter::sizeInBits).sum();
    }

    /** Of a miss that is not known. */
    @Override
    public double expectedFpp() {
        double rate = 0;
        double passed = 1;
        for (int level = 0; level < LEVELS; level += 2) {
            passed *= levels[level].expectedFpp();
            double known = level + 1 < LEVELS ? levels[level + 1].expectedFpp() : 0;
            rate += passed * (1 - known);
            passed *= known;
        }
        return rate;
    }
}
