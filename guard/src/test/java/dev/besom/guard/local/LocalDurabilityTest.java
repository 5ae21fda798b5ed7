package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.FailingDisk;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
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
}
