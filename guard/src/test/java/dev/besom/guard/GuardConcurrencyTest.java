package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class GuardConcurrencyTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x72616365L);

    @Test
    void acknowledgedKeysAreFoundWhileOthersReadWriteRepairAndGrow() throws Exception {
        int writers = 2;
        int keysPerWriter = 40_000;
        Guard<Long, Long> guard = Guard.builder(new MemoryDictionary<Long, Long>(), SEEDED)
                .shards(4)
                .open();
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
        assertThat(statistics.repairsFixed()
                        + statistics.repairsForgot()
                        + statistics.repairsInseparable()
                        + statistics.repairsDropped())
                .isEqualTo(statistics.falsePositives());
    }

    @Test
    void exactlyOneOfTwoRacingCallersSeesANewKey() throws Exception {
        int keys = 2_000;
        Guard<Long, Long> guard = Guard.over(new MemoryDictionary<>(), SEEDED);
        CyclicBarrier barrier = new CyclicBarrier(2);
        AtomicLong sawNew = new AtomicLong();
        Callable<Void> task = () -> {
            for (long key = 0; key < keys; key++) {
                barrier.await();
                if (guard.put(key, key)) {
                    sawNew.incrementAndGet();
                }
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> each : List.of(threads.submit(task), threads.submit(task))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(sawNew.get()).isEqualTo(keys);
    }
}
