package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6775617264L);

    @Test
    void oneLineMakesAGuardThatFindsWhatIsStored() {
        try (StoreGuard<String, String> guard = Guard.over(new MemoryStore<>(), KeyHasher.utf8())) {
            assertThat(guard.put("besom", "a broom of twigs")).isTrue();
            assertThat(guard.put("besom", "a broom")).isFalse();
            assertThat(guard.get("besom")).isEqualTo("a broom");
            assertThat(guard.get("broom")).isNull();
            assertThat(guard.containsKey("besom")).isTrue();
            assertThat(guard.remove("besom")).isTrue();
            assertThat(guard.remove("besom")).isFalse();
            assertThat(guard.containsKey("besom")).isFalse();
            assertThat(guard.count()).isZero();
        }
    }

    @Test
    void hasherWithoutASeedBecomesASecretOneThatTheStoreKeeps() {
        MemoryStore<String, Integer> store = new MemoryStore<>();
        StoreGuard<String, Integer> first = Guard.over(store, KeyHasher.utf8());
        first.put("key", 1);
        assertThat(first.hasher().stamp().isSecret()).isTrue();
        first.close();
        StoreGuard<String, Integer> second = Guard.over(store, KeyHasher.utf8());
        assertThat(second.hasher().stamp()).isEqualTo(first.hasher().stamp());
        assertThat(second.get("key")).isEqualTo(1);
        assertThat(Guard.over(new MemoryStore<String, Integer>(), KeyHasher.utf8())
                        .hasher()
                        .stamp())
                .isNotEqualTo(first.hasher().stamp());
    }

    @Test
    void anotherHasherThanTheStoresIsRefused() {
        MemoryStore<Long, Integer> store = new MemoryStore<>();
        Guard.over(store, KeyHasher.longs(7)).close();
        assertThatThrownBy(() -> Guard.over(store, KeyHasher.longs(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another hasher");
    }

    @Test
    void behavesLikeAMapThroughGrowthAndRemoval() {
        StoreGuard<Long, Long> guard =
                Guard.builder(new MemoryStore<Long, Long>(), SEEDED).shards(2).open();
        Map<Long, Long> model = new HashMap<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int step = 0; step < 60_000; step++) {
            long key = random.nextLong(8_000);
            switch (random.nextInt(4)) {
                case 0, 1 -> assertThat(guard.put(key, (long) step)).isEqualTo(model.put(key, (long) step) == null);
                case 2 -> assertThat(guard.remove(key)).isEqualTo(model.remove(key) != null);
                default -> assertThat(guard.get(key)).isEqualTo(model.get(key));
            }
        }
        for (long key = 0; key < 8_000; key++) {
            assertThat(guard.get(key)).isEqualTo(model.get(key));
        }
        assertThat(guard.count()).isEqualTo(model.size());
        assertThat(guard.statistics().growths()).isPositive();
    }

    @Test
    void eachFalsePositiveIsPaidForOnce() {
        int n = 20_000;
        StoreGuard<Long, Long> guard = filled(n);
        guard.resetStatistics();
        int missing = 400_000;
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < missing; key++) {
                assertThat(guard.get(-1 - key) == null).isTrue();
            }
            GuardStatistics after = guard.statistics();
            // The rate is at most 1/256 at full load, and the filters are filled to four fifths of that.
            assertThat(after.lookups().falsePositives()).isBetween(missing / 256 / 2L, missing / 256 * 11L / 10);
            assertThat(after.repairs().fixed() + after.repairs().forgot())
                    .isEqualTo(after.lookups().falsePositives());
            assertThat(after.reads().byLookups()).isEqualTo(after.lookups().falsePositives());
            assertThat(after.lookups().total()).isEqualTo((long) missing * (round + 1));
            if (round > 0) {
                assertThat(after.repairs().forgot()).isZero();
            }
        }
        GuardStatistics all = guard.statistics();
        assertThat(all.observedFpp()).isEqualTo((double) all.lookups().falsePositives() / (3L * missing));
        assertThat(all.observedRate().isAbove(guard.plannedFpp())).isFalse();
        assertAllFound(guard, n);
    }

    @Test
    void lookupsInBulkAnswerAsSingleOnes() {
        int n = 5_000;
        StoreGuard<Long, Long> guard = filled(n);
        List<Long> keys = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 20_000; i++) {
            keys.add(random.nextLong(4L * n));
        }
        guard.resetStatistics();
        Map<Long, Long> values = guard.getAll(keys);
        for (Long key : keys) {
            assertThat(values.get(key)).isEqualTo(key < n ? key : null);
        }
        GuardStatistics once = guard.statistics();
        assertThat(once.lookups().total()).isEqualTo(keys.size());
        assertThat(once.lookups().found())
                .isEqualTo(keys.stream().filter(key -> key < n).count());
        guard.getAll(keys);
        assertThat(guard.statistics().lookups().falsePositives())
                .isEqualTo(once.lookups().falsePositives());
        assertThat(guard.getAll(List.of())).isEmpty();
    }

    @Test
    void keysWithTheSameHashAsStoredOnesBecomeExceptions() {
        StoreGuard<Integer, String> guard = Guard.over(new MemoryStore<>(), new WeakHasher(50));
        for (int key = 0; key < 50; key += 2) {
            guard.put(key, "stored");
        }
        for (int round = 0; round < 3; round++) {
            for (int key = 50; key < 150; key++) {
                assertThat(guard.get(key)).isNull();
            }
        }
        assertThat(guard.statistics().lookups().falsePositives()).isEqualTo(50);
        assertThat(guard.statistics().repairs().inseparable()).isEqualTo(50);
        for (int key = 0; key < 150; key++) {
            guard.put(key, "now");
            assertThat(guard.get(key)).isEqualTo("now");
        }
        for (int key = 0; key < 100; key++) {
            assertThat(guard.remove(key)).isTrue();
            assertThat(guard.get(key)).isNull();
        }
        for (int key = 100; key < 150; key++) {
            assertThat(guard.get(key)).isEqualTo("now");
        }
    }

    /** Two keys with one hash, of which the first has a slot that was repaired; then one of them is removed. */
    private static void removeOneOfTwo(boolean first, boolean isRepairedBetween) {
        // 64 hashes that are evenly spread, and remainders of one bit: nearly every query hits something.
        WeakHasher hasher = new WeakHasher(64);
        MemoryStore<Integer, String> store = new MemoryStore<>();
        StoreGuard<Integer, String> guard =
                Guard.builder(store, hasher).shards(2).fpp(0.5).open();
        for (int key = 0; key < 64; key += 2) {
            guard.put(key, "first");
        }
        if (isRepairedBetween) {
            askForOdd(guard);
        }
        for (int key = 64; key < 128; key += 2) {
            guard.put(key, "second");
        }
        if (!isRepairedBetween) {
            askForOdd(guard);
        }
        for (int key = first ? 0 : 64; key < (first ? 64 : 128); key += 2) {
            assertThat(guard.remove(key)).isTrue();
            assertThat(guard.remove(key)).isFalse();
            assertThat(guard.get(key)).isNull();
        }
        assertThat(guard.count()).as("no slot is left behind").isEqualTo(32);
        for (int key = first ? 64 : 0; key < (first ? 128 : 64); key += 2) {
            assertThat(guard.get(key)).isEqualTo(first ? "second" : "first");
        }
        askForOdd(guard);
        for (int key = first ? 64 : 0; key < (first ? 128 : 64); key += 2) {
            assertThat(guard.get(key)).isEqualTo(first ? "second" : "first");
            assertThat(guard.remove(key)).isTrue();
        }
        assertThat(guard.count()).isZero();
        assertThat(store.hashes().count()).isZero();
    }

    private static void askForOdd(StoreGuard<Integer, String> guard) {
        for (int round = 0; round < 3; round++) {
            for (int key = 1; key < 64; key += 2) {
                assertThat(guard.get(key)).isNull();
            }
        }
        assertThat(guard.statistics().repairs().fixed()
                        + guard.statistics().repairs().forgot())
                .isPositive();
    }

    @Test
    void removingTheFirstOfTwoKeysWithOneHashKeepsTheSecond() {
        removeOneOfTwo(true, true);
        removeOneOfTwo(true, false);
    }

    @Test
    void removingTheSecondOfTwoKeysWithOneHashKeepsTheFirst() {
        removeOneOfTwo(false, true);
        removeOneOfTwo(false, false);
    }

    @Test
    void keysWithFewHashesBehaveLikeAMapWhateverFails() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(0x7765616bL + seed);
            FailingStore<Integer, Integer> store = new FailingStore<>();
            StoreGuard<Integer, Integer> guard = Guard.builder(store, new WeakHasher(200))
                    .shards(2)
                    .fpp(0.25)
                    .open();
            for (int step = 0; step < 3_000; step++) {
                int key = random.nextInt(600);
                store.writes =
                        random.nextInt(15) > 1 ? Failure.NEVER : random.nextBoolean() ? Failure.BEFORE : Failure.AFTER;
                store.ranges = random.nextInt(20) == 0 ? Failure.BEFORE : Failure.NEVER;
                try {
                    switch (random.nextInt(3)) {
                        case 0 -> guard.put(key, step);
                        case 1 -> guard.remove(key);
                        default -> guard.get(key);
                    }
                } catch (Outage e) {
                    assertThat(store.writes != Failure.NEVER || store.ranges != Failure.NEVER)
                            .isTrue();
                }
                store.writes = Failure.NEVER;
                store.ranges = Failure.NEVER;
                int asked = random.nextInt(600);
                assertThat(guard.get(asked)).isEqualTo(store.inner().get(asked));
            }
            for (int key = 0; key < 600; key++) {
                assertThat(guard.get(key)).isEqualTo(store.inner().get(key));
            }
        }
    }

    @Test
    void exceptionsAreBounded() {
        StoreGuard<Integer, String> guard = Guard.over(new MemoryStore<>(), new WeakHasher(1));
        guard.put(0, "stored");
        for (int key = 1; key < 10_000; key++) {
            assertThat(guard.get(key)).isNull();
        }
        guard.resetStatistics();
        for (int key = 1; key < 10_000; key++) {
            assertThat(guard.get(key)).isNull();
        }
        assertThat(guard.statistics().lookups().answeredByFilter()).isLessThanOrEqualTo(1024);
        assertThat(guard.get(0)).isEqualTo("stored");
    }

    @Test
    void guardThatIsPrimingSendsEverythingOnAndHidesNothing() {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        for (long key = 0; key < 1_000; key++) {
            store.put(key, SEEDED.hash(key), key);
        }
        List<Runnable> priming = new ArrayList<>();
        List<Integer> steps = new ArrayList<>();
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED)
                .primeOn(priming::add)
                .progress((done, total) -> steps.add(done))
                .open();
        assertThat(guard.isPrimed()).isFalse();
        assertAllFound(guard, 1_000);
        assertThat(guard.put(1_000L, 1_000L)).isTrue();
        assertThat(guard.remove(5_000L)).isFalse();
        assertThat(guard.get(-1L)).isNull();
        assertThat(guard.statistics().lookups().missedWhilePriming()).isEqualTo(1);
        assertThat(guard.statistics().lookups().answeredByFilter()).isZero();
        priming.get(0).run();
        assertThat(guard.isPrimed()).isTrue();
        assertThat(steps).hasSize(guard.shardCount()).last().isEqualTo(guard.shardCount());
        assertAllFound(guard, 1_001);
        assertThat(guard.count()).isEqualTo(1_001);
    }

    @Test
    void failingStoreIsSeenByTheCallerAndHidesNothing() {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED).shards(2).open();
        SplittableRandom random = new SplittableRandom(11);
        Set<Long> acknowledged = new HashSet<>();
        Failure[] failures = Failure.values();
        for (int step = 0; step < 40_000; step++) {
            long key = random.nextLong(4_000);
            Failure failure = random.nextInt(4) == 0 ? failures[random.nextInt(3)] : Failure.NEVER;
            store.writes = failure;
            store.ranges = random.nextInt(8) == 0 ? Failure.BEFORE : Failure.NEVER;
            try {
                if (random.nextInt(3) < 2) {
                    guard.put(key, key);
                    acknowledged.add(key);
                } else {
                    guard.remove(key);
                    acknowledged.remove(key);
                }
            } catch (Outage e) {
                // Whatever the store holds now is the truth.
                if (!store.inner().contains(key)) {
                    acknowledged.remove(key);
                }
            }
            store.reads = random.nextInt(8) == 0 ? Failure.BEFORE : Failure.NEVER;
            try {
                guard.get(random.nextLong(8_000));
            } catch (Outage e) {
                assertThat(store.reads == Failure.BEFORE || store.ranges == Failure.BEFORE)
                        .isTrue();
            }
        }
        store.reads = Failure.NEVER;
        store.writes = Failure.NEVER;
        store.ranges = Failure.NEVER;
        for (long key : acknowledged) {
            assertThat(guard.get(key)).isEqualTo(key);
        }
        for (long key = 0; key < 4_000; key++) {
            assertThat(guard.get(key)).isEqualTo(store.inner().get(key));
        }
    }

    @Test
    void putThatFailsAndReachesTheStoreLaterIsFound() {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED).shards(2).open();
        store.writes = Failure.BEFORE;
        assertThatThrownBy(() -> guard.put(7L, 7L)).isInstanceOf(Outage.class);
        store.writes = Failure.NEVER;
        for (int i = 0; i < 3; i++) {
            assertThat(guard.get(7L)).isNull();
        }
        for (long key = 1_000; key < 2_000; key++) {
            guard.put(key, key);
        }
        assertThat(guard.statistics().growths()).isPositive();
        store.inner().put(7L, SEEDED.hash(7L), 7L);
        assertThat(guard.get(7L)).isEqualTo(7);
        assertThatThrownBy(() -> guard.snapshot(Path.of("never-written"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void putThatFailsWhilePrimingAndReachesTheStoreLaterIsFound() {
        FailingStore<Long, Long> store = new FailingStore<>();
        List<Runnable> priming = new ArrayList<>();
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).primeOn(priming::add).open();
        store.puts = Failure.BEFORE;
        assertThatThrownBy(() -> guard.put(7L, 7L)).isInstanceOf(Outage.class);
        store.puts = Failure.NEVER;
        priming.get(0).run();
        store.inner().put(7L, SEEDED.hash(7L), 7L);
        assertThat(guard.get(7L)).isEqualTo(7);
        assertThat(guard.put(7L, 8L)).isFalse();
        assertThat(guard.count()).isEqualTo(1);
    }

    @Test
    void putMadeAgainEndsTheDoubtThatHeldBackASnapshot(@TempDir Path folder) throws IOException {
        FailingStore<Long, Long> store = new FailingStore<>();
        StoreGuard<Long, Long> guard = Guard.over(store, SEEDED);
        for (Failure failure : List.of(Failure.BEFORE, Failure.AFTER)) {
            store.writes = failure;
            assertThatThrownBy(() -> guard.put(7L, 7L)).isInstanceOf(Outage.class);
            store.writes = Failure.NEVER;
            assertThatThrownBy(() -> guard.snapshot(folder.resolve("guard.besom")))
                    .isInstanceOf(IllegalStateException.class);
            guard.put(7L, 7L);
            guard.snapshot(folder.resolve("guard.besom"));
            assertThat(guard.remove(7L)).isTrue();
        }
    }

    @Test
    void repairsSurviveGrowth() {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        int n = 20_000;
        for (long key = 0; key < n; key++) {
            store.put(key, SEEDED.hash(key), key);
        }
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).shards(4).capacity(n).open();
        int missing = 200_000;
        for (int round = 0; round < 2; round++) {
            for (long key = 0; key < missing; key++) {
                assertThat(guard.get(-1 - key) == null).isTrue();
            }
        }
        long paid = guard.statistics().lookups().falsePositives();
        for (long key = n; key < n + n / 4; key++) {
            guard.put(key, key);
        }
        assertThat(guard.statistics().growths()).isEqualTo(4);
        assertThat(guard.count()).isEqualTo(n + n / 4);
        guard.resetStatistics();
        for (long key = 0; key < missing; key++) {
            assertThat(guard.get(-1 - key) == null).isTrue();
        }
        // A quarter of the keys is new, and one pair in six of the others.
        assertThat(guard.statistics().lookups().falsePositives()).isBetween(paid / 20, paid / 2);
        assertAllFound(guard, n + n / 4);
    }

    @Test
    void noPutWaitsForTheGrowthOfAWholeShard() {
        FailingStore<Long, Long> counting = new FailingStore<>();
        StoreGuard<Long, Long> guard =
                Guard.builder(counting, SEEDED).shards(2).capacity(60_000).open();
        long most = 0;
        for (long key = 0; key < 70_000; key++) {
            counting.hashesGiven.set(0);
            guard.put(key, key);
            most = Math.max(most, counting.hashesGiven.get());
        }
        assertThat(guard.statistics().growths()).isEqualTo(2);
        assertThat(most).as("stored hashes that one put read").isBetween(100L, 500L);
        assertAllFound(guard, 70_000);
    }

    @Test
    void timesOfLookupsAreKeptAndReset() {
        StoreGuard<Long, Long> guard = filled(2_000);
        for (long key = 0; key < 100_000; key++) {
            guard.get(key);
        }
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.times().store().count())
                .isEqualTo(statistics.reads().byLookups());
        assertThat(statistics.times().filter().count()).isBetween(98_000L / 128 - 50, 98_000L / 128 + 50);
        assertThat(statistics.times().filter().meanNanos()).isPositive();
        assertThat(statistics.times().filter().percentileNanos(0.5))
                .isLessThanOrEqualTo(statistics.times().filter().percentileNanos(0.99));
        guard.resetStatistics();
        assertThat(guard.statistics().times().store().count()).isZero();
        assertThat(guard.statistics().times().filter().percentileNanos(0.99)).isZero();
    }

    @Test
    void currentSnapshotIsTakenAndAnOutdatedOneIsNot(@TempDir Path folder) throws IOException {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        StoreGuard<Long, Long> guard = filled(store, 3_000);
        for (long key = 0; key < 100_000; key++) {
            guard.get(-1 - key);
        }
        long repaired = guard.statistics().lookups().falsePositives();
        assertThat(repaired).isGreaterThan(100);
        Path file = folder.resolve("guard.besom");
        guard.snapshot(file);

        // A guard that took it has all repairs. Slots that were repaired late may have hit keys that were asked before.
        guard.close();
        StoreGuard<Long, Long> again =
                Guard.builder(store, SEEDED).snapshot(file).open();
        for (long key = 0; key < 100_000; key++) {
            assertThat(again.get(-1 - key) == null).isTrue();
        }
        assertThat(again.statistics().lookups().falsePositives()).isLessThan(repaired / 10);
        assertAllFound(again, 3_000);

        // The first write makes it outdated.
        again.put(3_000L, 3_000L);
        again.close();
        StoreGuard<Long, Long> later =
                Guard.builder(store, SEEDED).snapshot(file).open();
        assertAllFound(later, 3_001);
        for (long key = 0; key < 100_000; key++) {
            later.get(-1 - key);
        }
        assertThat(later.statistics().lookups().falsePositives()).isGreaterThan(repaired / 2);
    }

    @Test
    void damagedSnapshotIsPassedOver(@TempDir Path folder) throws IOException {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        StoreGuard<Long, Long> guard = filled(store, 500);
        Path file = folder.resolve("guard.besom");
        guard.snapshot(file);
        byte[] whole = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(13);
        for (int trial = 0; trial < 300; trial++) {
            byte[] damaged = trial % 3 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            if (trial % 3 != 0) {
                damaged[random.nextInt(whole.length)] ^= (byte) (1 + random.nextInt(255));
            }
            Files.write(file, damaged);
            assertAllFound(
                    Guard.builder(store, SEEDED).snapshot(file).readOnly().open(), 500);
        }
        Files.delete(file);
        assertAllFound(Guard.builder(store, SEEDED).snapshot(file).readOnly().open(), 500);
    }

    @Test
    void snapshotWithAnyBitFlippedHidesNothing(@TempDir Path folder) throws IOException {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        for (long key = 0; key < 40; key++) {
            store.put(key, SEEDED.hash(key), key);
        }
        StoreGuard<Long, Long> guard =
                Guard.builder(store, SEEDED).shards(2).fpp(0.5).open();
        Path file = folder.resolve("guard.besom");
        guard.snapshot(file);
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, damaged);
            List<Integer> primed = new ArrayList<>();
            StoreGuard<Long, Long> again = Guard.builder(store, SEEDED)
                    .shards(2)
                    .fpp(0.5)
                    .snapshot(file)
                    .progress((done, total) -> primed.add(done))
                    .readOnly()
                    .open();
            assertThat(primed).as("primed shard by shard, bit %s", bit).containsExactly(1, 2);
            assertAllFound(again, 40);
        }
    }

    @Test
    void fullDiskMakesASnapshotFailAndLeavesTheOldOneAndNoParts(@TempDir Path folder) throws IOException {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        StoreGuard<Long, Long> guard = filled(store, 300);
        Path file = folder.resolve("guard.besom");
        guard.snapshot(file);
        byte[] old = Files.readAllBytes(file);
        long size = old.length;
        for (long room = 0; room <= size + 1; room += room < 200 || room > size - 50 ? 1 : 61) {
            FailingDisk disk = new FailingDisk(folder, room, FailingDisk.End.FULL);
            Path onDisk = disk.path().resolve("guard.besom");
            if (room <= size) {
                assertThatThrownBy(() -> guard.snapshot(onDisk)).isInstanceOf(IOException.class);
                assertThat(Files.readAllBytes(file)).isEqualTo(old);
            } else {
                guard.snapshot(onDisk);
            }
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).containsExactly(file);
            }
            // The snapshot that is there is taken, whichever it is.
            List<Integer> primed = new ArrayList<>();
            assertAllFound(
                    Guard.builder(store, SEEDED)
                            .snapshot(file)
                            .progress((done, total) -> primed.add(done))
                            .readOnly()
                            .open(),
                    300);
            assertThat(primed).hasSize(1);
        }
    }

    @Test
    void deathWithinASnapshotHidesNothing(@TempDir Path folder) throws IOException {
        MemoryStore<Long, Long> store = new MemoryStore<>();
        StoreGuard<Long, Long> guard = filled(store, 300);
        Path file = folder.resolve("guard.besom");
        guard.snapshot(file);
        long size = Files.size(file);
        for (long room = 0; room <= size; room += 97) {
            guard.put(300 + room, 300 + room);
            FailingDisk disk = new FailingDisk(folder, room, FailingDisk.End.DEAD);
            assertThatThrownBy(() -> guard.snapshot(disk.path().resolve("guard.besom")))
                    .isInstanceOf(IOException.class);
            StoreGuard<Long, Long> again =
                    Guard.builder(store, SEEDED).snapshot(file).readOnly().open();
            assertAllFound(again, 300);
            assertThat(again.get(300 + room)).isEqualTo(300 + room);
        }
    }

    private static StoreGuard<Long, Long> filled(int n) {
        return filled(new MemoryStore<>(), n);
    }

    private static StoreGuard<Long, Long> filled(MemoryStore<Long, Long> store, int n) {
        for (long key = 0; key < n; key++) {
            store.put(key, SEEDED.hash(key), key);
        }
        return Guard.over(store, SEEDED);
    }

    private static void assertAllFound(StoreGuard<Long, Long> guard, long n) {
        for (long key = 0; key < n; key++) {
            Long value = guard.get(key);
            if (value == null || value != key) {
                throw new AssertionError("key " + key + " was lost");
            }
        }
    }
}
