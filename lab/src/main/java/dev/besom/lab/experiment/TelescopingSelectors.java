package dev.besom.lab.experiment;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.bits.FastRange;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.KeySpace;
import dev.besom.quotient.TelescopingFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How large selectors grow, against Corollary 3 and Theorem 4 of the telescoping paper: {@code c} different queries a key, asked once
 * each, or again and again until none of them is a false positive.
 *
 * <p>Corollary 3 bounds the chance that a key's selector is {@code k} after {@code c n} different queries "with any number of
 * repetitions" by {@code e^k (c + c^2/2! + ... + c^k/k!)}, where {@code e} is the rate of a fresh query. Its sum counts <i>sets</i> of
 * colliding queries, as if they came in one order.
 *
 * <p>A key shares its quotient with m of the queries, a Poisson number of mean {@code c} times the load, and each of them collides
 * with the key's remainder under any one function with the chance {@code r = 2^-remainderBits}:
 *
 * <pre>
 *   asked once:   a query that collides under the present function moves the selector on, until it does not collide any more: by j
 *                 steps with the chance (1 - r) r^(j-1). So the number of such queries is Poisson, of mean c e, and the selector is
 *                 the sum of their steps. One query of two steps and one of one step may come in either order, of which the bound
 *                 counts one: at k = 3 and c = 20 the law is 1.05 times the bound
 *   repeated:     at each function all m queries get their chance, whichever came before. The selector passes each function with
 *                 the chance p = 1 - (1 - r)^m, so P(k) is the mean over m of (1 - p) p^k, above (c e)^k: more than k! times the
 *                 bound's largest term
 * </pre>
 *
 * <p>Both laws and the bound are drawn. The selectors are those of {@code telescoping-plain}, which never forgets any.
 *
 * <p>Theorem 4 bounds the bits that an optimal code of the selectors takes: {@code 1/e + b / (b - 1)^2} a key for
 * {@code c = 1 / (b sqrt(rate))}, that is up to {@code c = 8} at a rate of 1/256, where b is 2. It stays true of what is measured:
 * nearly all of the code's length is for selectors 0 and 1.
 */
final class TelescopingSelectors implements Experiment {

    private static final double[] QUERIES_A_KEY = {1, 2, 4, 6, 8, 20, 40, 60};

    /** What the distributions are drawn at. */
    private static final double DRAWN = 20;

    private static final int MOST = 6;
    private static final int MOST_PASSES = 60;
    private static final int QUICK_SLOTS = 1 << 15;
    private static final int FULL_SLOTS = 1 << 21;
    private static final int FULL_MINUTES = 2;

    @Override
    public Description description() {
        return new Description(
                "telescoping-corollary-3-selectors",
                "How large selectors grow",
                TelescopingPaper.CITATION,
                "Corollary 3 and Theorem 4",
                "How many keys have a selector of 0, 1, 2 and so on when each query was asked once, and when all were repeated"
                        + " until none was wrong. The paper's bound counts queries as if they collided in one order;"
                        + " repeated ones collide in any, which is up to k! times as many at selector k.");
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL ? AllProcessors.minutes(FULL_MINUTES) : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(conditions, conditions.choose(QUICK_SLOTS, FULL_SLOTS));
    }

    /** One filter's part: so many different queries a key, once or repeated. */
    private record Part(double queriesAKey, boolean isRepeated) {}

    Findings run(Conditions conditions, int slots) {
        List<Part> parts = new ArrayList<>();
        for (double c : QUERIES_A_KEY) {
            parts.add(new Part(c, false));
            parts.add(new Part(c, true));
        }
        KeySpace space = new KeySpace(conditions.seed());
        int stored = (int) (slots * TelescopingPaper.LOAD);
        List<double[]> measured = AllProcessors.play(parts, part -> {
            conditions.progress("telescoping-corollary-3-selectors, " + part);
            return selectors(part, stored, space);
        });
        return findings(parts, measured, stored);
    }

    /** The parts of the keys that have a selector of 0, 1, 2 and so on. */
    private static double[] selectors(Part part, int stored, KeySpace space) {
        long[] keys = space.stored(stored);
        Contestant plain = new Contestant(
                "telescoping-plain",
                "telescoping-plain",
                Map.of(
                        "load", Double.toString(TelescopingPaper.LOAD),
                        "remainderBits", Integer.toString(TelescopingPaper.REMAINDER_BITS)));
        FilterSpec spec = FilterSpec.of(stored, TelescopingPaper.freshRate()).withSeed(space.seed());
        TelescopingFilter filter = (TelescopingFilter) plain.make(spec, new StoredKeys(keys));
        filter.insertHashes(keys, 0, keys.length);
        long queries = Math.round(part.queriesAKey * stored);
        long[] lastRepairs = new long[stored];
        boolean isQuiet = false;
        for (int pass = 0; pass < (part.isRepeated ? MOST_PASSES : 1) && !isQuiet; pass++) {
            isQuiet = pass(filter, space, queries, pass * queries, lastRepairs);
        }
        List<Long> histogram = filter.tagStatistics().histogram();
        double[] shares = new double[MOST + 1];
        for (int k = 0; k < histogram.size(); k++) {
            shares[Math.min(k, MOST)] += histogram.get(k) / (double) stored;
        }
        return shares;
    }

    /**
     * Asks all queries once; true if none was a false positive. A repair changes slots of its own quotient only, and no quotient has
     * more hashes than a place of {@code lastRepairs}, so it can change answers at its place and beside it. A query that was
     * denied in the pass before and has seen no repair there since would be denied again, and is not asked.
     *
     * @param before the number of queries of the passes before
     * @param lastRepairs by parts of the hashes in their order: the number of the query, from 1 on, that was the last to be repaired
     */
    private static boolean pass(AdaptiveFilter filter, KeySpace space, long queries, long before, long[] lastRepairs) {
        boolean isQuiet = true;
        for (long i = 0; i < queries; i++) {
            long key = space.foreign(i);
            int place = (int) FastRange.place(key, lastRepairs.length);
            boolean wasDenied = before > 0 && lastRepairs[place] <= before - queries + i;
            if (!wasDenied && filter.mightContainHash(key)) {
                filter.repairHash(key);
                isQuiet = false;
                int last = Math.min(place + 1, lastRepairs.length - 1);
                for (int at = Math.max(place - 1, 0); at <= last; at++) {
                    lastRepairs[at] = before + i + 1;
                }
            }
        }
        return isQuiet;
    }

    /** Corollary 3. */
    static double bound(int k, double c, double rate) {
        if (k == 0) {
            return Math.exp(-c * rate);
        }
        double sum = 0;
        double term = 1;
        for (int i = 1; i <= k; i++) {
            term *= c / i;
            sum += term;
        }
        return Math.pow(rate, k) * sum;
    }

    /**
     * The law of queries that are asked once each.
     *
     * @param mean how many queries have the quotient of a key, on average
     * @param collision the chance that one of them collides with the key under one function
     */
    static double once(int k, double mean, double collision) {
        double moving = mean * collision;
        double poisson = Math.exp(-moving);
        if (k == 0) {
            return poisson;
        }
        double chance = 0;
        double ways = 1;
        for (int queries = 1; queries <= k; queries++) {
            poisson *= moving / queries;
            chance += poisson * ways * Math.pow(1 - collision, queries) * Math.pow(collision, k - queries);
            ways *= (double) (k - queries) / queries;
        }
        return chance;
    }

    /** The law of queries that are repeated in any order; the parameters are those of {@link #once}. */
    static double repeated(int k, double mean, double collision) {
        double poisson = Math.exp(-mean);
        double chance = 0;
        for (int queries = 0; queries < mean + 20 * Math.sqrt(mean) + 40; queries++) {
            double passing = -Math.expm1(queries * Math.log1p(-collision));
            chance += poisson * (1 - passing) * Math.pow(passing, k);
            poisson *= mean / (queries + 1);
        }
        return chance;
    }

    private static double law(boolean isRepeated, int k, double c) {
        double mean = c * TelescopingPaper.LOAD;
        double collision = Math.scalb(1.0, -TelescopingPaper.REMAINDER_BITS);
        return isRepeated ? repeated(k, mean, collision) : once(k, mean, collision);
    }

    /** Theorem 4, for the b that belongs to c; not a number where b is below 2. */
    static double boundOfBits(double c, double rate) {
        double b = 1 / (c * Math.sqrt(rate));
        return b < 2 ? Double.NaN : 1 / Math.E + b / ((b - 1) * (b - 1));
    }

    private static double entropy(double[] shares) {
        double bits = 0;
        for (double share : shares) {
            bits -= share > 0 ? share * Math.log(share) / Math.log(2) : 0;
        }
        return bits;
    }

    private static Findings findings(List<Part> parts, List<double[]> measured, int stored) {
        double rate = TelescopingPaper.freshRate();
        ResultTable.Builder table = ResultTable.columns(
                "queries a key",
                "asked",
                "selector",
                "measured",
                "bound of Corollary 3",
                "measured / bound",
                "law",
                "bits a key of an optimal code",
                "bound of Theorem 4");
        List<Series> shares = new ArrayList<>();
        List<Series.Point> onceBits = new ArrayList<>();
        List<Series.Point> repeatedBits = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            double[] of = measured.get(i);
            double c = part.queriesAKey;
            String asked = part.isRepeated ? "repeated" : "once";
            (part.isRepeated ? repeatedBits : onceBits).add(new Series.Point(c, entropy(of)));
            List<Series.Point> points = new ArrayList<>();
            for (int k = 0; k < MOST; k++) {
                double law = law(part.isRepeated, k, c);
                table.row(
                        c,
                        asked,
                        k,
                        of[k],
                        bound(k, c, rate),
                        of[k] / bound(k, c, rate),
                        law,
                        entropy(of),
                        boundOfBits(c, rate));
                if (of[k] > 0) {
                    points.add(new Series.Point(k, of[k]));
                }
            }
            if (c == DRAWN) {
                shares.add(Series.ours(asked, points));
            }
        }
        double[] selectors = {0, 1, 2, 3, 4, 5};
        shares.add(Series.theory("bound of Corollary 3", selectors, k -> bound((int) k, DRAWN, rate)));
        shares.add(Series.theory("law if asked once", selectors, k -> law(false, (int) k, DRAWN)));
        shares.add(Series.theory("law if repeated", selectors, k -> law(true, (int) k, DRAWN)));
        double[] bounded = {1, 2, 4, 6, 8};
        Plot bits = new Plot(
                "Bits a key of an optimal code",
                Plot.Axis.linear("different queries a key"),
                Plot.Axis.linear("bits a key"),
                List.of(
                        Series.ours("asked once", onceBits),
                        Series.ours("repeated", repeatedBits),
                        Series.theory("bound of Theorem 4", bounded, c -> boundOfBits(c, rate))));
        Plot distribution = new Plot(
                "Selectors after 20 different queries a key",
                Plot.Axis.linear("selector"),
                Plot.Axis.logarithmic("part of the keys"),
                shares);
        return new Findings(
                Map.of("stored keys", String.format(Locale.ROOT, "%,d", stored)),
                List.of(distribution, bits),
                table.end());
    }
}
