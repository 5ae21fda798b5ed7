package dev.besom.quotient.tags;

import dev.besom.bits.Words;
import java.util.Arrays;

/**
 * A bounded place for blocks whose own words are full: a few words for each of them, found by the block's number.
 *
 * <pre>
 *   entries   | block | payload ... | block | payload ... |     dense, in no order
 *   index     open addressing with linear probing: entry number + 1, or 0; at most three quarters full
 * </pre>
 *
 * Nothing is allocated before the first entry, and memory then grows by quarters up to the limit.
 */
final class Spill {

    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    /** Far below the length of an array. */
    private static final int MAX_WORDS = 1 << 30;

    private final int limit;
    private final int entryWords;
    private int size;
    private long[] entries = new long[0];
    private int[] index = new int[0];

    /** @param limit the most entries */
    Spill(int limit, int payloadWords) {
        this.limit = limit;
        this.entryWords = payloadWords + 1;
    }

    /** How many entries fit into that many bits, index and reserve included. */
    static int limitFor(double bits, int payloadWords) {
        int bitsPerEntry = (payloadWords + 1) * Long.SIZE + Integer.SIZE * 8 / 3;
        return (int) Math.min(bits / bitsPerEntry, MAX_WORDS / (payloadWords + 1.0));
    }

    int size() {
        return size;
    }

    /** How many more entries fit. */
    int room() {
        return limit - size;
    }

    long sizeInBits() {
        return (long) entries.length * Long.SIZE + (long) index.length * Integer.SIZE;
    }

    /** The array of the payload that {@link #find(int)} gives places in, until the next add. */
    long[] words() {
        return entries;
    }

    /** Where a block's payload starts in {@link #words()}; -1 if it has none. */
    int find(int block) {
        int[] places = index;
        int mask = places.length - 1;
        for (int at = home(block, mask); mask >= 0 && places[at] != 0; at = at + 1 & mask) {
            int start = (places[at] - 1) * entryWords;
            if (entries[start] == block) {
                return start + 1;
            }
        }
        return -1;
    }

    /** Adds a block, with a payload of zeros, and returns where it starts; -1 if there is no room. */
    int add(int block) {
        if (size == limit) {
            return -1;
        }
        if ((size + 1) * entryWords > entries.length) {
            grow(Math.min(limit, size + Math.max(4, size / 4)));
        }
        int start = size * entryWords;
        size++;
        Arrays.fill(entries, start, start + entryWords, 0);
        entries[start] = block;
        link(block, size);
        return start + 1;
    }

    /** Takes a block out; the last entry moves into its place. */
    void remove(int block) {
        int hole = find(block) - 1;
        unlink(block);
        size--;
        int last = size * entryWords;
        if (last != hole) {
            int moved = (int) entries[last];
            unlink(moved);
            System.arraycopy(entries, last, entries, hole, entryWords);
            link(moved, hole / entryWords + 1);
        }
        Arrays.fill(entries, last, last + entryWords, 0);
    }

    /** All entries in ascending order of their blocks, as a section of an image. */
    long[] section() {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, entry -> entry);
        Arrays.sort(order, (a, b) -> Long.compare(entries[a * entryWords], entries[b * entryWords]));
        long[] section = Words.allocate((long) size * entryWords);
        for (int i = 0; i < size; i++) {
            System.arraycopy(entries, order[i] * entryWords, section, Words.LEAD + i * entryWords, entryWords);
        }
        return section;
    }

    /**
     * Fills an empty spill from a section.
     *
     * @throws IllegalStateException if no spill of this limit and table wrote it
     */
    void read(long[] section, int blockCount) {
        int count = Words.count(section) / entryWords;
        if (count * entryWords != Words.count(section) || count > limit) {
            throw new IllegalStateException(
                    "a spill of " + Words.count(section) + " words where at most " + limit + " entries fit");
        }
        long before = -1;
        for (int i = 0; i < count; i++) {
            int from = Words.LEAD + i * entryWords;
            long block = section[from];
            if (block <= before || block >= blockCount) {
                throw new IllegalStateException("block " + block + " is spilled behind block " + before);
            }
            before = block;
            int start = add((int) block);
            System.arraycopy(section, from + 1, entries, start, entryWords - 1);
        }
    }

    private void grow(int capacity) {
        entries = Arrays.copyOf(entries, capacity * entryWords);
        int places = Integer.highestOneBit(capacity * 4 / 3) << 1;
        if (places > index.length) {
            index = new int[places];
            for (int entry = 0; entry < size; entry++) {
                link((int) entries[entry * entryWords], entry + 1);
            }
        }
    }

    private void link(int block, int number) {
        int mask = index.length - 1;
        int at = home(block, mask);
        while (index[at] != 0) {
            at = at + 1 & mask;
        }
        index[at] = number;
    }

    /** Empties the block's place in the index and closes the gap behind it. */
    private void unlink(int block) {
        int mask = index.length - 1;
        int hole = home(block, mask);
        while (entries[(index[hole] - 1) * entryWords] != block) {
            hole = hole + 1 & mask;
        }
        for (int at = hole + 1 & mask; index[at] != 0; at = at + 1 & mask) {
            int home = home((int) entries[(index[at] - 1) * entryWords], mask);
            if ((at - home & mask) >= (at - hole & mask)) {
                index[hole] = index[at];
                hole = at;
            }
        }
        index[hole] = 0;
    }

    private static int home(int block, int mask) {
        return (int) ((block * SCATTER) >>> 32) & mask;
    }
}
