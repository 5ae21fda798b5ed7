package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Duel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("threads")
@Isolated
class GuardConcurrencyTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x72616365L);

    @Test
    void acknowledgedKeysAreFoundWhileOthersReadWriteRepairAndGrow() throws Exception {
        int writers = 2;
        int keysPerWriter = 40_000;
        StoreGuard<Long, Long> guard =
                Guard.builder(new MemoryStore<Long, Long>(), SEEDED).shards(4).open();
        // A writer's keys w, w + writers, ... are stored from its low mark up to its high mark.
        AtomicLongArray high = new AtomicLongArray(writers);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong asked = new AtomicLong();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int writer = w;
            tasks.add(() -> {
                for (long i = 0; i < keysPerWriter; i++) {
                    long key = i * writers + writer;
                    assertThat(guard.put(key, key)).isTrue();
                    high.set(writer, i + 1);
                    long passing = -1 - key;
                    guard.put(passing, passing);
                    guard.remove(passing);
                }
                return null;
            });
        }
        for (int r = 0; r < 3; r++) {
            SplittableRandom random = new SplittableRandom(100 + r);
            tasks.add(() -> {
                while (!done.get()) {
                    int writer = random.nextInt(writers);
                    long stored = high.get(writer);
                    if (stored > 0) {
                        long key = random.nextLong(stored) * writers + writer;
                        Long value = guard.get(key);
                        if (value == null || value != key) {
                            throw new AssertionError("key " + key + " was lost");
                        }
                    }
                    guard.get(Long.MIN_VALUE + random.nextLong(1_000_000));
                    asked.incrementAndGet();
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (Callable<Void> task : tasks) {
                running.add(threads.submit(task));
            }
            for (int w = 0; w < writers; w++) {
                running.get(w).get();
            }
            done.set(true);
            for (Future<Void> task : running) {
                task.get();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        for (long key = 0; key < (long) writers * keysPerWriter; key++) {
            assertThat(guard.get(key) != null).isTrue();
        }
        assertThat(guard.count()).isEqualTo((long) writers * keysPerWriter);
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.growths()).isPositive();
        assertThat(asked.get()).isPositive();
        assertThat(statistics.repairs().fixed()
                        + statistics.repairs().forgot()
                        + statistics.repairs().inseparable()
                        + statistics.repairs().dropped())
                .isEqualTo(statistics.lookups().falsePositives());
    }

    @Test
    void exactlyOneOfTwoRacingCallersSeesANewKey() throws Exception {
        StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<>(), SEEDED);
        assertThat(Duel.roundsWithOneWinner(2_000, key -> guard.put(key, key))).isEqualTo(2_000);
        MemoryStore<Long, Long> store = new MemoryStore<>();
        assertThat(Duel.roundsWithOneWinner(2_000, key -> store.put(key, SEEDED.hash(key), key)))
                .isEqualTo(2_000);
        assertThat(store.hashes().count()).isEqualTo(2_000);
    }

    @Test
    void statisticsThatAreResetAgainAndAgainLoseNothingAndCountNothingTwice() throws Exception {
        StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<>(), SEEDED);
        for (long key = 0; key < 1_000; key++) {
            guard.put(key, key);
        }
        int threadCount = 2;
        long lookups = 400_000;
        AtomicBoolean isDone = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(threadCount + 1);
        long[] sums = new long[4];
        try {
            List<Future<?>> askers = new ArrayList<>();
            for (int t = 0; t < threadCount; t++) {
                askers.add(threads.submit(() -> {
                    for (long key = 0; key < lookups; key++) {
                        guard.get(key % 100_000);
                    }
                }));
            }
            Future<?> reader = threads.submit(() -> {
                while (!isDone.get()) {
                    GuardStatistics now = guard.statistics();
                    assertThat(Math.min(now.lookups().found(), now.lookups().answeredByFilter()))
                            .isNotNegative();
                    assertThat(Math.min(
                                    now.reads().byLookups(), now.times().store().count()))
                            .isNotNegative();
                }
            });
            while (!askers.stream().allMatch(Future::isDone)) {
                add(sums, guard.resetStatistics());
            }
            isDone.set(true);
            for (Future<?> asker : askers) {
                asker.get();
            }
            reader.get();
        } finally {
            isDone.set(true);
            threads.shutdownNow();
        }
        add(sums, guard.resetStatistics());
        long foundByEach = lookups / 100_000 * 1_000;
        assertThat(sums[0]).isEqualTo(threadCount * lookups);
        assertThat(sums[1]).isEqualTo(threadCount * foundByEach);
        assertThat(sums[2]).as("what was read from the store").isEqualTo(sums[3]);
    }

    private static void add(long[] sums, GuardStatistics statistics) {
        sums[0] += statistics.lookups().total();
        sums[1] += statistics.lookups().found();
        sums[2] += statistics.lookups().found() + statistics.lookups().falsePositives();
        sums[3] += statistics.reads().byLookups();
    }

    /** A repair reads the store for as long as that takes; only changes of its shard wait for it. */
    @Test
    void repairThatWaitsForTheStoreMakesNoLookupWait() throws Exception {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED).shards(2).open();
        for (long key = 0; key < 1_000; key++) {
            guard.put(key, key);
        }
        CountDownLatch isWaiting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        store.beforeRange = () -> {
            if (!isFirst.compareAndSet(true, false)) {
                return;
            }
            isWaiting.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<?> repairing = threads.submit(() -> {
                for (long key = -1; isWaiting.getCount() > 0; key--) {
                    guard.get(key);
                }
            });
            isWaiting.await();
            for (long key = 0; key < 1_000; key++) {
                assertThat(guard.get(key)).isEqualTo(key);
            }
            for (long key = 0; key < 50_000; key++) {
                assertThat(guard.get(Long.MIN_VALUE + key)).isNull();
            }
            assertThat(repairing.isDone()).isFalse();
            mayGoOn.countDown();
            repairing.get(60, TimeUnit.SECONDS);
        } finally {
            mayGoOn.countDown();
            threads.shutdownNow();
        }
    }
}
