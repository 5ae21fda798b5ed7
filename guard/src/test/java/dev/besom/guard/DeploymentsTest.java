package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances of a service that start at once, as processes, before a store that has nothing yet, and follow each other: each
 * finds what all before it have stored, from their snapshot or the hashes.
 */
@Tag("slow")
class DeploymentsTest {

    private static final int ROUNDS = Integer.getInteger("besom.deployments", 2);
    private static final int AT_ONCE = 3;

    @TempDir
    Path folder;

    @Test
    void instancesOverOneTableOfPostgresHideNothingOfEachOther() throws Exception {
        EmbeddedPostgres postgres;
        try {
            postgres = EmbeddedPostgres.start();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
            return;
        }
        try (postgres) {
            deploy(postgres.getJdbcUrl("postgres", "postgres"));
        }
    }

    @Test
    void instancesOverOneTableOfAServerOfH2HideNothingOfEachOther() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            deploy("jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:deployed;DB_CLOSE_DELAY=-1");
        } finally {
            server.stop();
        }
    }

    @Test
    void instancesOverOneFolderHideNothingOfEachOther() throws Exception {
        deploy("folder");
    }

    private void deploy(String place) throws Exception {
        int started = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Process> instances = new ArrayList<>();
            try {
                for (int i = 0; i < AT_ONCE; i++) {
                    instances.add(start(place, started++));
                }
                for (Process instance : instances) {
                    byte[] said = instance.getInputStream().readAllBytes();
                    assertThat(new String(said, StandardCharsets.US_ASCII).strip())
                            .isEqualTo("done");
                    assertThat(instance.waitFor(5, TimeUnit.MINUTES)).isTrue();
                }
            } finally {
                instances.forEach(Process::destroyForcibly);
            }
        }
        // The last one sees all.
        Process last = start(place, started++);
        assertThat(new String(last.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip())
                .isEqualTo("done");
    }

    private Process start(String place, int number) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        DeployedGuard.class.getName(),
                        place,
                        Integer.toString(number),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
