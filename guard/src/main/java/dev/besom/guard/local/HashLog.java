package dev.besom.guard.local;

import dev.besom.MalformedFilterException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A write-ahead log: the changes of a set of hashes, in the order in which they were made, in a file that only grows.
 *
 * <pre>
 *   byte    0          8         12       16           28            32
 *           +----------+---------+--------+------------+-------------+----------+----------+----
 *   file    | BESOMLOG | version | 0      | id         | CRC-32C of  | record 0 | record 1 | ...
 *           |          | (1)     |        |  12 bytes  | bytes 0-27  |          |          |
 *           +----------+---------+--------+------------+-------------+----------+----------+----
 *
 *   record  | hash 8 | 1 added, 2 removed: 4 | CRC-32C of id, place and the 12 bytes before: 4 |
 * </pre>
 *
 * All numbers have their lowest byte first. A checksum covers the log's id, which is random, and the record's place, so
 * nothing that was ever written elsewhere counts as a record.
 *
 * <p>What a crash may leave at the end: a part of a record, which was never acknowledged and is cut off; and, after a power
 * cut, records of zeros where later ones arrived first, which were never acknowledged either and are passed over. A record
 * that is anything else is damage, and nothing is taken from such a log: a lost "added" would hide a key.
 */
final class HashLog implements Closeable {

    /** What became of a hash. */
    @FunctionalInterface
    interface Replay {
        void change(long hash, boolean isAdded);
    }

    private static final long MAGIC = 0x474F4C4D4F534542L;
    private static final int VERSION = 1;
    private static final int ID_AT = 16;
    private static final int CRC_AT = 28;
    static final int HEADER_SIZE_IN_BYTES = 32;
    static final int RECORD_SIZE_IN_BYTES = 16;
    private static final int RECORD_CRC_AT = 12;
    private static final int ADDED = 1;
    private static final int REMOVED = 2;
    private static final int READ_SIZE_IN_BYTES = 1 << 16;

    private final UninterruptibleFile file;
    private final byte[] id;
    private final Object forcing = new Object();

    /** Behind the last record. */
    private volatile long end;

    private volatile long forced;
    private volatile boolean isClosed;
    /** After a failure to force, nobody knows what is on the disk. */
    private volatile boolean isBroken;

    private HashLog(UninterruptibleFile file, byte[] id, long end) {
        this.file = file;
        this.id = id;
        this.end = end;
    }

    /** Makes an empty log that is safe on disk. */
    static HashLog create(Path path, byte[] id) throws IOException {
        ByteBuffer header = buffer(HEADER_SIZE_IN_BYTES)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(0)
                .put(id, 0, CRC_AT - ID_AT);
        header.putInt(crc(header));
        UninterruptibleFile file = UninterruptibleFile.create(path);
        try {
            file.write(header.flip(), 0);
            file.force();
            return new HashLog(file, id.clone(), HEADER_SIZE_IN_BYTES);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Whether a log has no records, whole or not: nothing is lost with it. */
    static boolean isUnused(Path path) throws IOException {
        return Files.size(path) <= HEADER_SIZE_IN_BYTES;
    }

    /**
     * Opens a log and gives all changes in their order.
     *
     * @throws MalformedFilterException if it is damaged
     */
    static HashLog open(Path path, Replay replay) throws IOException {
        UninterruptibleFile file = UninterruptibleFile.open(path);
        try {
            byte[] id = readId(file);
            if (id.length == 0) {
                throw new MalformedFilterException(path + " is not a log of hashes, or its beginning is damaged");
            }
            HashLog log = new HashLog(file, id, HEADER_SIZE_IN_BYTES);
            log.replay(path, replay);
            return log;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The id of a log; nothing if the header is not whole. */
    private static byte[] readId(UninterruptibleFile file) throws IOException {
        ByteBuffer header = buffer(HEADER_SIZE_IN_BYTES);
        file.read(header, 0);
        byte[] id = new byte[CRC_AT - ID_AT];
        header.get(ID_AT, id);
        boolean isWhole = !header.hasRemaining()
                && header.getLong(0) == MAGIC
                && header.getInt(8) == VERSION
                && header.getInt(CRC_AT) == crc(header);
        return isWhole ? id : new byte[0];
    }

    private void replay(Path path, Replay replay) throws IOException {
        ByteBuffer buffer = buffer(READ_SIZE_IN_BYTES);
        long size = file.size();
        long whole = size - size % RECORD_SIZE_IN_BYTES;
        long at = HEADER_SIZE_IN_BYTES;
        while (at < whole) {
            buffer.clear().limit((int) Math.min(READ_SIZE_IN_BYTES, whole - at));
            file.read(buffer, at);
            buffer.flip();
            if (buffer.limit() < RECORD_SIZE_IN_BYTES) {
                throw new IOException(path + " was cut while it was read");
            }
            for (int start = 0; start + RECORD_SIZE_IN_BYTES <= buffer.limit(); start += RECORD_SIZE_IN_BYTES) {
                int change = buffer.getInt(start + Long.BYTES);
                boolean isWhole = buffer.getInt(start + RECORD_CRC_AT) == recordCrc(buffer, start, at)
                        && (change == ADDED || change == REMOVED);
                if (isWhole) {
                    replay.change(buffer.getLong(start), change == ADDED);
                } else if ((buffer.getLong(start) | buffer.getLong(start + Long.BYTES)) != 0) {
                    throw new MalformedFilterException(path + " is damaged at byte " + at);
                }
                at += RECORD_SIZE_IN_BYTES;
            }
        }
        if (size > whole) {
            file.truncate(whole);
        }
        file.force();
        end = at;
        forced = at;
    }

    /** How many records there are. */
    long count() {
        return (end - HEADER_SIZE_IN_BYTES) / RECORD_SIZE_IN_BYTES;
    }

    /**
     * Writes changes behind all others. One caller at a time. If it fails the log is as it was; where the file cannot be cut
     * either, the changes may count after a restart that comes before the next write.
     *
     * @return what {@link #force(long)} is to be called with
     */
    long append(boolean isAdded, long... hashes) throws IOException {
        if (isBroken) {
            throw new IOException("the disk has failed; the log of hashes must be opened anew");
        }
        long at = end;
        ByteBuffer records = buffer(hashes.length * RECORD_SIZE_IN_BYTES);
        for (long hash : hashes) {
            int start = records.position();
            records.putLong(hash).putInt(isAdded ? ADDED : REMOVED);
            records.putInt(recordCrc(records, start, at + start));
        }
        try {
            file.write(records.flip(), at);
        } catch (IOException e) {
            cutAt(at, e);
            throw e;
        }
        end = at + (long) hashes.length * RECORD_SIZE_IN_BYTES;
        return end;
    }

    /** Takes away what a failed write may have left; where that fails too the next write goes over it. */
    private void cutAt(long position, IOException reason) {
        try {
            file.truncate(position);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** Waits until what was written up to a position is on the disk; many callers may wait for one force. */
    void force(long position) throws IOException {
        synchronized (forcing) {
            if (forced >= position) {
                return;
            }
            if (isBroken) {
                throw new IOException("the disk has failed, so it is not known what is on it");
            }
            if (isClosed) {
                // All of it has been written elsewhere: otherwise it would be forced.
                return;
            }
            long written = end;
            try {
                file.force();
            } catch (IOException e) {
                isBroken = true;
                throw e;
            }
            forced = written;
        }
    }

    /** Closes the log when all that was written is on the disk. */
    void closeForced() throws IOException {
        synchronized (forcing) {
            try {
                force(end);
            } finally {
                close();
            }
        }
    }

    /** Closes a log of which nothing is needed any more, or for which nobody waits. */
    @Override
    public void close() throws IOException {
        synchronized (forcing) {
            isClosed = true;
            file.close();
        }
    }

    private int recordCrc(ByteBuffer records, int start, long position) {
        CRC32C crc = new CRC32C();
        crc.update(id);
        crc.update(buffer(Long.BYTES).putLong(position).flip());
        crc.update(records.slice(start, RECORD_CRC_AT));
        return (int) crc.getValue();
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CRC_AT));
        return (int) crc.getValue();
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
