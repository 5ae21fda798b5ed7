package dev.besom.cli.keys;

/** A file does not hold the keys it should; the message names it, and the line where there is one. */
public final class BadKeysException extends IllegalArgumentException {

    public BadKeysException(String message) {
        super(message);
    }

    public BadKeysException(String message, Throwable cause) {
        super(message, cause);
    }
}
