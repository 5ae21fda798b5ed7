package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.DeletableFilter;
import java.util.Arrays;
import java.util.List;

/** What {@link DeletableFilter} promises. */
final class DeletePromises {

    static final List<Promise> ALL = List.of(
            new Promise("deleting what is not there says so and changes nothing", DeletePromises::absentChangesNothing),
            new Promise("deleting keys keeps the others", DeletePromises::othersStay),
            new Promise("deleted keys are strangers again", DeletePromises::deletedKeysAreStrangers),
            new Promise("deleting all leaves nothing", DeletePromises::deletingAllLeavesNothing),
            new Promise("a key put in twice is gone after two deletes", DeletePromises::duplicatesCount),
            new Promise("room that was given up can be used again", DeletePromises::roomIsUsedAgain),
            new Promise("the rate is the rate expected, after every key was replaced", DeletePromises::rateAfterChurn));

    private static final int PROBES = 100_000;
    private static final int MOST_ABSENT = 200;

    /** What may be left of the rate once all keys are deleted: counters that stick cannot go back. */
    private static final double LARGEST_REST = 1e-3;

    private DeletePromises() {}

    private static void absentChangesNothing(Subject subject) {
        long seed = subject.seed(301);
        Filled full = subject.full(seed);
        State before = State.of(full.filter());
        HashStream fresh = HashStream.fresh(seed);
        for (int asked = 0, absent = 0; asked < PROBES && absent < MOST_ABSENT; asked++) {
            long stranger = fresh.next();
            if (!full.filter().mightContainHash(stranger)) {
                assertThat(full.deletable().deleteHash(stranger))
                        .as("delete of a hash that is certainly absent")
                        .isFalse();
                absent++;
            }
        }
        before.assertStillThatOf(full.filter());
        full.assertNothingLost();
        assertThat(subject.empty().deletable().deleteHash(0))
                .as("delete from an empty filter")
                .isFalse();
    }

    private static void othersStay(Subject subject) {
        Filled full = subject.full(subject.seed(302));
        int half = subject.capacity() / 2;
        for (int i = 0; i < half; i++) {
            assertThat(full.delete(full.keys()[i])).as("delete of key %d", i).isTrue();
        }
        full.assertNothingLost();
        assertThat(full.filter().count()).isEqualTo(subject.capacity() - half);
    }

    private static void deletedKeysAreStrangers(Subject subject) {
        long seed = subject.seed(303);
        Filled full = subject.full(seed);
        int half = subject.capacity() / 2;
        Arrays.stream(full.keys(), 0, half).forEach(full::delete);
        long maybes = Arrays.stream(full.keys(), 0, half)
                .filter(full.filter()::mightContainHash)
                .count();
        if (subject.hasRates()) {
            Rates.assertRateAtMost(seed, maybes, half, full.filter().expectedFpp() * (1 + subject.predictionSlack()));
            MembershipPromises.assertRateExpected(subject, full, seed);
        }
        assertThat(maybes).as("deleted keys that are still found").isLessThanOrEqualTo(half);
    }

    private static void deletingAllLeavesNothing(Subject subject) {
        long seed = subject.seed(304);
        Filled full = subject.full(seed);
        for (long key : full.keys()) {
            assertThat(full.delete(key)).as("delete of a key that is there").isTrue();
        }
        assertThat(full.filter().count()).isZero();
        double rest = full.filter().expectedFpp();
        assertThat(rest)
                .as("rate expected of what is left")
                .isLessThan(LARGEST_REST * subject.spec().fpp());
        Rates.assertRateAtMost(seed, Filled.countMaybes(full.filter(), HashStream.fresh(seed), PROBES), PROBES, rest);
        Rates.assertRateAtMost(
                seed,
                Arrays.stream(full.keys())
                        .filter(full.filter()::mightContainHash)
                        .count(),
                full.keys().length,
                rest);
    }

    private static void duplicatesCount(Subject subject) {
        Subject roomy = subject.withSpec(subject.spec().withCapacity(Math.max(8, subject.capacity())));
        for (long key : new long[] {0, -1, HashStream.stored(subject.seed(305)).next()}) {
            Filled filled = roomy.filledWith(key, key);
            assertThat(filled.delete(key)).as("first delete").isTrue();
            assertThat(filled.filter().mightContainHash(key))
                    .as("found after one delete")
                    .isTrue();
            assertThat(filled.delete(key)).as("second delete").isTrue();
            assertThat(filled.filter().mightContainHash(key))
                    .as("found after two deletes")
                    .isFalse();
            assertThat(filled.delete(key)).as("third delete").isFalse();
            assertThat(filled.filter().count()).isZero();
        }
    }

    private static void rateAfterChurn(Subject subject) {
        if (!subject.hasRatesUnderChurn()) {
            return;
        }
        long seed = subject.seed(308);
        Filled full = subject.full(seed);
        HashStream more = HashStream.stored(subject.seed(309));
        for (long key : full.keys()) {
            full.delete(key);
            full.insert(more.next());
        }
        MembershipPromises.assertRateExpected(subject, full, subject.seed(310));
    }

    /** Keys come and go for several times the capacity, at full load. */
    private static void roomIsUsedAgain(Subject subject) {
        Filled full = subject.full(subject.seed(306));
        HashStream more = HashStream.stored(subject.seed(307));
        long[] present = full.keys().clone();
        int changes = Math.min(3 * present.length, PROBES);
        for (int i = 0; i < changes; i++) {
            int place = i % present.length;
            assertThat(full.delete(present[place])).as("delete %d", i).isTrue();
            present[place] = more.next();
            full.insert(present[place]);
        }
        full.assertNothingLost();
        assertThat(full.filter().count()).isEqualTo(present.length);
    }
}
