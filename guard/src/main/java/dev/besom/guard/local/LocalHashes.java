package dev.besom.guard.local;

import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.codec.AtomicFile;
import dev.besom.guard.store.StoreException;
import dev.besom.stored.LockedHashes;
import dev.besom.stored.SortedHashFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ordered multiset of hashes in a folder, which outlives the end of the process at any moment.
 *
 * <pre>
 *   hashes-7    sorted hashes, which never change            {@link SortedHashFile}
 *   log-7       changes since those were written             {@link HashLog}
 *   log-8       changes since hashes-8 has begun to be written; there only meanwhile
 * </pre>
 *
 * The changes are in memory too, {@linkplain OverlaidHashes laid over} the sorted file. When there are many, a thread compacts them:
 * it writes file and changes together to the next generation's file, while further changes go to the next log. The new file counts from
 * the moment when it gets its name: before, the old file and both logs have everything; afterwards the new file and the
 * new log have. Whatever else is in the folder is of no use, and is deleted at the next start.
 *
 * <p>An addition that has returned is on the disk, if additions wait for it. A removal may come back after a power cut,
 * which costs memory and hides nothing. Where the disk is full or fails a change fails, and the set is as it was. Damage is
 * found at the start, and is an exception: the hashes cannot be made good from here.
 */
final class LocalHashes implements StoredHashes, Closeable {

    private static final String SORTED = "hashes-";
    private static final String LOG = "log-";
    private static final int ID_SIZE_IN_BYTES = 12;

    private final Path folder;
    private final Settings settings;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final StoredHashes view = new LockedHashes(lock.readLock(), () -> this.fresh);

    // What follows is written with the lock held to write, and read with it held either way.

    private long generation;
    private UninterruptibleHashes sorted;
    /** The changes that are being written to the next generation's file, or were to be; otherwise null. */
    private @Nullable OverlaidHashes frozen;

    private @Nullable HashLog frozenLog;
    private OverlaidHashes fresh;
    private HashLog log;
    /** How many records the log has when the next compaction begins. */
    private long compactAt;

    private @Nullable Thread compacting;
    private boolean isClosed;

    /**
     * How a set is kept.
     *
     * @param sync whether an addition waits until it is on the disk
     * @param compactAfter how many changes make a compaction worth while; from eight times as many hashes on it is an eighth
     * @param starter starts the thread that compacts
     */
    record Settings(boolean sync, long compactAfter, Consumer<Thread> starter) {

        static Settings of(boolean sync, long compactAfter) {
            return new Settings(sync, compactAfter, Thread::start);
        }
    }

    /** The files of a generation, and what the log says. */
    private record Generation(long number, UninterruptibleHashes sorted, OverlaidHashes changes, HashLog log) {}

    private LocalHashes(Path folder, Settings settings, Generation opened) {
        this.folder = folder;
        this.settings = settings;
        this.generation = opened.number();
        this.sorted = opened.sorted();
        this.fresh = opened.changes();
        this.log = opened.log();
        this.compactAt = compactionSize();
    }

    /**
     * Opens a folder, which is made if it is not there.
     *
     * @throws MalformedFilterException if a file is damaged or missing
     */
    static LocalHashes open(Path folder, Settings settings) throws IOException {
        makeFolder(folder);
        long generation = latest(folder, SORTED);
        if (generation < 0) {
            begin(folder);
            generation = 0;
        }
        Path logPath = folder.resolve(LOG + generation);
        if (!Files.exists(logPath)) {
            throw new MalformedFilterException(logPath + " is missing");
        }
        UninterruptibleHashes sorted = new UninterruptibleHashes(folder.resolve(SORTED + generation));
        try {
            OverlaidHashes changes = new OverlaidHashes(sorted);
            HashLog log = HashLog.open(logPath, changes::replay);
            return opened(new LocalHashes(folder, settings, new Generation(generation, sorted, changes, log)));
        } catch (IOException | RuntimeException | Error e) {
            sorted.close();
            throw e;
        }
    }

    /** Makes a folder and those that it is in, as far as they are not there, so that they last. */
    static void makeFolder(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(folder)) {
            makeFolder(parent);
            Files.createDirectories(folder);
            AtomicFile.forceFolder(parent);
        }
    }

    private static LocalHashes opened(LocalHashes hashes) throws IOException {
        try {
            hashes.openNextLog();
            hashes.deleteLeftovers();
            return hashes;
        } catch (IOException | RuntimeException | Error e) {
            hashes.close();
            throw e;
        }
    }

    /** The latest generation of a name; -1 if there is none. */
    private static long latest(Path folder, String name) throws IOException {
        long latest = -1;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                latest = Math.max(latest, generationOf(file, name));
            }
        }
        return latest;
    }

    /** The generation of a file; -1 if its name is another one. */
    private static long generationOf(Path file, String name) {
        String full = String.valueOf(file.getFileName());
        return full.matches(name + "[0-9]{1,18}") ? Long.parseLong(full.substring(name.length())) : -1;
    }

    /** Makes the first generation: the log first, because the sorted file makes both count. */
    private static void begin(Path folder) throws IOException {
        Path path = folder.resolve(LOG + 0);
        if (latest(folder, LOG) > 0 || (Files.exists(path) && !HashLog.isUnused(path))) {
            throw new MalformedFilterException(folder + " has a log of hashes, and its sorted hashes are missing");
        }
        Files.deleteIfExists(path);
        newLog(folder, 0).close();
        SortedHashFile.write(folder.resolve(SORTED + 0), StoredHashes.none());
    }

    private static HashLog newLog(Path folder, long generation) throws IOException {
        byte[] id = new byte[ID_SIZE_IN_BYTES];
        new SecureRandom().nextBytes(id);
        HashLog made = HashLog.create(folder.resolve(LOG + generation), id);
        try {
            AtomicFile.forceFolder(folder);
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /** Takes over the log of a compaction that was never finished. */
    private void openNextLog() throws IOException {
        Path path = folder.resolve(LOG + (generation + 1));
        if (Files.exists(path) && !HashLog.isUnused(path)) {
            OverlaidHashes later = new OverlaidHashes(fresh);
            HashLog next = HashLog.open(path, later::replay);
            frozen = fresh;
            frozenLog = log;
            fresh = later;
            log = next;
        }
    }

    private void deleteLeftovers() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                long ofSorted = generationOf(file, SORTED);
                long ofLog = generationOf(file, LOG);
                boolean isOld = (ofSorted >= 0 && ofSorted < generation) || (ofLog >= 0 && ofLog < generation);
                boolean isUnused = frozen == null && ofLog == generation + 1;
                if (isOld || isUnused || (name.startsWith(".") && name.endsWith(".tmp"))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Adds hashes, also those that are there already; all of them or none. */
    void add(long... hashes) {
        HashLog written;
        long position;
        lock.writeLock().lock();
        try {
            checkOpen();
            written = log;
            position = written.append(true, hashes);
            for (long hash : hashes) {
                fresh.add(hash);
            }
            compactIfDue();
        } catch (IOException e) {
            throw failure(e);
        } finally {
            lock.writeLock().unlock();
        }
        if (settings.sync()) {
            try {
                written.force(position);
            } catch (IOException e) {
                throw failure(e);
            }
        }
    }

    /** Removes one occurrence of a hash; false, and no change, if there is none. */
    boolean remove(long hash) {
        lock.writeLock().lock();
        try {
            checkOpen();
            if (!fresh.contains(hash)) {
                return false;
            }
            log.append(false, hash);
            fresh.remove(hash);
            compactIfDue();
            return true;
        } catch (IOException e) {
            throw failure(e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException(folder + " is closed");
        }
    }

    private StoreException failure(IOException e) {
        return new StoreException("cannot write to " + folder + ": " + e.getMessage(), e);
    }

    private long compactionSize() {
        return Math.max(settings.compactAfter(), sorted.count() / 8);
    }

    private void compactIfDue() {
        if (log.count() < compactAt || compacting != null) {
            return;
        }
        // Where a compaction fails, the next one is tried after as many changes again.
        compactAt = log.count() + compactionSize();
        OverlaidHashes source = frozen == null ? freeze() : frozen;
        if (source != null) {
            long next = generation + 1;
            Thread thread = new Thread(() -> compact(source, next), "besom-compaction");
            thread.setDaemon(true);
            try {
                settings.starter().accept(thread);
                compacting = thread;
            } catch (OutOfMemoryError e) {
                // There are too many threads. The change that led here has been made; only the compaction has to wait.
                compacting = null;
            }
        }
    }

    /** Lets further changes go to a new log; null, and no change, if none can be made. */
    private @Nullable OverlaidHashes freeze() {
        Path path = folder.resolve(LOG + (generation + 1));
        HashLog next;
        try {
            next = newLog(folder, generation + 1);
        } catch (IOException e) {
            // The change that led here has been made; only the compaction has to wait.
            AtomicFile.deleteQuietly(path);
            return null;
        }
        OverlaidHashes source = fresh;
        frozen = source;
        frozenLog = log;
        fresh = new OverlaidHashes(source);
        log = next;
        compactAt = compactionSize();
        return source;
    }

    private void compact(OverlaidHashes source, long next) {
        UninterruptibleHashes compacted = null;
        try {
            Path path = folder.resolve(SORTED + next);
            SortedHashFile.write(path, source);
            compacted = new UninterruptibleHashes(path);
        } catch (IOException | RuntimeException e) {
            // The old files have everything and serve on. A later compaction may succeed.
            compacted = null;
        } finally {
            endCompaction(compacted, next);
        }
    }

    private void endCompaction(@Nullable UninterruptibleHashes compacted, long next) {
        lock.writeLock().lock();
        try {
            if (compacted != null && isClosed) {
                compacted.close();
            } else if (compacted != null) {
                take(compacted, next);
            }
        } catch (IOException e) {
            // What did not close is not needed any more.
            return;
        } finally {
            compacting = null;
            lock.writeLock().unlock();
        }
    }

    private void take(UninterruptibleHashes compacted, long next) throws IOException {
        UninterruptibleHashes old = sorted;
        HashLog oldLog = frozenLog;
        sorted = compacted;
        fresh.rebase(compacted);
        frozen = null;
        frozenLog = null;
        generation = next;
        // A log that somebody still waits for is closed before its file goes: an interrupted wait opens it again.
        if (oldLog != null) {
            oldLog.close();
        }
        old.close();
        AtomicFile.deleteQuietly(folder.resolve(SORTED + (next - 1)));
        AtomicFile.deleteQuietly(folder.resolve(LOG + (next - 1)));
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        view.forEachBetween(lo, hi, action);
    }

    @Override
    public long[] between(long lo, long hi) {
        return view.between(lo, hi);
    }

    @Override
    public long count() {
        return view.count();
    }

    /** Waits until no compaction is under way. */
    void awaitCompaction() {
        Thread running;
        lock.readLock().lock();
        try {
            running = compacting;
        } finally {
            lock.readLock().unlock();
        }
        boolean isInterrupted = false;
        while (running != null) {
            try {
                running.join();
                running = null;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the files. A compaction that is under way is given up; the next start has the same hashes without it. */
    @Override
    public void close() throws IOException {
        try {
            closeFiles();
        } finally {
            // It writes to the folder, which somebody else may open next.
            awaitCompaction();
        }
    }

    private void closeFiles() throws IOException {
        lock.writeLock().lock();
        try {
            if (!isClosed) {
                isClosed = true;
                closeEachFile();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Also if another one fails. */
    private void closeEachFile() throws IOException {
        try {
            sorted.close();
        } finally {
            try {
                close(log);
            } finally {
                if (frozenLog != null) {
                    close(frozenLog);
                }
            }
        }
    }

    /** Whoever has made an addition may still wait for the disk. */
    private void close(HashLog open) throws IOException {
        if (settings.sync()) {
            open.closeForced();
        } else {
            open.close();
        }
    }
}
