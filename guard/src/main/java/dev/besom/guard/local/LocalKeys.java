package dev.besom.guard.local;

import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hashes of a store's keys, in a folder of Besom's own: what a guard needs beside a loader, a store that cannot keep
 * them. Takes eight bytes a key on disk, and no more in memory than the latest changes.
 *
 * <p>The folder belongs to one process at a time. It outlives the end of that process at any moment: every key that was
 * added is known to the next one. It can be made again from the keys if it is lost or damaged, and from nothing else.
 *
 * @param <K> the keys
 */
public final class LocalKeys<K> implements AutoCloseable {

    /** A compaction reads and writes everything, so there should be something to do. */
    private static final long COMPACT_AFTER = 1 << 16;

    private static final int BATCH = 4096;

    /** Folders that this process has opened: the system's locks are between processes, and go with the first close. */
    private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lockFile;
    private final LocalHashes hashes;
    private final FileNotes notes;
    private final KeyHasher<? super K> hasher;

    private LocalKeys(
            Path folder, FileChannel lockFile, LocalHashes hashes, FileNotes notes, KeyHasher<? super K> hasher) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.hashes = hashes;
        this.notes = notes;
        this.hasher = hasher;
    }

    /** Opens a folder, or makes it; each key that is added is safe on the disk before it may be stored. */
    public static <K> LocalKeys<K> open(Path folder, KeyHasher<? super K> hasher) throws IOException {
        return open(folder, hasher, true);
    }

    /**
     * Opens a folder, or makes it.
     *
     * @param hasher one without a seed stands for a secret one, whose secret is made once and kept in the folder
     * @param sync whether a key that is added waits for the disk. If not, keys that were added just before a power cut,
     *     or a crash of the whole machine, may be missing afterwards, and would be hidden if they were stored
     * @throws MalformedFilterException if files are damaged or missing
     * @throws IOException if the folder is in use
     * @throws IllegalArgumentException if the folder's hashes are those of another hasher
     */
    public static <K> LocalKeys<K> open(Path folder, KeyHasher<? super K> hasher, boolean sync) throws IOException {
        return open(folder, hasher, LocalHashes.Settings.of(sync, COMPACT_AFTER));
    }

    static <K> LocalKeys<K> open(Path folder, KeyHasher<? super K> hasher, LocalHashes.Settings settings)
            throws IOException {
        LocalHashes.makeFolder(folder);
        Path real = folder.toRealPath();
        if (!IN_USE.add(real)) {
            throw new IOException(folder + " is in use by this process");
        }
        try {
            FileChannel lockFile = lock(real);
            try {
                LocalHashes hashes = LocalHashes.open(real, settings);
                try {
                    FileNotes notes = new FileNotes(real);
                    return new LocalKeys<>(real, lockFile, hashes, notes, choose(real, hasher, hashes, notes));
                } catch (RuntimeException | Error e) {
                    hashes.close();
                    throw e;
                }
            } catch (IOException | RuntimeException | Error e) {
                lockFile.close();
                throw e;
            }
        } catch (IOException | RuntimeException | Error e) {
            IN_USE.remove(real);
            throw e;
        }
    }

    /** The system gives the lock back when the process ends, however that happens. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel file = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() == null) {
                throw new IOException(folder + " is in use by another process");
            }
            return file;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static <K> KeyHasher<? super K> choose(
            Path folder, KeyHasher<? super K> given, LocalHashes hashes, FileNotes notes) {
        if (hashes.count() > 0 && !HasherNote.isNoted(notes)) {
            throw new MalformedFilterException(folder + " has hashes, and the note of their hasher is missing");
        }
        return HasherNote.choose(given, notes, () -> hashes.count() > 0);
    }

    /**
     * Adds the keys that a store has already, before a guard stands there. Each is to be given once; one that is given
     * twice, or is there already, does no harm but takes its memory twice. If this ends early, it is best begun
     * anew with another folder.
     */
    public void addAll(Iterable<? extends K> keys) {
        notes.forgetSnapshot();
        long[] batch = new long[BATCH];
        int size = 0;
        for (K key : keys) {
            batch[size++] = hasher.hash(key);
            if (size == BATCH) {
                hashes.add(batch);
                size = 0;
            }
        }
        if (size > 0) {
            hashes.add(Arrays.copyOf(batch, size));
        }
    }

    /** How many keys there are. */
    public long count() {
        return hashes.count();
    }

    /**
     * Adds a hash, also one that is there already, for a guard; on the disk when this returns, if the folder was opened
     * so. Others call {@link Notes#forgetSnapshot()} before.
     */
    public void addHash(long hash) {
        hashes.add(hash);
    }

    /** Removes one occurrence of a hash; false, and no change, if there is none. */
    public boolean removeHash(long hash) {
        return hashes.remove(hash);
    }

    /** The hashes of the keys. */
    public StoredHashes hashes() {
        return hashes;
    }

    /** Small records that are kept in the folder. */
    public Notes notes() {
        return notes;
    }

    /** The hasher in use: the secret one where the one that was given had no seed. */
    public KeyHasher<? super K> hasher() {
        return hasher;
    }

    /**
     * Takes the right to be the only guard that changes these keys; other processes cannot open the folder.
     *
     * @throws LeaseHeldException if another guard has it
     */
    public Lease acquireLease() {
        return Lease.ofProcess(this);
    }

    /** Gives the folder back. */
    @Override
    public synchronized void close() {
        if (!lockFile.isOpen()) {
            return;
        }
        try {
            try {
                hashes.close();
            } finally {
                lockFile.close();
                IN_USE.remove(folder);
            }
        } catch (IOException e) {
            throw new StoreException("cannot close " + folder, e);
        }
    }
}
