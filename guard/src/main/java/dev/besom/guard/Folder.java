package dev.besom.guard;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What folders need beside {@link Files}. */
final class Folder {

    private Folder() {}

    /** Makes names that were given or taken away last. Systems on which a folder cannot be opened do so by themselves. */
    static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Files are safe on disk already; at worst an old name is seen after a power cut, which all readers expect.
            return;
        }
    }

    /** Deletes a file that is of no use any more; if that fails it is deleted at the next start. */
    static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            return;
        }
    }
}
