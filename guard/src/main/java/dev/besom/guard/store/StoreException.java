package dev.besom.guard.store;

/** A store failed with a checked exception, which is the cause. */
public sealed class StoreException extends RuntimeException permits RejectedException {

    /**
     * An exception for a failure of a store.
     *
     * @param message names the store
     * @param cause what the store threw
     */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
