package dev.besom.cli.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are lines. A line ends with LF or CR LF, neither is part of the key; the last line need not end. An empty
 * line is the empty key.
 */
abstract class LineReader extends KeyReader {

    private static final int INITIAL_BUFFER_BYTES = 1 << 17;

    /** The longest line: Java's arrays end here. */
    private static final int MAX_BUFFER_BYTES = Integer.MAX_VALUE - 8;

    private final int[] starts = new int[BATCH_SIZE];
    private final int[] ends = new int[BATCH_SIZE];

    private final @Nullable ColumnStream columns;
    private final ColumnStream.Row[] rows;

    private byte[] buffer = new byte[INITIAL_BUFFER_BYTES];

    /** The bytes not yet given out are those from {@code begin} to {@code end}. */
    private int begin;

    private int end;

    /** Before this index there is no line feed in the bytes not yet given out. */
    private int searched;

    private boolean atEnd;
    private long linesBeforeBatch;
    private int count;

    LineReader(String name, InputStream in) {
        super(name, in);
        this.columns = in instanceof ColumnStream stream ? stream : null;
        this.rows = new ColumnStream.Row[columns == null ? 0 : BATCH_SIZE];
    }

    @Override
    public final long count(int index) {
        return columns == null ? 1 : rows[index].count();
    }

    @Override
    public final Outcome outcome(int index) {
        return columns == null ? Outcome.UNKNOWN : rows[index].outcome();
    }

    @Override
    public final double cost(int index) {
        return columns == null ? 1 : rows[index].cost();
    }

    /** The hash of the line between two indexes of the buffer; refuses a line that is no key by {@link #refuse}. */
    abstract long hash(int index, byte[] bytes, int from, int to);

    @Override
    public final int readBatch() throws IOException {
        linesBeforeBatch += count;
        count = 0;
        while (true) {
            splitBuffered();
            if (count > 0) {
                return hashBatch();
            }
            if (atEnd) {
                if (begin == end) {
                    return 0;
                }
                addLine(begin, end);
                begin = end;
                return hashBatch();
            }
            refill();
        }
    }

    /** Makes lines of the buffered bytes, as far as they end and the batch has room. */
    private void splitBuffered() {
        byte[] bytes = buffer;
        int last = end;
        for (int i = searched; i < last && count < BATCH_SIZE; i++) {
            if (bytes[i] == '\n') {
                addLine(begin, i > begin && bytes[i - 1] == '\r' ? i - 1 : i);
                begin = i + 1;
            }
            searched = i + 1;
        }
    }

    private void addLine(int from, int to) {
        starts[count] = from;
        ends[count] = to;
        count++;
    }

    private int hashBatch() {
        long[] hashes = hashes();
        for (int i = 0; i < count; i++) {
            hashes[i] = hash(i, buffer, starts[i], ends[i]);
            if (columns != null) {
                rows[i] = columns.nextRow();
            }
        }
        return count;
    }

    private void refill() throws IOException {
        System.arraycopy(buffer, begin, buffer, 0, end - begin);
        searched -= begin;
        end -= begin;
        begin = 0;
        if (end == buffer.length) {
            if (end == MAX_BUFFER_BYTES) {
                throw new BadKeysException(name() + ": line " + (linesBeforeBatch + 1) + " is longer than 2 GiB");
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(MAX_BUFFER_BYTES, end * 2L));
        }
        int read = read(buffer, end, buffer.length - end);
        if (read < 0) {
            atEnd = true;
        } else {
            end += read;
        }
    }

    /** What to throw for a line of the batch that is no key. */
    final BadKeysException refuse(int index, String why) {
        return new BadKeysException(name() + ": line " + (linesBeforeBatch + index + 1) + " " + why);
    }

    @Override
    public void writeKey(int index, OutputStream out) throws IOException {
        out.write(buffer, starts[index], ends[index] - starts[index]);
    }

    @Override
    public Object key(int index) {
        return new String(buffer, starts[index], ends[index] - starts[index], StandardCharsets.UTF_8);
    }
}
