package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.KeyHasher;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors, such as for want of memory, in the midst of changes: nothing is hidden, and no lock stays behind. */
class GuardErrorsTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6572726fL);
    private static final int KEYS = 3_000;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void errorInTheMidstOfAChangeHidesNothingAndTheFilterComesBack(String kind) throws Exception {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).kind(kind).fpp(0.25).shards(2).open();
        SplittableRandom random = new SplittableRandom(47);
        int errors = 0;
        for (int step = 0; step < 12_000; step++) {
            long key = random.nextLong(KEYS);
            boolean fails = random.nextInt(20) == 0;
            store.beforeRange = () -> {
                if (fails) {
                    throw new OutOfMemoryError("for want of memory");
                }
            };
            try {
                switch (random.nextInt(4)) {
                    case 0 -> guard.remove(key);
                    case 1 -> guard.get(-1 - key);
                    default -> guard.put(key, key);
                }
            } catch (OutOfMemoryError e) {
                errors++;
            }
            store.beforeRange = () -> {};
            long asked = random.nextLong(KEYS);
            assertThat(guard.get(asked)).isEqualTo(store.inner().get(asked));
        }
        assertThat(errors).isGreaterThan(50);
        CompletableFuture.runAsync(() -> {
                    for (long key = 0; key < KEYS; key++) {
                        guard.put(key, key);
                    }
                })
                .get(60, TimeUnit.SECONDS);
        assertThat(guard.isPrimed()).isTrue();
        guard.resetStatistics();
        for (long key = 0; key < KEYS; key++) {
            assertThat(guard.get(key)).isEqualTo(key);
            guard.get(-1 - key);
        }
        assertThat(guard.statistics().lookups().answeredByFilter()).isGreaterThan(KEYS / 2);
    }
}
