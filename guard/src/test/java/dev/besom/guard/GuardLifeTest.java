package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** How a guard begins and ends. */
@Isolated
class GuardLifeTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6c696665L);

    @TempDir
    Path folder;

    private final FailingStore<Long, Long> store = new FailingStore<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private void fill(long n) {
        for (long key = 0; key < n; key++) {
            store.inner().put(key, SEEDED.hash(key), key);
        }
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void everyCallAfterCloseIsRefused() {
        fill(100);
        StoreGuard<Long, Long> guard = Guard.over(store, SEEDED);
        guard.close();
        guard.close();
        assertThatThrownBy(() -> guard.get(1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.get(-1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.containsKey(1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.getAll(List.of(1L))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.put(1L, 1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.remove(1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.snapshot(folder.resolve("guard.besom")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeWaitsForCallsInFlightAndForNoOthers() throws Exception {
        fill(100);
        StoreGuard<Long, Long> guard = Guard.over(store, SEEDED);
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean isClosed = new AtomicBoolean();
        AtomicBoolean wasClosedWithin = new AtomicBoolean();
        store.onClose = () -> isClosed.set(true);
        store.beforeRead = () -> {
            within.countDown();
            await(goOn);
            wasClosedWithin.set(isClosed.get());
        };
        Future<Long> lookup = threads.submit(() -> guard.get(1L));
        within.await();
        Future<?> closing = threads.submit(guard::close);
        awaitRefusal(guard);
        assertThat(isClosed).isFalse();
        goOn.countDown();
        assertThat(lookup.get(60, TimeUnit.SECONDS)).isEqualTo(1L);
        closing.get(60, TimeUnit.SECONDS);
        assertThat(wasClosedWithin).isFalse();
        assertThat(isClosed).isTrue();
    }

    /** From the moment when closing has begun, lookups are refused. */
    private static void awaitRefusal(StoreGuard<Long, Long> guard) {
        while (true) {
            try {
                guard.get(-1L);
                Thread.onSpinWait();
            } catch (IllegalStateException e) {
                return;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closingAGuardThatPrimesEndsPriming() throws Exception {
        fill(10_000);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger ranges = new AtomicInteger();
        store.beforeRange = () -> {
            if (ranges.incrementAndGet() == 3) {
                begun.countDown();
                await(goOn);
            }
        };
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).primeOn(threads).open();
        CompletableFuture<Void> ready = guard.ready();
        begun.await();
        Future<?> closing = threads.submit(guard::close);
        awaitRefusal(guard);
        goOn.countDown();
        closing.get(60, TimeUnit.SECONDS);
        assertThat(ready).isCompletedExceptionally();
        assertThat(ranges).hasValue(3);
    }

    @Test
    void guardCannotBeClosedWithinAWriteThatItMakes() {
        StoreGuard<Long, Long> guard = Guard.over(store, SEEDED);
        guard.put(1L, 1L);
        store.beforeRead = guard::close;
        assertThatThrownBy(() -> guard.get(1L)).isInstanceOf(IllegalStateException.class);
        store.beforeRead = () -> {};
        assertThat(guard.get(1L)).isEqualTo(1L);
    }

    @Test
    void lookupWhoseRepairFailsIsAnsweredAllTheSame() {
        fill(2_000);
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED).fpp(0.25).open();
        store.ranges = Failure.BEFORE;
        List<Long> missing = new ArrayList<>();
        for (long key = -1; key > -500; key--) {
            assertThat(guard.get(key)).isNull();
            missing.add(key);
        }
        assertThat(guard.getAll(missing)).isEmpty();
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.lookups().falsePositives()).isPositive();
        assertThat(statistics.repairs().dropped())
                .isEqualTo(statistics.lookups().falsePositives());
    }

    @Test
    void primingOnAnExecutorTriesAgainAndTellsOfFailures() throws Exception {
        fill(10_000);
        AtomicInteger ranges = new AtomicInteger();
        List<Integer> failures = new ArrayList<>();
        store.beforeRange = () -> {
            if (ranges.incrementAndGet() % 3 == 0) {
                throw new Outage();
            }
        };
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED)
                .primeOn(threads)
                .retryPause(Duration.ZERO)
                .progress(new GuardBuilder.Progress() {
                    @Override
                    public void shardsPrimed(int done, int total) {}

                    @Override
                    public void failed(int shard, RuntimeException cause) {
                        assertThat(cause).isInstanceOf(Outage.class);
                        failures.add(shard);
                    }
                })
                .open();
        guard.ready().get(60, TimeUnit.SECONDS);
        assertThat(guard.isPrimed()).isTrue();
        assertThat(failures).hasSizeGreaterThan(2);
        assertThat(guard.count()).isEqualTo(10_000);
    }

    @Test
    void snapshotOnCloseIsTakenByTheNextGuardUnlessAPutIsUncertain() throws IOException {
        Path file = folder.resolve("guard.besom");
        fill(1_000);
        for (boolean isUncertain : new boolean[] {false, true}) {
            StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED)
                    .snapshot(file)
                    .snapshotOnClose()
                    .open();
            guard.put(isUncertain ? 2_000L : 1_000L, 0L);
            if (isUncertain) {
                store.puts = Failure.BEFORE;
                assertThatThrownBy(() -> guard.put(3_000L, 0L)).isInstanceOf(Outage.class);
                store.puts = Failure.NEVER;
            }
            guard.close();
            List<Integer> primed = new ArrayList<>();
            Guard.builder(store, SEEDED)
                    .snapshot(file)
                    .progress((done, total) -> primed.add(done))
                    .readOnly()
                    .open();
            assertThat(primed.size() == 1).isEqualTo(!isUncertain);
        }
    }
}
