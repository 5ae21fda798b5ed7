package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.guard.store.RejectedException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts that fail in great number. */
@Isolated
class GuardUncertainPutsTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x646f756274L);
    private static final int SHARDS = 2;

    private final FailingStore<Long, Long> store = new FailingStore<>();

    private StoreGuard<Long, Long> guard(String kind) {
        for (long key = 0; key < 5_000; key++) {
            store.inner().put(-1 - key, SEEDED.hash(-1 - key), key);
        }
        return Guard.builder(store, SEEDED).kind(kind).shards(SHARDS).open();
    }

    private void fail(StoreGuard<Long, Long> guard, long from, long to) {
        store.puts = Failure.BEFORE;
        for (long key = from; key < to; key++) {
            long failing = key;
            assertThatThrownBy(() -> guard.put(failing, failing)).isInstanceOf(Outage.class);
        }
        store.puts = Failure.NEVER;
    }

    private void failWith(Failure failure, Runnable call) {
        store.writes = failure;
        assertThatThrownBy(call::run).isInstanceOf(failure == Failure.REFUSED ? RejectedException.class : Outage.class);
        store.writes = Failure.NEVER;
    }

    /** The first one may be on its way, whatever the second one was told. */
    @Test
    void refusalOfASecondPutDoesNotEndTheDoubtOfTheFirst() {
        StoreGuard<Long, Long> guard = guard("telescoping");
        failWith(Failure.BEFORE, () -> guard.put(1L, 1L));
        failWith(Failure.REFUSED, () -> guard.put(1L, 2L));
        store.inner().put(1L, SEEDED.hash(1L), 1L);
        assertThat(guard.get(1L)).isEqualTo(1L);
    }

    /** One of them has reached the store; the other may be on its way. */
    @Test
    void removalDoesNotEndTheDoubtOfTwoPuts() {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 1, 2);
        fail(guard, 1, 2);
        store.inner().put(1L, SEEDED.hash(1L), 2L);
        assertThat(guard.remove(1L)).isTrue();
        store.inner().put(1L, SEEDED.hash(1L), 1L);
        assertThat(guard.get(1L)).isEqualTo(1L);
        assertThat(guard.put(1L, 3L)).isFalse();
        assertThat(guard.remove(1L)).isTrue();
        assertThat(guard.count())
                .as("with a slot that stays")
                .isEqualTo(1 + store.inner().hashes().count());
    }

    /** The second one says nothing of the first, which may be on its way. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void successOfASecondPutDoesNotEndTheDoubtOfTheFirst(boolean inBulk) {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 1, 2);
        if (inBulk) {
            guard.putAll(Map.of(1L, 2L));
        } else {
            assertThat(guard.put(1L, 2L)).isTrue();
        }
        assertThat(guard.remove(1L)).isTrue();
        store.inner().put(1L, SEEDED.hash(1L), 1L);
        assertThat(guard.get(1L)).isEqualTo(1L);
    }

    /** The removal has taken effect although it failed, and the filter grows without the key, before the first put arrives. */
    @Test
    void removalThatFailsDoesNotEndTheDoubtOfAnEarlierPut() {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 1, 2);
        assertThat(guard.put(1L, 2L)).isTrue();
        failWith(Failure.AFTER, () -> guard.remove(1L));
        for (long key = 100_000; key < 110_000; key++) {
            assertThat(guard.put(key, key)).isTrue();
        }
        assertThat(guard.statistics().growths()).isPositive();
        store.inner().put(1L, SEEDED.hash(1L), 1L);
        assertThat(guard.get(1L)).isEqualTo(1L);
    }

    /** What is stored for certain is no reason to have no snapshot. */
    @Test
    void guardWritesSnapshotsAfterAPutThatWasRepeated(@TempDir Path folder) throws IOException {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 1, 2);
        assertThat(guard.put(1L, 2L)).isTrue();
        assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "broom"})
    void keysWhosePutsFailedAreFoundWheneverTheyArriveHoweverManyTheyAre(String kind) {
        StoreGuard<Long, Long> guard = guard(kind);
        int failed = 20_000;
        fail(guard, 0, failed);
        for (long key = 0; key < failed; key++) {
            assertThat(guard.get(key)).isNull();
        }
        for (long key = 100_000; key < 110_000; key++) {
            assertThat(guard.put(key, key)).isTrue();
        }
        assertThat(guard.statistics().growths()).isPositive();
        List<Long> all = new ArrayList<>();
        for (long key = 0; key < failed; key++) {
            store.inner().put(key, SEEDED.hash(key), key);
            all.add(key);
        }
        for (long key = 0; key < failed; key++) {
            assertThat(guard.get(key)).isEqualTo(key);
        }
        assertThat(List.copyOf(guard.getAll(all).values())).isEqualTo(all);
        for (long key = 0; key < failed; key++) {
            assertThat(guard.put(key, key + 1)).as("the key is there").isFalse();
            assertThat(guard.get(key)).isEqualTo(key + 1);
        }
        for (long key = 0; key < failed; key += 3) {
            assertThat(guard.remove(key)).isTrue();
            assertThat(guard.get(key)).isNull();
        }
        for (long key = 0; key < 5_000; key++) {
            assertThat(guard.get(-1 - key)).isEqualTo(key);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what somebody without its checks can do
    void aNullIsRefusedBeforeAnythingIsInDoubt(@TempDir Path folder) throws IOException {
        StoreGuard<Long, Long> guard = guard("telescoping");
        assertThatNullPointerException().isThrownBy(() -> guard.put(1L, null)).withMessage("value");
        assertThat(guard.count()).isEqualTo(5_000);
        assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "broom"})
    void keysWhosePutsFailedTakeNoMoreMemoryThanABound(String kind) {
        StoreGuard<Long, Long> guard = guard(kind);
        List<WeakReference<Long>> keys = new ArrayList<>();
        long before = guard.sizeInBits();
        store.puts = Failure.BEFORE;
        long most = 0;
        for (int i = 0; i < 60_000; i++) {
            Long key = (long) i;
            assertThatThrownBy(() -> guard.put(key, key)).isInstanceOf(Outage.class);
            if (i >= 1_000 && i < 21_000) {
                keys.add(new WeakReference<>(key));
            }
            most = Math.max(most, guard.sizeInBits());
        }
        assertThat(most).as("bits of filters and sieves").isLessThan(2 * before + SHARDS * 100_000L);
        System.gc();
        long held = keys.stream().filter(key -> key.get() != null).count();
        assertThat(held).as("key objects that are still held").isLessThanOrEqualTo(SHARDS * 1024);
    }

    @Test
    void guardWithMoreDoubtsThanItKeepsWritesNoSnapshot() {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 0, 5_000);
        // All that are known one by one are settled; the others are not.
        for (long key = 0; key < 5_000; key++) {
            guard.put(key, key);
        }
        assertThatThrownBy(() -> guard.snapshot(Path.of("never-written"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void missingKeysAreStillAnsweredByTheFilterBesideThoseInDoubt() {
        StoreGuard<Long, Long> guard = guard("telescoping");
        fail(guard, 0, 6_000);
        for (long key = 100_000; key < 110_000; key++) {
            guard.put(key, key);
        }
        guard.resetStatistics();
        int missing = 100_000;
        for (long key = 0; key < missing; key++) {
            assertThat(guard.get(Long.MIN_VALUE + key)).isNull();
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.lookups().answeredByFilter()).isGreaterThan(missing * 98L / 100);
        assertThat(statistics.repairs().fixed()
                        + statistics.repairs().forgot()
                        + statistics.repairs().inseparable()
                        + statistics.repairs().dropped())
                .isEqualTo(statistics.lookups().falsePositives());
    }
}
