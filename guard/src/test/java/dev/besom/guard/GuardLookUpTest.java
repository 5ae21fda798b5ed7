package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lookups for which the caller reads the store. */
class GuardLookUpTest {

    private static final int KEYS = 5_000;
    private static final int MISSING = 20_000;

    private final StoreGuard<Integer, String> guard = Guard.over(new MemoryStore<>(), KeyHasher.ints(0x6C6F6F6B));
    private int reads;

    @BeforeEach
    void fill() {
        for (int key = 0; key < KEYS; key++) {
            guard.put(key, "value " + key);
        }
    }

    @AfterEach
    void close() {
        guard.close();
    }

    private @Nullable String read(int key) {
        reads++;
        return guard.store().get(key);
    }

    @Test
    void theCallerReadsForMaybesOnlyAndPaysForAFalsePositiveOnce() {
        for (int key = KEYS; key < KEYS + MISSING; key++) {
            assertThat(guard.<String>lookUp(key, this::read)).isNull();
        }
        // 20,000 / 256 are expected.
        assertThat(reads).isBetween(30, 140);
        assertThat(guard.statistics().lookups().falsePositives()).isEqualTo(reads);
        int first = reads;
        for (int key = KEYS; key < KEYS + MISSING; key++) {
            assertThat(guard.<String>lookUp(key, this::read)).isNull();
        }
        // What one repair brings to light, another one repairs.
        assertThat(reads - first).isLessThan(first / 4);
        for (int key = 0; key < KEYS; key++) {
            assertThat(guard.<String>lookUp(key, this::read)).isEqualTo("value " + key);
        }
    }

    @Test
    void aReadThatFindsNothingOfAStoredKeyHidesNothing() {
        for (int round = 0; round < 3; round++) {
            for (int key = 0; key < KEYS; key++) {
                assertThat(guard.<String>lookUp(key, any -> null)).isNull();
            }
        }
        for (int key = 0; key < KEYS; key++) {
            assertThat(guard.get(key)).isEqualTo("value " + key);
        }
    }

    @Test
    void anExceptionOfTheReadGoesToTheCallerAndIsCounted() {
        assertThatThrownBy(() -> guard.lookUp(1, key -> {
                    throw new IllegalArgumentException("of the caller");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("of the caller");
        assertThat(guard.statistics().lookups().failed()).isEqualTo(1);
    }

    @Test
    void asynchronousReadsAreMadeForMaybesOnlyAndRepairToo() {
        AsyncGuard<Integer, String> async = guard.async(Runnable::run);
        for (int round = 0; round < 2; round++) {
            int before = reads;
            for (int key = KEYS; key < KEYS + MISSING; key++) {
                assertThat(async.<String>lookUp(key, asked -> CompletableFuture.completedFuture(read(asked)))
                                .toCompletableFuture()
                                .join())
                        .isNull();
            }
            assertThat(reads - before).isBetween(round == 0 ? 30 : 0, round == 0 ? 140 : before / 4 + 35);
        }
        assertThat(guard.statistics().repairs().fixed()).isPositive();
        assertThat(async.<String>lookUp(7, asked -> CompletableFuture.completedFuture(read(asked)))
                        .toCompletableFuture()
                        .join())
                .isEqualTo("value 7");
        assertThatThrownBy(() -> async.lookUp(
                                7, asked -> CompletableFuture.failedFuture(new IllegalStateException("late")))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("late");
    }
}
