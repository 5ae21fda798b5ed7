package dev.besom.stored;

import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Stored hashes in a file that does not change: sorted, 8 bytes a hash and 32 in all beside them.
 *
 * <pre>
 *   byte    0          8         12        16        24           28           32
 *           +----------+---------+---------+---------+------------+------------+--------+--------+----
 *           | BESOMSHF | version | 0       | count   | CRC-32C of | CRC-32C of | hash 0 | hash 1 | ...
 *           |          | (1)     |         |         | the hashes | bytes 0-27 |        |        |
 *           +----------+---------+---------+---------+------------+------------+--------+--------+----
 * </pre>
 *
 * All numbers have their lowest byte first. Hashes ascend in unsigned order.
 *
 * <p>Opening reads the file once from end to end, checks every byte of it and keeps the first hash of each
 * <b>page</b> of 512 hashes: an eighth of a bit of memory for each. A range is then found with one read of a page and
 * given out with sequential reads after it.
 *
 * <p>Any number of threads may read at once. A thread that is interrupted while it reads closes the file, as it is with
 * every {@link FileChannel}. A file that cannot be read any more, or has been cut since it was opened, is an
 * {@link UncheckedIOException}.
 */
public final class SortedHashFile implements StoredHashes, Closeable {

    static final long MAGIC = 0x4648534D4F534542L;
    static final int VERSION = 1;
    private static final int HEADER_CRC_AT = 28;
    static final int HEADER_SIZE_IN_BYTES = 32;

    /** Hashes between two entries of the index; a page is what a search reads. */
    private static final int PAGE = 512;

    private static final int PAGE_SIZE_IN_BYTES = PAGE * Long.BYTES;

    /** Long reads make long ranges fast. A multiple of the page. */
    static final int STREAM_SIZE_IN_BYTES = 64 * PAGE_SIZE_IN_BYTES;

    /** More pages than an array can index: 10^12 hashes. */
    private static final long MAX_COUNT = (long) PAGE * (Integer.MAX_VALUE - 8);

    private final FileChannel channel;
    private final long count;

    /** The first hash of each page. */
    private final long[] firsts;

    private SortedHashFile(FileChannel channel, long count, long[] firsts) {
        this.channel = channel;
        this.count = count;
        this.firsts = firsts;
    }

    /**
     * Writes the hashes, given in any order, to a new file that takes the place of one of that name.
     *
     * @see #write(Path, StoredHashes)
     */
    public static void write(Path path, long... hashes) throws IOException {
        write(path, MemoryHashes.of(hashes));
    }

    /**
     * Writes the hashes to a new file that takes the place of one of that name: to a temporary one in the same folder
     * first, which is forced to disk and then renamed, so that the old or the new file is there whole at any time.
     */
    public static void write(Path path, StoredHashes hashes) throws IOException {
        SortedHashWriter.write(path, hashes);
    }

    /**
     * Opens a file and checks all of it.
     *
     * @throws MalformedFilterException if it is not such a file or not one that was written whole
     */
    public static SortedHashFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return check(path, channel);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static SortedHashFile check(Path path, FileChannel channel) throws IOException {
        long size = channel.size();
        ByteBuffer header = buffer(HEADER_SIZE_IN_BYTES);
        if (size < HEADER_SIZE_IN_BYTES || !readFully(channel, header, 0)) {
            throw new MalformedFilterException(path + " is too short for a file of sorted hashes");
        }
        if (header.getLong() != MAGIC) {
            throw new MalformedFilterException(path + " is not a file of sorted hashes");
        }
        int version = header.getInt();
        if (version != VERSION) {
            throw new MalformedFilterException(path + " has version " + version + ", not " + VERSION);
        }
        int reserved = header.getInt();
        long count = header.getLong();
        int crcOfHashes = header.getInt();
        if (header.getInt() != headerCrc(header) || reserved != 0) {
            throw new MalformedFilterException(path + " has a damaged header");
        }
        if (count < 0 || count > MAX_COUNT || size != HEADER_SIZE_IN_BYTES + count * Long.BYTES) {
            throw new MalformedFilterException(
                    path + " has " + size + " bytes, which is not right for " + count + " hashes");
        }
        return new SortedHashFile(channel, count, checkHashes(path, channel, count, crcOfHashes));
    }

    /** Reads all hashes; returns the first of each page. */
    private static long[] checkHashes(Path path, FileChannel channel, long count, int expectedCrc) throws IOException {
        long[] firsts = new long[(int) ((count + PAGE - 1) / PAGE)];
        ByteBuffer buffer = buffer((int) Math.min(STREAM_SIZE_IN_BYTES, count * Long.BYTES));
        CRC32C crc = new CRC32C();
        long before = 0;
        for (long index = 0; index < count; ) {
            readHashes(channel, buffer, index, count);
            crc.update(buffer.duplicate());
            while (buffer.hasRemaining()) {
                long hash = buffer.getLong();
                if (Long.compareUnsigned(hash, before) < 0) {
                    throw new MalformedFilterException(path + " has hashes that are not in order");
                }
                if (index % PAGE == 0) {
                    firsts[(int) (index / PAGE)] = hash;
                }
                before = hash;
                index++;
            }
        }
        if ((int) crc.getValue() != expectedCrc) {
            throw new MalformedFilterException(path + " has damaged hashes");
        }
        return firsts;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        if (count == 0 || Long.compareUnsigned(lo, hi) > 0) {
            return;
        }
        long index = (long) pageBefore(lo) * PAGE;
        ByteBuffer buffer = buffer(PAGE_SIZE_IN_BYTES);
        try {
            while (index < count) {
                readHashes(channel, buffer, index, count);
                int size = buffer.limit() / Long.BYTES;
                for (int i = firstFrom(buffer, size, lo); i < size; i++) {
                    long hash = buffer.getLong(i * Long.BYTES);
                    if (Long.compareUnsigned(hash, hi) > 0) {
                        return;
                    }
                    action.accept(hash);
                }
                index += size;
                if (index < count && Long.compareUnsigned(firsts[(int) (index / PAGE)], hi) > 0) {
                    return;
                }
                if (buffer.capacity() < STREAM_SIZE_IN_BYTES && pagesFrom(index, hi) > 1) {
                    buffer = buffer(STREAM_SIZE_IN_BYTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the file; nothing can be read after that. */
    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** The last page whose first hash is below the given one, or page 0: where that hash's first occurrence is, if any. */
    private int pageBefore(long hash) {
        int low = 0;
        int high = firsts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(firsts[middle], hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.max(0, low - 1);
    }

    /** How many pages, two at most, are to be read for the hashes from a page's start up to {@code hi}. */
    private int pagesFrom(long index, long hi) {
        long page = index / PAGE;
        return page + 1 < firsts.length && Long.compareUnsigned(firsts[(int) page + 1], hi) <= 0 ? 2 : 1;
    }

    /** The first of the buffer's hashes that is not below the given one. */
    private static int firstFrom(ByteBuffer buffer, int size, long hash) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(buffer.getLong(middle * Long.BYTES), hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Fills the buffer with hashes from {@code index} on, as far as it and they go. */
    private static void readHashes(FileChannel channel, ByteBuffer buffer, long index, long count) throws IOException {
        buffer.clear();
        buffer.limit((int) Math.min(buffer.capacity(), (count - index) * Long.BYTES));
        if (!readFully(channel, buffer, HEADER_SIZE_IN_BYTES + index * Long.BYTES)) {
            throw new EOFException("the file of sorted hashes ends before its hash " + (count - 1));
        }
    }

    /** Fills the buffer up to its limit and flips it; false if the file ends before. */
    private static boolean readFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, position + buffer.position());
            if (read < 0) {
                return false;
            }
        }
        buffer.flip();
        return true;
    }

    static ByteBuffer buffer(int sizeInBytes) {
        return ByteBuffer.allocate(sizeInBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int headerCrc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(0).limit(HEADER_CRC_AT));
        return (int) crc.getValue();
    }
}
