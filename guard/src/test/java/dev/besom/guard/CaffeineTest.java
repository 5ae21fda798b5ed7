package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.besom.hash.KeyHasher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A guard behind a cache of values, and before one: the examples of the guard's page. */
@SuppressWarnings("NullAway") // a loader may return null, which NullAway does not read from a type argument
class CaffeineTest {

    private static final int KEYS = 1_000;
    private static final int MISSING = 10_000;

    private final AtomicInteger reads = new AtomicInteger();
    private final FailingStore<String, String> store = new FailingStore<>();
    private final StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8(0x636166));

    @BeforeEach
    void fill() {
        store.beforeRead = reads::incrementAndGet;
        for (int i = 0; i < KEYS; i++) {
            guard.put("key " + i, "value " + i);
        }
    }

    @AfterEach
    void close() {
        guard.close();
    }

    @Test
    void aGuardLoadsACache() {
        LoadingCache<String, String> users =
                Caffeine.newBuilder().maximumSize(10_000).build(guard::get);
        assertCachedAndGuarded(users::get);
        assertThat(users.estimatedSize()).isEqualTo(KEYS);
        // No "not there" is kept, so a key that is put is found at once.
        assertThat(users.get("new")).isNull();
        guard.put("new", "here");
        assertThat(users.get("new")).isEqualTo("here");
    }

    @Test
    void aGuardStandsBeforeACache() {
        LoadingCache<String, String> users =
                Caffeine.newBuilder().maximumSize(10_000).recordStats().build(store::get);
        Function<String, @Nullable String> lookUp = key -> guard.lookUp(key, users::get);
        assertCachedAndGuarded(lookUp);
        // The cache has seen the stored keys and the false positives, and none of the other misses.
        assertThat(users.stats().missCount()).isBetween((long) KEYS, KEYS + 100L);
        assertThat(lookUp.apply("new")).isNull();
        guard.put("new", "here");
        assertThat(lookUp.apply("new")).isEqualTo("here");
    }

    private void assertCachedAndGuarded(Function<String, @Nullable String> lookUp) {
        for (int i = 0; i < 2 * KEYS; i++) {
            assertThat(lookUp.apply("key " + i % KEYS)).isEqualTo("value " + i % KEYS);
        }
        assertThat(reads).hasValue(KEYS);
        for (int i = 0; i < MISSING; i++) {
            assertThat(lookUp.apply("missing " + i)).isNull();
        }
        // 10,000 / 256 are expected.
        assertThat(reads.get() - KEYS).isBetween(10, 100);
    }
}
