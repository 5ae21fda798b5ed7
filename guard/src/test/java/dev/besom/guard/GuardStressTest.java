package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads that put, remove, look up and take snapshots while a guard primes, grows and is closed, over many guards of one store
 * one after the other: no key is denied that is stored for certain.
 *
 * <p>{@code -Dbesom.stress.lives} is the number of guards of each kind in the thorough form, 1,000 by default.
 */
@Isolated
class GuardStressTest {

    private static final int THOROUGH_LIVES = Integer.getInteger("besom.stress.lives", 1_000);
    private static final int WRITERS = 2;
    private static final int READERS = 2;
    private static final int KEYS_PER_WRITER = 2_000;
    private static final int CHANGES = 1_500;

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void noStoredKeyIsDeniedWhateverOtherThreadsDo(String kind) throws Exception {
        live(kind, 4);
    }

    @ParameterizedTest
    @Tag("thorough")
    @MethodSource(PossibleKinds.NAMES)
    void noStoredKeyIsDeniedInManyLives(String kind) throws Exception {
        live(kind, THOROUGH_LIVES);
    }

    private void live(String kind, int lives) throws Exception {
        Lives all = new Lives(kind, folder.resolve("guard.besom"));
        for (int life = 0; life < lives; life++) {
            all.live(Seeds.of(0x73747265L, kind.hashCode(), life));
        }
        assertThat(all.growths).as("growths").isPositive();
        assertThat(all.certainLookups.get()).as("lookups of stored keys").isGreaterThan(100L * lives);
    }

    /** The guards of one store. */
    private static final class Lives {

        private final MemoryStore<Long, Long> store = new MemoryStore<>();
        private final KeyHasher<Long> hasher = KeyHasher.longs(0x73747265L);
        private final String kind;
        private final Path file;
        private final AtomicLong certainLookups = new AtomicLong();
        /** Of each key twice how often it has been changed; odd while it is. */
        private final AtomicLongArray changes = new AtomicLongArray(WRITERS * KEYS_PER_WRITER);

        private final AtomicBoolean[] isStored = new AtomicBoolean[WRITERS * KEYS_PER_WRITER];
        private long growths;

        Lives(String kind, Path file) {
            this.kind = kind;
            this.file = file;
            for (int i = 0; i < isStored.length; i++) {
                isStored[i] = new AtomicBoolean();
            }
        }

        void live(long seed) throws Exception {
            SplittableRandom random = new SplittableRandom(seed);
            // By turns the store fills and empties.
            int putsOfTen = 3 + random.nextInt(6);
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                StoreGuard<Long, Long> guard = Guard.builder(store, hasher)
                        .kind(kind)
                        .fpp(new double[] {0.25, 0.1, 0.01}[random.nextInt(3)])
                        .shards(2)
                        .snapshot(file)
                        .primeOn(threads)
                        .open();
                AtomicBoolean isOver = new AtomicBoolean();
                List<Future<?>> running = new ArrayList<>();
                for (int writer = 0; writer < WRITERS; writer++) {
                    int number = writer;
                    SplittableRandom own = random.split();
                    running.add(threads.submit(() -> write(guard, number, putsOfTen, own)));
                }
                for (int reader = 0; reader < READERS; reader++) {
                    SplittableRandom own = random.split();
                    running.add(threads.submit(() -> read(guard, isOver, own)));
                }
                running.add(threads.submit(() -> takeSnapshots(guard, isOver)));
                // One writer ends by itself. The guard is closed beside the others, or when both have ended.
                running.get(0).get();
                if (random.nextBoolean()) {
                    running.get(1).get();
                }
                growths += guard.statistics().growths();
                guard.close();
                isOver.set(true);
                for (Future<?> each : running) {
                    each.get();
                }
            } catch (Exception e) {
                throw new AssertionError("a guard with " + kind + " in the life of seed " + seed, e);
            } finally {
                threads.shutdownNow();
            }
        }

        private void write(StoreGuard<Long, Long> guard, int writer, int putsOfTen, SplittableRandom random) {
            for (int i = 0; i < CHANGES; i++) {
                int key = writer * KEYS_PER_WRITER + random.nextInt(KEYS_PER_WRITER);
                boolean isPut = random.nextInt(10) < putsOfTen;
                changes.incrementAndGet(key);
                try {
                    if (isPut) {
                        guard.put((long) key, (long) key);
                    } else {
                        guard.remove((long) key);
                    }
                    isStored[key].set(isPut);
                } catch (IllegalStateException e) {
                    // The guard is closed, and nothing was changed.
                    return;
                } finally {
                    changes.incrementAndGet(key);
                }
            }
        }

        private void read(StoreGuard<Long, Long> guard, AtomicBoolean isOver, SplittableRandom random) {
            while (!isOver.get()) {
                int key = random.nextInt(changes.length());
                long before = changes.get(key);
                boolean wasStored = isStored[key].get();
                Long found;
                try {
                    found = random.nextInt(8) == 0
                            ? guard.getAll(List.of((long) key, -1L - key)).get((long) key)
                            : guard.get((long) key);
                    guard.get(-1 - random.nextLong(1L << 40));
                } catch (IllegalStateException e) {
                    // The guard is closed.
                    return;
                }
                if (wasStored && before % 2 == 0 && changes.get(key) == before) {
                    if (found == null) {
                        throw new AssertionError("key " + key + " is stored and was denied");
                    }
                    certainLookups.incrementAndGet();
                }
            }
        }

        private void takeSnapshots(StoreGuard<Long, Long> guard, AtomicBoolean isOver) {
            while (!isOver.get()) {
                try {
                    guard.snapshot(file);
                } catch (IllegalStateException e) {
                    // The guard primes, or is closed.
                    Thread.onSpinWait();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
