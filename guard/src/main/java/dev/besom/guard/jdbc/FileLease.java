package dev.besom.guard.jdbc;

import dev.besom.guard.store.Lease;
import dev.besom.guard.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lease for a database in a file that locks nothing smaller: the lock of a file beside it, which the operating system
 * gives up when the process ends. The file stays when the lease is given back; who removed it could remove another's.
 */
final class FileLease implements Lease {

    private final FileChannel channel;

    private FileLease(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lease.
     *
     * @param table tells tables of one database apart
     * @throws IllegalStateException if another guard has it
     */
    static Lease acquire(Path database, String table) {
        Path file = database.resolveSibling(database.getFileName() + "-besom-" + table.replaceAll("[^A-Za-z0-9_]", "_")
                + "-" + Integer.toHexString(table.hashCode()));
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean isLocked = false;
            try {
                isLocked = channel.tryLock() != null;
            } catch (OverlappingFileLockException e) {
                isLocked = false;
            } finally {
                if (!isLocked) {
                    channel.close();
                }
            }
            if (!isLocked) {
                throw new IllegalStateException("another guard has the table " + table + "; close it first");
            }
            return new FileLease(channel);
        } catch (IOException e) {
            throw new StoreException("cannot lock " + file, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StoreException("cannot unlock a table", e);
        }
    }
}
