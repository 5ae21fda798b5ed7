package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.KeyHasher;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever change of a shard reads the store, lookups in the same shard are answered before that read is. Here the store
 * answers no read of a range before another thread has looked keys up.
 */
@Tag("threads")
@Isolated
class LookupsWaitForNothingTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x77616974L);
    private static final int KEPT = 500;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void lookupIsAnsweredWhileAChangeOfItsShardReadsTheStore(String kind) throws Exception {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).kind(kind).fpp(0.25).shards(2).open();
        for (long key = 0; key < KEPT; key++) {
            guard.put(key, key);
        }
        AtomicInteger reads = new AtomicInteger();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            SplittableRandom asked = new SplittableRandom(31);
            Thread changing = Thread.currentThread();
            store.beforeRange = () -> {
                // The lookups repair what they find wrong in other shards, and read the store for that.
                if (Thread.currentThread() == changing) {
                    reads.incrementAndGet();
                    lookUp(guard, other, asked);
                }
            };
            SplittableRandom random = new SplittableRandom(32);
            for (int step = 0; step < 2_000; step++) {
                long key = KEPT + random.nextLong(2_000);
                switch (random.nextInt(4)) {
                    case 0 -> guard.remove(key);
                    case 1 -> guard.get(-1 - key);
                    default -> guard.put(key, key);
                }
            }
            store.beforeRange = () -> {};
        } finally {
            other.shutdownNow();
        }
        assertThat(reads.get()).isGreaterThan(100);
    }

    private static void lookUp(StoreGuard<Long, Long> guard, ExecutorService other, SplittableRandom random) {
        Future<Long> lookups = other.submit(() -> {
            long lost = 0;
            for (int i = 0; i < 8; i++) {
                lost += guard.get(random.nextLong(KEPT)) == null ? 1 : 0;
            }
            // One: it may leave a repair behind, which reads the store, which looks up again. With more of them there
            // would be no end of that.
            guard.get(-1 - random.nextLong(1L << 40));
            return lost;
        });
        try {
            // Long enough for any machine; a lookup that waits for this very read would wait for ever.
            assertThat(lookups.get(60, TimeUnit.SECONDS)).isZero();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("lookups were not answered while the store was read", e);
        }
    }
}
