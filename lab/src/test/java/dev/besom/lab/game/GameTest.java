package dev.besom.lab.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.Kind;
import dev.besom.Kind.Adaptivity;
import dev.besom.broom.BroomFilter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The sustained false-positive rate of adaptive kinds, and that the game finds out those that have none. */
class GameTest {

    private static final double FPP = 1 / 256.0;

    /** The chance of a false alarm of one assertion is below 10^-9. */
    private static final double DEVIATIONS = 6.5;

    private static void assertRate(String what, long events, long trials, double rate) {
        assertThat((double) events)
                .as("%s in %d, where a rate of %s is allowed", what, trials, rate)
                .isLessThanOrEqualTo(trials * rate + DEVIATIONS * Math.sqrt(trials * rate) + DEVIATIONS);
    }

    private static void play(String kind, int keys, double fpp, Strategy strategy, long questions) {
        play(kind, FilterSpec.of(keys, fpp), strategy, questions);
    }

    private static void play(String kind, FilterSpec spec, Strategy strategy, long questions) {
        double fpp = spec.fpp();
        Arena arena = new Arena(Filters.kind(kind), spec, 20181007);
        Play.Score score = arena.play(strategy, questions);
        assertRate("questions won", score.won(), score.named(), fpp);
        assertRate("wrong answers", score.wrong(), score.questions(), fpp);
        assertThat(score.named()).as("questions named").isPositive();
        if (score.questions() >= Play.BLOCK) {
            assertRate(
                    "wrong answers of the worst block",
                    Math.round(score.worstBlockRate() * Play.BLOCK),
                    Play.BLOCK,
                    fpp);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "broom, 8000, REPEAT, 2000000",
        "broom, 8000, WHITTLE, 2000000",
        "broom, 8000, INTERLEAVE, 2000000",
        "broom, 8000, ALTERNATE, 2000000",
        "broom, 2000, REINSERT, 400000",
        "telescoping, 40000, REPEAT, 2000000",
        "telescoping, 40000, INTERLEAVE, 2000000",
        "telescoping, 8000, ALTERNATE, 2000000",
        "telescoping, 8000, REINSERT, 400000",
        "telescoping-compact, 2000, REINSERT, 100000",
        "extension, 2000, REINSERT, 100000",
        "adaptive-bloom, 8000, REPEAT, 2000000",
        "adaptive-bloom, 8000, WHITTLE, 2000000",
        "adaptive-bloom, 8000, INTERLEAVE, 2000000",
        "adaptive-bloom, 8000, ALTERNATE, 2000000",
        "cascade, 8000, REPEAT, 2000000",
        "cascade, 8000, WHITTLE, 2000000",
        "cascade, 8000, INTERLEAVE, 2000000",
        "cascade, 8000, ALTERNATE, 2000000"
    })
    void anAdversaryWinsNoMoreThanTheRate(String kind, int keys, Strategy strategy, long questions) {
        play(kind, keys, FPP, strategy, questions);
    }

    /** At a high rate many stored keys need extensions to be told apart, and bins have the least room for questions'. */
    @ParameterizedTest
    @EnumSource(names = {"INTERLEAVE", "ALTERNATE", "REINSERT"})
    void anAdversaryWinsNoMoreThanAHighRate(Strategy strategy) {
        play("broom", 2_000, 1 / 16.0, strategy, 50_000);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "broom, 100000, REPEAT, 10000000",
        "broom, 100000, WHITTLE, 10000000",
        "broom, 100000, INTERLEAVE, 10000000",
        "broom, 100000, ALTERNATE, 10000000",
        "broom, 8000, REINSERT, 10000000",
        "telescoping, 200000, REPEAT, 10000000",
        "telescoping, 40000, WHITTLE, 10000000",
        "telescoping, 200000, INTERLEAVE, 10000000",
        "telescoping, 40000, ALTERNATE, 10000000",
        "telescoping, 200000, REINSERT, 10000000",
        "broom, 100000, REPEAT, 100000000",
        "broom, 100000, WHITTLE, 100000000",
        "broom, 100000, INTERLEAVE, 100000000",
        "broom, 100000, ALTERNATE, 100000000",
        "telescoping, 1000000, REPEAT, 100000000",
        "telescoping, 1000000, WHITTLE, 100000000",
        "telescoping, 1000000, INTERLEAVE, 100000000",
        "telescoping, 1000000, ALTERNATE, 100000000",
        "adaptive-bloom, 100000, WHITTLE, 100000000",
        "adaptive-bloom, 100000, INTERLEAVE, 100000000",
        "cascade, 100000, WHITTLE, 100000000",
        "cascade, 100000, INTERLEAVE, 100000000",
        "cascade, 100000, ALTERNATE, 100000000"
    })
    void anAdversaryWinsNoMoreThanTheRateInALongGame(String kind, int keys, Strategy strategy, long questions) {
        play(kind, keys, FPP, strategy, questions);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERLEAVE", "ALTERNATE"})
    void anAdversaryWinsNoMoreThanTheRateOfACascadeOfTinySets(Strategy strategy) {
        play("cascade", FilterSpec.of(8_000, FPP).with("inner", "tinyset"), strategy, 2_000_000);
    }

    /** What is dead stays dead when keys go and come back. */
    @ParameterizedTest
    @CsvSource({"adaptive-bloom", "cascade"})
    void insertingKeysAgainDoesNotUndoTheRepairsOfACascade(String kind) {
        Arena arena = new Arena(Filters.kind(kind), FilterSpec.of(1_000, 1 / 16.0), 4);
        Play.Score score = arena.play(Strategy.REINSERT, 50_000);
        assertRate("questions won", score.won(), score.named(), 1 / 16.0);
    }

    @ParameterizedTest
    @CsvSource({
        "quotient, REPEAT",
        "quotient, INTERLEAVE",
        "quotient, ALTERNATE",
        "quotient, WHITTLE",
        "quotient, REINSERT",
        "bloom, REPEAT",
        "bloom, INTERLEAVE",
        "bloom, ALTERNATE",
        "bloom, WHITTLE"
    })
    void aFilterThatNeverAdaptsLosesEveryGame(String kind, Strategy strategy) {
        Arena arena = new Arena(Filters.kind(kind), FilterSpec.of(2_000, 1 / 16.0), 1);
        // Whittling begins with 80 questions a key.
        long questions = strategy == Strategy.WHITTLE ? 300_000 : 50_000;
        assertThat(arena.play(strategy, questions).winningRate()).isEqualTo(1);
    }

    /** The broom filter's promise hangs on both of these, and the game finds out where one is missing. */
    @ParameterizedTest
    @CsvSource({"0.06, 0, INTERLEAVE", "0, 2, ALTERNATE"})
    void aBroomFilterWithOneHashFunctionOrWithoutRoomBesideItsBinsLoses(String spill, String moves, Strategy strategy) {
        FilterSpec spec = FilterSpec.of(2_000, 1 / 32.0).with("spill", spill).with("moves", moves);
        Arena arena = new Arena(Filters.kind("broom"), spec, 6);
        assertThat(arena.play(strategy, 300_000).winningRate()).isGreaterThan(3 / 32.0);
    }

    @Test
    void goingRoundInCirclesFindsOutAFilterThatOnlyTakesTurns() {
        Arena arena = new Arena(TurnTakingFilter::new, FilterSpec.of(2_000, 1 / 16.0), 2);
        assertThat(arena.play(Strategy.ALTERNATE, 300_000).winningRate()).isGreaterThan(0.5);
        Arena other = new Arena(TurnTakingFilter::new, FilterSpec.of(2_000, 1 / 16.0), 2);
        assertThat(other.play(Strategy.REPEAT, 300_000).winningRate()).isLessThan(0.5);
    }

    static Stream<Kind> heuristicKinds() {
        return Stream.concat(
                Filters.kinds().stream().filter(kind -> kind.traits().adaptivity() == Adaptivity.HEURISTIC),
                // Provable while its repairs fit; here they do not.
                Stream.of(Filters.kind("extension")));
    }

    @ParameterizedTest
    @MethodSource("heuristicKinds")
    void someStrategyBeatsAFilterThatForgetsOrUndoesRepairs(Kind kind) {
        double best = 0;
        for (Strategy strategy : new Strategy[] {Strategy.INTERLEAVE, Strategy.ALTERNATE, Strategy.WHITTLE}) {
            Arena arena = new Arena(kind, FilterSpec.of(2_000, 1 / 32.0), 3);
            best = Math.max(best, arena.play(strategy, 600_000).winningRate());
        }
        assertThat(best).isGreaterThan(2 / 32.0);
    }

    /** This one forgets what it knew of a key that is deleted. */
    @Test
    void insertingKeysAgainBeatsAFilterThatForgetsTheDeparted() {
        Arena arena = new Arena(TurnTakingFilter::new, FilterSpec.of(2_000, 1 / 16.0), 4);
        assertThat(arena.play(Strategy.REINSERT, 50_000).winningRate()).isGreaterThan(0.9);
    }

    @Test
    void spaceAndRateOfABroomFilterStayWhateverIsAsked() {
        sustained(2_000, 1 / 32.0, 20);
    }

    @Tag("thorough")
    @Test
    void spaceAndRateOfABroomFilterStayForAHundredFalsePositivesAKey() {
        sustained(20_000, FPP, 100);
    }

    private static void sustained(int keys, double fpp, int falsePositivesAKey) {
        Arena arena = new Arena(Filters.kind("broom"), FilterSpec.of(keys, fpp), 5);
        long before = arena.filter().sizeInBits();
        long questions = (long) (falsePositivesAKey * keys / fpp);
        Play.Score score = arena.play(Strategy.INTERLEAVE, questions);
        assertRate("wrong answers", score.wrong(), score.questions(), fpp);
        assertRate("questions won", score.won(), score.named(), fpp);
        if (score.questions() >= Play.BLOCK) {
            assertRate(
                    "wrong answers of the worst block",
                    Math.round(score.worstBlockRate() * Play.BLOCK),
                    Play.BLOCK,
                    fpp);
        }
        assertThat(((AdaptiveFilter) arena.filter()).adaptationStatistics().repairs())
                .isGreaterThan((long) (0.7 * falsePositivesAKey * keys));
        BroomFilter.BinStatistics statistics = ((BroomFilter) arena.filter()).binStatistics();
        // The default spill, an eighth more for words that are allocated and not in use, and 64 words.
        assertThat(arena.filter().sizeInBits() - before)
                .as("bits more")
                .isLessThanOrEqualTo((long) ((0.06 + 64 * fpp * fpp) * 9 / 8 * keys) + 64 * Long.SIZE);
        assertThat(statistics.forgotten()).as("repairs forgotten").isZero();
        assertThat(statistics.extensionBits()).as("bits of extensions").isLessThan(keys / 3L);
        assertThat(statistics.moved()).as("keys moved").isGreaterThan(10L * keys);
    }

    @Test
    void strategiesAreKnownByTheirNames() {
        assertThat(Strategy.of("whittle")).isEqualTo(Strategy.WHITTLE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategy.of("bribe"))
                .withMessageContaining("interleave");
    }
}
