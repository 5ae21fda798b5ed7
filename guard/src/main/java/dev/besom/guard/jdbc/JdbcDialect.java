package dev.besom.guard.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a database wants said in its own way. The methods here are plain SQL, as H2 and many others speak it; what another
 * database needs is a class with the few methods in which it differs, for {@link JdbcStore#adopt(javax.sql.DataSource,
 * JdbcTable, JdbcDialect)}.
 *
 * <pre>
 *                 lease                     texts as keys
 *   PostgreSQL    an advisory lock          VARCHAR
 *   MySQL         GET_LOCK                  VARCHAR(512) in utf8mb4_0900_bin: by default it ignores case and last blanks
 *   MariaDB       GET_LOCK                  VARCHAR(512) in utf8mb4_nopad_bin: the same
 *   SQLite        the lock of a file        VARCHAR
 *   others        a locked row              VARCHAR
 * </pre>
 */
public interface JdbcDialect {

    /**
     * A lock that goes with a session.
     *
     * @param tryLock a query that takes a number and returns a row with true or 1 if the lock is taken, at once
     * @param unlock a query that takes the number and gives the lock back
     */
    record SessionLock(String tryLock, String unlock) {}

    /** The dialect of a database that is connected: one of those above. */
    static JdbcDialect of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        return switch (metaData.getDatabaseProductName()) {
            case "PostgreSQL" -> new PostgresDialect();
            // The driver of one is used for the other too.
            case "MySQL", "MariaDB" ->
                new MySqlDialect(
                        (metaData.getDatabaseProductName() + metaData.getDatabaseProductVersion()).contains("MariaDB")
                                ? "utf8mb4_nopad_bin"
                                : "utf8mb4_0900_bin");
            case "SQLite" -> new SqliteDialect();
            default -> new JdbcDialect() {};
        };
    }

    /** A name in quotes, within which it is what it is. */
    default String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /**
     * The name under which the database keeps a table. Two names of one table must give the same, so
     * where the database keeps what it is given and ignores case, that is lower case.
     *
     * @param isQuoted whether the name stands in quotes in statements
     */
    default String storedName(DatabaseMetaData metaData, String name, boolean isQuoted) throws SQLException {
        if (isQuoted && metaData.supportsMixedCaseQuotedIdentifiers()) {
            return name;
        }
        return metaData.storesUpperCaseIdentifiers()
                ? name.toUpperCase(Locale.ROOT)
                : metaData.storesLowerCaseIdentifiers() || !metaData.supportsMixedCaseIdentifiers()
                        ? name.toLowerCase(Locale.ROOT)
                        : name;
    }

    /**
     * The schema in which the database finds a table whose name has none, as it keeps the schema's name; if there is no such table
     * yet, that in which it would make one. Null where the connection's catalog is all that there is.
     *
     * @param table as it stands in statements
     */
    default @Nullable String schemaOf(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(TableSql.probe("*", table))) {
            ResultSetMetaData columns = query.getMetaData();
            String found = columns == null ? null : columns.getSchemaName(1);
            return found == null || found.isEmpty() ? ownSchema(connection) : found;
        } catch (SQLException e) {
            if (JdbcStore.isOfNoTable(e)) {
                return ownSchema(connection);
            }
            throw e;
        }
    }

    private static @Nullable String ownSchema(Connection connection) throws SQLException {
        String own = connection.getSchema();
        return own == null || own.isEmpty() ? null : own;
    }

    /**
     * The type of a column in a table that Besom makes. Texts that are keys must differ wherever they differ in Java.
     *
     * @param standardType such as {@code VARCHAR}, {@code VARCHAR(200)}, {@code BIGINT} or {@code BYTEA}
     * @param isKey whether the column is part of a key
     */
    default String columnType(String standardType, boolean isKey) {
        return standardType;
    }

    /** A query that returns a few of its rows only. */
    default String limited(String query, int rows) {
        return query + " LIMIT " + rows;
    }

    /** The lock of a session by which a guard holds its lease; where there is none, a row of the notes is locked. */
    default Optional<SessionLock> sessionLock() {
        return Optional.empty();
    }

    /** Whether a query can lock the rows that it reads, by {@code FOR UPDATE}. */
    default boolean locksRows() {
        return true;
    }

    /**
     * The file that a database is in which locks neither sessions nor rows: a lock file beside it is the lease then. By
     * default there is none; the lease of a database that has neither locks nor a file is that of one {@link JdbcStore}.
     */
    default Optional<Path> lockedFile(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Whether an update counts the rows that it finds, also those that already are what it makes of them. Where that is not
     * certain, what was not counted is looked for.
     */
    default boolean countsFoundRows() {
        return true;
    }

    /** Whether a row was refused because its key is there already, or by another rule of the table. */
    default boolean isViolation(SQLException failure) {
        return String.valueOf(failure.getSQLState()).startsWith("23");
    }

    /** Whether a change was refused for its data, a rule of the table or a limit, so that it has had no effect at all. */
    default boolean isRefusal(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return isViolation(failure) || List.of("22", "54").stream().anyMatch(state::startsWith);
    }

    /** Whether a transaction was rolled back only because another one was in its way, and may be tried again. */
    default boolean isRetryable(SQLException failure) {
        // 40003: nobody knows whether it was rolled back.
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("40") && !state.equals("40003");
    }
}
