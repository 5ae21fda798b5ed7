package dev.besom.stored;

import dev.besom.StoredHashes;
import dev.besom.bits.FastRange;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Stored hashes in memory: ordered, mutable, 8.2 to 8.6 bytes a hash.
 *
 * <pre>
 *   places    a power of two of them; a hash's most significant bits are the index of its place
 *
 *              0     1     2     3     4     5     6     7      index
 *           +-----+-----+-----+-----+-----+-----+-----+-----+
 *           |  *  |  *  |  *  |  *  |  *  |     |  *  |     |   split: 4
 *           +--|--+-----+-----+-----+--|--+-----+-----+-----+
 *              |   pairs before split  |   pairs from there on keep both places' hashes in the first of the two
 *              v                       v
 *   chunk   | hash | hash | ... | free |
 * </pre>
 *
 * A <b>chunk</b> holds the hashes of one place, or of a pair that is not split yet, in ascending order. When there are
 * more than {@value #HASHES_PER_CHUNK} hashes for each chunk the next pair is split, and when all are, the number of
 * places doubles: linear hashing (W. Litwin: Linear hashing, a new tool for file and table addressing. VLDB 1980), with
 * places in the order of hashes. So the structure grows little by little and nobody waits for all of it.
 *
 * <p>The hashes are taken to be evenly spread, as those of a hasher are: a chunk is looked up by its index and a hash in
 * it by interpolation, at the cost of about one cache miss whatever the size. Other numbers, such as small integers or one
 * number a million times, are kept as correctly, but crowd into few chunks, where each change moves all that follow.
 *
 * <p>There are at least four places, so all hashes of a chunk agree in their highest bit and their order as signed numbers
 * is their unsigned order.
 *
 * <p>A change moves half a chunk, 0.8 kB on average; a place that has been emptied keeps 8 to
 * 12 bytes. Not synchronised: any number of threads may read while none writes; readers beside a writer need a lock
 * between them.
 */
public final class MemoryHashes implements StoredHashes {

    /** Enough to make a chunk's header and free room cheap, few enough to move quickly. */
    private static final int HASHES_PER_CHUNK = 192;

    private static final int MIN_PLACES = 4;

    /** Beyond 5 * 10^10 hashes chunks grow instead, as an array of places has no more room. */
    private static final int MAX_PLACES = 1 << 28;

    /** Free room in a new chunk: one in so many, and at least a few. */
    private static final int ROOM_SHIFT = 5;

    private static final int MIN_ROOM = 7;

    /** The first step away from where a hash should be: about as far as it usually is. */
    private static final int FIRST_STEP = 4;

    private static final long[] EMPTY = {};

    private long[][] places;

    /** How many hashes each place's chunk holds: apart from the chunk, so that it is known before the chunk arrives. */
    private int[] sizes;

    /** What is left of a hash after its place's index. */
    private int shift;

    /** Pairs of places below this even index are split. */
    private int split;

    private long count;

    /** No hashes. */
    public MemoryHashes() {
        this(MIN_PLACES);
    }

    private MemoryHashes(int placeCount) {
        places = new long[placeCount][];
        Arrays.fill(places, EMPTY);
        sizes = new int[placeCount];
        shift = Long.numberOfLeadingZeros(placeCount) + 1;
    }

    /** The given hashes, in any order. */
    public static MemoryHashes of(long... hashes) {
        return of(hashes, 0, hashes.length);
    }

    /** The {@code count} hashes from {@code from} on, in any order; the array is left as it is. */
    public static MemoryHashes of(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        // As many pairs as the hashes fill and a power of two allows, and a split for each chunk that is missing still.
        int pairs = Math.max(MIN_PLACES / 2, Integer.highestOneBit(Math.max(1, count / HASHES_PER_CHUNK)));
        MemoryHashes result = new MemoryHashes(pairs * 2);
        result.split = Math.max(0, count / HASHES_PER_CHUNK - pairs) * 2;
        result.fill(hashes, from, count);
        return result;
    }

    private void fill(long[] hashes, int from, int added) {
        for (int i = from; i < from + added; i++) {
            sizes[placeOf(hashes[i])]++;
        }
        for (int place = 0; place < places.length; place++) {
            if (sizes[place] > 0) {
                places[place] = newChunk(sizes[place]);
                sizes[place] = 0;
            }
        }
        for (int i = from; i < from + added; i++) {
            int place = placeOf(hashes[i]);
            places[place][sizes[place]++] = hashes[i];
        }
        for (int place = 0; place < places.length; place++) {
            Arrays.sort(places[place], 0, sizes[place]);
        }
        count += added;
    }

    /** Puts a hash in, also where it is there already. */
    public void add(long hash) {
        int place = placeOf(hash);
        long[] chunk = places[place];
        int size = sizes[place];
        int at = find(chunk, size, hash);
        long[] target = chunk;
        if (size == chunk.length) {
            target = newChunk(size + 1);
            System.arraycopy(chunk, 0, target, 0, at);
            places[place] = target;
        }
        System.arraycopy(chunk, at, target, at + 1, size - at);
        target[at] = hash;
        sizes[place] = size + 1;
        count++;
        if (count > (long) (places.length + split) / 2 * HASHES_PER_CHUNK && split < places.length) {
            splitNext();
        }
    }

    /** Takes one occurrence of the hash out; false, and no change, if there is none. */
    public boolean remove(long hash) {
        int place = placeOf(hash);
        long[] chunk = places[place];
        int size = sizes[place];
        int at = find(chunk, size, hash);
        if (at == size || chunk[at] != hash) {
            return false;
        }
        long[] target = chunk;
        if (size == 1) {
            target = EMPTY;
        } else if (chunk.length - size > 2 * room(size)) {
            target = newChunk(size - 1);
            System.arraycopy(chunk, 0, target, 0, at);
        }
        System.arraycopy(chunk, at + 1, target, at, size - at - 1);
        places[place] = target;
        sizes[place] = size - 1;
        count--;
        return true;
    }

    /** Whether a hash is there. */
    public boolean contains(long hash) {
        int place = placeOf(hash);
        long[] chunk = places[place];
        int size = sizes[place];
        int at = find(chunk, size, hash);
        return at < size && chunk[at] == hash;
    }

    @Override
    public long count() {
        return count;
    }

    /** The memory of chunks, their array headers of 16 bytes included, and of the places' references and sizes. */
    public long sizeInBits() {
        long longs = 0;
        for (long[] chunk : places) {
            longs += chunk == EMPTY ? 0 : chunk.length + 2;
        }
        return longs * Long.SIZE + places.length * (4L * Byte.SIZE + Integer.SIZE);
    }

    /** {@inheritDoc} The action must not change this set. */
    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        if (Long.compareUnsigned(lo, hi) > 0) {
            return;
        }
        int place = placeOf(lo);
        int lastPlace = placeOf(hi);
        int at = find(places[place], sizes[place], lo);
        for (; place < lastPlace; place++) {
            long[] chunk = places[place];
            for (int end = sizes[place]; at < end; at++) {
                action.accept(chunk[at]);
            }
            at = 0;
        }
        long[] chunk = places[lastPlace];
        for (int end = sizes[lastPlace]; at < end && chunk[at] <= hi; at++) {
            action.accept(chunk[at]);
        }
    }

    @Override
    public long[] between(long lo, long hi) {
        int place = placeOf(lo);
        if (place != placeOf(hi) || Long.compareUnsigned(lo, hi) > 0) {
            return StoredHashes.super.between(lo, hi);
        }
        long[] chunk = places[place];
        int size = sizes[place];
        int start = find(chunk, size, lo);
        int end = start;
        while (end < size && chunk[end] <= hi) {
            end++;
        }
        return Arrays.copyOfRange(chunk, start, end);
    }

    private int placeOf(long hash) {
        int place = (int) (hash >>> shift);
        return place < split ? place : place & ~1;
    }

    /** The index of the chunk's first hash that is not below the given one, which belongs to that chunk. */
    private int find(long[] chunk, int size, long hash) {
        if (size == 0) {
            return 0;
        }
        // How far the hash is on its way through the chunk's range, as a fraction of 2^64.
        boolean isSplit = (int) (hash >>> shift) < split;
        long fraction = hash << (Long.SIZE - shift - (isSplit ? 0 : 1));
        int guess = (int) FastRange.place(fraction, size);
        int low = 0;
        int high = size;
        // The hashes before low are below the one searched for, those from high on are not.
        if (chunk[guess] < hash) {
            low = guess + 1;
            for (int step = FIRST_STEP; step < high - low; step <<= 1) {
                if (chunk[low + step] >= hash) {
                    high = low + step;
                    break;
                }
                low += step + 1;
            }
        } else {
            high = guess;
            for (int step = FIRST_STEP; step < high - low; step <<= 1) {
                if (chunk[high - 1 - step] < hash) {
                    low = high - step;
                    break;
                }
                high -= step + 1;
            }
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (chunk[middle] < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Gives each place of the first pair that is not split its own chunk. */
    private void splitNext() {
        long[] chunk = places[split];
        int size = sizes[split];
        long secondStart = (long) (split + 1) << shift;
        int first = find(chunk, size, secondStart);
        setChunk(split, chunk, 0, first);
        setChunk(split + 1, chunk, first, size);
        split += 2;
        if (split == places.length && places.length < MAX_PLACES) {
            doublePlaces();
        }
    }

    /** Gives a place its own copy of the hashes in a range of a chunk. */
    private void setChunk(int place, long[] chunk, int from, int to) {
        int size = to - from;
        long[] part = size == 0 ? EMPTY : newChunk(size);
        System.arraycopy(chunk, from, part, 0, size);
        places[place] = part;
        sizes[place] = size;
    }

    private void doublePlaces() {
        long[][] oldPlaces = places;
        int[] oldSizes = sizes;
        places = new long[oldPlaces.length * 2][];
        sizes = new int[oldPlaces.length * 2];
        for (int place = 0; place < oldPlaces.length; place++) {
            places[2 * place] = oldPlaces[place];
            places[2 * place + 1] = EMPTY;
            sizes[2 * place] = oldSizes[place];
        }
        shift--;
        split = 0;
    }

    /** An empty chunk with room for that many hashes and some more. */
    private static long[] newChunk(int size) {
        return new long[size + room(size)];
    }

    private static int room(int size) {
        return Math.max(MIN_ROOM, size >> ROOM_SHIFT);
    }
}
