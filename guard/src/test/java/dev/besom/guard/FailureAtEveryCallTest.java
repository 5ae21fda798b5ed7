package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
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
 * One and the same life of a guard over a store, again and again: each time another call of the store or of a snapshot's file
 * fails, until each has failed in every manner. Whatever the store holds is found afterwards, also by the next guard().
 */
class FailureAtEveryCallTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKey(String kind) {
        everyFailure(kind, 70, KeyHasher.longs(0x6661696cL))
                .failOfEachWay(PossibleKinds.number(kind), PossibleKinds.count());
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKeyOfALongLife(String kind) {
        everyFailure(kind, 300, KeyHasher.longs(0x6c6f6e67L)).failEach(1);
        everyFailure(kind, 80, new CrowdedHasher(0x63726f77L, 40)).failEach(1);
        everyFailure(kind, 100, new CrowdedHasher(0x63726f77L, 3)).failEach(1);
    }

    private EveryFailure everyFailure(String kind, int keys, KeyHasher<Long> hasher) {
        Guarded guarded = new Guarded(kind, keys, hasher, folder);
        return new EveryFailure(List.of(Manner.values()), calls -> new Life(guarded, calls).live());
    }

    /**
     * What is guarded, and how.
     *
     * @param keys how many keys the filters are planned for
     * @param folder where snapshots go
     */
    private record Guarded(String kind, int keys, KeyHasher<Long> hasher, Path folder) {}

    private static final class Life extends FailingLife<StoreGuard<Long, Long>> {

        private final Guarded guarded;
        private final int keys;
        private final NumberedCalls calls;
        private final NumberedStore store;
        private final Path file;
        private int guards;

        Life(Guarded guarded, NumberedCalls calls) {
            super(calls, guarded.keys);
            this.guarded = guarded;
            this.keys = guarded.keys;
            this.calls = calls;
            this.store = new NumberedStore(calls);
            this.file = FailingDisk.numbered(guarded.folder, calls).path().resolve("guard.besom");
        }

        @Override
        protected void forEachStored(BiConsumer<Long, Long> action) {
            store.inner().forEach(action);
        }

        @Override
        protected void unfold() {
            putTwoThirds();
            changeSome();
            comeAndGo();
            snapshot(file);
            misses(keys / 2);
            snapshot(file);
            reopen();
            snapshot(file);
            swapSome();
            reopen();
            misses(keys / 4);
            grow();
            reopen();
            misses(keys / 2);
            removeSome();
            reopen();
        }

        @Override
        protected StoreGuard<Long, Long> opened() {
            GuardBuilder<Long, StoreGuard<Long, Long>> builder = Guard.builder(store, guarded.hasher)
                    .kind(guarded.kind)
                    .fpp(0.25)
                    .shards(2)
                    .capacity(keys)
                    .snapshot(file)
                    .primeOn(Runnable::run)
                    .retryPause(Duration.ofMillis(1));
            // The others leave behind what the changes have left of a snapshot.
            if (guards++ % 2 == 0) {
                builder.snapshotOnClose();
            }
            while (true) {
                try {
                    return builder.open();
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
            step(() -> guard().putAll(rest));
        }

        private void changeSome() {
            for (long key = 0; key < 6; key++) {
                long present = 3 * key;
                long absent = 10_000 + key;
                remove(present);
                put(present, present + 1);
                step(() -> guard().putIfAbsent(present + 1, 0L));
                step(() -> guard().putIfAbsent(absent, absent));
                step(() -> announce(absent + 100, true));
                step(() -> announce(absent + 200, false));
            }
            step(() -> guard().getAll(LongStream.range(-50, 50).boxed().toList()));
        }

        /** A change by means of the caller's own. */
        private void announce(long key, boolean isCommitted) {
            try (Announcement announced = guard().announce(key)) {
                if (isCommitted) {
                    store.inner().put(key, announced.hash(), key);
                    assertThat(guard().get(key)).isEqualTo(key);
                }
                announced.settle();
            }
        }

        @Override
        protected void put(long key, long value) {
            persistently(key, () -> guard().put(key, value));
        }

        @Override
        protected void remove(long key) {
            step(() -> guard().remove(key));
        }
    }
}
