package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One and the same life of a guard over a store, again and again: each time another call of the store fails, until each has
 * failed in every manner. Whatever the store holds is found afterwards, also by the next guard.
 */
class FailureAtEveryCallTest {

    /** Calls that fail in a row in every second round. */
    private static final int SEVERAL = 4;

    @TempDir
    Path folder;

    static Stream<String> kinds() {
        return Filters.kinds().stream().filter(FilterChoice::isPossible).map(Kind::name);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noCallOfTheStoreThatFailsHidesAKey(String kind) {
        failEach(kind, 70, KeyHasher.longs(0x6661696cL), 67);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("kinds")
    void noCallOfTheStoreThatFailsHidesAKeyOfALongLife(String kind) {
        failEach(kind, 300, KeyHasher.longs(0x6c6f6e67L), 1);
        failEach(kind, 80, new CrowdedHasher(0x63726f77L, 40), 1);
        failEach(kind, 100, new CrowdedHasher(0x63726f77L, 3), 1);
    }

    /**
     * Lets every call fail.
     *
     * @param keys how many keys the filters are planned for
     * @param stride in one manner only the calls of one remainder by this number fail, in the next those of the next
     */
    private void failEach(String kind, int keys, KeyHasher<Long> hasher, int stride) {
        // One that forces nothing: there are thousands of lives.
        Path disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL).path();
        long calls = new Life(kind, keys, hasher, Plan.NONE, disk).live();
        assertThat(calls).isGreaterThan(keys);
        int round = 0;
        for (Manner manner : Manner.values()) {
            for (int length : new int[] {1, SEVERAL}) {
                for (long first = round++ % stride; first < calls; first += stride) {
                    Plan plan = new Plan(manner, first, first + length - 1);
                    try {
                        new Life(kind, keys, hasher, plan, disk).live();
                    } catch (RuntimeException | Error e) {
                        throw new AssertionError("a guard with " + kind + " and " + plan + " of " + calls, e);
                    }
                }
            }
        }
    }

    /** One store, and the guards that stand before it one after the other. */
    private static final class Life {

        /** So many steps after its failure a late change takes effect. */
        private static final int STEPS_LATE = 5;

        private final String kind;
        private final int keys;
        private final KeyHasher<Long> hasher;
        private final NumberedCalls calls;
        private final NumberedStore store;
        private final Path file;
        private StoreGuard<Long, Long> guard;
        private long missing = -1;
        private long failuresSeen;
        private int stepsSinceFailure;

        Life(String kind, int keys, KeyHasher<Long> hasher, Plan plan, Path folder) {
            this.kind = kind;
            this.keys = keys;
            this.hasher = hasher;
            this.calls = new NumberedCalls(plan);
            this.store = new NumberedStore(calls);
            this.file = folder.resolve("guard.besom");
            this.guard = open();
        }

        /** The whole life; returns how many calls there were. */
        long live() {
            putTwoThirds();
            changeSome();
            snapshot();
            misses(keys / 2);
            snapshot();
            reopen();
            misses(keys / 4);
            grow();
            reopen();
            misses(keys / 2);
            removeSome();
            reopen();
            close();
            return calls.count();
        }

        private StoreGuard<Long, Long> open() {
            while (true) {
                try {
                    return Guard.builder(store, hasher)
                            .kind(kind)
                            .fpp(0.25)
                            .shards(2)
                            .capacity(keys)
                            .snapshot(file)
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
            boolean isPut = step(() -> guard.put(key, value));
            if (!isPut && key % 2 == 0) {
                step(() -> guard.put(key, value));
            }
        }

        /** Looks keys up that are not stored. */
        private void misses(int count) {
            for (int i = 0; i < count; i++) {
                long key = missing--;
                step(() -> guard.get(key));
            }
        }

        private void snapshot() {
            step(() -> {
                try {
                    guard.snapshot(file);
                } catch (IllegalStateException e) {
                    // Puts are uncertain.
                    return;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }

        private void reopen() {
            calls.deliver();
            close();
            guard = open();
            checkAll();
        }

        private void close() {
            step(guard::close);
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
                store.inner().forEach((key, value) -> {
                    if (!value.equals(guard.get(key))) {
                        throw new AssertionError("key " + key + " is hidden");
                    }
                });
                return true;
            });
        }
    }
}
