package dev.besom.cli;

/** The user asked for something that cannot be; the message names the file or option in one line. */
final class InputException extends RuntimeException {

    InputException(String message) {
        super(message);
    }

    InputException(String message, Throwable cause) {
        super(message, cause);
    }
}
