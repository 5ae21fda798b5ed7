package dev.besom.guard.jdbc;

import java.util.Optional;

/** PostgreSQL: leases are advisory locks. */
final class PostgresDialect implements JdbcDialect {

    @Override
    public Optional<SessionLock> sessionLock() {
        return Optional.of(new SessionLock("SELECT pg_try_advisory_lock(?)", "SELECT pg_advisory_unlock(?)"));
    }
}
