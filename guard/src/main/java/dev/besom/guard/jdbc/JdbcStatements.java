package dev.besom.guard.jdbc;

import java.util.Optional;

/**
 * Statements of the user's own, for a {@link JdbcTable} that is read or written in a special way: by a join, a function,
 * with a date of the last change, with a mark in the place of a deletion. Those that are not given are Besom's.
 *
 * <p>Parameters are {@code ?}, in this order: those of {@code select} and {@code delete} the key's columns; those of
 * {@code insert} and {@code update} the value's columns, the hash, the key's columns.
 *
 * <p>A row that {@code select} finds must have its hash in the table's column. Each insert and update is followed by a look
 * whether it has, in the same transaction, and is taken back if not; each delete by a look whether {@code select} still
 * finds the key. So a statement that forgets the hash is refused and hides nothing.
 *
 * @param select returns the value's columns of a key
 * @param insert makes a row
 * @param update changes the row of a key, and makes none
 * @param delete removes the row of a key, or hides it from {@code select}
 */
public record JdbcStatements(
        Optional<String> select, Optional<String> insert, Optional<String> update, Optional<String> delete) {

    private static final JdbcStatements NONE =
            new JdbcStatements(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Besom's statements throughout. */
    public static JdbcStatements none() {
        return NONE;
    }

    /** With a query of the user's own. */
    public JdbcStatements withSelect(String sql) {
        return new JdbcStatements(Optional.of(sql), insert, update, delete);
    }

    /** With an insert of the user's own. */
    public JdbcStatements withInsert(String sql) {
        return new JdbcStatements(select, Optional.of(sql), update, delete);
    }

    /** With an update of the user's own. */
    public JdbcStatements withUpdate(String sql) {
        return new JdbcStatements(select, insert, Optional.of(sql), delete);
    }

    /** With a delete of the user's own. */
    public JdbcStatements withDelete(String sql) {
        return new JdbcStatements(select, insert, update, Optional.of(sql));
    }

    /** Whether any is the user's own. */
    boolean isAny() {
        return select.isPresent() || insert.isPresent() || update.isPresent() || delete.isPresent();
    }
}
