package dev.besom.guard.jdbc;

import dev.besom.guard.Guard;
import dev.besom.guard.KilledStoreGuard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** The process that {@link JdbcCrashTest} kills: works with a guard over a table of a database. */
final class JdbcVictim {

    /** The port of the database's server, if there is one. */
    static final String PORT = "besom.test.port";

    /** The address of a database of PostgreSQL, if it is one. */
    static final String URL = "besom.test.url";

    private JdbcVictim() {}

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        String name = "killed_" + String.valueOf(folder.getFileName()).replace('-', '_');
        JdbcStore<Long, Long> store =
                JdbcStore.create(pool(folder), JdbcTable.of(name, JdbcType.longs(), JdbcType.longs()));
        Path file = folder.resolve("guard.besom");
        StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .snapshot(file)
                .shards(4)
                .waitForLease(Duration.ofMinutes(1))
                .open();
        // A server is a process of its own and keeps what it has acknowledged; a database in this process, in a file,
        // writes a moment after it has done so.
        boolean isServer = Integer.getInteger(PORT) != null || System.getProperty(URL) != null;
        new KilledStoreGuard(guard, file, isServer).run(args);
    }

    private static JdbcConnectionPool pool(Path folder) {
        String address = System.getProperty(URL);
        if (address != null) {
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(address);
            return JdbcConnectionPool.create(server);
        }
        Integer port = Integer.getInteger(PORT);
        String url = port == null
                ? "jdbc:h2:file:" + folder.resolve("db") + ";WRITE_DELAY=0"
                : "jdbc:h2:tcp://localhost:" + port + "/mem:" + folder.getFileName();
        return JdbcConnectionPool.create(url + ";DB_CLOSE_DELAY=-1", "", "");
    }
}
