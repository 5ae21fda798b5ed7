package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.PossibleKinds;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives of guards over a loader whose reads fail by chance and whose writes fail, take effect late, or both; with
 * compactions, snapshots and restarts. Whatever the store holds is found after each step.
 *
 * <p>{@code -Dbesom.fuzz.loaderOperations} is the number of steps of all kinds together in the thorough form, 10^7 by default;
 * {@code -Dbesom.fuzz.firstLife} the number of the life that each kind begins with, for runs that continue others.
 */
class LoaderFuzzTest {

    private static final long STEPS_OF_A_LIFE = 1_500;
    private static final long THOROUGH_STEPS = Long.getLong("besom.fuzz.loaderOperations", 10_000_000L);
    private static final long FIRST_LIFE = Long.getLong("besom.fuzz.firstLife", 0);
    private static final int COMPACT_AFTER = 50;

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource(PossibleKinds.NAMES)
    void everyKeyThatTheStoreHoldsIsFoundAfterEachStep(String kind) throws IOException {
        live(kind, 6_000);
    }

    @ParameterizedTest
    @Tag("thorough")
    @MethodSource(PossibleKinds.NAMES)
    void everyKeyThatTheStoreHoldsIsFoundAfterEachOfManySteps(String kind) throws IOException {
        live(kind, THOROUGH_STEPS / PossibleKinds.names().count());
    }

    private void live(String kind, long steps) throws IOException {
        long failures = 0;
        for (long life = 0; life * STEPS_OF_A_LIFE < steps; life++) {
            long seed = Seeds.of(0x6c6f6164L, kind.hashCode(), FIRST_LIFE + life);
            Path place = Files.createDirectory(folder.resolve(kind + life));
            try (Life one = new Life(kind, seed, place)) {
                for (int step = 0; step < STEPS_OF_A_LIFE; step++) {
                    one.step();
                }
                one.checkAll();
                failures += one.failures;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("a guard with " + kind + " in the life of seed " + seed, e);
            }
        }
        assertThat(failures).as("calls that failed").isGreaterThan(steps / 200);
    }

    private static final class Outage extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class Life implements AutoCloseable {

        private final SplittableRandom random;
        private final Map<Long, Long> store = new HashMap<>();
        private final Map<Long, List<Runnable>> late = new HashMap<>();
        private final String kind;
        private final Path place;
        private final int keys;
        private final int oneIn;
        private LoaderGuard<Long, Long> guard;
        private boolean isFlaky;
        private long failures;

        Life(String kind, long seed, Path place) {
            this.kind = kind;
            this.place = place;
            this.random = new SplittableRandom(seed);
            this.keys = 20 + random.nextInt(400);
            this.oneIn = new int[] {10, 40, 200}[random.nextInt(3)];
            this.guard = open();
        }

        private LoaderGuard<Long, Long> open() {
            isFlaky = false;
            try {
                LocalKeys<Long> hashes = LocalKeys.open(
                        place.resolve("keys"), KeyHasher.longs(7), LocalHashes.Settings.of(false, COMPACT_AFTER));
                return Guard.builder(this::load, hashes)
                        .kind(kind)
                        .fpp(0.1)
                        .shards(2)
                        .snapshot(place.resolve("guard.besom"))
                        .open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                isFlaky = true;
            }
        }

        private boolean fails() {
            boolean fails = isFlaky && random.nextInt(oneIn) == 0;
            failures += fails ? 1 : 0;
            return fails;
        }

        private @Nullable Long load(Long key) {
            if (fails()) {
                throw new Outage();
            }
            return store.get(key);
        }

        /** A write of the caller's: it may fail with or without an effect, and have it later. */
        private void write(long key, Runnable effect) {
            if (!fails()) {
                effect.run();
                return;
            }
            switch (random.nextInt(3)) {
                case 0 -> effect.run();
                case 1 -> late.computeIfAbsent(key, k -> new ArrayList<>()).add(effect);
                default -> {}
            }
            throw new Outage();
        }

        private void deliver(long key) {
            List<Runnable> writes = late.get(key);
            if (writes != null && !writes.isEmpty()) {
                writes.remove(random.nextInt(writes.size())).run();
            }
        }

        void step() {
            long key = random.nextLong(keys);
            long value = random.nextLong();
            try {
                switch (random.nextInt(16)) {
                    case 0, 1, 2, 3, 4 -> guard.put(key, () -> write(key, () -> store.put(key, value)));
                    case 5, 6 -> guard.remove(key, () -> write(key, () -> store.remove(key)));
                    case 7 -> deliver(key);
                    case 8 -> announced(key, value);
                    case 9 -> rarely();
                    default -> guard.get(-1 - random.nextLong(4L * keys));
                }
            } catch (Outage e) {
                // The caller has been told. What the store holds counts.
                isFlaky = true;
            }
            check(key);
            check(random.nextLong(keys));
        }

        /** Somebody else stores a key that was announced. */
        private void announced(long key, long value) {
            guard.add(key);
            check(key);
            store.put(key, value);
        }

        private void rarely() {
            switch (random.nextInt(10)) {
                case 0 -> reopen();
                case 1, 2 -> snapshot();
                default -> checkAll();
            }
        }

        private void reopen() {
            late.clear();
            guard.close();
            guard = open();
            checkAll();
        }

        private void snapshot() {
            try {
                guard.snapshot(place.resolve("guard.besom"));
            } catch (IllegalStateException e) {
                // Puts are uncertain.
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void check(long key) {
            boolean wasFlaky = isFlaky;
            isFlaky = false;
            Long found = guard.get(key);
            Long stored = store.get(key);
            if (stored == null ? found != null : !stored.equals(found)) {
                throw new AssertionError("key " + key + " is " + found + " where the store has " + stored);
            }
            isFlaky = wasFlaky;
        }

        void checkAll() {
            for (long key = 0; key < keys; key++) {
                check(key);
            }
        }

        @Override
        public void close() throws IOException {
            guard.close();
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
