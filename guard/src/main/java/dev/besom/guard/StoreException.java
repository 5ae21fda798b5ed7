package dev.besom.guard;

/** A store failed with a checked exception, which is the cause. */
public final class StoreException extends RuntimeException {

    /** Says what was to be done, and why it failed. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
