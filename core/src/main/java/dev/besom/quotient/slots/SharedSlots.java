package dev.besom.quotient.slots;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * Counts the copies of what was inserted so often that not every copy has a slot of its own.
 *
 * <pre>
 *   run of a quotient     | x | x | x | x | x | x | x | x | x |      nine slots with the same contents
 *   shared slots          x: 1000                                    1000 copies share one of them: 1008 copies in all
 *
 *   entries   open addressing with linear probing: | key | copies | key | copies | ...      copies 0: free
 * </pre>
 *
 * The first few copies have slots of their own, as nearly all that is ever in a filter has. The next one gets a slot that
 * all later ones share, so that they cost time and memory of a counter, and the run stays short. How many the first few
 * are, and what a key is, a fingerprint or a whole hash, is the filter's matter.
 *
 * <p>Cost: nothing before the first entry, then two to four words for each. One writer at a time.
 *
 * <p>A counting quotient filter keeps such counters in the slots of the run. Beside the table they need no escape codes,
 * work for remainders of one bit and for runs that are not sorted, and leave the path of queries alone; they cost some ten
 * slots more for each of the few keys that have one.
 *
 * <p>P. Pandey, M. A. Bender, R. Johnson and R. Patro: A general-purpose counting filter: making every bit count.
 * SIGMOD 2017.
 */
public final class SharedSlots {

    /** More copies are refused when they are read: sums of them must stay far from the sign of a word. */
    private static final long MOST_COPIES = 1L << 48;

    private static final int MOST_ENTRIES = 1 << 28;
    private static final int LEAST_LENGTH = 8;
    private static final long[] EMPTY = {};

    /** Takes entries one by one. */
    @FunctionalInterface
    public interface EntryConsumer {
        /** A key, and how many copies share a slot of it. */
        void accept(long key, long copies);
    }

    private long[] entries = EMPTY;
    private int size;
    private long extra;

    /** Nothing shares a slot. */
    public SharedSlots() {}

    /** Whether nothing shares a slot. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** How many keys have a shared slot. */
    public int size() {
        return size;
    }

    /** How many copies have no slot of their own, of all keys together. */
    public long extra() {
        return extra;
    }

    /** How many copies of a key have no slot of their own. */
    public long extra(long key) {
        int at = find(key);
        return at < 0 ? 0 : entries[at + 1] - 1;
    }

    /** Whether a key has a shared slot. */
    public boolean has(long key) {
        return find(key) >= 0;
    }

    /** The memory of the entries. */
    public long sizeInBits() {
        return (long) entries.length * Long.SIZE;
    }

    /** Lets so many more copies share the slot of a key; false, and no change, if it has no shared slot. */
    public boolean join(long key, long copies) {
        int at = find(key);
        if (at < 0) {
            return false;
        }
        entries[at + 1] += copies;
        extra += copies;
        return true;
    }

    /** Makes the slot that a key has just been given a shared one, of one copy. */
    public void open(long key) {
        put(key, 1);
    }

    /** Lets copies share the slots of their keys as they do in another table whose slots have been taken over. */
    public void addAll(SharedSlots other) {
        other.forEach((key, copies) -> {
            if (!join(key, copies - 1)) {
                put(key, copies);
            }
        });
    }

    private void put(long key, long copies) {
        if ((size + 1) * 8L > entries.length * 3L) {
            resize(Math.max(LEAST_LENGTH, entries.length * 2));
        }
        int at = home(key);
        while (entries[at + 1] != 0) {
            at = next(at);
        }
        entries[at] = key;
        entries[at + 1] = copies;
        size++;
        extra += copies - 1;
    }

    /**
     * Takes out a copy that has no slot of its own. If there is none, the key's slot is no shared one any more.
     *
     * @return false if the copy that leaves has a slot, which is then to be closed
     */
    public boolean leave(long key) {
        int at = find(key);
        if (at < 0) {
            return false;
        }
        if (entries[at + 1] > 1) {
            entries[at + 1]--;
            extra--;
            return true;
        }
        remove(at);
        return false;
    }

    /** Empties a place and closes the gap behind it. */
    private void remove(int at) {
        size--;
        int hole = at;
        for (int each = next(hole); entries[each + 1] != 0; each = next(each)) {
            int distance = Math.floorMod(each - home(entries[each]), entries.length);
            if (distance >= Math.floorMod(each - hole, entries.length)) {
                entries[hole] = entries[each];
                entries[hole + 1] = entries[each + 1];
                hole = each;
            }
        }
        entries[hole] = 0;
        entries[hole + 1] = 0;
        if (size == 0) {
            entries = EMPTY;
        } else if (entries.length > LEAST_LENGTH && size * 8L <= entries.length / 2 * 3L) {
            // As small as one that is filled anew, so that a filter has the size of its file.
            resize(entries.length / 2);
        }
    }

    /** Gives every entry, in no order. */
    public void forEach(EntryConsumer action) {
        for (int at = 0; at < entries.length; at += 2) {
            if (entries[at + 1] != 0) {
                action.accept(entries[at], entries[at + 1]);
            }
        }
    }

    /** All entries in ascending order of their keys, as a section of an image. */
    public long[] section() {
        long[] keys = new long[size];
        int found = 0;
        for (int at = 0; at < entries.length; at += 2) {
            if (entries[at + 1] != 0) {
                keys[found++] = entries[at];
            }
        }
        Arrays.sort(keys);
        long[] section = Words.allocate(2L * size);
        for (int i = 0; i < size; i++) {
            section[Words.LEAD + 2 * i] = keys[i];
            section[Words.LEAD + 2 * i + 1] = extra(keys[i]) + 1;
        }
        return section;
    }

    /**
     * Takes over a section.
     *
     * @throws IllegalArgumentException if it is none of {@link #section()}
     */
    public static SharedSlots read(long[] section) {
        SharedSlots shared = new SharedSlots();
        if (Words.count(section) % 2 != 0 || Words.count(section) / 2 > MOST_ENTRIES) {
            throw new IllegalArgumentException(Words.count(section) + " words are no entries");
        }
        for (int at = Words.LEAD; at < section.length; at += 2) {
            long copies = section[at + 1];
            if (copies < 1 || shared.extra + copies > MOST_COPIES) {
                throw new IllegalArgumentException(copies + " copies cannot share a slot");
            }
            if (at > Words.LEAD && section[at] <= section[at - 2]) {
                throw new IllegalArgumentException("the entries are not in order");
            }
            shared.put(section[at], copies);
        }
        return shared;
    }

    private void resize(int length) {
        long[] before = entries;
        entries = new long[length];
        size = 0;
        extra = 0;
        for (int at = 0; at < before.length; at += 2) {
            if (before[at + 1] != 0) {
                put(before[at], before[at + 1]);
            }
        }
    }

    /** Where the entry of a key is; -1 if it has none. */
    private int find(long key) {
        if (size == 0) {
            return -1;
        }
        int at = home(key);
        while (entries[at + 1] != 0) {
            if (entries[at] == key) {
                return at;
            }
            at = next(at);
        }
        return -1;
    }

    private int home(long key) {
        return 2 * (int) FastRange.place(Mix.mix(key), entries.length / 2);
    }

    private int next(int at) {
        return at + 2 == entries.length ? 0 : at + 2;
    }
}
