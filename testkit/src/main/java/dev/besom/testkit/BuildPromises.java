package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterFullException;
import java.util.Arrays;
import java.util.List;

/** What a filter promises that is built from all its keys at once and never changes. */
final class BuildPromises {

    static final List<Promise> ALL = List.of(
            new Promise("keys that repeat are found", BuildPromises::repeatedKeysAreFound),
            new Promise("one key over and over is found", BuildPromises::manyTimesTheSame),
            new Promise("the count is that of the keys", BuildPromises::countIsRight),
            new Promise("more keys than planned are all in, or refused", BuildPromises::tooMany),
            new Promise("building leaves the keys as they are", BuildPromises::keysAreLeftAlone),
            new Promise("the same keys and seed make the same filter", BuildPromises::sameInputsSameFilter),
            new Promise("every seed finds all keys", BuildPromises::everySeed));

    private static final int TIMES = 20;
    private static final int SEEDS = Seeds.isThorough() ? 1_000 : 10;

    private BuildPromises() {}

    private static void repeatedKeysAreFound(Subject subject) {
        long[] keys = HashStream.stored(subject.seed(251)).next((subject.capacity() + 1) / 2);
        long[] twice = Arrays.copyOf(keys, subject.capacity());
        System.arraycopy(keys, 0, twice, keys.length, twice.length - keys.length);
        Filled filled = subject.filledWith(twice);
        filled.assertNothingLost();
        assertThat(filled.filter().count())
                .as("count of %d keys, %d of them distinct", twice.length, keys.length)
                .isBetween(1L, (long) twice.length);
    }

    private static void manyTimesTheSame(Subject subject) {
        Subject roomy = subject.withSpec(subject.spec().withCapacity(Math.max(TIMES, subject.capacity())));
        for (long key : new long[] {0, -1, HashStream.stored(subject.seed(252)).next()}) {
            long[] keys = new long[TIMES];
            Arrays.fill(keys, key);
            roomy.filledWith(keys).assertNothingLost();
        }
    }

    /** A key whose fingerprint another one has need not be counted. */
    private static void countIsRight(Subject subject) {
        long seed = subject.seed(253);
        Filled full = subject.full(seed);
        long missing = full.keys().length - full.filter().count();
        assertThat(missing).as("keys that are not counted").isNotNegative();
        if (subject.hasRates()) {
            Rates.assertRateAtMost(
                    seed, missing, full.keys().length, full.filter().expectedFpp() * (1 + subject.predictionSlack()));
        }
    }

    private static void tooMany(Subject subject) {
        long[] keys = HashStream.stored(subject.seed(254)).next(2 * subject.capacity() + 1);
        for (int count : new int[] {subject.capacity() + 1, keys.length}) {
            try {
                subject.filledWith(Arrays.copyOf(keys, count)).assertNothingLost();
            } catch (FilterFullException e) {
                assertThat(e.getMessage()).as("message of the refusal").isNotBlank();
            }
        }
    }

    private static void keysAreLeftAlone(Subject subject) {
        long[] keys = HashStream.stored(subject.seed(255)).next(subject.capacity());
        long[] copy = keys.clone();
        subject.filledWith(keys);
        assertThat(keys).as("the hashes of the source").isEqualTo(copy);
    }

    private static void sameInputsSameFilter(Subject subject) {
        Filled one = subject.full(subject.seed(256));
        State.of(one.filter()).assertStillThatOf(subject.full(subject.seed(256)).filter());
    }

    /** A construction that can fail for a seed has to try another by itself. */
    private static void everySeed(Subject subject) {
        for (int i = 0; i < SEEDS; i++) {
            subject.withSpec(subject.spec().withSeed(subject.spec().seed() + i))
                    .full(subject.seed(257))
                    .assertNothingLost();
        }
    }
}
