package dev.besom;

/** Bytes that are not a filter, or not one that was written whole. Nothing else is thrown for bad bytes. */
public final class MalformedFilterException extends RuntimeException {

    /** Says what is wrong with the bytes. */
    public MalformedFilterException(String message) {
        super(message);
    }

    /** Says what is wrong with the bytes, and what found it. */
    public MalformedFilterException(String message, Throwable cause) {
        super(message, cause);
    }
}
