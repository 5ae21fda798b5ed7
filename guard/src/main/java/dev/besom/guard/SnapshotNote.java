package dev.besom.guard;

import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.codec.FilterFile;
import dev.besom.hash.HasherStamp;
import dev.besom.quotient.TelescopingFilter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Snapshots of a guard, and the note in the store that says which one is current.
 *
 * <pre>
 *   file    | BESOMGRD | version 4 | generation 16 | shards 4 | filter of shard 0 | filter of shard 1 | ...
 * </pre>
 *
 * The generation is random. A snapshot counts if the store's note has its generation. The note is written once the file
 * is safe on disk, and removed before the first change after that: so a note that is there proves that the store holds
 * just what it held then. All else about a file is checked as for any filter; one that is not whole, or was made with
 * another hasher or rate, is passed over, and the guard is primed from the stored hashes.
 */
final class SnapshotNote {

    private static final String NAME = "besom.snapshot";
    private static final long MAGIC = 0x4245534F4D475244L;
    private static final int VERSION = 1;
    private static final int GENERATION_SIZE_IN_BYTES = 16;

    /** The parameter of a telescoping filter's image that says how many keys it is planned for. */
    private static final int CAPACITY = 0;

    private final Dictionary.Notes notes;
    private volatile boolean isCurrent;

    SnapshotNote(Dictionary.Notes notes) {
        this.notes = notes;
        this.isCurrent = notes.read(NAME) != null;
    }

    /** Sees to it that no snapshot counts any more. */
    void invalidate() {
        if (isCurrent) {
            removeNote();
        }
    }

    private synchronized void removeNote() {
        if (isCurrent) {
            notes.remove(NAME);
            isCurrent = false;
        }
    }

    /** Writes the filters of shards whose changes are held back. */
    synchronized void write(Path file, HasherStamp stamp, Shard<?>[] shards) throws IOException {
        byte[] generation = new byte[GENERATION_SIZE_IN_BYTES];
        new SecureRandom().nextBytes(generation);
        Path target = file.toAbsolutePath();
        // One name for all: what a crash leaves there goes with the next snapshot.
        Path temporary = target.resolveSibling("." + target.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16));
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                out.write(generation);
                out.writeInt(shards.length);
                for (Shard<?> shard : shards) {
                    TelescopingFilter filter = shard.filter();
                    if (filter == null) {
                        throw new IllegalStateException("a shard without a filter");
                    }
                    FilterCodec.write(filter, stamp, out);
                }
                out.flush();
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            Folder.deleteQuietly(temporary);
            throw e;
        }
        notes.write(NAME, generation);
        isCurrent = true;
    }

    /** Gives each shard its filter from a file; false, and no change, if the file is not current or not whole. */
    boolean load(Path file, HasherStamp stamp, FilterSpec spec, Shard<?>[] shards) {
        byte[] current = notes.read(NAME);
        if (current == null) {
            return false;
        }
        TelescopingFilter[] filters = new TelescopingFilter[shards.length];
        FilterImage wanted = TelescopingFilter.make(spec, StoredHashes.none()).image();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readLong() != MAGIC
                    || in.readInt() != VERSION
                    || !Arrays.equals(in.readNBytes(GENERATION_SIZE_IN_BYTES), current)
                    || in.readInt() != shards.length) {
                return false;
            }
            for (int i = 0; i < shards.length; i++) {
                FilterFile read = FilterCodec.read(in, shards[i].hashes());
                if (!(read.filter() instanceof TelescopingFilter filter)
                        || !read.hasher().equals(stamp)
                        || !isAlike(filter.image(), wanted)) {
                    return false;
                }
                filters[i] = filter;
            }
            if (in.read() >= 0) {
                return false;
            }
        } catch (EOFException | MalformedFilterException e) {
            return false;
        } catch (IOException e) {
            // A file that cannot be read is as good as none: the stored hashes have everything.
            return false;
        }
        for (int i = 0; i < shards.length; i++) {
            shards[i].install(filters[i], filters[i].image().parameter(CAPACITY));
        }
        return true;
    }

    /** Whether two filters are of one kind with the same load, remainders and seed. */
    private static boolean isAlike(FilterImage found, FilterImage wanted) {
        return wanted.kind().equals(found.kind())
                && wanted.parameter(1) == found.parameter(1)
                && wanted.parameter(2) == found.parameter(2)
                && wanted.parameter(3) == found.parameter(3);
    }
}
