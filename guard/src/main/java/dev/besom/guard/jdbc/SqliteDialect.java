package dev.besom.guard.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SQLite, which has numbers of its own in the place of SQL states, and locks nothing smaller than a file. */
final class SqliteDialect implements JdbcDialect {

    private static final int BUSY = 5;
    private static final int CONSTRAINT = 19;

    /** Too long a value, a value of the wrong type. */
    private static final Set<Integer> OTHER_REFUSALS = Set.of(18, 20);

    /** The lowest byte is the error, the others tell more about it. */
    private static int code(SQLException failure) {
        return failure.getErrorCode() & 0xFF;
    }

    /** No name is told apart by case, also not within quotes. */
    @Override
    public String storedName(DatabaseMetaData metaData, String name, boolean isQuoted) {
        return name.toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String schemaOf(Connection connection, String table) {
        return null;
    }

    @Override
    public String columnType(String standardType, boolean isKey) {
        String type = standardType.equals("BYTEA") ? "BLOB" : standardType;
        // A primary key takes nulls otherwise.
        return isKey ? type + " NOT NULL" : type;
    }

    @Override
    public boolean locksRows() {
        return false;
    }

    @Override
    public Optional<Path> lockedFile(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA database_list")) {
            while (rows.next()) {
                String file = rows.getString("file");
                if (rows.getString("name").equals("main") && file != null && !file.isEmpty()) {
                    return Optional.of(Path.of(file));
                }
            }
            return Optional.empty();
        }
    }

    @Override
    public boolean isViolation(SQLException failure) {
        return code(failure) == CONSTRAINT;
    }

    @Override
    public boolean isRefusal(SQLException failure) {
        return isViolation(failure) || OTHER_REFUSALS.contains(code(failure));
    }

    @Override
    public boolean isRetryable(SQLException failure) {
        return code(failure) == BUSY;
    }
}
