package dev.besom.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Puts failures of files into words. */
final class InputOutput {

    private InputOutput() {}

    /** The failure in one line that names the file where the system told it. */
    static String describe(IOException e) {
        if (e instanceof NoSuchFileException) {
            return ((FileSystemException) e).getFile() + ": no such file or folder";
        }
        if (e instanceof AccessDeniedException) {
            return ((FileSystemException) e).getFile() + ": permission denied";
        }
        String message = e.getMessage();
        String text = message == null ? e.getClass().getSimpleName() : message;
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
