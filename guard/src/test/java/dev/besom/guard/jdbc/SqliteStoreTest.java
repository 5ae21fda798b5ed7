package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.javax.SQLiteConnectionPoolDataSource;

class SqliteStoreTest implements JdbcPromises {

    @TempDir
    Path database;

    private @Nullable JdbcConnectionPool pool;

    @AfterEach
    void dispose() {
        if (pool != null) {
            pool.dispose();
        }
    }

    @Override
    public DataSource source() {
        JdbcConnectionPool connections = pool;
        if (connections == null) {
            SQLiteConfig config = new SQLiteConfig();
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
            config.setBusyTimeout(20_000);
            SQLiteConnectionPoolDataSource source = new SQLiteConnectionPoolDataSource(config);
            source.setUrl("jdbc:sqlite:" + database.resolve("data.sqlite"));
            connections = JdbcConnectionPool.create(source);
            connections.setMaxConnections(50);
            pool = connections;
        }
        return connections;
    }

    @Override
    public String shortText(String column) {
        return column + " VARCHAR(20) CHECK (length(" + column + ") <= 20)";
    }

    @Override
    public String qualified(String table) {
        return "main." + table.toUpperCase(Locale.ROOT);
    }

    @Override
    public boolean hasSeveralWriters() {
        return false;
    }

    @Test
    void aDatabaseInMemoryIsGuardedToo() {
        SQLiteDataSource memory = new SQLiteDataSource();
        memory.setUrl("jdbc:sqlite:file:shared?mode=memory&cache=shared");
        try (Connection open = memory.getConnection();
                StoreGuard<Long, Long> guard = Guard.over(
                        JdbcStore.create(memory, JdbcTable.of("kept", JdbcType.longs(), JdbcType.longs())),
                        KeyHasher.longs())) {
            assertThat(open).isNotNull();
            assertThat(guard.put(1L, 1L)).isTrue();
            assertThat(guard.get(1L)).isEqualTo(1L);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String looseText() {
        return "VARCHAR(50) COLLATE NOCASE";
    }
}
