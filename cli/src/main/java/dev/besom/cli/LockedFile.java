package dev.besom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that is locked because it is going to be replaced. The lock belongs to the file, not to its name: whoever waited for it looks
 * whether the name leads to another file by then, and locks that one.
 */
final class LockedFile implements AutoCloseable {

    private final Path path;
    private final FileChannel channel;

    private LockedFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    Path path() {
        return path;
    }

    /**
     * What is in the file. Whoever opened it once more would lose the lock on closing it: where the system's locks are those
     * of POSIX, closing any descriptor of a file gives up all locks that the process has on it.
     */
    InputStream contents() {
        return Channels.newInputStream(channel);
    }

    /** Locks a file, as soon as nobody else has. */
    static LockedFile lock(Path file) throws IOException {
        while (true) {
            Object before = key(file);
            FileChannel channel = open(file);
            try {
                channel.lock();
                if (before.equals(key(file))) {
                    return new LockedFile(file, channel);
                }
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            channel.close();
        }
    }

    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new InputException(file + ": permission denied", e);
        }
    }

    private static Object key(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Object key = attributes.fileKey();
        return key != null ? key : attributes.creationTime();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
