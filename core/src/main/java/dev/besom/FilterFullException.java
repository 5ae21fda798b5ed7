package dev.besom;

/** The structure has no room for one more key. The filter is as it was before the call. */
public final class FilterFullException extends RuntimeException {

    /** Says which filter is full, and of how many keys. */
    public FilterFullException(String message) {
        super(message);
    }
}
