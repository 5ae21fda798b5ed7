package dev.besom.guard.jdbc;

import java.lang.invoke.MethodHandles;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How keys or values stand in one column or several.
 *
 * @param columns in the order in which parameters are set and columns are read
 * @param setter gives as many parameters as there are columns their values, from the given one on
 * @param getter reads as many columns, from the given one on; null if they hold no value
 * @param <T> the keys or values
 */
public record JdbcColumns<T>(List<JdbcColumn> columns, JdbcType.Setter<T> setter, JdbcType.Getter<T> getter) {

    /** Checks that there are columns, each once. */
    public JdbcColumns {
        columns = List.copyOf(columns);
        Set<SqlName> names = new HashSet<>();
        for (JdbcColumn column : columns) {
            if (!names.add(SqlName.parse(column.name()))) {
                throw new IllegalArgumentException("the column " + column.name() + " twice");
            }
        }
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("no columns");
        }
    }

    /** One column. */
    public static <T> JdbcColumns<T> of(String name, JdbcType<T> type) {
        return new JdbcColumns<>(List.of(new JdbcColumn(name, type.sqlName())), type.setter(), type.getter());
    }

    /**
     * The components of a record, each in a column of its name: {@code firstName} in {@code first_name}. Texts, numbers,
     * booleans and byte arrays, and whatever else the database's driver takes and gives as an object. Where all columns
     * are null there is no value.
     *
     * @param lookup the caller's, {@code MethodHandles.lookup()}, by which the record can be made
     * @throws IllegalArgumentException if that is not allowed
     */
    public static <T extends Record> JdbcColumns<T> ofRecord(Class<T> type, MethodHandles.Lookup lookup) {
        return RecordColumns.of(type, lookup);
    }
}
