package dev.besom.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** File names as users type them. */
final class Paths {

    private Paths() {}

    static Path of(String name) {
        if (name.isEmpty()) {
            throw new InputException("'': a file name must not be empty");
        }
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new InputException(name + ": is not a file name", e);
        }
    }
}
