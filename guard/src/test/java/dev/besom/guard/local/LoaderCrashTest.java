package dev.besom.guard.local;

import dev.besom.testkit.KillLoop;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that works with a guard over a loader, and has the next one look for everything acknowledged. */
class LoaderCrashTest {

    @TempDir
    Path folder;

    @Test
    void acknowledgedKeysSurviveKills() throws Exception {
        new KillLoop(folder, LoaderVictim.class).run(5);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTheKillsOfTenThousandGuards() throws Exception {
        new KillLoop(folder, LoaderVictim.class).run(KillLoop.THOROUGH_PROCESSES);
    }
}
