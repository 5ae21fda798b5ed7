package dev.besom;

/** The structure has no room for one more key. The filter is as it was before the call. */
public final class FilterFullException extends RuntimeException {

    public FilterFullException(String message) {
        super(message);
    }
}
