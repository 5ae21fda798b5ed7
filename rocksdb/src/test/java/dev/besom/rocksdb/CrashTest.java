package dev.besom.rocksdb;

import dev.besom.testkit.KillLoop;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/** Kills a process that works with a guard, again and again, and has the next one look for everything acknowledged. */
class CrashTest {

    @TempDir
    Path folder;

    @Test
    void acknowledgedKeysSurviveKills() throws Exception {
        kill(6);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTheKillsOfTenThousandGuards() throws Exception {
        kill(KillLoop.THOROUGH_PROCESSES);
    }

    private void kill(int processes) throws Exception {
        unpackLibrary();
        new KillLoop(folder, Victim.class, "-Djava.library.path=" + folder).run(processes);
    }

    /** Unpacks RocksDB's library once, where the processes find it; otherwise each of them would leave a copy behind. */
    private void unpackLibrary() throws IOException {
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream library = RocksDB.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(Objects.requireNonNull(library, name), folder.resolve(name));
        }
    }
}
