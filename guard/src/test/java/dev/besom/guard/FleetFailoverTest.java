package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A fleet before a server of PostgreSQL with a standby, to which every commit goes before it is acknowledged. The server is killed
 * and the standby promoted; members find it as the drivers of real services do, by an address of both.
 */
@Tag("thorough")
class FleetFailoverTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int KEYS = 60;

    @TempDir
    Path folder;

    private final List<EmbeddedPostgres> servers = new ArrayList<>();
    private final List<StoreGuard<Long, Long>> members = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        members.forEach(Guard::close);
        for (EmbeddedPostgres server : servers) {
            server.close();
        }
    }

    private EmbeddedPostgres start(String data, int port, String standbyNames) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve(data))
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("synchronous_standby_names", standbyNames)
                .setOverrideWorkingDirectory(
                        Files.createDirectories(folder.resolve("work")).toFile());
        if (port != 0) {
            builder.setPort(port);
        }
        return builder.start();
    }

    /** Starts a server, and a standby from a copy of its data. */
    private void startPair() throws IOException {
        try {
            EmbeddedPostgres first = start("primary", 0, "");
            int port = first.getPort();
            first.close();
            copy(folder.resolve("primary"), folder.resolve("standby"));
            Files.createFile(folder.resolve("standby").resolve("standby.signal"));
            Files.writeString(
                    folder.resolve("standby").resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost port=" + port + " user=postgres password=postgres'\n",
                    StandardOpenOption.APPEND);
            servers.add(start("primary", port, "*"));
            servers.add(start("standby", 0, ""));
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:" + servers.get(0).getPort() + ",localhost:"
                + servers.get(1).getPort()
                + "/postgres?user=postgres&password=postgres&targetServerType=primary&hostRecheckSeconds=0"
                + "&socketTimeout=10&connectTimeout=5");
        return source;
    }

    private void kill(String data) throws IOException, InterruptedException {
        long pid = Long.parseLong(Files.readAllLines(folder.resolve(data).resolve("postmaster.pid"))
                .get(0)
                .strip());
        assertThat(new ProcessBuilder("kill", "-KILL", Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
        ProcessHandle.of(pid).ifPresent(server -> server.onExit().join());
    }

    private static boolean isPromoted(EmbeddedPostgres standby) throws SQLException {
        try (Connection connection = standby.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_promote(true, 60)")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /** Looks for keys that are stored until it is told to end; notes those that are denied. */
    private Thread looker(StoreGuard<Long, Long> guard, AtomicBoolean isOver, Queue<Long> denied) {
        Thread thread = new Thread(() -> {
            for (long key = 0; !isOver.get(); key = (key + 1) % KEYS) {
                try {
                    if (!guard.containsKey(key)) {
                        denied.add(key);
                    }
                } catch (RuntimeException e) {
                    // The database is away, and the guard does not know.
                    Thread.onSpinWait();
                }
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void membersFollowThePromotedStandbyAndDenyNothing() throws Exception {
        startPair();
        List<Integer> primed = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            int member = i;
            members.add(Guard.builder(
                            JdbcStore.create(source(), JdbcTable.of("moved", JdbcType.longs(), JdbcType.longs())),
                            KeyHasher.longs())
                    .shards(2)
                    .contract(Contract.fleet(LEASE))
                    .retryPause(Duration.ofMillis(20))
                    .progress((done, total) -> {
                        if (done == total) {
                            primed.add(member);
                        }
                    })
                    .open());
        }
        for (long key = 0; key < KEYS; key++) {
            members.get((int) (key % 3)).put(key, key);
        }
        primed.clear();
        AtomicBoolean isOver = new AtomicBoolean();
        Queue<Long> denied = new ConcurrentLinkedQueue<>();
        List<Thread> lookers = new ArrayList<>();
        members.forEach(member -> lookers.add(looker(member, isOver, denied)));
        kill("primary");
        FleetPromises.await(() -> members.stream().allMatch(member -> member.state() == GuardState.LEASE_LOST));
        assertThat(isPromoted(servers.get(1))).isTrue();
        FleetPromises.await(() -> members.stream().allMatch(member -> member.state() == GuardState.SERVING));
        assertThat(primed).as("filters that were built anew").contains(0, 1, 2);
        for (long key = KEYS; key < 2 * KEYS; key++) {
            members.get((int) (key % 3)).put(key, key);
            for (StoreGuard<Long, Long> member : members) {
                assertThat(member.get(key)).isEqualTo(key);
            }
        }
        isOver.set(true);
        for (Thread thread : lookers) {
            thread.join();
        }
        assertThat(denied).isEmpty();
        for (StoreGuard<Long, Long> member : members) {
            for (long key = 0; key < KEYS; key++) {
                assertThat(member.get(key)).isEqualTo(key);
            }
            assertThat(member.containsKey(-1L)).isFalse();
        }
    }
}
