package dev.besom.lab.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The unique queries a key that a kind says it bears: with as many the rate is kept, with twice as many it is not. */
class BudgetTest {

    private static final long SEED = 20210907;

    /** The rate that {@code Kind.adaptiveBudget()} is stated for; for others it is inversely proportional. */
    private static final double STATED_RATE = 0.01;

    /** The chance of a false alarm of one assertion is below 10^-9. */
    private static final double DEVIATIONS = 6.5;

    /** An adversary who finds ever more false positives and names those that it knows. */
    private static final class Interleave {

        private final Arena arena;
        private final KeySpace space = new KeySpace(SEED);
        private final SplittableRandom random = new SplittableRandom(SEED);
        private final int keys;
        private final long[] known;
        private int size;
        private long unique;
        private long named;
        private long won;

        Interleave(String kind, FilterSpec spec) {
            this.arena = new Arena(Filters.kind(kind), spec.withSeed(SEED), SEED);
            this.keys = (int) spec.capacity();
            this.known = new long[2 * keys];
        }

        private long falsePositive() {
            long key = space.foreign(unique++);
            while (!arena.query(key)) {
                key = space.foreign(unique++);
            }
            return key;
        }

        /** Plays until there were so many unique queries a key. */
        void playTo(double uniquePerKey) {
            named = 0;
            won = 0;
            while (unique < uniquePerKey * keys) {
                for (int i = 0; i < keys / 64; i++) {
                    known[size < known.length ? size++ : random.nextInt(size)] = falsePositive();
                }
                for (int i = 0; i < size; i++) {
                    named++;
                    won += arena.query(known[random.nextInt(size)]) ? 1 : 0;
                }
            }
        }

        long forgot() {
            return ((AdaptiveFilter) arena.filter()).adaptationStatistics().forgot();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "extension, 4000, 16",
        "extension, 4000, 128",
        "telescoping-compact, 4000, 16",
        "telescoping-compact, 4000, 128",
        "telescoping, 4000, 16",
        "telescoping, 4000, 128"
    })
    void theRateIsKeptUpToTheBudgetAndNotUpToTwiceAsMuch(String kind, int keys, int inverseRate) {
        double rate = 1.0 / inverseRate;
        double budget = Filters.kind(kind).adaptiveBudget() * STATED_RATE / rate;
        Interleave play = new Interleave(kind, FilterSpec.of(keys, rate));
        play.playTo(budget);
        assertThat(play.named).isGreaterThan(keys);
        assertThat((double) play.won)
                .as("won of %d named", play.named)
                .isLessThanOrEqualTo(play.named * rate + DEVIATIONS * Math.sqrt(play.named * rate));
        play.playTo(2 * budget);
        assertThat((double) play.won)
                .as("won of %d named between the budget and twice as much", play.named)
                .isGreaterThan(play.named * rate + DEVIATIONS * Math.sqrt(play.named * rate));
    }

    /** Bytes never run out of room for others: beyond the budget a slot gives up its own repairs now and then. */
    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"500, 16", "500, 64"})
    void bytesKeepTheRateUpToTheirBudgetAndForgetWithinTwiceAsMuch(int keys, int inverseRate) {
        double rate = 1.0 / inverseRate;
        double budget = Filters.kind("telescoping-plain").adaptiveBudget() * STATED_RATE / rate;
        Interleave play = new Interleave("telescoping-plain", FilterSpec.of(keys, rate));
        play.playTo(budget);
        assertThat((double) play.won)
                .isLessThanOrEqualTo(play.named * rate + DEVIATIONS * Math.sqrt(play.named * rate));
        long before = play.forgot();
        play.playTo(2 * budget);
        assertThat(play.forgot()).isGreaterThan(before);
    }

    /**
     * Cascades have no bound: they change all hash functions whenever a planned share of the keys has moved, which makes what
     * the adversary knows worthless, and goes on for ever.
     */
    @ParameterizedTest
    @CsvSource({"cascade, 16", "cascade, 128", "adaptive-bloom, 16", "adaptive-bloom, 128"})
    void cascadesChangeTheirFunctionsAsOftenAsStatedAndKeepTheRateForEver(String kind, int inverseRate) {
        double rate = 1.0 / inverseRate;
        double between = Math.max(1 / 64.0, rate) / rate;
        Interleave play = new Interleave(kind, FilterSpec.of(4_000, rate));
        play.playTo(0.7 * between);
        assertThat(play.forgot()).as("changes of all functions before").isZero();
        play.playTo(1.5 * between);
        assertThat(play.forgot()).as("changes of all functions after").isBetween(1L, 2L);
        play.playTo(30 * between);
        // Queries that are known are asked anew after each change, and count once more towards the next.
        assertThat(play.forgot()).isGreaterThan(15);
        assertThat(play.named).isGreaterThan(4_000);
        assertThat((double) play.won)
                .as("won of %d named", play.named)
                .isLessThanOrEqualTo(play.named * rate + DEVIATIONS * Math.sqrt(play.named * rate));
        assertThat(Filters.kind(kind).adaptiveBudget()).isInfinite();
    }

    @ParameterizedTest
    @CsvSource({"telescoping, 16", "telescoping, 128", "extension, 16", "extension, 128"})
    void aFilterThatNeverForgetsKeepsTheRateFarBeyondTheBudget(String kind, int inverseRate) {
        double rate = 1.0 / inverseRate;
        double budget = Filters.kind(kind).adaptiveBudget() * STATED_RATE / rate;
        FilterSpec spec = FilterSpec.of(2_000, rate).with("forget", "never").with("spill", "32");
        Interleave play = new Interleave(kind, spec);
        play.playTo(4 * budget);
        assertThat(play.forgot()).isZero();
        assertThat((double) play.won)
                .isLessThanOrEqualTo(play.named * rate + DEVIATIONS * Math.sqrt(play.named * rate));
    }
}
