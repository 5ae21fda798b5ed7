package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.FailingDisk;
import dev.besom.guard.FailingLife;
import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.NumberedCalls;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.PossibleKinds;
import dev.besom.guard.store.Loader;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One and the same life of a guard over a loader, again and again: each time another read of the store or another write of
 * the caller's fails, until each has failed in every manner. Whatever the store holds is found afterwards, also by the next
 * guard.
 */
class LoaderFailureAtEveryCallTest {

    private static final int COMPACT_AFTER = 60;

    @TempDir
    Path folder;

    private int lives;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKey(String kind) {
        failEach(kind, 70, 97);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKeyOfALongLife(String kind) {
        failEach(kind, 200, 1);
    }

    /**
     * Lets calls fail.
     *
     * @param keys how many keys the filters are planned for
     */
    private void failEach(String kind, int keys, int stride) {
        FailingLife.failEach(List.of(Manner.values()), stride, plan -> live(kind, keys, plan));
    }

    private long live(String kind, int keys, Plan plan) {
        try {
            Path place = Files.createDirectory(folder.resolve(kind + lives++));
            // One that forces nothing: there are thousands of lives.
            Path disk = new FailingDisk(place, Long.MAX_VALUE, FailingDisk.End.FULL).path();
            return new Life(kind, keys, new NumberedCalls(plan), disk).live();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Life extends FailingLife implements Loader<Long, Long> {

        private final String kind;
        private final int keys;
        private final NumberedCalls calls;
        private final Path place;
        private final Map<Long, Long> store = new HashMap<>();
        private LoaderGuard<Long, Long> guard;

        Life(String kind, int keys, NumberedCalls calls, Path place) {
            super(calls);
            this.kind = kind;
            this.keys = keys;
            this.calls = calls;
            this.place = place;
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
            store.forEach(action);
        }

        @Override
        public @Nullable Long get(Long key) {
            return calls.read(() -> store.get(key));
        }

        @Override
        public List<@Nullable Long> getAll(List<? extends Long> all) {
            return calls.read(() -> all.stream().<@Nullable Long>map(store::get).toList());
        }

        private LoaderGuard<Long, Long> opened() {
            try {
                LocalKeys<Long> hashes =
                        LocalKeys.open(place.resolve("keys"), KeyHasher.longs(0x6c6f6164L), false, COMPACT_AFTER);
                return Guard.builder((Loader<Long, Long>) this, hashes)
                        .kind(kind)
                        .fpp(0.25)
                        .shards(2)
                        .capacity(keys)
                        .snapshot(place.resolve("guard.besom"))
                        .open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The whole life; returns how many calls there were. */
        long live() {
            for (long key = 0; key < keys; key++) {
                put(key, key);
                misses(1);
            }
            for (long key = 0; key < 8; key++) {
                long present = 3 * key;
                long announced = 10_000 + key;
                remove(present);
                put(present, present + 1);
                step(() -> guard.putIfAbsent(present + 1, () -> write(present + 1, 0L)));
                step(() -> guard.putIfAbsent(announced + 100, () -> write(announced + 100, 0L)));
                step(() -> guard.add(announced));
                store.put(announced, announced);
            }
            snapshot(place.resolve("guard.besom"));
            reopen();
            for (long key = 1_000; key < 1_000 + 2L * keys; key++) {
                put(key, key);
                if (key % 5 == 0) {
                    remove(key % 2 == 0 ? key / 3 : key - 20);
                }
                if (key % 7 == 0) {
                    misses(2);
                }
            }
            reopen();
            misses(keys / 4);
            for (long key = 1_000; key < 1_020; key++) {
                remove(key);
            }
            reopen();
            step(guard::close);
            assertThat(calls.count()).isGreaterThan(keys);
            return calls.count();
        }

        private void put(long key, long value) {
            persistently(key, () -> guard.put(key, () -> write(key, value)));
        }

        private void write(long key, long value) {
            calls.change(() -> {
                store.put(key, value);
                return true;
            });
        }

        private void remove(long key) {
            step(() -> guard.remove(
                    key,
                    () -> calls.change(() -> {
                        store.remove(key);
                        return true;
                    })));
        }
    }
}
