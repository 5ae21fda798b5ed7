package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.guard.FailingDisk;
import dev.besom.guard.Guard;
import dev.besom.guard.GuardState;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.NumberedCalls;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

    static Stream<String> kinds() {
        return Filters.kinds().stream().filter(FilterChoice::isPossible).map(Kind::name);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noCallThatFailsHidesAKey(String kind) throws IOException {
        failEach(kind, 70, 97);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("kinds")
    void noCallThatFailsHidesAKeyOfALongLife(String kind) throws IOException {
        failEach(kind, 200, 1);
    }

    /**
     * Lets calls fail.
     *
     * @param keys how many keys the filters are planned for
     * @param stride in one manner only the calls of one remainder by this number fail, in the next those of the next
     */
    private void failEach(String kind, int keys, int stride) throws IOException {
        long calls = live(kind, keys, Plan.NONE);
        assertThat(calls).isGreaterThan(keys);
        int round = 0;
        for (Manner manner : Manner.values()) {
            for (int length : new int[] {1, 4}) {
                for (long first = round++ % stride; first < calls; first += stride) {
                    Plan plan = new Plan(manner, first, first + length - 1);
                    try {
                        live(kind, keys, plan);
                    } catch (RuntimeException | Error e) {
                        throw new AssertionError("a guard with " + kind + " and " + plan + " of " + calls, e);
                    }
                }
            }
        }
    }

    private long live(String kind, int keys, Plan plan) throws IOException {
        Path place = Files.createDirectory(folder.resolve(kind + lives++));
        // One that forces nothing: there are thousands of lives.
        return new Life(kind, keys, plan, new FailingDisk(place, Long.MAX_VALUE, FailingDisk.End.FULL).path()).live();
    }

    /** One store, and the guards that stand before it one after the other. */
    private static final class Life implements Loader<Long, Long> {

        /** So many steps after its failure a late change takes effect. */
        private static final int STEPS_LATE = 5;

        private final String kind;
        private final int keys;
        private final NumberedCalls calls;
        private final Path place;
        private final Map<Long, Long> store = new HashMap<>();
        private LoaderGuard<Long, Long> guard;
        private long missing = -1;
        private long failuresSeen;
        private int stepsSinceFailure;

        Life(String kind, int keys, Plan plan, Path place) {
            this.kind = kind;
            this.keys = keys;
            this.calls = new NumberedCalls(plan);
            this.place = place;
            this.guard = open();
        }

        @Override
        public @Nullable Long get(Long key) {
            return calls.read(() -> store.get(key));
        }

        @Override
        public List<@Nullable Long> getAll(List<? extends Long> all) {
            return calls.read(() -> all.stream().<@Nullable Long>map(store::get).toList());
        }

        private LoaderGuard<Long, Long> open() {
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
            snapshot();
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
            return calls.count();
        }

        private void put(long key, long value) {
            boolean isPut = step(() -> guard.put(key, () -> write(key, value)));
            if (!isPut && key % 2 == 0) {
                step(() -> guard.put(key, () -> write(key, value)));
            }
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

        private void misses(int count) {
            for (int i = 0; i < count; i++) {
                long key = missing--;
                step(() -> guard.get(key));
            }
        }

        private void snapshot() {
            step(() -> {
                try {
                    guard.snapshot(place.resolve("guard.besom"));
                } catch (IllegalStateException e) {
                    // Puts are uncertain.
                    return;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        private void reopen() {
            calls.deliver();
            step(guard::close);
            guard = open();
            checkAll();
        }

        /** Makes a step; false if it failed. */
        private boolean step(Runnable step) {
            boolean isMade = true;
            try {
                step.run();
            } catch (Outage | StoreException e) {
                // The caller has been told. What the store holds counts.
                isMade = false;
            }
            if (calls.failures() > failuresSeen) {
                failuresSeen = calls.failures();
                stepsSinceFailure = 0;
            } else if (++stepsSinceFailure == STEPS_LATE) {
                calls.deliver();
            }
            if (failuresSeen > 0 && stepsSinceFailure <= STEPS_LATE && guard.state() != GuardState.CLOSED) {
                checkAll();
            }
            return isMade;
        }

        private void checkAll() {
            calls.aside(() -> {
                store.forEach((key, value) -> {
                    if (!value.equals(guard.get(key))) {
                        throw new AssertionError("key " + key + " is hidden");
                    }
                });
                return true;
            });
        }
    }
}
