package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Snapshots beside changes, and of guards with other filters. */
@Isolated
class GuardSnapshotTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x736e6170L);
    private static final int N = 200_000;

    @TempDir
    Path folder;

    private final FailingStore<Long, Long> store = new FailingStore<>();
    private final Set<Long> stored = new HashSet<>();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private StoreGuard<Long, Long> guard = Guard.over(new MemoryStore<>(), SEEDED);

    @BeforeEach
    void fill() {
        for (long key = 0; key < N; key++) {
            store.inner().put(key, SEEDED.hash(key), key);
            stored.add(key);
        }
        guard = Guard.over(store, SEEDED);
    }

    @AfterEach
    void endThread() {
        other.shutdownNow();
    }

    /** Makes a change in another thread, and waits for it. */
    private void inAnotherThread(Runnable change) {
        try {
            other.submit(change).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("a change had to wait", e);
        }
    }

    /** Whether the next guard starts from a snapshot. Every key has to be found either way. */
    private boolean isTaken(Path file, String kind) {
        List<Integer> primed = new ArrayList<>();
        StoreGuard<Long, Long> next = Guard.builder(store, SEEDED)
                .kind(kind)
                .snapshot(file)
                .progress((done, total) -> primed.add(done))
                .readOnly()
                .open();
        for (long key : stored) {
            assertThat(next.get(key) != null).as("key %s", key).isTrue();
        }
        return primed.size() == 1;
    }

    @Test
    void changesGoOnWhileASnapshotIsWrittenWhichIsThenGivenUp() throws IOException {
        FailingDisk disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL);
        Path file = disk.path().resolve("guard.besom");
        AtomicInteger writes = new AtomicInteger();
        disk.beforeWrite = writes::incrementAndGet;
        assertThat(guard.snapshot(file)).isTrue();
        assertThat(isTaken(folder.resolve("guard.besom"), "telescoping")).isTrue();
        int all = writes.get();
        assertThat(all).isGreaterThan(4);
        SplittableRandom random = new SplittableRandom(0x63686e67);
        for (int at = 1; at <= all; at++) {
            int chosen = at;
            long added = (long) N + at;
            long removed = random.nextLong(N / all) + (long) (at - 1) * (N / all);
            writes.set(0);
            disk.beforeWrite = () -> {
                if (writes.incrementAndGet() == chosen) {
                    inAnotherThread(() -> {
                        if (chosen % 2 == 0) {
                            guard.put(added, added);
                            stored.add(added);
                        } else {
                            guard.remove(removed);
                            stored.remove(removed);
                        }
                    });
                }
            };
            assertThat(guard.snapshot(file)).as("at write %s of %s", at, all).isFalse();
            assertThat(isTaken(folder.resolve("guard.besom"), "telescoping")).isFalse();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.filter(each -> each.toString().endsWith(".tmp")))
                        .isEmpty();
            }
        }
        disk.beforeWrite = () -> {};
        assertThat(guard.snapshot(file)).isTrue();
        assertThat(isTaken(folder.resolve("guard.besom"), "telescoping")).isTrue();
    }

    @Test
    void snapshotWithFewerKeysThanTheStoreIsNotTaken() throws IOException {
        Path file = folder.resolve("guard.besom");
        assertThat(guard.snapshot(file)).isTrue();
        store.inner().put((long) N, SEEDED.hash((long) N), (long) N);
        stored.add((long) N);
        assertThat(isTaken(file, "telescoping")).isFalse();
    }

    /** Whoever can write the file can make its checksum, too. */
    @Test
    void snapshotOfAShardWithAnImpossibleCapacityIsNotTaken() throws IOException {
        Path file = folder.resolve("guard.besom");
        assertThat(guard.snapshot(file)).isTrue();
        byte[] whole = Files.readAllBytes(file);
        // Magic, version, generation and number of shards; then the choice of filters after its length.
        int at = 8 + 4 + 16 + 4;
        int capacityAt = at + 4 + ByteBuffer.wrap(whole).getInt(at);
        for (long capacity : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            ByteBuffer forged = ByteBuffer.wrap(whole.clone()).putLong(capacityAt, capacity);
            CRC32C crc = new CRC32C();
            crc.update(forged.array(), 0, whole.length - Long.BYTES);
            Files.write(
                    file,
                    forged.putLong(whole.length - Long.BYTES, crc.getValue()).array());
            assertThat(isTaken(file, "telescoping")).as("capacity %s", capacity).isFalse();
        }
        Files.write(file, whole);
        assertThat(isTaken(file, "telescoping")).isTrue();
    }

    @Test
    void lookupsAndRepairsWhileASnapshotIsWrittenLeaveItCurrent() throws IOException {
        FailingDisk disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL);
        SplittableRandom random = new SplittableRandom(0x6c6f6f6b);
        disk.beforeWrite = () -> inAnotherThread(() -> {
            for (int i = 0; i < 10_000; i++) {
                guard.get(-1 - random.nextLong(1L << 40));
            }
        });
        assertThat(guard.snapshot(disk.path().resolve("guard.besom"))).isTrue();
        assertThat(guard.statistics().repairs().fixed()).isPositive();
        assertThat(isTaken(folder.resolve("guard.besom"), "telescoping")).isTrue();
    }

    @Test
    void changeThatMeetsTheNoteOfASnapshotRemovesIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        List<Future<?>> change = new ArrayList<>();
        store.beforeNote = () -> {
            change.add(other.submit(() -> {
                begun.countDown();
                guard.put((long) N, (long) N);
                stored.add((long) N);
            }));
            try {
                begun.await();
                // Long enough for the change to look for a snapshot before its note is there.
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        guard.snapshot(folder.resolve("guard.besom"));
        change.get(0).get(60, TimeUnit.SECONDS);
        assertThat(isTaken(folder.resolve("guard.besom"), "telescoping")).isFalse();
    }

    @Test
    void snapshotsRacingWithChangesHideNothing() throws Exception {
        Path file = folder.resolve("guard.besom");
        Future<Long> writer = other.submit(() -> {
            SplittableRandom random = new SplittableRandom(0x72616365);
            long last = N;
            while (!Thread.interrupted() && last < N + 400) {
                guard.put(last, last);
                last++;
                // Sometimes a snapshot gets through, and sometimes the next put meets it at any of its moments.
                Thread.sleep(0, random.nextInt(999_999));
                if (random.nextInt(8) == 0) {
                    Thread.sleep(random.nextInt(30));
                }
            }
            return last;
        });
        int current = 0;
        while (!writer.isDone()) {
            current += guard.snapshot(file) ? 1 : 0;
        }
        assertThat(current).isPositive();
        for (long key = N; key < writer.get(); key++) {
            stored.add(key);
        }
        isTaken(file, "telescoping");
        assertThat(guard.snapshot(file)).isTrue();
        assertThat(isTaken(file, "telescoping")).isTrue();
    }

    @Test
    void snapshotOfAnotherKindIsNotTaken() throws IOException {
        Path file = folder.resolve("guard.besom");
        assertThat(guard.snapshot(file)).isTrue();
        for (String kind : List.of("telescoping-plain", "telescoping-compact", "extension", "broom")) {
            assertThat(isTaken(file, kind)).as(kind).isFalse();
            // Nor is theirs by a telescoping one.
            Path own = folder.resolve(kind);
            guard.close();
            try (StoreGuard<Long, Long> guardOfKind =
                    Guard.builder(store, SEEDED).kind(kind).open()) {
                assertThat(guardOfKind.snapshot(own)).isTrue();
            }
            assertThat(isTaken(own, kind)).as(kind).isTrue();
            assertThat(isTaken(own, "telescoping")).as(kind).isFalse();
            guard = Guard.over(store, SEEDED);
            assertThat(guard.snapshot(file)).isTrue();
        }
    }
}
