package dev.besom.lab.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.broom.BroomFilter;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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

    private static void play(String kind, int keys, double fpp, Strategy strategy, long queries) {
        play(kind, FilterSpec.of(keys, fpp), strategy, queries);
    }

    private static void play(String kind, FilterSpec spec, Strategy strategy, long queries) {
        Arena arena = new Arena(Filters.kind(kind), spec, 20181007);
        Play.Score score = arena.play(strategy, queries);
        assertSustained(score, spec.fpp());
        assertThat(score.named()).as("queries named").isPositive();
    }

    private static void assertSustained(Play.Score score, double fpp) {
        assertRate("queries won", score.won(), score.named(), fpp);
        assertRate("wrong answers", score.wrong(), score.queries(), fpp);
        if (score.queries() >= Play.BLOCK) {
            assertRate(
                    "wrong answers of the worst block",
                    Math.round(score.worstBlockRate() * Play.BLOCK),
                    Play.BLOCK,
                    fpp);
        }
    }

    private static Stream<Arguments> games(String kind, int keys, long queries, Strategy... strategies) {
        return Arrays.stream(strategies).map(strategy -> Arguments.of(kind, keys, strategy, queries));
    }

    /** A game of each strategy that leaves the keys as they are. */
    private static Stream<Arguments> allGames(String kind, int keys, long queries) {
        return games(kind, keys, queries, Strategy.REPEAT, Strategy.WHITTLE, Strategy.INTERLEAVE, Strategy.ALTERNATE);
    }

    static Stream<Arguments> shortGames() {
        return Stream.of(
                        allGames("broom", 8_000, 1_000_000),
                        games("broom", 2_000, 400_000, Strategy.REINSERT),
                        games("broom", 8_000, 250_000, Strategy.CHURN),
                        games("telescoping", 40_000, 1_000_000, Strategy.REPEAT, Strategy.INTERLEAVE),
                        games("telescoping", 8_000, 1_000_000, Strategy.ALTERNATE),
                        games("extension", 20_000, 400_000, Strategy.REPEAT, Strategy.INTERLEAVE),
                        games("telescoping-compact", 20_000, 400_000, Strategy.REPEAT, Strategy.INTERLEAVE),
                        games("telescoping", 8_000, 400_000, Strategy.REINSERT),
                        games("telescoping-compact", 2_000, 100_000, Strategy.REINSERT),
                        games("extension", 2_000, 100_000, Strategy.REINSERT),
                        allGames("adaptive-bloom", 8_000, 1_000_000),
                        allGames("cascade", 8_000, 1_000_000))
                .flatMap(games -> games);
    }

    static Stream<Arguments> longGames() {
        return Stream.of(
                        allGames("broom", 100_000, 10_000_000),
                        games("broom", 8_000, 10_000_000, Strategy.REINSERT, Strategy.CHURN),
                        games("broom", 100_000, 10_000_000, Strategy.REINSERT),
                        allGames("telescoping", 40_000, 10_000_000),
                        games("telescoping", 40_000, 10_000_000, Strategy.REINSERT),
                        games("telescoping", 200_000, 10_000_000, Strategy.REINSERT),
                        games("telescoping", 100_000, 10_000_000, Strategy.CHURN),
                        games(
                                "extension",
                                200_000,
                                10_000_000,
                                Strategy.REPEAT,
                                Strategy.INTERLEAVE,
                                Strategy.REINSERT,
                                Strategy.CHURN),
                        games(
                                "telescoping-compact",
                                200_000,
                                10_000_000,
                                Strategy.REPEAT,
                                Strategy.INTERLEAVE,
                                Strategy.REINSERT,
                                Strategy.CHURN),
                        allGames("cascade", 8_000, 10_000_000),
                        games("cascade", 8_000, 10_000_000, Strategy.REINSERT, Strategy.CHURN),
                        allGames("adaptive-bloom", 8_000, 10_000_000),
                        games("adaptive-bloom", 8_000, 10_000_000, Strategy.REINSERT, Strategy.CHURN),
                        allGames("broom", 100_000, 100_000_000),
                        allGames("telescoping", 1_000_000, 100_000_000),
                        games("adaptive-bloom", 100_000, 100_000_000, Strategy.WHITTLE, Strategy.INTERLEAVE),
                        games(
                                "cascade",
                                100_000,
                                100_000_000,
                                Strategy.WHITTLE,
                                Strategy.INTERLEAVE,
                                Strategy.ALTERNATE))
                .flatMap(games -> games);
    }

    @ParameterizedTest
    @MethodSource("shortGames")
    void anAdversaryWinsNoMoreThanTheRate(String kind, int keys, Strategy strategy, long queries) {
        play(kind, keys, FPP, strategy, queries);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("longGames")
    void anAdversaryWinsNoMoreThanTheRateInALongGame(String kind, int keys, Strategy strategy, long queries) {
        play(kind, keys, FPP, strategy, queries);
    }

    /** Keys that are there for a moment only do not undo what was learned, whatever the kind does to tell them from others. */
    @ParameterizedTest
    @CsvSource({"telescoping", "telescoping-compact", "extension", "cascade", "adaptive-bloom"})
    void anAdversaryWhoHasFreshKeysComeAndGoWinsNoMoreThanTheRate(String kind) {
        play(kind, 150, 1 / 16.0, Strategy.CHURN, 1_600);
    }

    static Stream<Arguments> gamesWithoutACore() {
        return Stream.of("extension", "telescoping-compact")
                .flatMap(kind -> games(kind, 200_000, 10_000_000, Strategy.WHITTLE, Strategy.ALTERNATE));
    }

    /** These two find nothing to name where repairs do not undo each other. */
    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("gamesWithoutACore")
    void anAdversaryFindsNoMoreThanTheRateWhereThereIsNoCore(String kind, int keys, Strategy strategy, long queries) {
        Arena arena = new Arena(Filters.kind(kind), FilterSpec.of(keys, FPP), 20181007);
        assertSustained(arena.play(strategy, queries), FPP);
    }

    /** Below 1/300 remainders are large, and keys are in a front yard and a back yard. */
    static Stream<Arguments> gamesOfLargeRemainders() {
        return Stream.of(
                        allGames("broom", 4_000, 1_000_000),
                        games("broom", 8_000, 600_000, Strategy.REINSERT),
                        games("broom", 8_000, 250_000, Strategy.CHURN))
                .flatMap(games -> games);
    }

    @ParameterizedTest
    @MethodSource("gamesOfLargeRemainders")
    void anAdversaryWinsNoMoreThanALowRate(String kind, int keys, Strategy strategy, long queries) {
        play(kind, keys, 1 / 512.0, strategy, queries);
    }

    static Stream<Arguments> longGamesOfLargeRemainders() {
        return Stream.of(
                        allGames("broom", 20_000, 10_000_000),
                        games("broom", 20_000, 10_000_000, Strategy.REINSERT, Strategy.CHURN))
                .flatMap(games -> games);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("longGamesOfLargeRemainders")
    void anAdversaryWinsNoMoreThanALowRateInALongGame(String kind, int keys, Strategy strategy, long queries) {
        play(kind, keys, 1 / 512.0, strategy, queries);
        play(kind, keys, 1 / 1024.0, strategy, queries);
    }

    /** At a high rate many stored keys need extensions to be told apart, and bins have the least room for queries'. */
    @ParameterizedTest
    @CsvSource({"INTERLEAVE, 50000", "ALTERNATE, 50000", "REINSERT, 50000", "CHURN, 5000"})
    void anAdversaryWinsNoMoreThanAHighRate(Strategy strategy, long queries) {
        play("broom", 2_000, 1 / 16.0, strategy, queries);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERLEAVE", "ALTERNATE"})
    void anAdversaryWinsNoMoreThanTheRateOfACascadeOfTinySets(Strategy strategy) {
        play("cascade", FilterSpec.of(8_000, FPP).with("inner", "tinyset"), strategy, 1_000_000);
    }

    /** What is dead stays dead when keys go and come back. */
    @ParameterizedTest
    @CsvSource({"adaptive-bloom", "cascade"})
    void insertingKeysAgainDoesNotUndoTheRepairsOfACascade(String kind) {
        Arena arena = new Arena(Filters.kind(kind), FilterSpec.of(1_000, 1 / 16.0), 4);
        Play.Score score = arena.play(Strategy.REINSERT, 50_000);
        assertRate("queries won", score.won(), score.named(), 1 / 16.0);
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
        // Whittling begins with 80 queries a key.
        long queries = strategy == Strategy.WHITTLE ? 300_000 : 50_000;
        assertThat(arena.play(strategy, queries).winningRate()).isEqualTo(1);
    }

    /** The broom filter's promise hangs on both of these, and the game finds out where one is missing. */
    @ParameterizedTest
    @CsvSource({"0.06, 0, INTERLEAVE, 300000", "0, 2, ALTERNATE, 300000", "0.06, 0, CHURN, 10000"})
    void aBroomFilterWithOneHashFunctionOrWithoutRoomBesideItsBinsLoses(
            String spill, String moves, Strategy strategy, long queries) {
        FilterSpec spec = FilterSpec.of(2_000, 1 / 32.0).with("spill", spill).with("moves", moves);
        Arena arena = new Arena(Filters.kind("broom"), spec, 6);
        assertThat(arena.play(strategy, queries).winningRate()).isGreaterThan(3 / 32.0);
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
                Filters.kinds().stream().filter(kind -> kind.adaptivity() == Adaptivity.HEURISTIC),
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
    void insertingKeysAgainBeatsAFilterThatForgetsDeletedKeys() {
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
        long queries = (long) (falsePositivesAKey * keys / fpp);
        Play.Score score = arena.play(Strategy.INTERLEAVE, queries);
        assertSustained(score, fpp);
        assertThat(((AdaptiveFilter) arena.filter()).adaptationStatistics().repairs())
                .isGreaterThan((long) (0.7 * falsePositivesAKey * keys));
        BroomFilter.BinStatistics statistics = ((BroomFilter) arena.filter()).binStatistics();
        // The default spill, an eighth more for words that are allocated and not in use, and 64 words.
        assertThat(arena.filter().sizeInBits() - before)
                .as("bits more")
                .isLessThanOrEqualTo((long) ((0.06 + 64 * fpp * fpp) * 9 / 8 * keys) + 64 * Long.SIZE);
        assertThat(statistics.forgotten()).as("repairs forgotten").isZero();
        assertThat(statistics.extensionBits()).as("bits of extensions").isLessThan(keys / 3L);
        assertThat(((AdaptiveFilter) arena.filter()).adaptationStatistics().movedKeys())
                .as("keys moved")
                .isGreaterThan(10L * keys);
    }

    @Test
    void strategiesAreKnownByTheirNames() {
        assertThat(Strategy.of("whittle")).isEqualTo(Strategy.WHITTLE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategy.of("bribe"))
                .withMessageContaining("interleave");
    }
}
