package dev.besom.guard.jdbc;

import dev.besom.testkit.KillLoop;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.h2.tools.Server;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that works with a guard over a database, and has the next one look for everything that has to be there. */
class JdbcCrashTest {

    @TempDir
    Path folder;

    @Test
    void acknowledgedKeysSurviveKills() throws Exception {
        killBesideServer(4);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTheKillsOfTenThousandGuards() throws Exception {
        killBesideServer(KillLoop.THOROUGH_PROCESSES);
    }

    @Test
    void acknowledgedKeysSurviveKillsBesidePostgres() throws Exception {
        killBesidePostgres(4);
    }

    @Test
    @Tag("thorough")
    void acknowledgedKeysSurviveTheKillsOfTenThousandGuardsBesidePostgres() throws Exception {
        killBesidePostgres(KillLoop.THOROUGH_PROCESSES);
    }

    private void killBesidePostgres(int processes) throws Exception {
        EmbeddedPostgres postgres;
        try {
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("authentication_timeout", "600s")
                    .start();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
            return;
        }
        try (postgres) {
            String url = postgres.getJdbcUrl("postgres", "postgres");
            new KillLoop(folder, JdbcVictim.class, "-D" + JdbcVictim.URL + "=" + url).run(processes);
        }
    }

    private void killBesideServer(int processes) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            new KillLoop(folder, JdbcVictim.class, "-D" + JdbcVictim.PORT + "=" + server.getPort()).run(processes);
        } finally {
            server.stop();
        }
    }

    @Test
    @Tag("thorough")
    void whatADatabaseInAFileHasKeptIsFoundAfterTheKillsOfAThousandGuards() throws Exception {
        new KillLoop(folder, JdbcVictim.class).run(Math.min(1_000 / KillLoop.GUARDS, KillLoop.THOROUGH_PROCESSES));
    }
}
