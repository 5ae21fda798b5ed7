package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB. Texts are compared without regard to case and to blanks at their ends unless their column has another
 * collation, so keys have one.
 */
final class MySqlDialect implements JdbcDialect {

    /** The longest texts that fit into an index, with room for another column. */
    private static final int LONGEST_KEY = 512;

    private final String collation;

    /**
     * The dialect.
     *
     * @param collation one that tells all texts apart
     */
    MySqlDialect(String collation) {
        this.collation = collation;
    }

    @Override
    public String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    /** Whether names differ by case depends on the server's files: tables that differ so only share their notes here. */
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
        if (standardType.startsWith("VARCHAR")) {
            String text =
                    standardType.equals("VARCHAR") ? isKey ? "VARCHAR(" + LONGEST_KEY + ")" : "LONGTEXT" : standardType;
            return text + " CHARACTER SET utf8mb4 COLLATE " + collation;
        }
        return standardType.equals("BYTEA") ? isKey ? "VARBINARY(" + LONGEST_KEY + ")" : "LONGBLOB" : standardType;
    }

    /** An option of the drivers, {@code useAffectedRows}, has them count only rows that change. */
    @Override
    public boolean countsFoundRows() {
        return false;
    }

    @Override
    public Optional<SessionLock> sessionLock() {
        return Optional.of(
                new SessionLock("SELECT GET_LOCK(CONCAT('besom.', ?), 0)", "SELECT RELEASE_LOCK(CONCAT('besom.', ?))"));
    }
}
