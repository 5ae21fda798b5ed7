package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/** A database in which a test makes its tables, and where it differs from others. */
interface JdbcDatabase {

    /** The database, empty but for what this class made in it. */
    DataSource source();

    /** The type of a column of texts that are told apart as in Java. */
    default String exactText() {
        return "VARCHAR(50)";
    }

    /** The type of a column that takes texts for the same which differ in case. */
    String looseText();

    /** Whether that column takes more for the same than texts that differ in case. */
    default boolean equatesMoreThanCase() {
        return false;
    }

    /** A column of texts of at most 20 letters. */
    default String shortText(String column) {
        return column + " VARCHAR(20)";
    }

    /** How many puts are refused. */
    default int refusals() {
        return 300;
    }

    /** A table's name with its schema, and in another case where that makes no difference. */
    default String qualified(String table) {
        return "Public." + table.toUpperCase(Locale.ROOT);
    }

    /** A table's name in another case, where that makes no difference. */
    default String inCapitals(String table) {
        return table.toUpperCase(Locale.ROOT);
    }

    /** Whether a transaction that has written lets others write before it ends. */
    default boolean hasSeveralWriters() {
        return true;
    }

    default long count(String table) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    default void insertRows(String table, long from, long to) {
        try (Connection connection = source().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + table + " (id, name) VALUES (?, ?)")) {
            for (long id = from; id < to; id++) {
                insert.setLong(1, id);
                insert.setString(2, "name " + id);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    default void execute(String sql) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
