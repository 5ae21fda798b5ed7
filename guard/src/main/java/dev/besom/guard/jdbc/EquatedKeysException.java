package dev.besom.guard.jdbc;

/**
 * A table takes keys for the same that differ in Java, such as texts that differ in case: a guard would deny rows that the table
 * finds. {@link JdbcTable#withKeysInOneForm()} promises that this does not happen.
 */
public final class EquatedKeysException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    EquatedKeysException(String message) {
        super(message);
    }
}
