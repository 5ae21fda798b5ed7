package dev.besom.adaptive;

import java.util.Arrays;

/**
 * Hashes in unsigned order, each as often as it was added, that come and go one at a time.
 *
 * <pre>
 *   chunks   | hash | ... | free |   | hash | ... | free |   ...      each in order, and before all of the next
 * </pre>
 *
 * A <b>chunk</b> has room for {@value #MOST} hashes. One that is full is split in two; one that together with the next would fill no
 * more than half takes the next one's hashes. Hashes need not be
 * spread evenly: whatever they are, a change moves half a chunk, and in one of a hundred changes the list of chunks, a word for
 * a hundred hashes. {@link #steps()} counts what is moved.
 */
final class OrderedHashes {

    private static final int MOST = 256;
    private static final int HALF = MOST / 2;

    private long[][] chunks = {};
    private int[] sizes = {};
    private int chunkCount;
    private int count;
    private long steps;

    /** How many hashes there are. */
    int count() {
        return count;
    }

    /** How many words have been moved to make room or to close it. */
    long steps() {
        return steps;
    }

    /** Adds a hash, also where it is there already. */
    void add(long hash) {
        count++;
        if (chunkCount == 0) {
            long[] first = new long[MOST];
            first[0] = hash;
            insertChunk(0, first, 1);
            return;
        }
        int at = Math.min(chunkFrom(hash), chunkCount - 1);
        if (sizes[at] == MOST) {
            split(at);
            at += Long.compareUnsigned(hash, chunks[at + 1][0]) > 0 ? 1 : 0;
        }
        long[] chunk = chunks[at];
        int place = placeFrom(at, hash);
        move(chunk, place, place + 1, sizes[at] - place);
        chunk[place] = hash;
        sizes[at]++;
    }

    /** Takes one copy of a hash out, if there is one. */
    void remove(long hash) {
        int at = chunkFrom(hash);
        int place = at < chunkCount ? placeFrom(at, hash) : 0;
        if (at == chunkCount || chunks[at][place] != hash) {
            return;
        }
        move(chunks[at], place + 1, place, sizes[at] - place - 1);
        sizes[at]--;
        count--;
        if (sizes[at] == 0) {
            removeChunk(at);
        } else if (at + 1 < chunkCount && sizes[at] + sizes[at + 1] <= HALF) {
            System.arraycopy(chunks[at + 1], 0, chunks[at], sizes[at], sizes[at + 1]);
            steps += sizes[at + 1];
            sizes[at] += sizes[at + 1];
            removeChunk(at + 1);
        }
    }

    /** Whether a hash is there. */
    boolean contains(long hash) {
        int at = chunkFrom(hash);
        return at < chunkCount && chunks[at][placeFrom(at, hash)] == hash;
    }

    /** The hashes from one to another in unsigned order, both included. */
    long[] between(long first, long last) {
        return from(first, last, count);
    }

    /** The same, but no more than so many of them. */
    long[] from(long first, long last, int most) {
        long[] found = new long[Math.min(most, HALF)];
        int size = 0;
        int at = chunkFrom(first);
        int place = at < chunkCount ? placeFrom(at, first) : 0;
        for (; at < chunkCount && size < most; at++, place = 0) {
            int end = Long.compareUnsigned(chunks[at][sizes[at] - 1], last) <= 0 ? sizes[at] : placeAfter(at, last);
            int length = Math.min(most - size, end - place);
            if (length <= 0) {
                break;
            }
            if (size + length > found.length) {
                found = Arrays.copyOf(found, Math.min(most, Math.max(size + length, 2 * found.length)));
            }
            System.arraycopy(chunks[at], place, found, size, length);
            size += length;
        }
        return Arrays.copyOf(found, size);
    }

    /** The first chunk whose last hash is not below the given one; the number of chunks if there is none. */
    private int chunkFrom(long hash) {
        int from = 0;
        int to = chunkCount;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(chunks[middle][sizes[middle] - 1], hash) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The place of a chunk's first hash that is not below the given one. */
    private int placeFrom(int at, long hash) {
        long[] chunk = chunks[at];
        int from = 0;
        int to = sizes[at];
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(chunk[middle], hash) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The place of a chunk's first hash that is above the given one. */
    private int placeAfter(int at, long hash) {
        return hash == -1 ? sizes[at] : placeFrom(at, hash + 1);
    }

    private void split(int at) {
        long[] upper = new long[MOST];
        System.arraycopy(chunks[at], HALF, upper, 0, HALF);
        steps += HALF;
        sizes[at] = HALF;
        insertChunk(at + 1, upper, HALF);
    }

    private void insertChunk(int at, long[] chunk, int size) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(4, 2 * chunkCount));
            sizes = Arrays.copyOf(sizes, chunks.length);
        }
        moveChunks(at, at + 1, chunkCount - at);
        chunks[at] = chunk;
        sizes[at] = size;
        chunkCount++;
    }

    private void removeChunk(int at) {
        moveChunks(at + 1, at, chunkCount - at - 1);
        chunkCount--;
        // Not kept from the collector.
        chunks[chunkCount] = chunks[0];
    }

    private void moveChunks(int from, int to, int length) {
        System.arraycopy(chunks, from, chunks, to, length);
        System.arraycopy(sizes, from, sizes, to, length);
        steps += length;
    }

    private void move(long[] chunk, int from, int to, int length) {
        System.arraycopy(chunk, from, chunk, to, length);
        steps += length;
    }
}
