package dev.besom.codec;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a file whole or not at all: to a temporary file in the same folder, forced to disk, then renamed over whatever was
 * there. Where writing fails, the temporary file goes.
 *
 * <p>A process that is told to end can have it go as well, by {@link #giveUpAll()}. One that is killed leaves it behind, under
 * a name that starts with a dot and ends in {@code .tmp}.
 */
public final class AtomicFile {

    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    /** Tells the temporary files of one process apart. */
    private static final AtomicLong NUMBER = new AtomicLong();

    private static boolean isOver;

    /** What is written. */
    @FunctionalInterface
    public interface Contents {
        /** Writes all of it. */
        void writeTo(FileChannel channel) throws IOException;
    }

    /** What systems say that can force files, but no folders. */
    private static final String CANNOT_BE_FORCED = "Invalid argument";

    private AtomicFile() {}

    /**
     * Writes a file. If that fails, the file before is there, or the new one.
     *
     * @param attributes those that the file has from its beginning
     */
    public static void write(Path file, Contents contents, FileAttribute<?>... attributes) throws IOException {
        Path target = file.toAbsolutePath();
        Path folder = folderOf(target);
        Path temporary = temporary(target);
        FileChannel begun = begin(temporary, attributes);
        try {
            try (FileChannel channel = begun) {
                contents.writeTo(channel);
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException | Error e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException another) {
                e.addSuppressed(another);
            }
            throw e;
        } finally {
            end(temporary);
        }
        forceFolder(folder);
    }

    /**
     * Sees to it that a file could be begun there, for those who have long work before they write.
     *
     * @throws IOException if its folder takes no file
     */
    public static void check(Path file) throws IOException {
        Path temporary = temporary(file.toAbsolutePath());
        FileChannel begun = begin(temporary);
        try {
            begun.close();
        } finally {
            Files.deleteIfExists(temporary);
            end(temporary);
        }
    }

    private static Path folderOf(Path target) throws IOException {
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(target + " is not a file name");
        }
        return folder;
    }

    /** A name that no file has: a process of the same number, one before this or in another container, may have left some. */
    private static Path temporary(Path target) throws IOException {
        Path folder = folderOf(target);
        Path temporary;
        do {
            temporary = folder.resolve("." + target.getFileName() + "."
                    + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + ".tmp");
        } while (Files.exists(temporary, LinkOption.NOFOLLOW_LINKS));
        return temporary;
    }

    /** Makes the file while nobody gives up, so that it is either known to those who do or not made. */
    private static synchronized FileChannel begin(Path temporary, FileAttribute<?>... attributes) throws IOException {
        if (isOver) {
            throw new IOException("no file is begun any more, as the process ends");
        }
        FileChannel channel = FileChannel.open(
                temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
        UNFINISHED.add(temporary);
        return channel;
    }

    private static synchronized void end(Path temporary) {
        UNFINISHED.remove(temporary);
    }

    /**
     * Gives up all files that are being written, and lets none be begun: for a process that is about to end. Their
     * temporary files go, and those who write them fail, unless they are ready to be renamed just now.
     */
    public static synchronized void giveUpAll() {
        isOver = true;
        UNFINISHED.forEach(AtomicFile::deleteQuietly);
    }

    /** Deletes a file that is of no use any more, if that can be done. */
    public static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            return;
        }
    }

    /**
     * Makes names in a folder last that were given or taken away, also if the thread is interrupted. Systems on which a folder
     * cannot be opened or forced do so by themselves.
     *
     * @throws IOException if the folder could not be forced: after a power cut its names may be those from before
     */
    public static void forceFolder(Path folder) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (!isForced(folder)) {
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Forces a folder; false if the thread was interrupted before that was done. */
    private static boolean isForced(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        } catch (AccessDeniedException e) {
            // Windows opens no folder.
            return true;
        } catch (IOException e) {
            if (CANNOT_BE_FORCED.equals(e.getMessage())) {
                return true;
            }
            throw e;
        }
    }
}
