package dev.besom.testkit.daisy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.daisy.DaisyFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import dev.besom.testkit.Rates;
import dev.besom.testkit.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates and sizes under Zipf's law: keys drawn by rank from a universe, queries uniform over it or skewed as well. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class DaisyRatesTest {

    private static final int UNIVERSE = 1_000_000;
    private static final int DRAWS = 10_000;
    private static final double FPP = 0.01;
    private static final int TRIALS = 300_000;

    private static final FilterSpec SPEC = FilterSpec.of(DRAWS, FPP).withSeed(12);

    private static DaisyFilter daisy(FilterSpec spec, Distribution known) {
        return (DaisyFilter) Filters.makeHashFilter(Filters.kind("daisy"), spec, known);
    }

    /** Ranks drawn from Zipf's law, by a table of sums. */
    private static final class Ranks {

        private static final Map<Double, double[]> SUMS = new ConcurrentHashMap<>();

        private final double[] sums;
        private final SplittableRandom random;

        Ranks(double exponent, long seed) {
            sums = SUMS.computeIfAbsent(exponent, Ranks::sums);
            random = new SplittableRandom(seed);
        }

        private static double[] sums(double exponent) {
            double[] sums = IntStream.rangeClosed(1, UNIVERSE)
                    .mapToDouble(rank -> Math.pow(rank, -exponent))
                    .toArray();
            Arrays.parallelPrefix(sums, Double::sum);
            return sums;
        }

        int next() {
            int place = Arrays.binarySearch(sums, random.nextDouble() * sums[UNIVERSE - 1]);
            return Math.min(UNIVERSE, 1 + (place < 0 ? -place - 1 : place));
        }
    }

    /** What was put in: draws with repetitions, and how often queries were answered wrongly. */
    private static final class Stored {

        final boolean[] isStored = new boolean[UNIVERSE + 1];
        final long seed;

        Stored(InsertableFilter filter, double exponent, long seed) {
            this.seed = seed;
            Ranks ranks = new Ranks(exponent, seed);
            for (int i = 0; i < DRAWS; i++) {
                int rank = ranks.next();
                isStored[rank] = true;
                filter.insertHash(hash(rank));
            }
            for (int rank = 1; rank <= UNIVERSE; rank++) {
                if (isStored[rank]) {
                    assertThat(filter.mightContainHash(hash(rank)))
                            .as("rank %d", rank)
                            .isTrue();
                }
            }
        }

        static long hash(long rank) {
            return Distribution.hashOfRank(rank, 99);
        }

        /** The part of queries that are answered "maybe" though their key is not stored. */
        double rate(MembershipFilter filter, double exponent) {
            return falsePositives(filter, exponent) / (double) TRIALS;
        }

        long falsePositives(MembershipFilter filter, double exponent) {
            Ranks ranks = new Ranks(exponent, seed + 1);
            long wrong = 0;
            for (int i = 0; i < TRIALS; i++) {
                int rank = ranks.next();
                wrong += !isStored[rank] && filter.mightContainHash(hash(rank)) ? 1 : 0;
            }
            return wrong;
        }

        /** The rate that the filter's state predicts for queries for keys that are not stored. */
        double predicted(DaisyFilter filter, double exponent) {
            Distribution known = filter.distribution();
            double fill = fill(filter);
            double sum = 0;
            double wrong = 0;
            for (int rank = UNIVERSE; rank >= 1; rank--) {
                double weight = Math.pow(rank, -exponent);
                sum += weight;
                if (!isStored[rank]) {
                    wrong += weight * Math.pow(fill, filter.probesOf(known.classOf(hash(rank))));
                }
            }
            return wrong / sum;
        }

        private static double fill(DaisyFilter filter) {
            long[] words = filter.image()
                    .get(Filters.kind("daisy").form().sections().stream()
                            .filter(section -> section.name().equals("bits"))
                            .findFirst()
                            .orElseThrow());
            return Arrays.stream(words).skip(6).map(Long::bitCount).sum() / (double) filter.bitsWithoutDistribution();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.6, 0.8, 1.0, 1.1})
    void uniformQueriesAreAnsweredWronglyAsOftenAsPredictedAndAtMostATenthMoreThanAskedFor(double exponent) {
        long seed = Seeds.of(911, Double.doubleToRawLongBits(exponent));
        Distribution known = Distribution.zipf(exponent, 0, UNIVERSE, 99);
        assertThat(DaisyMath.condition(known.classes(), DRAWS, FPP).holds()).isTrue();
        DaisyFilter filter = daisy(SPEC, known);
        Stored stored = new Stored(filter, exponent, seed);
        long wrong = stored.falsePositives(filter, 0);
        Rates.assertRate(seed, wrong, TRIALS, stored.predicted(filter, 0));
        Rates.assertRateAtMost(seed, wrong, TRIALS, 1.1 * FPP);
        assertPlanned(DaisyPlan.of(known.classes(), DRAWS, FPP), known, wrong);
        assertThat(filter.bitsWithoutDistribution() / (double) DRAWS)
                .as("bits a draw, against the paper's formula")
                .isBetween(
                        0.97 * DaisyMath.formulaBits(known.classes(), DRAWS, FPP) / DRAWS,
                        1.12 * DaisyMath.formulaBits(known.classes(), DRAWS, FPP) / DRAWS + 0.01);
    }

    /** What was planned before any key came; the draws and the bits they hit are as random as the queries. */
    private static void assertPlanned(DaisyPlan plan, Distribution known, long wrong) {
        assertThat(wrong / (double) TRIALS / plan.rate(known.classes(), DRAWS))
                .as("rate over the planned one, which is %s", plan.rate(known.classes(), DRAWS))
                .isBetween(0.87, 1.13);
    }

    /** At the paper's size LB / ln 2 keys that set k rounded up cost rate, by less than the paper's constant of 6. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.6, 0.8, 1.0, 1.1})
    void atThePapersSizeTheRateIsHigherAsPredicted(double exponent) {
        long seed = Seeds.of(917, Double.doubleToRawLongBits(exponent));
        Distribution known = Distribution.zipf(exponent, 0, UNIVERSE, 99);
        DaisyFilter filter = daisy(SPEC.with("sizing", "formula"), known);
        Stored stored = new Stored(filter, exponent, seed);
        long wrong = stored.falsePositives(filter, 0);
        Rates.assertRate(seed, wrong, TRIALS, stored.predicted(filter, 0));
        Rates.assertRateAtMost(seed, wrong, TRIALS, 1.6 * FPP);
        assertPlanned(DaisyPlan.byFormula(known.classes(), DRAWS, FPP), known, wrong);
        assertThat(filter.bitsWithoutDistribution() - DaisyMath.formulaBits(known.classes(), DRAWS, FPP))
                .as("bits above the formula")
                .isBetween(0.0, 64.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.5})
    void skewedQueriesAreAnsweredWronglyAsOftenAsPredicted(double exponent) {
        long seed = Seeds.of(912, Double.doubleToRawLongBits(exponent));
        Distribution known = Distribution.zipf(0, exponent, UNIVERSE, 99);
        DaisyFilter filter = daisy(SPEC, known);
        Stored stored = new Stored(filter, 0, seed);
        long wrong = stored.falsePositives(filter, exponent);
        Rates.assertRate(seed, wrong, TRIALS, stored.predicted(filter, exponent));
        Rates.assertRateAtMost(seed, wrong, TRIALS, 1.1 * FPP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"daisy-fingerprint", "partitioned-learned"})
    void theOthersKeepTheRateToo(String kind) {
        long seed = Seeds.of(913, kind.hashCode());
        Distribution known = Distribution.zipf(1, 0, UNIVERSE, 99);
        InsertableFilter filter = (InsertableFilter) Filters.makeHashFilter(Filters.kind(kind), SPEC, known);
        Stored stored = new Stored(filter, 1, seed);
        assertThat(stored.rate(filter, 0))
                .isLessThan(1.1 * FPP)
                .isBetween(0.85 * filter.expectedFpp(), 1.1 * filter.expectedFpp());
    }

    /** Where queries hit keys that are likely stored the condition fails, and the rate is the one foretold. */
    @Test
    void whereTheConditionFailsTheRateIsTheOneTheWarningNames() {
        long seed = Seeds.of(914);
        Distribution known = Distribution.zipf(0.9, 0.9, UNIVERSE, 99);
        DaisyMath.Condition condition = DaisyMath.condition(known.classes(), DRAWS, FPP);
        assertThat(condition.holds()).isFalse();
        DaisyFilter filter = daisy(SPEC, known);
        Stored stored = new Stored(filter, 0.9, seed);
        assertThat(stored.rate(filter, 0.9))
                .isGreaterThan(FPP)
                .isBetween(0.9 * condition.rate(), 1.1 * condition.rate())
                .isLessThan(condition.bound());
    }

    /**
     * Probabilities that are off by a factor f, for every second class upwards and for the others downwards: a key has at
     * most log2(f^2) probes too many or too few, which costs at most that much space, and rate by the same factor.
     */
    @ParameterizedTest
    @ValueSource(doubles = {2, 10})
    void wrongProbabilitiesCostNoMoreThanTheLogarithmOfTheErrorInSpaceAndTheErrorInRate(double factor) {
        long seed = Seeds.of(915, (long) factor);
        Distribution right = Distribution.zipf(0.8, 0, UNIVERSE, 99);
        double rightBits = DaisyPlan.of(right.classes(), DRAWS, FPP).bits() / DRAWS;
        double[][] errors = {{factor, 1}, {1 / factor, 1}, {1, factor}, {1, 1 / factor}, {factor, 1 / factor}};
        for (double[] error : errors) {
            Distribution wrong = right.withClasses(keys -> new KeyClass(
                    Math.min(1, keys.insertProbability() * error[0]),
                    Math.min(1, keys.queryProbability() * error[1]),
                    keys.insertShare(),
                    keys.queryShare()));
            DaisyFilter filter = daisy(SPEC, wrong);
            Stored stored = new Stored(filter, 0.8, seed);
            double off = DoubleStream.of(error)
                    .map(e -> Math.abs(Math.log(e) / Math.log(2)))
                    .sum();
            assertThat(filter.bitsWithoutDistribution() / (double) DRAWS)
                    .as("bits a draw, p off by %s and q by %s", error[0], error[1])
                    .isLessThan(rightBits + 1.45 * (off + 0.5));
            assertThat(stored.rate(filter, 0))
                    .as("rate, p off by %s and q by %s", error[0], error[1])
                    .isLessThan(1.2 * FPP * Math.pow(2, off));
        }
    }

    /** Wrong in ratio in both ways at once: keys of odd classes look likely, those of even ones unlikely. */
    @Test
    void probabilitiesThatAreWrongInBothDirectionsLoseNothing() {
        long seed = Seeds.of(916);
        Distribution right = Distribution.zipf(0.8, 0, UNIVERSE, 99);
        int[] next = {0};
        Distribution wrong = right.withClasses(keys -> {
            double error = next[0]++ % 2 == 0 ? 10 : 0.1;
            return new KeyClass(
                    Math.min(1, keys.insertProbability() * error),
                    keys.queryProbability(),
                    keys.insertShare(),
                    keys.queryShare());
        });
        for (String kind : new String[] {"daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned"}) {
            InsertableFilter filter = (InsertableFilter) Filters.makeHashFilter(Filters.kind(kind), SPEC, wrong);
            // Finds every key or fails.
            Stored stored = new Stored(filter, 0.8, seed);
            assertThat(stored.rate(filter, 0)).as(kind).isLessThan(10 * FPP);
        }
    }
}
