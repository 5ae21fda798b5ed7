package dev.besom.guard.jdbc;

import dev.besom.testkit.KillLoop;
import java.nio.file.Path;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that works with a guard over a database, and has the next one look for everything that has to be there. */
class JdbcCrashTest {

    @TempDir
    Path folder;

    @Test
    void acknowledgedKeysSurviveFortyKills() throws Exception {
        killBesideServer(40);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTenThousandKills() throws Exception {
        killBesideServer(10_000);
    }

    private void killBesideServer(int kills) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            new KillLoop(folder, JdbcVictim.class, "-D" + JdbcVictim.PORT + "=" + server.getPort()).run(kills);
        } finally {
            server.stop();
        }
    }

    @Test
    @Tag("thorough")
    void whatADatabaseInAFileHasKeptIsFoundAfterAThousandKills() throws Exception {
        new KillLoop(folder, JdbcVictim.class).run(1_000);
    }
}
