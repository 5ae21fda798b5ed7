package dev.besom.guard;

/** A store failed with a checked exception, which is the cause. */
public final class StoreException extends RuntimeException {

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
