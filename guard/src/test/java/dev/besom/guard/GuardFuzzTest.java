package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives of guards before stores that fail by chance and make changes late: whatever the store holds is found, after each
 * step. A failure names the seed of its life, which alone repeats it.
 *
 * <p>{@code -Dbesom.fuzz.operations} is the number of steps of all kinds together in the thorough form, 10^8 by default;
 * {@code -Dbesom.fuzz.firstLife} the number of the life that each kind begins with, for runs that continue others.
 */
class GuardFuzzTest {

    private static final long STEPS_OF_A_LIFE = 1_500;
    private static final long THOROUGH_STEPS = Long.getLong("besom.fuzz.operations", 100_000_000L);
    private static final long FIRST_LIFE = Long.getLong("besom.fuzz.firstLife", 0);

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void everyKeyThatTheStoreHoldsIsFoundAfterEachStep(String kind) {
        live(kind, 30_000);
    }

    @ParameterizedTest
    @Tag("thorough")
    @MethodSource(PossibleKinds.NAMES)
    void everyKeyThatTheStoreHoldsIsFoundAfterEachOfManySteps(String kind) {
        live(kind, THOROUGH_STEPS / PossibleKinds.names().count());
    }

    private void live(String kind, long steps) {
        long failures = 0;
        long growths = 0;
        long snapshots = 0;
        for (long life = 0; life * STEPS_OF_A_LIFE < steps; life++) {
            long seed = Seeds.of(0x66757a7aL, kind.hashCode(), FIRST_LIFE + life);
            Life one = new Life(kind, seed, folder.resolve("guard.besom"));
            try {
                for (int step = 0; step < STEPS_OF_A_LIFE; step++) {
                    one.step();
                }
                one.end();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("a guard with " + kind + " in the life of seed " + seed, e);
            }
            failures += one.store.failures();
            growths += one.growths;
            snapshots += one.snapshotsTaken;
        }
        assertThat(failures).as("calls that failed").isGreaterThan(steps / 100);
        assertThat(growths).as("growths").isPositive();
        assertThat(snapshots).as("snapshots that were taken").isPositive();
    }

    /** One store, and the guards that stand before it one after the other. */
    private static final class Life {

        private final SplittableRandom random;
        private final FlakyStore store;
        private final KeyHasher<Long> hasher;
        private final String kind;
        private final Path file;
        private final int keys;
        private final double fpp;
        private final int oneIn;
        private final int removals;
        private StoreGuard<Long, Long> guard;
        private long growths;
        private long snapshotsTaken;

        Life(String kind, long seed, Path file) {
            this.kind = kind;
            this.file = file;
            this.random = new SplittableRandom(seed);
            this.store = new FlakyStore(random.split());
            // With few keys, much happens to one of them while changes of it are on their way.
            this.keys = random.nextInt(3) == 0 ? 1 + random.nextInt(10) : 20 + random.nextInt(600);
            this.hasher = random.nextInt(3) == 0
                    ? new CrowdedHasher(random.nextLong(), 1 + random.nextInt(2 * keys))
                    : KeyHasher.longs(random.nextLong());
            this.fpp = new double[] {0.25, 0.1, 0.01}[random.nextInt(3)];
            this.oneIn = new int[] {10, 40, 200}[random.nextInt(3)];
            this.removals = 1 + random.nextInt(3);
            this.guard = open();
        }

        private StoreGuard<Long, Long> open() {
            store.failOneIn(0);
            StoreGuard<Long, Long> opened = Guard.builder(store, hasher)
                    .kind(kind)
                    .fpp(fpp)
                    .shards(2)
                    .snapshot(file)
                    .progress((done, total) -> snapshotsTaken += done == total ? 1 : 0)
                    .open();
            store.failOneIn(oneIn);
            return opened;
        }

        void step() {
            long key = random.nextLong(keys);
            try {
                switch (random.nextInt(24)) {
                    case 0, 1, 2, 3, 4, 5, 6, 7 -> guard.put(key, random.nextLong());
                    case 8, 9, 10 -> {
                        if (random.nextInt(4) < removals) {
                            guard.remove(key);
                        }
                    }
                    case 11 -> guard.containsKey(key);
                    case 12 -> store.deliverOne();
                    case 13 -> guard.getAll(List.of(key, -1 - key, random.nextLong(keys)));
                    case 14 -> rarely();
                    default -> guard.get(-1 - random.nextLong(4L * keys));
                }
            } catch (FlakyStore.Outage | StoreException e) {
                // The caller has been told. What the store holds counts.
                store.failOneIn(oneIn);
            }
            check(key);
            check(random.nextLong(keys));
        }

        private void rarely() {
            switch (random.nextInt(12)) {
                case 0 -> reopen();
                case 1, 2 -> snapshot();
                case 3 -> checkAll();
                default -> guard.get(random.nextLong());
            }
        }

        private void reopen() {
            // A put of a guard that is not there any more would be one behind the back of the next.
            store.dropLate();
            growths += guard.statistics().growths();
            guard.close();
            guard = open();
            checkAll();
        }

        private void snapshot() {
            try {
                guard.snapshot(file);
            } catch (IllegalStateException e) {
                // Puts are uncertain.
                return;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private void check(long key) {
            store.failOneIn(0);
            Long found = guard.get(key);
            Long stored = store.inner().get(key);
            if (stored == null ? found != null : !stored.equals(found)) {
                throw new AssertionError("key " + key + " is " + found + " where the store has " + stored);
            }
            store.failOneIn(oneIn);
        }

        private void checkAll() {
            List<Long> all = new ArrayList<>();
            for (long key = 0; key < keys; key++) {
                check(key);
                all.add(key);
            }
            store.failOneIn(0);
            assertThat((long) guard.getAll(all).size())
                    .isEqualTo(store.inner().hashes().count());
            store.failOneIn(oneIn);
        }

        void end() {
            store.failOneIn(0);
            while (random.nextInt(20) != 0) {
                store.deliverOne();
            }
            checkAll();
            growths += guard.statistics().growths();
            guard.close();
        }
    }
}
