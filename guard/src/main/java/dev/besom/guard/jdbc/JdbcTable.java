package dev.besom.guard.jdbc;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The table of a {@link JdbcStore}.
 *
 * @param table its name, with or without a schema
 * @param keyColumn the column of keys, on which there is a primary key or unique index. Keys that differ in Java must
 *     differ for the database, and the other way round: a column that ignores case or pads with blanks finds keys under
 *     names that have other hashes, and a guard does not
 * @param valueColumn the column of values; a row in which it is null is stored, and has no value
 * @param hashColumn the column of hashes, of type BIGINT and with an index
 */
public record JdbcTable<K, V>(
        String table,
        String keyColumn,
        JdbcType<K> keyType,
        String valueColumn,
        JdbcType<V> valueType,
        String hashColumn) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern TABLE_NAME = Pattern.compile(NAME + "(\\." + NAME + ")?");

    /** Checks that all names are plain ones. */
    public JdbcTable {
        check(TABLE_NAME, table);
        check(NAME, keyColumn);
        check(NAME, valueColumn);
        check(NAME, hashColumn);
    }

    /** A table with the columns that Besom's own have: {@code besom_key}, {@code besom_value}, {@code besom_hash}. */
    public static <K, V> JdbcTable<K, V> of(String table, JdbcType<K> keyType, JdbcType<V> valueType) {
        return new JdbcTable<>(table, "besom_key", keyType, "besom_value", valueType, "besom_hash");
    }

    /** The table's name as part of the name of an index. */
    String plainName() {
        return table.replace('.', '_');
    }

    /** The table of notes, in the same schema. */
    String notesTable() {
        return table.substring(0, table.indexOf('.') + 1) + "besom_notes";
    }

    /** The table's name without its schema. Databases do not tell plain names apart by case. */
    String nameInSchema() {
        return table.substring(table.indexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** Names become part of statements, so nothing but names is taken. */
    private static void check(Pattern pattern, String name) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException("not a plain SQL name: '" + name + "'");
        }
    }
}
