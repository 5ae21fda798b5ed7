package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What repairs cost and save, counted in reads of the store. */
class RepairPolicyTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x70617973);
    private static final int STORED = 20_000;

    private final FailingStore<Long, Long> store = new FailingStore<>();
    private final List<Long> falsePositives = new ArrayList<>();
    private long rangeReads;
    private long keyReads;

    private StoreGuard<Long, Long> guard(RepairPolicy policy) {
        store.clear();
        for (long key = 0; key < STORED; key++) {
            store.inner().put(-1 - key, SEEDED.hash(-1 - key), key);
        }
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED)
                .shards(2)
                .fpp(1.0 / 64)
                .repairs(policy)
                .open();
        rangeReads = 0;
        store.beforeRange = () -> rangeReads++;
        store.beforeRead = () -> keyReads++;
        return guard;
    }

    private static final RepairPolicy NEVER = RepairPolicy.atBreakEven(Double.MAX_VALUE);

    @Test
    void readsOfRepairsAreCountedAsTheStoreSeesThem() {
        StoreGuard<Long, Long> guard = guard(RepairPolicy.atOnce());
        for (long key = 0; key < 50_000; key++) {
            guard.get(key);
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.lookups().falsePositives()).isGreaterThan(200);
        assertThat(statistics.reads().byRepairs())
                .isGreaterThanOrEqualTo(statistics.lookups().falsePositives());
        assertThat(statistics.reads().byRepairs() - statistics.repairs().inseparable())
                .isEqualTo(rangeReads);
        assertThat(statistics.readsSpent())
                .isEqualTo(statistics.lookups().falsePositives()
                        + statistics.reads().byRepairs());
        assertThat(statistics.repairs().leftOut()).isEqualTo(0);
        assertThat(statistics.reads().byLookups())
                .isEqualTo(statistics.lookups().falsePositives());
    }

    @Test
    void readsSavedAreThoseOfLookupsThatWereFalsePositivesBefore() {
        StoreGuard<Long, Long> guard = guard(RepairPolicy.atOnce());
        for (long key = 0; key < 60_000; key++) {
            long before = keyReads;
            guard.get(key);
            if (keyReads > before) {
                falsePositives.add(key);
            }
        }
        assertThat(guard.statistics().reads().saved()).as("each key was new").isEqualTo(0);
        guard.resetStatistics();
        SplittableRandom random = new SplittableRandom(6);
        int lookups = 256_000;
        for (int i = 0; i < lookups; i++) {
            // Half of the lookups are of keys that had to be repaired.
            boolean isRepaired = random.nextBoolean();
            guard.get(isRepaired ? falsePositives.get(random.nextInt(falsePositives.size())) : 1_000_000L + i % 7);
        }
        // One lookup in 128 is looked at, 2,000 in all: five deviations of a binomial.
        assertThat(guard.statistics().reads().saved()).isBetween((1_000 - 112) * 128L, (1_000 + 112) * 128L);

        guard.resetStatistics();
        for (int i = 0; i < 1_000; i++) {
            guard.getAll(falsePositives.subList(0, 128));
        }
        assertThat(guard.statistics().reads().saved()).as("in bulk").isBetween(100_000L, 140_000L);
    }

    /** Streams in which each key comes once, twice, ten times, often, and as in Zipf's law. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 50, 0})
    void breakEvenCostsLessThanTwiceTheBest(int timesEach) {
        int lookups = 100_000;
        SplittableRandom random = new SplittableRandom(timesEach);
        LongUnaryOperator stream = timesEach == 0
                ? i -> (long) Math.pow(40_000, random.nextDouble())
                : i -> random.nextLong(lookups / timesEach) + (timesEach == 1 ? 1_000_000L * i : 0);
        long[] keys = new long[lookups];
        for (int i = 0; i < lookups; i++) {
            keys[i] = stream.applyAsLong(i);
        }
        StoreGuard<Long, Long> never = guard(NEVER);
        List<Long> wrong = new ArrayList<>();
        for (long key : keys) {
            long before = keyReads;
            never.get(key);
            if (keyReads > before) {
                wrong.add(key);
            }
        }
        assertThat(never.statistics().repairs().leftOut()).isEqualTo(wrong.size());
        assertThat(never.statistics().reads().byRepairs()).isEqualTo(0);
        long best = wrong.stream().distinct().count()
                + wrong.stream()
                        .distinct()
                        .filter(key -> wrong.indexOf(key) != wrong.lastIndexOf(key))
                        .count();

        StoreGuard<Long, Long> guard = guard(RepairPolicy.atBreakEven(1));
        for (long key : keys) {
            guard.get(key);
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.readsSpent()).as("at best %d", best).isLessThan(2 * best);
        assertThat(statistics.repairs().leftOut()).isPositive();
        for (long key = 0; key < STORED; key++) {
            assertThat(guard.get(-1 - key)).isEqualTo(key);
        }
    }

    @Test
    void chanceOfARepairFollowsItsCost() {
        SplittableRandom random = new SplittableRandom(9);
        for (double cost : new double[] {0, 0.5, 1, 4, 30}) {
            RepairPolicy given = RepairPolicy.atBreakEven(cost);
            RepairPolicy measured = RepairPolicy.atBreakEven();
            int repairs = 0;
            int tosses = 100_000;
            for (int i = 0; i < tosses; i++) {
                long coin = random.nextLong();
                repairs += given.isDue(Double.NaN, coin) ? 1 : 0;
                assertThat(measured.isDue(cost, coin)).isEqualTo(given.isDue(Double.NaN, coin));
            }
            double chance = 1 / (1 + cost);
            double deviation = Math.sqrt(tosses * chance * (1 - chance));
            assertThat((double) repairs).isBetween(tosses * chance - 5 * deviation, tosses * chance + 5 * deviation);
        }
        assertThat(RepairPolicy.atOnce().isDue(1e9, -1)).isTrue();
        assertThat(NEVER.isDue(0, 1L << 12)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> RepairPolicy.atBreakEven(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> RepairPolicy.atBreakEven(Double.NaN));
    }

    @Test
    void aMeasuredPolicyHidesNothingAndRepairsSome() {
        StoreGuard<Long, Long> guard = guard(RepairPolicy.atBreakEven());
        for (int round = 0; round < 5; round++) {
            for (long key = 0; key < 20_000; key++) {
                assertThat(guard.get(key)).isNull();
            }
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.repairs().fixed()
                        + statistics.repairs().forgot()
                        + statistics.repairs().leftOut())
                .isEqualTo(statistics.lookups().falsePositives());
        assertThat(statistics.repairs().fixed()).isPositive();
        for (long key = 0; key < STORED; key++) {
            assertThat(guard.get(-1 - key)).isEqualTo(key);
        }
    }
}
