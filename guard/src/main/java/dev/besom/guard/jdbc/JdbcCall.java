package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Statements with parameters, in one line each. */
final class JdbcCall {

    private JdbcCall() {}

    /** Something that is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Works on a connection of its own. */
    static <T> T on(DataSource source, Work<T> work) {
        try (Connection connection = source.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Makes a change, and returns how many rows it was. */
    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, values);
            return statement.executeUpdate();
        }
    }

    /** Reads rows. */
    static <T> List<T> query(Connection connection, String sql, Row<T> row, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, values);
            List<T> all = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(row.read(rows));
                }
            }
            return all;
        }
    }
}
