package dev.besom.guard.jdbc;

import dev.besom.guard.Guard;
import dev.besom.guard.KilledStoreGuard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.jdbc.GSSEncMode;

/** The process that {@link JdbcCrashTest} kills: works with a guard over a table of a database. */
final class JdbcVictim {

    /** The port of the database's server, if there is one. */
    static final String PORT = "besom.test.port";

    /** The address of a database of PostgreSQL, if it is one. */
    static final String URL = "besom.test.url";

    /** For the lease of the process that was killed before: however slow the machine is, the server gives it up. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(2);

    /** What PostgreSQL's driver says of a connection that has ended. */
    private static final String ENDED = "08003";

    private JdbcVictim() {}

    public static void main(String[] args) throws IOException {
        KilledWork.runAll(args, JdbcVictim::open);
    }

    private static String nameOf(Path folder) {
        return "killed_"
                + String.valueOf(Objects.requireNonNull(folder.getParent()).getFileName())
                        .replace('-', '_') + "_" + folder.getFileName();
    }

    private static KilledWork open(Path folder) {
        JdbcStore<Long, Long> store =
                JdbcStore.create(pool(folder), JdbcTable.of(nameOf(folder), JdbcType.longs(), JdbcType.longs()));
        Path file = folder.resolve("guard.besom");
        StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .snapshot(file)
                .shards(4)
                .waitForLease(LONGEST_WAIT)
                .open();
        // A server is a process of its own and keeps what it has acknowledged; a database in this process, in a file,
        // writes a moment after it has done so.
        boolean isServer = Integer.getInteger(PORT) != null || System.getProperty(URL) != null;
        return new KilledStoreGuard(guard, file, isServer);
    }

    private static DataSource pool(Path folder) {
        String address = System.getProperty(URL);
        if (address != null) {
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(address);
            // However slow the machine is: nothing is given up, and nothing is asked for that has a time of its own.
            server.setConnectTimeout(0);
            server.setLoginTimeout(0);
            server.setSslMode("disable");
            server.setGssEncMode(GSSEncMode.DISABLE.value);
            return passingOverEnded(patient(JdbcConnectionPool.create(server)));
        }
        Integer port = Integer.getInteger(PORT);
        String url = port == null
                ? "jdbc:h2:file:" + folder.resolve("db") + ";WRITE_DELAY=0"
                : "jdbc:h2:tcp://localhost:" + port + "/mem:" + nameOf(folder);
        return patient(JdbcConnectionPool.create(url + ";DB_CLOSE_DELAY=-1", "", ""));
    }

    private static JdbcConnectionPool patient(JdbcConnectionPool pool) {
        pool.setLoginTimeout((int) LONGEST_WAIT.toSeconds());
        return pool;
    }

    /**
     * H2's pool gives out connections again that the driver has ended, as where the server has not answered the guard's look at
     * its lease in time. Other pools do not.
     */
    private static DataSource passingOverEnded(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                JdbcVictim.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    while (true) {
                        try {
                            return method.invoke(pool, arguments);
                        } catch (InvocationTargetException e) {
                            if (!(e.getCause() instanceof SQLException failure)
                                    || !ENDED.equals(failure.getSQLState())) {
                                throw e.getCause();
                            }
                        }
                    }
                });
    }
}
