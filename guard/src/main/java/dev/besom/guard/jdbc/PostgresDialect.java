package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: leases are advisory locks, and tables are looked for in several schemas. */
final class PostgresDialect implements JdbcDialect {

    @Override
    public Optional<SessionLock> sessionLock() {
        return Optional.of(new SessionLock("SELECT pg_try_advisory_lock(?)", "SELECT pg_advisory_unlock(?)"));
    }

    @Override
    public @Nullable String schemaOf(Connection connection, String table) throws SQLException {
        List<String> found = JdbcCall.query(
                connection,
                "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?)",
                rows -> rows.getString(1),
                table);
        return found.isEmpty() ? connection.getSchema() : found.get(0);
    }
}
