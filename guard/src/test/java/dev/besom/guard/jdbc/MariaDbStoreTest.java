package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.MariaDbServer;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
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

    private static @Nullable MariaDbServer server;
    private static String url = "";

    private String database = "";

    @BeforeAll
    static void start(@TempDir Path folder) {
        MariaDbServer started = MariaDbServer.start(folder);
        server = started;
        url = started.url("");
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void makeDatabase() throws SQLException {
        database = "db" + DATABASES.incrementAndGet();
        Objects.requireNonNull(server).create(database);
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

    @Override
    public String shortText(String column) {
        return column + " VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
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

    @Override
    public String looseText() {
        return "VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
    }

    @Override
    public boolean equatesMoreThanCase() {
        return true;
    }
}
