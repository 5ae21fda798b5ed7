package dev.besom.guard.jdbc;

import java.util.List;
import java.util.Objects;

/**
 * The table of a {@link JdbcStore}. Names are plain ones, or stand in double quotes, as {@code "order"}, whatever quotes the
 * database itself has.
 *
 * @param table its name, with or without a schema
 * @param key the columns of keys, on which together there is a primary key or unique index. Keys that differ in Java must
 *     differ for the database, and the other way round: a column that ignores case or pads with blanks finds keys under
 *     names that have other hashes, and a guard does not. Such a column is refused
 * @param value the columns of values; a row in which they hold none is stored, and has no value
 * @param hashColumn the column of hashes, of type BIGINT and with an index. A table may have several guards, for other columns of
 *     keys, each with a column of hashes of its own
 * @param statements those of the user's own, in the place of Besom's
 * @param isInOneForm whether keys come in one form only, so that it does not matter what else the database takes for the same
 */
public record JdbcTable<K, V>(
        String table,
        JdbcColumns<K> key,
        JdbcColumns<V> value,
        String hashColumn,
        JdbcStatements statements,
        boolean isInOneForm) {

    /** The usual column of hashes. */
    static final String HASH_COLUMN = "besom_hash";

    /** Checks all names. */
    public JdbcTable {
        Objects.requireNonNull(statements, "statements");
        if (SqlName.parseAll(table).size() > 2) {
            throw new IllegalArgumentException("a table has a schema and a name: '" + table + "'");
        }
        SqlName.parse(hashColumn);
    }

    /** A table with one column of keys and one of values. */
    public JdbcTable(
            String table,
            String keyColumn,
            JdbcType<K> keyType,
            String valueColumn,
            JdbcType<V> valueType,
            String hashColumn) {
        this(
                table,
                JdbcColumns.of(keyColumn, keyType),
                JdbcColumns.of(valueColumn, valueType),
                hashColumn,
                JdbcStatements.none(),
                false);
    }

    /** A table with the columns that Besom's own have: {@code besom_key}, {@code besom_value}, {@code besom_hash}. */
    public static <K, V> JdbcTable<K, V> of(String table, JdbcType<K> keyType, JdbcType<V> valueType) {
        return of(table, JdbcColumns.of("besom_key", keyType), JdbcColumns.of("besom_value", valueType));
    }

    /** A table with any columns of keys and values, and the column {@code besom_hash}. */
    public static <K, V> JdbcTable<K, V> of(String table, JdbcColumns<K> key, JdbcColumns<V> value) {
        return new JdbcTable<>(table, key, value, HASH_COLUMN, JdbcStatements.none(), false);
    }

    /** The same table with another column of hashes. */
    public JdbcTable<K, V> withHashColumn(String name) {
        return new JdbcTable<>(table, key, value, name, statements, isInOneForm);
    }

    /** The same table, read and written by statements of the user's own. */
    public JdbcTable<K, V> withStatements(JdbcStatements own) {
        return new JdbcTable<>(table, key, value, hashColumn, own, isInOneForm);
    }

    /**
     * The same table, of which the caller promises that every key comes in one form, in its rows and in lookups: say, in lower
     * case and without blanks at its end. Then a column that ignores case is not refused.
     */
    public JdbcTable<K, V> withKeysInOneForm() {
        return new JdbcTable<>(table, key, value, hashColumn, statements, true);
    }

    /** Schema and name, or the name alone. */
    List<SqlName> names() {
        return SqlName.parseAll(table);
    }
}
