package dev.besom.lab.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.filters.Filters;
import dev.besom.lab.race.Race;
import dev.besom.lab.race.RaceResult;
import dev.besom.lab.race.RaceSpec;
import dev.besom.lab.race.Timing;
import dev.besom.spi.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an advice predicts is what a race measures.
 *
 * <p>Bits a key are within four percent, which is what chance does to filters of so few keys. Wasted reads are, on average over races of different seeds, within five standard errors
 * of that average and a tenth of what was predicted. With some 50 comparisons of five errors each the chance of a false alarm is
 * below 1e-4 for fresh seeds; these are literal, so the outcome is always the same.
 */
@Tag("slow")
class AdviceAgainstRaceTest {

    private static final int RACES = 8;
    private static final double ERRORS = 5;
    private static final double BIAS = 0.1;

    /** A need with its traffic. */
    record Case(String name, int n, double fpp, Set<Need> needs, Skew skew) {

        @Override
        public String toString() {
            return name;
        }

        Wishes wishes() {
            return new Wishes(n, Wishes.Limits.ofRate(fpp), needs, Wishes.Setting.USUAL, skew.traffic(n));
        }
    }

    /** Misses under Zipf's law over ten times as many keys as are stored; without repeats where the exponent is 0. */
    record Skew(double exponent, double missesPerKey) {

        Traffic traffic(int n) {
            double misses = n * missesPerKey;
            return exponent == 0 ? Traffic.withoutRepeats(misses, 1) : Traffic.zipf(misses, 1, exponent, 10.0 * n);
        }

        String workload() {
            return exponent == 0 ? "uniform" : "zipf:" + exponent;
        }
    }

    static Stream<Case> needs() {
        Set<Need> insert = EnumSet.of(Need.INSERT);
        Set<Need> delete = EnumSet.of(Need.INSERT, Need.DELETE);
        Set<Need> fixed = EnumSet.noneOf(Need.class);
        return Stream.of(
                new Case("fresh misses", 2000, 0.01, insert, new Skew(0, 20)),
                new Case("fresh misses, deletes", 2000, 0.01, delete, new Skew(0, 20)),
                new Case("fresh misses, a static set", 2000, 0.01, fixed, new Skew(0, 20)),
                new Case("fresh misses, a low rate", 2000, 0.001, insert, new Skew(0, 60)),
                new Case("mild skew", 2000, 0.01, insert, new Skew(0.8, 30)),
                new Case("skew", 2000, 0.01, insert, new Skew(1.0, 30)),
                new Case("skew, deletes", 2000, 0.01, delete, new Skew(1.1, 30)),
                new Case("skew, a static set", 2000, 0.01, fixed, new Skew(1.1, 30)),
                new Case("skew, a high rate", 2000, 0.1, insert, new Skew(1.0, 30)),
                new Case("skew, growth", 2000, 0.01, EnumSet.of(Need.INSERT, Need.GROW), new Skew(1.1, 30)),
                new Case("strong skew", 2000, 0.02, insert, new Skew(1.3, 60)),
                new Case("beyond the budgets", 1000, 0.05, insert, new Skew(0.7, 150)));
    }

    @ParameterizedTest
    @MethodSource("needs")
    void whatIsPredictedOfEveryKindThatFitsIsWhatRacesMeasure(Case need) {
        Advice advice = Advisor.advise(need.wishes(), kind -> {});
        Stream<Candidate> told = Stream.concat(Stream.of(advice.chosen()), advice.runnerUp().stream());
        told.forEach(candidate -> compare(need, candidate));
    }

    private static void compare(Case need, Candidate candidate) {
        List<RaceResult> races = races(
                candidate.kind().name(),
                spec -> spec.n(need.n)
                        .fpp(candidate.plannedFpp())
                        .workload(need.skew.workload())
                        .queries((long) (need.n * need.skew.missesPerKey)));
        assertThat(races.get(0).bitsPerKey())
                .as("%s, %s: bits a key", need, candidate.kind())
                .isCloseTo(candidate.bitsPerKey(), within(0.04 * candidate.bitsPerKey()));
        assertMean(races, candidate.wastedReads(), need + ", " + candidate.kind());
    }

    @Test
    void aKindThatRepairsAndForgetsNowAndThenIsNotTakenForOneThatNeverRepairs() {
        Traffic traffic = Traffic.zipf(300_000, 1, 1.1, 100_000);
        Rehearsal rehearsal = Rehearsal.of(10_000, traffic);
        for (String name : List.of("cascade", "adaptive-bloom", "cuckoo-cyclic", "cuckoo-swapping", "telescoping")) {
            Kind kind = Filters.kind(name);
            List<RaceResult> races = races(
                    name, spec -> spec.n(10_000).fpp(0.01).workload("zipf:1.1").queries(300_000), 4);
            double expected = Trial.of(kind, 10_000, 0.01).orElseThrow().expectedFpp();
            double predicted = rehearsal.wastedReads(kind, 0.01, expected);
            assertThat(predicted).as(name).isLessThan(traffic.wastedReads(expected, false) / 2);
            assertMean(races, predicted, name);
        }
    }

    static Stream<RealLogs.Log> logs() {
        return Stream.of(RealLogs.classesByReference(), RealLogs.membersByName(), RealLogs.words());
    }

    /** A kind that adapts wastes of a real log what is predicted for a log of its numbers, within a fifth. */
    @ParameterizedTest
    @MethodSource("logs")
    void whatIsPredictedForRealLogsIsWhatRacesMeasure(RealLogs.Log log) {
        Sample sample = Sample.of(log.keys(), log.queries());
        long n = (long) sample.keys();
        Rehearsal rehearsal = Rehearsal.of(n, sample.traffic());
        LogReplay replay = LogReplay.of(log.keys(), log.queries(), sample);
        assertThat(sample.traffic().repeats()).isGreaterThan(1.5);
        for (String name : List.of("bloom", "telescoping", "cascade")) {
            Kind kind = Filters.kind(name);
            double expected = Trial.of(kind, n, 0.01).orElseThrow().expectedFpp();
            List<RaceResult> races = races(
                    name, spec -> spec.keys(log.keys()).queries(log.queries()).fpp(0.01), 6);
            assertMean(races, rehearsal.wastedReads(kind, 0.01, expected), 0.2, log + ", by its numbers, " + name);
            double replayed = replay.replay(kind, 0.01).orElseThrow().waste().all();
            assertMean(races, replayed, 0.2, log + ", by the log, " + name);
        }
    }

    private static List<RaceResult> races(String kind, UnaryOperator<RaceSpec.Builder> spec) {
        return races(kind, spec, RACES);
    }

    private static List<RaceResult> races(String kind, UnaryOperator<RaceSpec.Builder> spec, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(seed -> Race.run(
                                spec.apply(RaceSpec.of(kind)
                                                .timing(Timing.fresh(0, false))
                                                .seed(seed))
                                        .toSpec(),
                                said -> {})
                        .get(0))
                .toList();
    }

    private static void assertMean(List<RaceResult> races, double predicted, String what) {
        assertMean(races, predicted, BIAS, what);
    }

    private static void assertMean(List<RaceResult> races, double predicted, double bias, String what) {
        double[] wasted = races.stream()
                .mapToDouble(race -> race.tally().answers().falsePositives())
                .toArray();
        double mean = IntStream.range(0, wasted.length)
                .mapToDouble(i -> wasted[i])
                .average()
                .orElseThrow();
        double variance = IntStream.range(0, wasted.length)
                        .mapToDouble(i -> (wasted[i] - mean) * (wasted[i] - mean))
                        .sum()
                / (wasted.length - 1);
        double error = Math.sqrt(variance / wasted.length);
        assertThat(mean)
                .as("%s: wasted reads, with a standard error of %.1f", what, error)
                .isCloseTo(predicted, within(ERRORS * error + bias * predicted + 1));
    }
}
