package dev.besom.guard.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How keys or values stand in a column.
 *
 * @param sqlName the type of the column in a table that Besom makes
 * @param setter gives a parameter of a statement a value
 * @param getter reads a column of a row; null if that is null
 * @param <T> the keys or values
 */
public record JdbcType<T>(String sqlName, Setter<T> setter, Getter<T> getter) {

    /** Gives a parameter of a statement a value. */
    @FunctionalInterface
    public interface Setter<T> {
        /** Gives the parameter of that number, from 1 on, a value. */
        void set(PreparedStatement statement, int parameter, T value) throws SQLException;
    }

    /** Reads a column of a row. */
    @FunctionalInterface
    public interface Getter<T> {
        /** The value in the column of that number, from 1 on; null if that is null. */
        @Nullable
        T get(ResultSet row, int column) throws SQLException;
    }

    /** Texts. */
    public static JdbcType<String> text() {
        return new JdbcType<>("VARCHAR", PreparedStatement::setString, ResultSet::getString);
    }

    /** Numbers of 64 bits. */
    public static JdbcType<Long> longs() {
        return new JdbcType<>("BIGINT", PreparedStatement::setLong, (row, column) -> {
            long number = row.getLong(column);
            return row.wasNull() ? null : number;
        });
    }

    /** Byte arrays. */
    public static JdbcType<byte[]> bytes() {
        return new JdbcType<>("BYTEA", PreparedStatement::setBytes, ResultSet::getBytes);
    }
}
