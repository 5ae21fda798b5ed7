package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Work that happens whole or not at all. */
@FunctionalInterface
interface JdbcTransaction {

    void run(Connection connection) throws SQLException;

    /** Does the work on a connection of its own. Where it fails, the first failure is the one that is thrown. */
    static void run(DataSource source, JdbcTransaction work) {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.run(connection);
                connection.commit();
            } catch (SQLException | RuntimeException | Error e) {
                undo(connection, e);
                throw e;
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    /** What broke the connection breaks this too, and tells less about it. */
    private static void undo(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
