package dev.besom.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a table takes keys for the same that differ in Java, such as texts that differ in case. A row would be found
 * there under a key whose hash no filter has, and a guard would deny it.
 *
 * <p>What is equal is a matter of the column: its type and its collation. So the database is asked to compare as it compares that
 * column, with texts that are not in the table:
 *
 * <pre>
 *   SELECT COUNT(*) FROM (SELECT email FROM users WHERE 1 = 0 UNION ALL SELECT 'a') besom_probe WHERE email = ?      with "A"
 * </pre>
 *
 * Keys are read from there as from the table. A type of the user's own whose getter brings them to one form gives equal ones.
 *
 * <p>Not found out: what a select of the user's own takes for the same, and what a database does that does not know such a
 * statement.
 */
final class EquatedKeys<K> {

    /** Texts that databases are known to take for the same: case, padding, accents, normal forms, kana, widths, letters of no weight. */
    private static final String[][] ALIKE = {
        {"a", "A"},
        {"a", "a "},
        {"e", "\u00e9"},
        {"\u00e9", "e\u0301"},
        {"\u304b", "\u30ab"},
        {"a", "\uff41"},
        {"ss", "\u00df"},
        {"a", "a\u200b"}
    };

    /** Types of texts that ignore case, of H2 and of PostgreSQL, which a union with a plain text would make a plain one. */
    private static final Set<String> OWN_TYPES = Set.of("VARCHAR_IGNORECASE", "CITEXT");

    private final JdbcColumns<K> key;
    private final TableSql sql;
    private final Connection connection;

    /** The type of a column: JDBC's number, and the database's name. */
    private record ColumnType(int number, String name) {}

    /** Two keys that differ in Java and not in the database. */
    record Pair<K>(K one, K other) {
        @Override
        public String toString() {
            return shown(one) + " and " + shown(other);
        }

        /** Letters that may look alike are shown by their numbers. */
        private static String shown(Object key) {
            StringBuilder text = new StringBuilder("'");
            for (char letter : String.valueOf(key).toCharArray()) {
                text.append(
                        letter >= ' ' && letter <= '~'
                                ? String.valueOf(letter)
                                : String.format(Locale.ROOT, "\\u%04x", (int) letter));
            }
            return text.append("'").toString();
        }
    }

    EquatedKeys(JdbcColumns<K> key, TableSql sql, Connection connection) {
        this.key = key;
        this.sql = sql;
        this.connection = connection;
    }

    /** A pair of such keys, if any is known. */
    Optional<Pair<K>> find() throws SQLException {
        List<ColumnType> types = columnTypes();
        for (int column = 0; column < types.size(); column++) {
            if (isText(types.get(column).number())) {
                for (String[] texts : ALIKE) {
                    Optional<Pair<K>> pair = find(types, column, texts);
                    if (pair.isPresent()) {
                        return pair;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private List<ColumnType> columnTypes() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.probeTable());
                ResultSet rows = statement.executeQuery()) {
            ResultSetMetaData metaData = rows.getMetaData();
            List<ColumnType> types = new ArrayList<>();
            for (int i = 1; i <= metaData.getColumnCount(); i++) {
                types.add(new ColumnType(
                        metaData.getColumnType(i), metaData.getColumnTypeName(i).toUpperCase(Locale.ROOT)));
            }
            return types;
        }
    }

    /** Types that are not known to JDBC count as texts: what is none, the database refuses to compare with one. */
    private static boolean isText(int type) {
        return switch (type) {
            case Types.CHAR,
                    Types.VARCHAR,
                    Types.LONGVARCHAR,
                    Types.NCHAR,
                    Types.NVARCHAR,
                    Types.LONGNVARCHAR,
                    Types.CLOB,
                    Types.OTHER -> true;
            default -> false;
        };
    }

    private static String literal(ColumnType type, String text) {
        if (OWN_TYPES.contains(type.name())) {
            return "CAST('" + text + "' AS " + type.name() + ")";
        }
        if (isText(type.number())) {
            return "'" + text + "'";
        }
        return switch (type.number()) {
            case Types.TINYINT,
                    Types.SMALLINT,
                    Types.INTEGER,
                    Types.BIGINT,
                    Types.NUMERIC,
                    Types.DECIMAL,
                    Types.REAL,
                    Types.FLOAT,
                    Types.DOUBLE -> "0";
            default -> "NULL";
        };
    }

    private Optional<Pair<K>> find(List<ColumnType> types, int column, String[] texts) throws SQLException {
        try {
            String row = row(types, column, texts[0]);
            K one = read(row);
            K other = read(row(types, column, texts[1]));
            if (one == null || other == null || JdbcRows.identity(one).equals(JdbcRows.identity(other))) {
                return Optional.empty();
            }
            return isEqual(row, other) ? Optional.of(new Pair<>(one, other)) : Optional.empty();
        } catch (SQLException e) {
            if (isAboutTheText(e)) {
                return Optional.empty();
            }
            throw e;
        } catch (RuntimeException e) {
            // The getter or setter does not take such a text for a key.
            return Optional.empty();
        }
    }

    /** The literals of a row of keys, with a text in one column. */
    private static String row(List<ColumnType> types, int column, String text) {
        List<String> literals = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            literals.add(literal(types.get(i), i == column ? text : "a"));
        }
        return String.join(", ", literals);
    }

    /** Whether the database does not have such texts, or such statements; otherwise it failed. */
    private static boolean isAboutTheText(SQLException e) {
        String state = e.getSQLState();
        return state == null
                || state.startsWith("22")
                || state.startsWith("42")
                || state.startsWith("0A")
                || state.startsWith("HY");
    }

    private @Nullable K read(String row) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.selectProbe(row));
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? key.getter().get(rows, 1) : null;
        }
    }

    private boolean isEqual(String row, K other) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.selectProbeOfKey(row))) {
            key.setter().set(statement, 1, other);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }
}
