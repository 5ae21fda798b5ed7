package dev.besom.guard;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.guard.local.LocalKeys;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * One instance of a service that is deployed: a process that waits for its lease, looks for every key that the store holds, puts
 * keys of its own, and leaves with a snapshot. Says {@code hidden} and the key where one is not found, {@code done} at the end.
 */
public final class DeployedGuard {

    /** How many keys an instance puts. */
    static final int KEYS = 40;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private DeployedGuard() {}

    /** Takes a JDBC URL, or {@code folder}; the number of the instance; and the folder of its files. */
    public static void main(String[] args) throws IOException {
        long first = Long.parseLong(args[1]) * KEYS;
        Path folder = Path.of(args[2]);
        boolean isWhole = args[0].equals("folder") ? serveFolder(folder, first) : serveTable(args[0], folder, first);
        if (isWhole) {
            System.out.println("done");
        }
    }

    private static boolean serveTable(String url, Path folder, long first) {
        JdbcConnectionPool pool;
        if (url.startsWith("jdbc:postgresql")) {
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(url);
            pool = JdbcConnectionPool.create(server);
        } else {
            pool = JdbcConnectionPool.create(url, "", "");
        }
        JdbcStore<Long, Long> store =
                JdbcStore.create(pool, JdbcTable.of("deployed", JdbcType.longs(), JdbcType.longs()));
        boolean[] isWhole = {true};
        try (StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .snapshot(folder.resolve("guard.besom"))
                .snapshotOnClose()
                .waitForLease(PATIENCE)
                .open()) {
            store.forEach((key, value) -> isWhole[0] &= isFound(guard, key));
            for (long key = first; key < first + KEYS; key++) {
                guard.put(key, key);
                guard.get(-1 - key);
            }
            store.forEach((key, value) -> isWhole[0] &= isFound(guard, key));
        } finally {
            pool.dispose();
        }
        return isWhole[0];
    }

    /** The store is a folder with an empty file for each key. */
    private static boolean serveFolder(Path folder, long first) throws IOException {
        Path stored = Files.createDirectories(folder.resolve("store"));
        boolean isWhole;
        try (LoaderGuard<Long, Long> guard = Guard.builder(
                        (Long key) -> Files.exists(stored.resolve(Long.toString(key))) ? key : null,
                        openKeys(folder.resolve("keys")))
                .snapshot(folder.resolve("guard.besom"))
                .snapshotOnClose()
                .open()) {
            isWhole = areFound(guard, stored);
            for (long key = first; key < first + KEYS; key++) {
                Path file = stored.resolve(Long.toString(key));
                guard.put(key, () -> write(file));
            }
            isWhole &= areFound(guard, stored);
        }
        return isWhole;
    }

    private static void write(Path file) {
        try {
            Files.write(file, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the instance before has left the folder. */
    private static LocalKeys<Long> openKeys(Path folder) throws IOException {
        for (long tries = PATIENCE.toMillis() / 10; ; tries--) {
            try {
                return LocalKeys.open(folder, KeyHasher.longs(), false);
            } catch (IOException e) {
                if (tries == 0) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static boolean areFound(Guard<Long, Long> guard, Path stored) throws IOException {
        try (var files = Files.list(stored)) {
            return files.allMatch(file -> isFound(guard, Long.parseLong(String.valueOf(file.getFileName()))));
        }
    }

    private static boolean isFound(Guard<Long, Long> guard, long key) {
        boolean isFound = guard.containsKey(key);
        if (!isFound) {
            System.out.println("hidden " + key);
        }
        return isFound;
    }
}
