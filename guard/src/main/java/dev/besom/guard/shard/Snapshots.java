package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.MalformedFilterException;
import dev.besom.codec.AtomicFile;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.store.Notes;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Snapshots of a guard, and the note in the store that says which one is current.
 *
 * <pre>
 *   file    | BESOMGRD | version 4 | generation 16 | shards 4 | length 4 | choice of filters |
 *           | capacity 8 | filter of shard 0 | capacity 8 | filter of shard 1 | ... | CRC-32C 8 |
 * </pre>
 *
 * The generation is random. A snapshot counts if the store's note has its generation and the latest {@linkplain OwnerNote
 * epoch}: that of the guard that wrote it, or took it over. The note is removed before the first change after that: so a note
 * that is there proves that the store holds just what it held then. All else about a file is checked as for any filter; one that
 * is not whole, or was made with another hasher, kind, rate or option, is passed over, and the guard is primed from the stored
 * hashes.
 *
 * <pre>
 *   temporary file, forced to disk | note, acknowledged by the store | file gets its name
 * </pre>
 *
 * A write of a note that fails may still reach the store, at a time when that holds other keys. It is that of no file then, as
 * only the file of an acknowledged note ever gets the name. A crash between the two leaves a note without its file.
 *
 * <p>Changes go on while a snapshot is written. Each filter is copied between two changes of its shard, and written
 * afterwards. A change that begins after the first copy makes the snapshot outdated, as it would have done one moment
 * later too; the snapshot is then given up. To find out, each change says so first and looks for a current snapshot
 * second, and the writer calls its snapshot current first and looks for changes second. So at least one of them sees the
 * other: the writer gives up, or the change waits for the note and removes it before it reaches the store. A change that
 * began earlier has ended when its shard is copied.
 */
public final class Snapshots {

    private static final long MAGIC = 0x4245534F4D475244L;
    private static final int VERSION = 2;
    private static final int GENERATION_SIZE_IN_BYTES = 16;
    private static final String UNFINISHED_SUFFIX = ".tmp";

    private final Notes notes;
    private final long epoch;
    private final FilterChoice choice;
    private final HasherStamp stamp;
    private final ReentrantLock writing = new ReentrantLock();
    /** Whether the store may have a note. Set to false only by those who have removed it. */
    private volatile boolean isCurrent;

    /** Whether anything was changed since a snapshot was begun. */
    private volatile boolean hasChanged;

    /**
     * Snapshots of a guard over a store.
     *
     * @param notes of the store
     * @param epoch of the guard
     * @param choice of its filters
     * @param stamp of its hasher
     */
    public Snapshots(Notes notes, long epoch, FilterChoice choice, HasherStamp stamp) {
        this.notes = notes;
        this.epoch = epoch;
        this.choice = choice;
        this.stamp = stamp;
        this.isCurrent = notes.read(Notes.SNAPSHOT) != null;
    }

    /** Makes every snapshot outdated; to be called before a change, by whoever holds the shard's changes. */
    public void invalidate() {
        if (!hasChanged) {
            hasChanged = true;
        }
        if (isCurrent) {
            removeNote();
        }
    }

    private synchronized void removeNote() {
        if (isCurrent) {
            notes.forgetSnapshot();
            isCurrent = false;
        }
    }

    /**
     * Writes the filters of all shards.
     *
     * @return false if something was changed meanwhile, so that there is no current snapshot
     */
    public boolean write(Path file, List<? extends Shard<?>> shards) throws IOException {
        writing.lock();
        try {
            byte[] generation = new byte[GENERATION_SIZE_IN_BYTES];
            new SecureRandom().nextBytes(generation);
            return isWritten(file, shards, generation, () -> isNoted(generation));
        } finally {
            writing.unlock();
        }
    }

    /**
     * Writes the filters of all shards of a member of a fleet. Its number is the epoch, and the entry of the log takes the
     * place of the store's note: the filters have everything up to it, and may have more.
     *
     * @param applied up to which entry the filters had everything before they were copied
     */
    public boolean writeAt(Path file, List<? extends Shard<?>> shards, long applied) throws IOException {
        writing.lock();
        try {
            byte[] generation = ByteBuffer.allocate(GENERATION_SIZE_IN_BYTES)
                    .putLong(epoch)
                    .putLong(applied)
                    .array();
            return isWritten(file, shards, generation, () -> true);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Writes a file, which gets its name only if it is noted.
     *
     * @param isNoted notes it; false, and no note, if it is outdated
     */
    private boolean isWritten(Path file, List<? extends Shard<?>> shards, byte[] generation, BooleanSupplier isNoted)
            throws IOException {
        hasChanged = false;
        Path target = file.toAbsolutePath();
        deleteUnfinished(target);
        // A name of its own: what stands there is what this guard has written, whatever another one does that is
        // thought dead.
        Path temporary = target.resolveSibling(
                unfinishedPrefix(target) + HexFormat.of().formatHex(generation) + UNFINISHED_SUFFIX);
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                write(channel, generation, shards);
                channel.force(true);
            }
            if (hasChanged || !isNoted.getAsBoolean()) {
                AtomicFile.deleteQuietly(temporary);
                return false;
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException | RuntimeException | Error e) {
            AtomicFile.deleteQuietly(temporary);
            throw e;
        }
    }

    private static String unfinishedPrefix(Path target) {
        return "." + target.getFileName() + ".";
    }

    /** Deletes what crashes have left of earlier snapshots. */
    private static void deleteUnfinished(Path target) throws IOException {
        Path folder = Objects.requireNonNull(target.getParent());
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(each -> isUnfinished(target, String.valueOf(each.getFileName())))
                    .forEach(AtomicFile::deleteQuietly);
        }
    }

    private static boolean isUnfinished(Path target, String name) {
        String prefix = unfinishedPrefix(target);
        return name.length() == prefix.length() + 2 * GENERATION_SIZE_IN_BYTES + UNFINISHED_SUFFIX.length()
                && name.startsWith(prefix)
                && name.endsWith(UNFINISHED_SUFFIX);
    }

    private void write(FileChannel channel, byte[] generation, List<? extends Shard<?>> shards) throws IOException {
        CRC32C checksum = new CRC32C();
        DataOutputStream out = new DataOutputStream(new CheckedOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16), checksum));
        out.writeLong(MAGIC);
        out.writeInt(VERSION);
        out.write(generation);
        out.writeInt(shards.size());
        byte[] chosen = choice.toBytes();
        out.writeInt(chosen.length);
        out.write(chosen);
        for (Shard<?> shard : shards) {
            ShardFilter.Saved saved = shard.save();
            if (hasChanged) {
                return;
            }
            out.writeLong(saved.capacity());
            FilterCodec.write(saved.image(), stamp, out);
        }
        out.writeLong(checksum.getValue());
        out.flush();
    }

    private static byte[] record(long epoch, byte[] generation) {
        return ByteBuffer.allocate(Long.BYTES + generation.length)
                .putLong(epoch)
                .put(generation)
                .array();
    }

    /** The generation of the snapshot that was written in an epoch, if it is the current one; otherwise nothing. */
    private byte[] currentGeneration(long ofEpoch) {
        byte[] noted = notes.read(Notes.SNAPSHOT);
        return noted != null
                        && noted.length == Long.BYTES + GENERATION_SIZE_IN_BYTES
                        && ByteBuffer.wrap(noted).getLong() == ofEpoch
                ? Arrays.copyOfRange(noted, Long.BYTES, noted.length)
                : new byte[0];
    }

    /**
     * Takes a current snapshot over into this guard's epoch, which has begun since.
     *
     * @param previous the epoch before that
     */
    public synchronized void takeOver(long previous) {
        byte[] generation = currentGeneration(previous);
        if (isCurrent && generation.length > 0) {
            notes.write(Notes.SNAPSHOT, record(epoch, generation));
        }
    }

    private synchronized boolean isNoted(byte[] generation) {
        boolean hadNote = isCurrent;
        isCurrent = true;
        if (hasChanged) {
            isCurrent = hadNote;
            return false;
        }
        notes.write(Notes.SNAPSHOT, record(epoch, generation));
        return true;
    }

    /**
     * Gives each shard its filter from a file.
     *
     * @param storedCount how many keys are stored: filters that hold fewer are not those of this store
     * @return false, and no change, if the file is not current or not whole
     */
    public boolean load(Path file, List<? extends Shard<?>> shards, long storedCount) {
        byte[] current = currentGeneration(OwnerNote.epoch(notes));
        return current.length > 0
                && isLoaded(file, shards, storedCount, generation -> Arrays.equals(generation, current));
    }

    /**
     * Gives each shard of a member of a fleet its filter from a file.
     *
     * @return the entry of the log that the filters are up to; -1, and no change, if the file is of another fleet or not
     *     whole
     */
    public long loadAt(Path file, List<? extends Shard<?>> shards) {
        long[] applied = {-1};
        boolean isLoaded = isLoaded(file, shards, 0, generation -> {
            ByteBuffer numbers = ByteBuffer.wrap(generation);
            boolean isOurs = generation.length == GENERATION_SIZE_IN_BYTES && numbers.getLong() == epoch;
            applied[0] = isOurs ? numbers.getLong() : -1;
            return isOurs;
        });
        return isLoaded ? applied[0] : -1;
    }

    private boolean isLoaded(
            Path file, List<? extends Shard<?>> shards, long storedCount, Predicate<byte[]> isCurrentGeneration) {
        long[] capacities = new long[shards.size()];
        AdaptiveFilter[] filters = new AdaptiveFilter[shards.size()];
        CRC32C checksum = new CRC32C();
        try (DataInputStream in = new DataInputStream(
                new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16), checksum))) {
            byte[] chosen = choice.toBytes();
            if (in.readLong() != MAGIC
                    || in.readInt() != VERSION
                    || !isCurrentGeneration.test(in.readNBytes(GENERATION_SIZE_IN_BYTES))
                    || in.readInt() != shards.size()
                    || in.readInt() != chosen.length
                    || !Arrays.equals(in.readNBytes(chosen.length), chosen)) {
                return false;
            }
            for (int i = 0; i < shards.size(); i++) {
                capacities[i] = in.readLong();
                FilterFile read = Filters.readHashFilter(in, shards.get(i).hashes());
                PersistentFilter filter = read.filter();
                // No filter holds more keys than it has bits.
                if (capacities[i] < 1 || capacities[i] > filter.sizeInBits()) {
                    return false;
                }
                if (!(filter instanceof AdaptiveFilter adaptive)
                        || !filter.image().kind().equals(choice.kind().name())
                        || !read.hasher().equals(stamp)) {
                    return false;
                }
                filters[i] = adaptive;
            }
            long sum = checksum.getValue();
            if (in.readLong() != sum || in.read() >= 0) {
                return false;
            }
        } catch (IOException | MalformedFilterException e) {
            // A file that cannot be read is as good as none: the stored hashes have everything.
            return false;
        }
        if (Arrays.stream(filters).mapToLong(AdaptiveFilter::count).sum() < storedCount) {
            return false;
        }
        for (int i = 0; i < shards.size(); i++) {
            shards.get(i).install(filters[i], capacities[i]);
        }
        return true;
    }
}
