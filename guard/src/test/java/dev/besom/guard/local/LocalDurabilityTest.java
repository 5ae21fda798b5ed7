package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingDisk;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a folder of hashes keeps through a power cut, and who can read it. */
class LocalDurabilityTest {

    private static final int COMPACT_AFTER = 20;
    private static final LocalHashes.Settings SYNC = LocalHashes.Settings.of(true, COMPACT_AFTER);

    @TempDir
    Path folder;

    private FailingDisk disk() {
        return new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL);
    }

    @Test
    void additionThatHasReturnedIsInALogWhoseBytesAndNameAreOnTheDisk() throws IOException {
        FailingDisk disk = disk();
        int logs = 0;
        try (LocalHashes hashes = LocalHashes.open(disk.path(), SYNC)) {
            for (long i = 0; i < 200; i++) {
                hashes.add(Mix.mix(i));
                assertThat(disk.unforced())
                        .as("after addition %d", i)
                        .noneMatch(name -> name.startsWith("log-") && isThere(name));
                hashes.awaitCompaction();
            }
            logs = (int) LongStream.range(1, 100)
                    .filter(generation -> isThere("log-" + generation))
                    .count();
        }
        assertThat(logs).as("logs that were begun by a compaction").isPositive();
    }

    private boolean isThere(String name) {
        return Files.exists(folder.resolve(name));
    }

    @Test
    void newFolderAndThoseThatItIsInAreOnTheDisk() throws IOException {
        FailingDisk disk = disk();
        try (LocalHashes hashes = LocalHashes.open(disk.path().resolve("outer").resolve("inner"), SYNC)) {
            hashes.add(1);
            assertThat(disk.unforced()).isEmpty();
        }
    }

    @Test
    void closingForcesWhatNobodyHasForcedYet() throws IOException {
        FailingDisk disk = disk();
        LocalHashes hashes = LocalHashes.open(disk.path(), SYNC);
        hashes.add(1);
        // A removal waits for nothing, so its record is there as that of an addition is that closing overtakes.
        hashes.remove(1);
        assertThat(disk.unforced()).contains("log-0");
        hashes.close();
        assertThat(disk.unforced()).isEmpty();
    }

    @Test
    void noteThatAnInterruptedThreadRemovesStaysRemoved() {
        FailingDisk disk = disk();
        FileNotes notes = new FileNotes(disk.path());
        notes.write("one", new byte[] {1});
        assertThat(disk.unforced()).isEmpty();
        Thread.currentThread().interrupt();
        try {
            notes.remove("one");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(disk.unforced()).isEmpty();
    }

    @Test
    void noteCountsAsRemovedOnlyIfThatLasts() {
        FailingDisk disk = disk();
        FileNotes notes = new FileNotes(disk.path());
        notes.write("one", new byte[] {1});
        disk.changes = call -> {
            call.make();
            // Deleted, but the folder is not forced.
            disk.changes = force -> {
                throw new IOException("the disk fails");
            };
        };
        assertThatThrownBy(() -> notes.remove("one"))
                .isInstanceOf(StoreException.class)
                .hasRootCauseMessage("the disk fails");
    }

    @Test
    void secretIsForItsOwnerOnly() throws IOException {
        Assumptions.assumeTrue(
                folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        LocalKeys.open(folder, KeyHasher.utf8()).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("note-besom.secret"))))
                .isEqualTo("rw-------");
    }

    @Test
    void compactionThatGetsNoThreadIsTriedAgainAndStopsNoChange() throws IOException {
        AtomicInteger refused = new AtomicInteger();
        LocalHashes.Settings settings = new LocalHashes.Settings(true, COMPACT_AFTER, thread -> {
            if (refused.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        });
        try (LocalHashes hashes = LocalHashes.open(folder, settings)) {
            for (long i = 0; i < 200; i++) {
                hashes.add(Mix.mix(i));
                hashes.awaitCompaction();
            }
            assertThat(hashes.count()).isEqualTo(200);
            assertThat(refused.get()).isGreaterThan(3);
        }
        assertThat(folder.resolve("hashes-0")).doesNotExist();
        try (LocalHashes hashes = LocalHashes.open(folder, SYNC)) {
            assertThat(hashes.count()).isEqualTo(200);
        }
    }

    @Test
    void closingThatFailsWaitsForTheCompactionAllTheSame() throws Exception {
        FailingDisk disk = disk();
        AtomicReference<Thread> compaction = new AtomicReference<>();
        CompactionBesideClosing changes = new CompactionBesideClosing(Thread.currentThread());
        LocalHashes hashes = LocalHashes.open(disk.path(), new LocalHashes.Settings(true, COMPACT_AFTER, thread -> {
            compaction.set(thread);
            disk.changes = call -> {
                if (Thread.currentThread() == thread) {
                    changes.compact();
                } else {
                    changes.close();
                }
                call.make();
            };
            thread.start();
        }));
        for (long i = 0; i < COMPACT_AFTER; i++) {
            hashes.add(Mix.mix(i));
        }
        hashes.remove(Mix.mix(0));
        changes.isClosing = true;
        assertThatThrownBy(hashes::close).hasMessage("the disk fails");
        changes.hasReturned = true;
        Objects.requireNonNull(compaction.get()).join();
        assertThat(changes.beforeReturn).isPositive();
        assertThat(changes.afterReturn)
                .as("changes to a folder that the next one has for itself")
                .isZero();
    }

    /** Lets closing fail, and the compaction go on when closing waits for it or has returned. */
    private static final class CompactionBesideClosing {
        private final CountDownLatch hasFailed = new CountDownLatch(1);
        private final Thread closing;
        private volatile boolean isClosing;
        private volatile boolean hasReturned;
        private int beforeReturn;
        private int afterReturn;

        CompactionBesideClosing(Thread closing) {
            this.closing = closing;
        }

        void close() throws IOException {
            if (isClosing) {
                hasFailed.countDown();
                throw new IOException("the disk fails");
            }
        }

        void compact() {
            await(hasFailed);
            while (!hasReturned && closing.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            if (hasReturned) {
                afterReturn++;
            } else {
                beforeReturn++;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
