package dev.besom.cli;

import dev.besom.MalformedFilterException;
import dev.besom.MembershipFilter;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardManifest;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Filter files as commands read and write them. */
final class FilterFiles {

    private FilterFiles() {}

    /** Reads a filter; whatever is wrong with the file is told with its name. */
    static FilterFile read(String name) throws IOException {
        Path file = Paths.of(name);
        if (Files.isDirectory(file)) {
            throw new InputException(name + ": is a folder, not a filter file");
        }
        return reading(name, () -> Files.isRegularFile(file) ? Filters.readHashFilter(file) : readStream(file));
    }

    /**
     * Something that can be asked.
     *
     * @param filter the filter of hashes
     * @param hasher the hasher whose hashes were put in
     */
    record Queried(MembershipFilter filter, HasherStamp hasher) {}

    /** Reads a filter file, or all shards of a sharded filter, to be asked. */
    static Queried readToQuery(String name) throws IOException {
        Path file = Paths.of(name);
        if (Files.isDirectory(file)) {
            ShardFolder folder = openFolder(name);
            return new Queried(readAll(name, folder), folder.manifest().hasher());
        }
        FilterFile read = read(name);
        return new Queried(read.filter(), read.hasher());
    }

    /** Opens the folder of a sharded filter. */
    static ShardFolder openFolder(String name) throws IOException {
        Path folder = Paths.of(name);
        if (!ShardFolder.isAt(folder)) {
            throw new InputException(name + ": is a folder, and has no " + ShardManifest.FILE_NAME
                    + ": not a sharded filter, or one that was not written to its end");
        }
        return readingAny(name, () -> ShardFolder.open(folder));
    }

    /** Reads all shards, each of which is checked. */
    static MembershipFilter readAll(String name, ShardFolder folder) throws IOException {
        return readingAny(name, folder::readHashFilter);
    }

    /** The messages of a sharded filter name the file themselves. */
    private static <T> T readingAny(String name, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (MalformedFilterException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (AccessDeniedException e) {
            throw new InputException(name + ": permission denied", e);
        } catch (IOException e) {
            throw new IOException(name + ": " + InputOutput.describe(e), e);
        }
    }

    /** Reads the filter of a file that is open. */
    static FilterFile read(String name, LockedFile locked) throws IOException {
        return reading(name, () -> readWhole(new BufferedInputStream(locked.contents())));
    }

    /** Reads something. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static FilterFile reading(String name, Reading<FilterFile> reading) throws IOException {
        try {
            return reading.read();
        } catch (NoSuchFileException e) {
            throw new InputException(name + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new InputException(name + ": permission denied", e);
        } catch (MalformedFilterException e) {
            throw new InputException(name + ": not a whole filter file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(name + ": " + InputOutput.describe(e), e);
        }
    }

    /** Pipes do not know their length, and a channel's stream would ask for it: so this is a plain one. */
    private static FilterFile readStream(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (!Files.isReadable(file)) {
            throw new AccessDeniedException(file.toString());
        }
        try (InputStream in = new BufferedInputStream(new FileInputStream(file.toFile()))) {
            return readWhole(in);
        }
    }

    private static FilterFile readWhole(InputStream in) throws IOException {
        FilterFile result = Filters.readHashFilter(in);
        if (in.read() >= 0) {
            throw new MalformedFilterException("bytes follow the end of the filter");
        }
        return result;
    }

    /** A filter file that is there and may be replaced; where the name is a link, the file it leads to. */
    static Path checkChangeable(String name) throws IOException {
        Path file = Paths.of(name);
        if (!Files.exists(file)) {
            throw new InputException(name + ": no such file");
        }
        if (!Files.isRegularFile(file)) {
            throw new InputException(name + ": is not a regular file");
        }
        return file.toRealPath();
    }

    /** The kind of a filter. */
    static Kind kindOf(PersistentFilter filter) {
        return Filters.kind(filter.image().kind());
    }

    /**
     * The file to write to, after a look at whether it may be written. Where the name is a link, that is the file it
     * leads to.
     */
    static Path checkOutput(String name, boolean force) throws IOException {
        if (name.equals("-")) {
            throw new InputException("-o -: a filter is written to a file, not to standard output");
        }
        Path file = Paths.of(name).toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null || Files.isDirectory(file)) {
            throw new InputException("-o " + name + ": is a folder");
        }
        if (!Files.isDirectory(folder)) {
            throw new InputException("-o " + name + ": there is no folder " + folder);
        }
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return file;
        }
        if (!force) {
            throw new InputException("-o " + name + ": exists already; --force replaces it");
        }
        if (!Files.exists(file)) {
            return file;
        }
        if (!Files.isRegularFile(file)) {
            throw new InputException("-o " + name + ": is not a regular file");
        }
        return file.toRealPath();
    }

    /** Writes a filter, whole or not at all. */
    static void write(PersistentFilter filter, HasherStamp hasher, Path file) throws IOException {
        try {
            FilterCodec.write(filter, hasher, file);
        } catch (IOException e) {
            throw new IOException("cannot write " + file + ": " + InputOutput.describe(e), e);
        }
    }
}
