package dev.besom.guard.store;

/**
 * A store has refused a change and holds what it held before: a value that is too long, a row that breaks a rule of the
 * table. Unlike any other exception it leaves nothing uncertain.
 */
public final class RejectedException extends StoreException {

    /**
     * An exception for a change that was refused.
     *
     * @param message names the store
     * @param cause what the store threw
     */
    public RejectedException(String message, Throwable cause) {
        super(message, cause);
    }
}
