package dev.besom.broom;

import dev.besom.adaptive.GroupSpill;
import dev.besom.bits.Words;
import java.util.Arrays;

/**
 * Where extensions go that do not fit into their bins: a word more for many bins, a list for a few.
 *
 * <pre>
 *   word      of a bin: at a place of 6 bits that the bin keeps, among those of its 128 neighbours
 *   list      of a bin: all of its code, in as many words as it needs; found by the number of the bin
 *
 *   in a section: the words as in {@link GroupSpill}; then for each list its bin, its length, and its words
 * </pre>
 *
 * Neighbours change to another hash function at about the same time, so when they are about to, many of them need a word at
 * once and others none. So there is one budget for all bins of a filter, and none for each group.
 *
 * <p>A list is found by binary search; there is one bin in a few thousand that has one.
 */
final class BinSpill {

    /** The number of a list's bin, and its length. */
    private static final int LIST_HEADER = 2;

    /** The words that all spills of a filter may take together, those included that are allocated and not in use. */
    static final class Budget {

        private final long words;
        private long left;
        private long readable;

        /** @param readable how many words in use a file may have; where that is more, none is taken until some are given back */
        Budget(long words, long readable) {
            this.words = words;
            this.left = words;
            this.readable = readable;
        }

        /** The part that is taken, from 0 to 1; 1 where there is nothing to take. */
        double used() {
            return words == 0 ? 1 : Math.min(1, (words - left) / (double) words);
        }

        boolean hasRoom(long words) {
            return left >= words;
        }

        /** Takes words or, if negative, gives them back. */
        void take(long words) {
            left -= words;
        }

        /** Takes words that a file has in use. */
        void takeRead(long words) {
            left -= words;
            readable -= words;
        }
    }

    private final GroupSpill words;
    private final Budget budget;
    private int listCount;
    private int[] listBins = new int[2];
    private long[][] lists = new long[2][];

    BinSpill(int binCount, Budget budget) {
        this.words = GroupSpill.withoutLimit(binCount);
        this.budget = budget;
    }

    /** Whether a bin may have a word, if it gives back so many that it has. */
    boolean hasRoomForWord(int bin, long given) {
        return words.room(bin) > 0 && budget.left + given >= words.growth(bin);
    }

    int takeWord(int bin) {
        budget.take(words.growth(bin));
        return words.take(bin);
    }

    void releaseWord(int bin, int place) {
        int before = words.allocated(bin);
        words.release(bin, place);
        words.trim(bin);
        budget.take(words.allocated(bin) - before);
    }

    /** How many words are free at least if a bin gives back its word: none where that leaves a gap before others. */
    int freedBy(int bin, int place) {
        return place == words.allocated(bin) - 1 ? 1 : 0;
    }

    boolean isWordUsed(int bin, int place) {
        return words.isUsed(bin, place);
    }

    long word(int bin, int place) {
        return words.get(bin, place);
    }

    void setWord(int bin, int place, long word) {
        words.set(bin, place, word);
    }

    /** Whether a bin may have a list of so many words, if it gives back so many that it has. */
    boolean hasRoomForList(int size, long given) {
        return budget.left + given >= LIST_HEADER + size;
    }

    /** The words that a bin's list takes; 0 if it has none. */
    int listSize(int bin) {
        int at = find(bin);
        return at < 0 ? 0 : LIST_HEADER + lists[at].length;
    }

    /**
     * A bin's list, not to be changed.
     *
     * @throws IllegalStateException if there is none
     */
    long[] list(int bin) {
        int at = find(bin);
        if (at < 0) {
            throw new IllegalStateException("bin " + bin + " has no list of extensions");
        }
        return lists[at];
    }

    /** Gives a bin a list, or another one. There must be room. */
    void setList(int bin, long[] list) {
        budget.take(LIST_HEADER + list.length - listSize(bin));
        int at = find(bin);
        if (at >= 0) {
            lists[at] = list;
        } else {
            insert(~at, bin, list);
        }
    }

    private void insert(int at, int bin, long[] list) {
        if (listCount == listBins.length) {
            listBins = Arrays.copyOf(listBins, listCount + listCount / 4 + 1);
            lists = Arrays.copyOf(lists, listBins.length);
        }
        System.arraycopy(listBins, at, listBins, at + 1, listCount - at);
        System.arraycopy(lists, at, lists, at + 1, listCount - at);
        listBins[at] = bin;
        lists[at] = list;
        listCount++;
    }

    void removeList(int bin) {
        int at = find(bin);
        budget.take(-listSize(bin));
        listCount--;
        System.arraycopy(listBins, at + 1, listBins, at, listCount - at);
        System.arraycopy(lists, at + 1, lists, at, listCount - at);
    }

    private int find(int bin) {
        return Arrays.binarySearch(listBins, 0, listCount, bin);
    }

    /** How many bins have a word or a list. */
    int size() {
        return words.size() + listCount;
    }

    long sizeInBits() {
        long listed = 0;
        for (int i = 0; i < listCount; i++) {
            listed += LIST_HEADER + lists[i].length;
        }
        return words.sizeInBits() + listed * Long.SIZE;
    }

    long[] section() {
        long[] first = words.section();
        int length = first.length;
        for (int i = 0; i < listCount; i++) {
            length += LIST_HEADER + lists[i].length;
        }
        long[] section = Arrays.copyOf(first, length);
        int at = first.length;
        for (int i = 0; i < listCount; i++) {
            section[at++] = listBins[i];
            section[at++] = lists[i].length;
            System.arraycopy(lists[i], 0, section, at, lists[i].length);
            at += lists[i].length;
        }
        return section;
    }

    /**
     * Fills an empty spill from a section.
     *
     * @throws IllegalStateException if no spill of this size wrote it
     */
    void read(long[] section) {
        int at = words.readWords(section);
        budget.take(words.allocated());
        budget.readable -= words.size();
        while (at < section.length) {
            long length = at + 1 < section.length ? section[at + 1] : 0;
            long bin = section[at];
            if (length < 1 || length > section.length - at - LIST_HEADER || (int) bin != bin) {
                throw new IllegalStateException("the spill has no list at " + (at - Words.LEAD));
            }
            if (listCount > 0 && bin <= listBins[listCount - 1]) {
                throw new IllegalStateException("the spill's lists are not in the order of bins");
            }
            at += LIST_HEADER;
            insert(listCount, (int) bin, Arrays.copyOfRange(section, at, at + (int) length));
            budget.takeRead(LIST_HEADER + length);
            at += (int) length;
        }
        if (budget.readable < 0) {
            throw new IllegalStateException("the spill is larger than it may be");
        }
    }
}
