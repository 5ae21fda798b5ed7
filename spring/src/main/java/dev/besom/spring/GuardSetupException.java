package dev.besom.spring;

import org.jspecify.annotations.Nullable;

/** A guard cannot be made as the properties say, or a method cannot be guarded as its annotation says. */
public final class GuardSetupException extends RuntimeException {

    private final String action;

    GuardSetupException(String message, String action) {
        this(message, action, null);
    }

    GuardSetupException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** What can be done about it. */
    public String action() {
        return action;
    }
}
