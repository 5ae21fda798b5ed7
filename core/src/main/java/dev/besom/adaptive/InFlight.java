package dev.besom.adaptive;

import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The hashes that were put into a filter and may not be in its store yet, as they are.
 *
 * <pre>
 *   older     | hashes in unsigned order, in chunks ...     |      those that came before, as far as they may be in flight
 *   newest    | hashes as they came, at most 64 |                  searched from one end to the other
 * </pre>
 *
 * A key goes into the filter first and into the store second. Until it is there, its slot looks like one that a key has left
 * behind, and a delete of another hash that looks like it would take it. A filter that knows the hash itself is not deceived:
 * the slot has an owner.
 *
 * <p>However many keys are in flight, all of them are known where the store {@linkplain StoredHashes#countIfKnown() knows how
 * many it holds}. Whenever 64 hashes have come, the numbers of keys are compared: a store that holds as many as the filter
 * holds the same keys, because no key is in the store alone while others are in the filter alone, and nothing is in flight.
 * Where something is, all hashes stay. Beyond {@value #MANY} of them the store is asked for some, and those that it has are
 * dropped. Where the store does not know its number the newest 64 are known, and up to 64 more: that serves a caller who
 * deletes nothing but what was in the store just before. Without any store nothing is kept.
 *
 * <p>A hash that is put in while the filter holds it already may have copies that are stored and others that are not, and once a
 * copy is here nobody can tell any more whether it is among those of the store. So the copies are counted, by a look at
 * the store when such a hash comes: a read for each insert that meets a look-alike, where the filter has as many keys as the store.
 *
 * <p>Cost: one word written for an insert, and half a chunk of {@link OrderedHashes} moved if it stays in flight; 8 to 16 bytes for each
 * key in flight, not counted as the filter's size; a scan of 64 words and a binary search for a lookup. One writer at a time.
 */
public final class InFlight {

    private static final int NEWEST = 64;
    private static final int MANY = 1 << 16;

    /** Of so many repeated hashes the copies stay counted when nothing is in flight, so that they are not read each time. */
    private static final int REPEATED = 64;

    /** An image has no more copies of one hash. */
    private static final int MOST_COPIES = 1024;

    /** How many hashes the store is asked for at a time: more than have come since the last time. */
    private static final int ASKED = 2 * NEWEST;

    private final StoredHashes stored;
    private final RepairCounts counts;
    private final boolean isIdle;
    private final long[] newest = new long[NEWEST];
    private int newestCount;

    private OrderedHashes older = new OrderedHashes();

    /** How many copies the filter holds of hashes that were put in while it held them, in unsigned order. */
    private final NavigableMap<Long, Integer> copies = new TreeMap<>(Long::compareUnsigned);

    /** Copies that the filter holds of the hash that comes next; 0 if it is not there. */
    private int copiesBefore;

    /**
     * How many keys a filter holds that has all those of the store, the one that comes included, while this filter lacks some and
     * its own number says nothing; null where it lacks none.
     */
    private @Nullable LongSupplier countOfWhole;

    /** The store is asked next for the older hashes from this one on. */
    private long nextAsked;

    /** After how many more batches of hashes the store is asked; each time that it has none of them, the double. */
    private int batchesBetween = 1;

    private int batchesLeft = 1;

    /** Nothing is in flight between a filter and its store. */
    public InFlight(StoredHashes stored, RepairCounts counts) {
        this.stored = stored;
        this.counts = counts;
        this.isIdle = stored == StoredHashes.none();
    }

    /**
     * Makes room for one more hash, before the filter changes: if the store fails nothing has changed.
     *
     * @param filterCount how many keys the filter holds
     */
    public void makeRoom(long filterCount) {
        if (newestCount == NEWEST) {
            settle(filterCount);
        }
    }

    /**
     * The same for a filter that has an entry for each copy of a hash.
     *
     * @param looksPresent whether the filter answers "maybe" for the hash that comes
     */
    public void makeRoom(long filterCount, long hash, boolean looksPresent) {
        makeRoom(filterCount);
        copiesBefore = looksPresent && holdsAllStored(filterCount) ? copiesOf(hash) : 0;
    }

    /** Whether no key is in the store alone: then the copies that the store has are in the filter. */
    private boolean holdsAllStored(long filterCount) {
        long storedCount = isIdle ? -1 : stored.countIfKnown();
        long keys = countOfWhole == null ? filterCount : countOfWhole.getAsLong() - 1;
        return storedCount >= 0 && storedCount <= keys;
    }

    private int copiesOf(long hash) {
        Integer counted = copies.get(hash);
        return counted != null ? counted : Math.max(storedCopies(hash), between(hash, hash).length);
    }

    /** Drops what is known to be stored. */
    private void settle(long filterCount) {
        long storedCount = stored.countIfKnown();
        if (storedCount < 0) {
            older = new OrderedHashes();
            addNewest();
        } else if (storedCount >= filterCount && countOfWhole == null) {
            drop();
        } else {
            addNewest();
            if (older.count() > MANY && --batchesLeft <= 0) {
                dropStored();
            }
        }
    }

    private void addNewest() {
        for (int i = 0; i < newestCount; i++) {
            older.add(newest[i]);
        }
        newestCount = 0;
    }

    /** Asks the store for some of the older hashes, in turn, and drops those that it has. */
    private void dropStored() {
        long[] asked = older.from(nextAsked, -1L, ASKED);
        boolean isAnyDropped = false;
        for (long hash : asked) {
            if (storedCopies(hash) > 0) {
                older.remove(hash);
                isAnyDropped = true;
            }
        }
        // Whoever comes to the end begins again.
        nextAsked = asked.length < ASKED ? 0 : asked[asked.length - 1] + 1;
        batchesBetween = isAnyDropped ? 1 : Math.min(MANY, 2 * batchesBetween);
        batchesLeft = batchesBetween;
    }

    private int storedCopies(long hash) {
        counts.countRangeRead();
        return stored.between(hash, hash).length;
    }

    /** Adds a hash, for which {@linkplain #makeRoom room} has been made. */
    public void inserted(long hash) {
        if (!isIdle) {
            newest[newestCount++] = hash;
            if (copiesBefore > 0) {
                copies.put(hash, copiesBefore + 1);
            }
        }
    }

    /** Drops one copy of a hash, if it is here. */
    public void deleted(long hash) {
        copies.computeIfPresent(hash, (same, count) -> count > 2 ? count - 1 : null);
        for (int i = newestCount - 1; i >= 0; i--) {
            if (newest[i] == hash) {
                newest[i] = newest[--newestCount];
                return;
            }
        }
        older.remove(hash);
    }

    /** Nothing is in flight: the store holds all that the filter holds. */
    public void clear() {
        drop();
        copies.clear();
    }

    private void drop() {
        if (copies.size() > REPEATED) {
            copies.clear();
        }
        newestCount = 0;
        older = new OrderedHashes();
        batchesBetween = 1;
        batchesLeft = 1;
    }

    /**
     * Says that the store holds keys that have not come to the filter yet, but all copies of each hash that comes have: then its
     * number of keys is not compared.
     *
     * @param wholeCount how many keys a filter holds that has them all, to which each hash that comes has come before
     */
    public void setPartial(LongSupplier wholeCount) {
        countOfWhole = wholeCount;
    }

    /** Says that all that the store holds has come to the filter. */
    public void setWhole() {
        countOfWhole = null;
    }

    /** Whether a hash is here. */
    public boolean contains(long hash) {
        for (int i = 0; i < newestCount; i++) {
            if (newest[i] == hash) {
                return true;
            }
        }
        return older.contains(hash);
    }

    /** How many words were moved to keep the hashes in order. */
    long steps() {
        return older.steps();
    }

    /** The hashes from one to another in unsigned order, both included. */
    public long[] between(long first, long last) {
        long[] all = older.between(first, last);
        int found = 0;
        for (int i = 0; i < newestCount; i++) {
            found += isBetween(newest[i], first, last) ? 1 : 0;
        }
        if (found == 0) {
            return all;
        }
        int next = all.length;
        all = Arrays.copyOf(all, next + found);
        for (int i = 0; i < newestCount; i++) {
            if (isBetween(newest[i], first, last)) {
                all[next++] = newest[i];
            }
        }
        sort(all);
        return all;
    }

    private static boolean isBetween(long hash, long first, long last) {
        return Long.compareUnsigned(first, hash) <= 0 && Long.compareUnsigned(hash, last) <= 0;
    }

    /**
     * Adds to the stored hashes of a range those that are here: the hashes of all keys that the filter may hold there. A hash
     * that is among both counts once.
     *
     * @param ofRange the stored hashes from the first to the last in unsigned order; may be given back
     */
    public long[] with(long[] ofRange, long first, long last) {
        long[] flying = between(first, last);
        long[] all = flying.length == 0 ? ofRange : union(ofRange, flying);
        return copies.isEmpty() ? all : withCopies(all, first, last, Integer.MAX_VALUE);
    }

    /** Adds copies to the hashes of a range, as far as they are counted and the filter holds more. */
    private long[] withCopies(long[] ofRange, long first, long last, int most) {
        NavigableMap<Long, Integer> counted = copies.subMap(first, true, last, true);
        if (counted.isEmpty()) {
            return ofRange;
        }
        long[] all = counted.entrySet().stream()
                .flatMapToLong(entry -> LongStream.generate(entry::getKey).limit(Math.min(most, entry.getValue())))
                .toArray();
        return union(ofRange, all);
    }

    /** All hashes of two arrays in unsigned order, each as often as the array that has more copies of it. */
    private static long[] union(long[] one, long[] other) {
        long[] all = new long[one.length + other.length];
        int size = 0;
        int i = 0;
        int k = 0;
        while (i < one.length || k < other.length) {
            int order = i == one.length ? 1 : k == other.length ? -1 : Long.compareUnsigned(one[i], other[k]);
            all[size++] = order <= 0 ? one[i] : other[k];
            i += order <= 0 ? 1 : 0;
            k += order >= 0 ? 1 : 0;
        }
        return Arrays.copyOf(all, size);
    }

    private static void sort(long[] hashes) {
        flipSigns(hashes);
        Arrays.sort(hashes);
        flipSigns(hashes);
    }

    private static void flipSigns(long[] hashes) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] ^= Long.MIN_VALUE;
        }
    }

    /** All hashes, ascending, as a section of an image. */
    public long[] section() {
        long[] flying = between(0, -1L);
        long[] all = flying.length == 0 ? flying : withCopies(flying, 0, -1L, MOST_COPIES);
        long[] section = Words.allocate(all.length);
        System.arraycopy(all, 0, section, Words.LEAD, all.length);
        return section;
    }

    /**
     * Takes over the hashes of a section.
     *
     * @param isThere whether the filter answers "maybe" for a hash
     * @throws IllegalStateException if they do not ascend, or one is not in the filter
     */
    public void restore(long[] section, LongPredicate isThere) {
        long[] hashes = Arrays.copyOfRange(section, Words.LEAD, section.length);
        for (int i = 0; i < hashes.length; i++) {
            if (i > 0 && Long.compareUnsigned(hashes[i - 1], hashes[i]) > 0) {
                throw new IllegalStateException("hashes in flight do not ascend");
            }
            if (!isThere.test(hashes[i])) {
                throw new IllegalStateException("hash " + Long.toHexString(hashes[i]) + " in flight has no slot");
            }
        }
        older = new OrderedHashes();
        for (long hash : hashes) {
            older.add(hash);
        }
    }
}
