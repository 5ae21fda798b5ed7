package dev.besom.spark.build;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Files of any file system that Hadoop knows, for the driver and for executors. A file of the local file system gets no
 * checksum file beside it: filters have their own.
 */
public final class OutputFiles implements Serializable {

    /** A file in folders that are being built, which is gone when they are whole. */
    static final String MARK = "_building";

    private static final String HSYNC = "hsync";
    private static final int MOST_DELETIONS = 10;

    private final SerializableConfiguration configuration;

    /** Files by the settings of a session. */
    public OutputFiles(Configuration configuration) {
        this.configuration = new SerializableConfiguration(configuration);
    }

    /** Writes to a stream. */
    interface Writing<T> {
        T writeTo(OutputStream out) throws IOException;
    }

    private FileSystem systemOf(Path path) throws IOException {
        FileSystem system = path.getFileSystem(configuration.value());
        return system instanceof LocalFileSystem local ? local.getRawFileSystem() : system;
    }

    /** A path with its file system, which means the same in all processes. */
    Path qualified(Path path) throws IOException {
        return systemOf(path).makeQualified(path);
    }

    /**
     * Opens a file.
     *
     * @throws FileNotFoundException if there is none
     */
    public InputStream open(Path file) throws IOException {
        return systemOf(file).open(file);
    }

    /**
     * Sees to it that there is nothing of a name.
     *
     * @throws FileAlreadyExistsException if there is; the message names it
     */
    void requireAbsent(Path path) throws IOException {
        FileSystem system = systemOf(path);
        if (system.exists(path)) {
            boolean isBegun = system.getFileStatus(path).isDirectory() && system.exists(new Path(path, MARK));
            throw new FileAlreadyExistsException(
                    path + " exists already" + (isBegun ? ": it is being built, or its build was killed" : ""));
        }
    }

    /** Makes a folder with the mark in it; of two who try, one fails. */
    void begin(Path folder) throws IOException {
        requireAbsent(folder);
        FileSystem system = systemOf(folder);
        if (!system.mkdirs(folder)) {
            throw new IOException("cannot make the folder " + folder);
        }
        system.create(new Path(folder, MARK), false).close();
    }

    /**
     * Writes a new file, which is on the disk when this returns, where the file system can say so. The folder has to be
     * there: a task that nobody waits for any more must not make it anew.
     */
    <T> T write(Path file, Writing<T> contents) throws IOException {
        try (FSDataOutputStream out =
                systemOf(file).createFile(file).overwrite(false).build()) {
            T result = contents.writeTo(out);
            if (out.hasCapability(HSYNC)) {
                out.hsync();
            }
            return result;
        }
    }

    /** Gives a file its name, where there is nothing yet. */
    void rename(Path from, Path to) throws IOException {
        requireAbsent(to);
        if (!systemOf(to).rename(from, to)) {
            throw new IOException("cannot rename " + from + " to " + to);
        }
    }

    /** Deletes a file, or a folder with all that is in it, if it is there. */
    void delete(Path path) throws IOException {
        FileSystem system = systemOf(path);
        // A task that nobody waits for any more may begin a file while its folder is emptied.
        for (int attempt = 0; attempt < MOST_DELETIONS; attempt++) {
            if (system.delete(path, true) || !system.exists(path)) {
                return;
            }
        }
        throw new IOException("cannot delete " + path);
    }
}
