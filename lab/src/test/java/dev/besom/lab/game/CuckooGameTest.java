package dev.besom.lab.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where the adaptive cuckoo filters break. They are heuristics: a slot that goes round through its few selectors, places or swaps comes back
 * to where it was wrong before, and an adversary who keeps at it wins many times the rate of a fresh query.
 *
 * <p>The bounds are a factor of about two around what games of other seeds gave: less would mean that the attack has become weaker, so that
 * the kind deserves another word than "heuristic", and more that the kind has become worse.
 */
class CuckooGameTest {

    private static final int KEYS = 1000;
    private static final double FPP = 1.0 / 256;
    private static final long QUERIES = 400_000;

    private static double timesTheRate(String kind, String option, String strategy, long queries) {
        FilterSpec spec = FilterSpec.of(KEYS, FPP).withSeed(1);
        Arena arena =
                new Arena(Filters.kind(kind), option.equals("-") ? spec : spec.with("selectors", option), 20_261_119);
        double rate = arena.filter().expectedFpp();
        return arena.play(Strategy.of(strategy), queries).winningRate() / rate;
    }

    @ParameterizedTest
    @CsvSource({
        "cuckoo-cyclic, 1, whittle, 15, 90",
        "cuckoo-cyclic, 1, interleave, 40, 200",
        "cuckoo-cyclic, 1, alternate, 80, 250",
        "cuckoo-cuckooing, -, whittle, 80, 282",
        "cuckoo-cuckooing, -, interleave, 30, 160",
        "cuckoo-cuckooing, -, alternate, 100, 282",
    })
    void aFewQueriesInTurnBreakOneBitOfSelectorsAndFourPlaces(
            String kind, String option, String strategy, double least, double most) {
        assertThat(timesTheRate(kind, option, strategy, QUERIES)).isBetween(least, most);
    }

    /** Takes more false positives than a filter has room for, which in the end breaks telescoping as well. */
    @ParameterizedTest
    @CsvSource({"cuckoo-cyclic, 2, interleave, 6, 60", "cuckoo-swapping, -, interleave, 10, 90"})
    void manyFalsePositivesBreakTwoBitsOfSelectorsAndSwaps(
            String kind, String option, String strategy, double least, double most) {
        assertThat(timesTheRate(kind, option, strategy, 3 * QUERIES)).isBetween(least, most);
    }

    @ParameterizedTest
    @CsvSource({
        "cuckoo-cyclic, 3, whittle",
        "cuckoo-cyclic, 3, alternate",
        "cuckoo-cyclic, 2, whittle",
        "telescoping, -, whittle",
        "telescoping, -, alternate",
        "broom, -, whittle",
        "broom, -, alternate",
    })
    void theSameQueriesInTurnDoNotBreakKindsWithMoreRoom(String kind, String option, String strategy) {
        assertThat(timesTheRate(kind, option, strategy, QUERIES)).isLessThan(3);
    }
}
