package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.MalformedFilterException;
import dev.besom.guard.FailingDisk;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHashesTest {

    /** So few that merges happen all the time. */
    private static final int MERGE_AFTER = 40;

    @TempDir
    Path folder;

    /** A plain multiset. */
    private static final class Model {
        final TreeMap<Long, Integer> counts = new TreeMap<>(Long::compareUnsigned);

        void add(long hash) {
            counts.merge(hash, 1, Integer::sum);
        }

        boolean remove(long hash) {
            boolean wasThere = counts.containsKey(hash);
            counts.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
            return wasThere;
        }

        long[] between(long lo, long hi) {
            List<Long> all = new ArrayList<>();
            counts.subMap(lo, true, hi, true).forEach((hash, count) -> {
                for (int i = 0; i < count; i++) {
                    all.add(hash);
                }
            });
            return all.stream().mapToLong(Long::longValue).toArray();
        }
    }

    @Test
    void behavesLikeAMultisetThroughMergesAndReopening() throws IOException {
        SplittableRandom random = new SplittableRandom(0x6c6f63616cL);
        Model model = new Model();
        LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(false, MERGE_AFTER));
        for (int step = 0; step < 6_000; step++) {
            long hash = hash(random.nextInt(300));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    hashes.add(hash);
                    model.add(hash);
                }
                case 3, 4 -> assertThat(hashes.remove(hash)).isEqualTo(model.remove(hash));
                case 5 -> {
                    long[] many = {hash, hash(random.nextInt(300)), hash};
                    hashes.add(many);
                    Arrays.stream(many).forEach(model::add);
                }
                case 6 -> {
                    long other = hash(random.nextInt(300));
                    boolean isBefore = Long.compareUnsigned(hash, other) < 0;
                    long lo = isBefore ? hash : other;
                    long hi = isBefore ? other : hash;
                    assertThat(hashes.between(lo, hi)).isEqualTo(model.between(lo, hi));
                }
                default -> {
                    if (random.nextInt(20) == 0) {
                        hashes.close();
                        hashes = LocalHashes.open(folder, LocalHashes.Settings.of(false, MERGE_AFTER));
                    }
                }
            }
            assertThat(hashes.count())
                    .isEqualTo(model.counts.values().stream().mapToLong(i -> i).sum());
            if (step % 100 == 0) {
                // However slow the machine is, some compactions end.
                hashes.awaitCompaction();
            }
        }
        assertThat(hashes.between(0, -1L)).isEqualTo(model.between(0, -1L));
        hashes.awaitCompaction();
        hashes.close();
        assertThat(fileNames()).hasSizeLessThanOrEqualTo(3).anyMatch(name -> name.matches("hashes-[0-9]{2,}"));
    }

    /** What a change promises: if it returned, its effect lasts; if it failed, an addition may last or not. */
    private void workUntilTheDiskFails(FailingDisk disk, Model atLeast, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (LocalHashes hashes = LocalHashes.open(disk.path(), LocalHashes.Settings.of(true, MERGE_AFTER))) {
            for (int step = 0; step < 150 && !disk.hasFailed(); step++) {
                long hash = hash(random.nextInt(60));
                if (random.nextInt(4) > 0) {
                    hashes.add(hash);
                    atLeast.add(hash);
                } else {
                    // A removal that fails may have been written, so the key is taken from the model first.
                    atLeast.remove(hash);
                    hashes.remove(hash);
                }
                if (step % 10 == 0) {
                    hashes.awaitCompaction();
                }
            }
            hashes.awaitCompaction();
        } catch (StoreException | IOException e) {
            assertThat(disk.hasFailed()).isTrue();
        }
    }

    @Test
    void everyAdditionThatReturnedSurvivesADeathAtEveryByte() throws IOException {
        boolean hasFailed = true;
        int died = 0;
        for (long room = 0; hasFailed; room += room < 200 ? 1 : 17) {
            Path place = Files.createDirectory(folder.resolve("at-" + room));
            FailingDisk disk = new FailingDisk(place, room, FailingDisk.End.DEAD);
            Model atLeast = new Model();
            workUntilTheDiskFails(disk, atLeast, 0x64656164);
            hasFailed = disk.hasFailed();
            died += hasFailed ? 1 : 0;
            try (LocalHashes survivors = LocalHashes.open(place, LocalHashes.Settings.of(true, MERGE_AFTER))) {
                assertHolds(survivors, atLeast, room);
                survivors.add(hash(1_000));
                assertThat(survivors.between(hash(1_000), hash(1_000))).hasSize(1);
            }
            delete(place);
        }
        assertThat(died).isGreaterThan(250);
    }

    @Test
    void fullDiskMakesChangesFailAndLosesNothingAndLeavesNoPartsBehind() throws IOException {
        for (long room = 0; room < 6_000; room += 29) {
            Path place = Files.createDirectory(folder.resolve("at-" + room));
            FailingDisk disk = new FailingDisk(place, room, FailingDisk.End.FULL);
            Model atLeast = new Model();
            try (LocalHashes hashes = LocalHashes.open(disk.path(), LocalHashes.Settings.of(true, MERGE_AFTER))) {
                SplittableRandom random = new SplittableRandom(0x66756c6c);
                int failed = 0;
                for (int step = 0; step < 150; step++) {
                    long hash = hash(random.nextInt(60));
                    try {
                        hashes.add(hash);
                        atLeast.add(hash);
                    } catch (StoreException e) {
                        failed++;
                    }
                    if (failed == 20) {
                        // Somebody made room.
                        disk.addRoom(100_000);
                        failed++;
                    }
                }
                hashes.awaitCompaction();
                assertThat(hashes.count())
                        .isEqualTo(atLeast.counts.values().stream()
                                .mapToLong(i -> i)
                                .sum());
                assertThat(fileNames(place)).noneMatch(name -> name.endsWith(".tmp"));
            } catch (IOException e) {
                assertThat(disk.hasFailed()).as("could not even be opened").isTrue();
            }
            try (LocalHashes again = LocalHashes.open(place, LocalHashes.Settings.of(true, MERGE_AFTER))) {
                assertHolds(again, atLeast, room);
            }
            delete(place);
        }
    }

    @Test
    void everyBitThatFlipsIsFoundOrDoesNoHarm() throws IOException {
        try (LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(true, 10))) {
            for (int i = 0; i < 12; i++) {
                hashes.add(hash(i));
                hashes.awaitCompaction();
            }
        }
        assertThat(fileNames()).contains("hashes-1", "log-1");
        for (String name : List.of("hashes-1", "log-1")) {
            Path file = folder.resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
                byte[] damaged = whole.clone();
                damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                Files.write(file, damaged);
                assertThatThrownBy(() -> LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER)))
                        .isInstanceOf(MalformedFilterException.class);
            }
            Files.write(file, whole);
        }
        try (LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER))) {
            assertThat(hashes.count()).isEqualTo(12);
        }
        Files.delete(folder.resolve("log-1"));
        assertThatThrownBy(() -> LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER)))
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining("log-1");
    }

    @Test
    void missingSortedHashesAreNotTakenForANewFolder() throws IOException {
        try (LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER))) {
            hashes.add(hash(1));
        }
        Files.delete(folder.resolve("hashes-0"));
        assertThatThrownBy(() -> LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER)))
                .isInstanceOf(MalformedFilterException.class);
    }

    @Test
    void interruptedThreadsFinishTheirChangesAndStayInterrupted() throws Exception {
        try (LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER))) {
            for (int i = 0; i < 200; i++) {
                Thread.currentThread().interrupt();
                hashes.add(hash(i));
                assertThat(hashes.between(hash(i), hash(i))).hasSize(1);
                assertThat(Thread.interrupted()).isTrue();
            }
            Thread[] threads = new Thread[2];
            for (int t = 0; t < threads.length; t++) {
                int number = t;
                threads[t] = new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        hashes.add(hash(1_000 + 2L * i + number));
                        hashes.between(hash(i), hash(i));
                    }
                });
                threads[t].start();
            }
            while (Stream.of(threads).anyMatch(Thread::isAlive)) {
                for (Thread thread : threads) {
                    thread.interrupt();
                }
                Thread.sleep(1);
            }
            assertThat(hashes.count()).isEqualTo(600);
        }
        try (LocalHashes hashes = LocalHashes.open(folder, LocalHashes.Settings.of(true, MERGE_AFTER))) {
            assertThat(hashes.count()).isEqualTo(600);
        }
    }

    private static void assertHolds(LocalHashes hashes, Model atLeast, long room) {
        atLeast.counts.forEach((hash, count) -> assertThat(hashes.between(hash, hash).length)
                .as("hash %s with room for %s bytes", hash, room)
                .isGreaterThanOrEqualTo(count));
    }

    private static long hash(long number) {
        return Mix.mix(number);
    }

    private List<String> fileNames() throws IOException {
        return fileNames(folder);
    }

    private static List<String> fileNames(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void delete(Path place) throws IOException {
        for (String name : fileNames(place)) {
            Files.delete(place.resolve(name));
        }
        Files.delete(place);
    }
}
