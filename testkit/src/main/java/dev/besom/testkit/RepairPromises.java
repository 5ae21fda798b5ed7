package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link AdaptiveFilter} promises. Queries after a repair are not independent of those before it, so no rate is
 * asserted here, only what must hold each time.
 */
final class RepairPromises {

    static final List<Promise> ALL = List.of(
            new Promise("a repaired hash is answered no, and no key is lost", RepairPromises::repairedIsNo),
            new Promise("the statistics are the sums of the answers", RepairPromises::statisticsAddUp),
            new Promise("a repair that is fixed reads the store as often as stated", RepairPromises::readsAsStated),
            new Promise("repairing what is not a false positive changes nothing", RepairPromises::negativeIsLeftAlone),
            new Promise("a stored key's own hash is inseparable", RepairPromises::storedHashIsInseparable),
            new Promise("a repaired hash can become a key", RepairPromises::repairedHashBecomesKey),
            new Promise("deleting a false positive deletes nothing", RepairPromises::deletingFalsePositive),
            new Promise(
                    "deleting a false positive deletes nothing while inserts are in flight",
                    RepairPromises::deletingFalsePositiveBesideInserts),
            new Promise(
                    "the rate is the rate expected, after repairs and churn", RepairPromises::rateAfterRepairsAndChurn),
            new Promise("deletes after repairs take the right keys", RepairPromises::deletesAfterRepairs),
            new Promise("keys that are in the store only do no harm", RepairPromises::keysInTheStoreOnly),
            new Promise("keys that are in the filter only come to no harm", RepairPromises::keysInTheFilterOnly),
            new Promise("no key is missing while a change reads the store", RepairPromises::keysAreThereWhileItReads));

    private static final int MOST_QUERIES = 200_000;
    private static final int MOST_REPAIRS = 2_000;
    private static final int REPAIRS_BETWEEN_CHECKS = 100;
    private static final double REPAIRED_SLACK = 0.05;

    private static final long BESIDE = 1L << 50;

    private RepairPromises() {}

    /** What to do with each false positive of a stream. */
    @FunctionalInterface
    private interface Action {
        void accept(long falsePositive, int index);
    }

    private static void forEachFalsePositive(Filled filled, long seed, Action action) {
        HashStream fresh = HashStream.fresh(seed);
        for (int queries = 0, found = 0; queries < MOST_QUERIES && found < MOST_REPAIRS; queries++) {
            long hash = fresh.next();
            if (filled.filter().mightContainHash(hash)) {
                action.accept(hash, found++);
            }
        }
    }

    private static void repairedIsNo(Subject subject) {
        long seed = subject.seed(501);
        Filled full = subject.full(seed);
        forEachFalsePositive(full, seed, (hash, index) -> {
            assertThat(full.adaptive().repairHash(hash)).isIn(Adaptation.FIXED, Adaptation.FORGOT);
            assertThat(full.filter().mightContainHash(hash))
                    .as("answer to repaired hash %016x", hash)
                    .isFalse();
            if (index % REPAIRS_BETWEEN_CHECKS == 0) {
                full.assertNothingLost();
            }
        });
        full.assertNothingLost();
        assertThat(full.filter().count()).isEqualTo(full.keys().length);
    }

    private static void statisticsAddUp(Subject subject) {
        long seed = subject.seed(502);
        Filled full = subject.full(seed);
        assertThat(full.adaptive().adaptationStatistics())
                .as("statistics at the start")
                .satisfies(s ->
                        assertThat(s.repairs() + s.forgot() + s.inseparable()).isZero());
        Map<Adaptation, Long> answers = new EnumMap<>(Adaptation.class);
        forEachFalsePositive(
                full, seed, (hash, index) -> answers.merge(full.adaptive().repairHash(hash), 1L, Long::sum));
        for (int i = 0; i < full.keys().length; i += 7) {
            answers.merge(full.adaptive().repairHash(full.keys()[i]), 1L, Long::sum);
        }
        AdaptationStatistics statistics = full.adaptive().adaptationStatistics();
        long fixed = answers.getOrDefault(Adaptation.FIXED, 0L);
        long forgot = answers.getOrDefault(Adaptation.FORGOT, 0L);
        assertThat(statistics.repairs()).as("repairs").isEqualTo(fixed + forgot);
        assertThat(statistics.forgot()).as("forgot").isEqualTo(forgot);
        assertThat(statistics.inseparable())
                .as("inseparable")
                .isEqualTo(answers.getOrDefault(Adaptation.INSEPARABLE, 0L));
        assertThat(statistics.rangeReads())
                .as("range reads")
                .isEqualTo(full.stored().rangeReads());
    }

    private static void readsAsStated(Subject subject) {
        long seed = subject.seed(503);
        Filled full = subject.full(seed);
        forEachFalsePositive(full, seed, (hash, index) -> {
            long before = full.stored().rangeReads();
            if (full.adaptive().repairHash(hash) == Adaptation.FIXED) {
                assertThat(full.stored().rangeReads() - before)
                        .as("range reads of repair %d", index)
                        .isEqualTo(subject.rangeReadsPerRepair());
            }
        });
    }

    private static void negativeIsLeftAlone(Subject subject) {
        long seed = subject.seed(504);
        Filled full = subject.full(seed);
        HashStream fresh = HashStream.fresh(seed);
        State before = State.of(full.filter());
        for (int i = 0; i < MOST_REPAIRS; i++) {
            long hash = fresh.next();
            if (!full.filter().mightContainHash(hash)) {
                assertThat(full.adaptive().repairHash(hash)).isEqualTo(Adaptation.FIXED);
            }
        }
        before.assertStillThatOf(full.filter());
        assertThat(full.adaptive().adaptationStatistics().repairs())
                .as("repairs counted")
                .isZero();
    }

    private static void storedHashIsInseparable(Subject subject) {
        Filled full = subject.full(subject.seed(505));
        for (long key : full.keys()) {
            assertThat(full.adaptive().repairHash(key)).isEqualTo(Adaptation.INSEPARABLE);
            assertThat(full.filter().mightContainHash(key)).isTrue();
        }
        full.assertNothingLost();
    }

    private static void repairedHashBecomesKey(Subject subject) {
        long seed = subject.seed(506);
        Filled filled = subject.filledWith(HashStream.stored(seed).next(subject.capacity() / 2));
        int room = subject.capacity() - subject.capacity() / 2;
        forEachFalsePositive(filled, seed, (hash, index) -> {
            filled.adaptive().repairHash(hash);
            if (index < room) {
                filled.insert(hash);
                assertThat(filled.filter().mightContainHash(hash)).isTrue();
            }
        });
        filled.assertNothingLost();
    }

    private static void deletingFalsePositive(Subject subject) {
        long seed = subject.seed(507);
        Filled full = subject.full(seed);
        State before = State.of(full.filter());
        forEachFalsePositive(
                full,
                seed,
                (hash, index) -> assertThat(full.adaptive().deleteHash(hash))
                        .as("delete of a hash that is not stored")
                        .isFalse());
        before.assertStillThatOf(full.filter());
        full.assertNothingLost();
    }

    /** Half of the keys are in the filter before they are in the store, and many hashes look like one of those alone. */
    private static void deletingFalsePositiveBesideInserts(Subject subject) {
        long seed = subject.seed(511);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        int settled = keys.length / 2;
        Filled filled = subject.filledWith(Arrays.copyOf(keys, settled));
        for (int i = settled; i < keys.length; i++) {
            filled.insertable().insertHash(keys[i]);
        }
        long count = filled.filter().count();
        forEachFalsePositive(
                filled,
                seed,
                (hash, index) -> assertThat(filled.adaptive().deleteHash(hash))
                        .as("delete %d of a hash that was never put in", index)
                        .isFalse());
        Filled.assertAllFound(filled.filter(), keys);
        assertThat(filled.filter().count()).isEqualTo(count);
    }

    /**
     * A repair makes fingerprints longer or other ones, and the filter knows it. Those that it changes are not independent: of
     * fingerprints with few bits, a part of the rate more.
     */
    private static void rateAfterRepairsAndChurn(Subject subject) {
        if (!subject.hasRatesUnderChurn()) {
            return;
        }
        long seed = subject.seed(512);
        Filled full = subject.full(seed);
        HashStream more = HashStream.stored(subject.seed(513));
        forEachFalsePositive(full, seed, (hash, index) -> {
            full.adaptive().repairHash(hash);
            if (index < full.keys().length) {
                full.delete(full.keys()[index]);
                full.insert(more.next());
            }
        });
        MembershipPromises.assertRateExpected(
                subject.withPredictionSlack(subject.predictionSlack() + REPAIRED_SLACK), full, subject.seed(514));
    }

    private static void deletesAfterRepairs(Subject subject) {
        long seed = subject.seed(508);
        Filled full = subject.full(seed);
        forEachFalsePositive(full, seed, (hash, index) -> {
            full.adaptive().repairHash(hash);
            if (index % 2 == 0 && index / 2 < full.keys().length) {
                assertThat(full.delete(full.keys()[index / 2]))
                        .as("delete after %d repairs", index + 1)
                        .isTrue();
            }
            if (index % REPAIRS_BETWEEN_CHECKS == 0) {
                full.assertNothingLost();
            }
        });
        full.assertNothingLost();
    }

    private static void keysInTheStoreOnly(Subject subject) {
        long seed = subject.seed(509);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        int settled = keys.length * 9 / 10;
        Filled filled = subject.filledWith(Arrays.copyOf(keys, settled));
        for (int i = settled; i < keys.length; i++) {
            filled.stored().add(keys[i]);
        }
        repairAndAssertAllFound(filled, seed, Arrays.copyOf(keys, settled));
    }

    /**
     * Not at the same time as {@link #keysInTheStoreOnly}: where one key is in the filter only, another in the store
     * only, and the second fits the first one's slot, that looks exactly as if the second were in both, and no filter
     * can know better.
     */
    private static void keysInTheFilterOnly(Subject subject) {
        long seed = subject.seed(510);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        int settled = keys.length * 9 / 10;
        Filled filled = subject.filledWith(Arrays.copyOf(keys, settled));
        for (int i = settled; i < keys.length; i++) {
            filled.insertable().insertHash(keys[i]);
        }
        repairAndAssertAllFound(filled, seed, keys);
    }

    /** A reader who is let in while a change waits for the store sees the filter as it is then. */
    private static void keysAreThereWhileItReads(Subject subject) {
        long seed = subject.seed(512);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        int settled = keys.length / 2;
        Filled filled = subject.filledWith(Arrays.copyOf(keys, settled));
        filled.stored().setBeforeRead((lo, hi) -> {
            // What looks like the hashes of a range may be beside it.
            long low = Long.compareUnsigned(lo, BESIDE) < 0 ? 0 : lo - BESIDE;
            long high = Long.compareUnsigned(hi, -1L - BESIDE) > 0 ? -1L : hi + BESIDE;
            for (long hash : filled.stored().distinctBetween(low, high)) {
                assertThat(filled.filter().mightContainHash(hash))
                        .as("hash %016x while the store is read", hash)
                        .isTrue();
            }
        });
        forEachFalsePositive(filled, seed, (hash, index) -> {
            filled.adaptive().repairHash(hash);
            filled.deletable().deleteHash(hash);
            if (settled + index < keys.length) {
                filled.insertable().insertHash(keys[settled + index]);
                filled.stored().add(keys[settled + index]);
                filled.stored().remove(keys[index]);
                filled.deletable().deleteHash(keys[index]);
            }
        });
        filled.assertNothingLost();
    }

    private static void repairAndAssertAllFound(Filled filled, long seed, long[] keys) {
        forEachFalsePositive(filled, seed, (hash, index) -> {
            filled.adaptive().repairHash(hash);
            if (index % REPAIRS_BETWEEN_CHECKS == 0) {
                Filled.assertAllFound(filled.filter(), keys);
            }
        });
        Filled.assertAllFound(filled.filter(), keys);
    }
}
