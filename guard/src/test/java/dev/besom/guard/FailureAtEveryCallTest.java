package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One and the same life of a guard over a store, again and again: each time another call of the store fails, until each has
 * failed in every manner. Whatever the store holds is found afterwards, also by the next guard.
 */
class FailureAtEveryCallTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallOfTheStoreThatFailsHidesAKey(String kind) {
        failEach(kind, 70, KeyHasher.longs(0x6661696cL), 67);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallOfTheStoreThatFailsHidesAKeyOfALongLife(String kind) {
        failEach(kind, 300, KeyHasher.longs(0x6c6f6e67L), 1);
        failEach(kind, 80, new CrowdedHasher(0x63726f77L, 40), 1);
        failEach(kind, 100, new CrowdedHasher(0x63726f77L, 3), 1);
    }

    private void failEach(String kind, int keys, KeyHasher<Long> hasher, int stride) {
        // One that forces nothing: there are thousands of lives.
        Path disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL).path();
        Guarded guarded = new Guarded(kind, keys, hasher, disk.resolve("guard.besom"));
        FailingLife.failEach(List.of(Manner.values()), stride, plan -> new Life(guarded, plan).live());
    }

    /**
     * What is guarded, and how.
     *
     * @param keys how many keys the filters are planned for
     * @param file where snapshots go
     */
    private record Guarded(String kind, int keys, KeyHasher<Long> hasher, Path file) {}

    private static final class Life extends FailingLife {

        private final Guarded guarded;
        private final int keys;
        private final NumberedCalls calls;
        private final NumberedStore store;
        private StoreGuard<Long, Long> guard;

        Life(Guarded guarded, Plan plan) {
            this(guarded, new NumberedCalls(plan));
        }

        private Life(Guarded guarded, NumberedCalls calls) {
            super(calls);
            this.guarded = guarded;
            this.keys = guarded.keys;
            this.calls = calls;
            this.store = new NumberedStore(calls);
            this.guard = opened();
        }

        @Override
        protected Guard<Long, Long> guard() {
            return guard;
        }

        @Override
        protected void open() {
            guard = opened();
        }

        @Override
        protected void forEachStored(BiConsumer<Long, Long> action) {
            store.inner().forEach(action);
        }

        /** The whole life; returns how many calls there were. */
        long live() {
            putTwoThirds();
            changeSome();
            snapshot(guarded.file);
            misses(keys / 2);
            snapshot(guarded.file);
            reopen();
            misses(keys / 4);
            grow();
            reopen();
            misses(keys / 2);
            removeSome();
            reopen();
            step(guard::close);
            assertThat(calls.count()).isGreaterThan(keys);
            return calls.count();
        }

        private StoreGuard<Long, Long> opened() {
            while (true) {
                try {
                    return Guard.builder(store, guarded.hasher)
                            .kind(guarded.kind)
                            .fpp(0.25)
                            .shards(2)
                            .capacity(keys)
                            .snapshot(guarded.file)
                            .snapshotOnClose()
                            .primeOn(Runnable::run)
                            .retryPause(Duration.ofMillis(1))
                            .open();
                } catch (Outage | StoreException e) {
                    // Whoever starts a service tries again.
                    calls.deliver();
                }
            }
        }

        private void putTwoThirds() {
            for (long key = 0; key < keys / 2; key++) {
                put(key, key);
                misses(1);
            }
            Map<Long, Long> rest = new HashMap<>();
            for (long key = keys / 3; key < keys * 2L / 3; key++) {
                rest.put(key, -key);
            }
            step(() -> guard.putAll(rest));
        }

        private void changeSome() {
            for (long key = 0; key < 6; key++) {
                long present = 3 * key;
                long absent = 10_000 + key;
                step(() -> guard.remove(present));
                put(present, present + 1);
                step(() -> guard.putIfAbsent(present + 1, 0L));
                step(() -> guard.putIfAbsent(absent, absent));
                step(() -> announce(absent + 100, true));
                step(() -> announce(absent + 200, false));
            }
            step(() -> guard.getAll(LongStream.range(-50, 50).boxed().toList()));
        }

        /** A change by means of the caller's own. */
        private void announce(long key, boolean isCommitted) {
            try (Announcement announced = guard.announce(key)) {
                if (isCommitted) {
                    store.inner().put(key, announced.hash(), key);
                    assertThat(guard.get(key)).isEqualTo(key);
                }
                announced.settle();
            }
        }

        private void grow() {
            for (long key = 1_000; key < 1_000 + 2L * keys; key++) {
                long earlier = key % 2 == 0 ? key / 3 : key - 20;
                put(key, key);
                if (key % 5 == 0) {
                    step(() -> guard.remove(earlier));
                }
                if (key % 7 == 0) {
                    misses(2);
                }
            }
        }

        private void removeSome() {
            for (long key = 1_000; key < 1_030; key++) {
                long removed = key;
                step(() -> guard.remove(removed));
            }
        }

        private void put(long key, long value) {
            persistently(key, () -> guard.put(key, value));
        }
    }
}
