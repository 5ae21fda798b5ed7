package dev.besom.guard.local;

import dev.besom.guard.EveryFailure;
import dev.besom.guard.FailingDisk;
import dev.besom.guard.FailingLife;
import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.NumberedCalls;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.PossibleKinds;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * One and the same life of a guard over a loader, again and again: each time another read of the store, another write of the
 * caller's or another call of a file fails, until each has failed in every manner. Whatever the store holds is found
 * afterwards, also by the next guard.
 */
class LoaderFailureAtEveryCallTest {

    private static final int COMPACT_AFTER = 90;

    @TempDir
    Path folder;

    private int lives;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKey(String kind) {
        everyFailure(kind, 70).failOfEachWay(PossibleKinds.number(kind), PossibleKinds.count());
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noCallThatFailsHidesAKeyOfALongLife(String kind) {
        everyFailure(kind, 120).failEach(1);
    }

    /**
     * Lets calls fail.
     *
     * @param keys how many keys the filters are planned for
     */
    private EveryFailure everyFailure(String kind, int keys) {
        return new EveryFailure(List.of(Manner.values()), calls -> live(kind, keys, calls));
    }

    private void live(String kind, int keys, NumberedCalls calls) {
        try {
            Path place = Files.createDirectory(folder.resolve(kind + lives++));
            new Life(kind, keys, calls, FailingDisk.numbered(place, calls).path()).live();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Life extends FailingLife<LoaderGuard<Long, Long>> implements Loader<Long, Long> {

        private final String kind;
        private final int keys;
        private final NumberedCalls calls;
        private final Path place;
        private final Map<Long, Long> store = new HashMap<>();
        /** What the guard of the moment has begun and nobody has made yet. */
        private final List<Runnable> compactions = new ArrayList<>();

        Life(String kind, int keys, NumberedCalls calls, Path place) {
            super(calls, keys);
            this.kind = kind;
            this.keys = keys;
            this.calls = calls;
            this.place = place;
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

        @Override
        protected LoaderGuard<Long, Long> opened() {
            compactions.clear();
            while (true) {
                try {
                    return over(LocalKeys.open(
                            place.resolve("keys"),
                            KeyHasher.longs(0x6c6f6164L),
                            new LocalHashes.Settings(true, COMPACT_AFTER, compactions::add)));
                } catch (IOException | StoreException | UncheckedIOException e) {
                    // Whoever starts a service tries again.
                    calls.deliver();
                }
            }
        }

        private LoaderGuard<Long, Long> over(LocalKeys<Long> hashes) {
            try {
                return Guard.builder((Loader<Long, Long>) this, hashes)
                        .kind(kind)
                        .fpp(0.25)
                        .shards(2)
                        .capacity(keys)
                        .snapshot(place.resolve("guard.besom"))
                        .open();
            } catch (RuntimeException e) {
                hashes.close();
                throw e;
            }
        }

        @Override
        protected void unfold() {
            for (long key = 0; key < keys; key++) {
                put(key, key);
                misses(1);
            }
            for (long key = 0; key < 8; key++) {
                long present = 3 * key;
                long announced = 10_000 + key;
                remove(present);
                put(present, present + 1);
                step(() -> guard().putIfAbsent(present + 1, () -> write(present + 1, 0L)));
                step(() -> guard().putIfAbsent(announced + 100, () -> write(announced + 100, 0L)));
                if (step(() -> guard().add(announced))) {
                    store.put(announced, announced);
                }
            }
            comeAndGo();
            snapshot(place.resolve("guard.besom"));
            reopen();
            swapSome();
            reopen();
            grow();
            misses(keys / 4);
            removeSome();
            reopen();
        }

        @Override
        protected void put(long key, long value) {
            persistently(key, () -> guard().put(key, () -> write(key, value)));
            // A compaction ends some changes after its beginning.
            if (key % 4 == 0) {
                compactions.forEach(this::step);
                compactions.clear();
            }
        }

        private void write(long key, long value) {
            calls.change(() -> {
                store.put(key, value);
                return true;
            });
        }

        @Override
        protected void remove(long key) {
            step(() -> guard().remove(key, () -> erase(key)));
        }

        private void erase(long key) {
            calls.change(() -> {
                store.remove(key);
                return true;
            });
        }
    }
}
