package dev.besom.adaptive;

import dev.besom.bits.Words;
import java.util.Arrays;

/**
 * A bounded place for a second word of blocks whose first one is full. Blocks share it in groups of 128, so that a place
 * in it has a number of 6 bits, which the block keeps.
 *
 * <pre>
 *   group 0   blocks 0 .. 127      used 64 | word | word | ...      at most `limit` words, allocated as they are taken
 *   group 1   blocks 128 .. 255    used 64 | word | ...
 *
 *   in an image: for each group its used bits, then the words in use in ascending order of their places
 * </pre>
 *
 * No index is needed and no number of a block is stored, so nearly all of the memory is payload.
 */
public final class GroupSpill {

    /** Blocks whose numbers differ below this bit share words. */
    public static final int GROUP_SHIFT = 7;
    /** The width of a place. */
    public static final int PLACE_BITS = 6;

    private static final int MOST_PLACES = 1 << PLACE_BITS;

    private final int blockCount;
    private final double wordsPerBlock;
    private final long[] used;
    private final long[][] words;

    /**
     * An empty spill.
     *
     * @param bits the most memory for words that all blocks together may take
     */
    public GroupSpill(int blockCount, double bits) {
        int groups = leastWords(blockCount);
        this.blockCount = blockCount;
        this.wordsPerBlock = bits / Long.SIZE / blockCount;
        this.used = new long[groups];
        this.words = new long[groups][0];
    }

    /** With as many words as places can be told apart, for callers who keep count themselves. */
    public static GroupSpill withoutLimit(int blockCount) {
        return new GroupSpill(blockCount, Double.POSITIVE_INFINITY);
    }

    /** How many words a group may have. */
    private int limit(int group) {
        int blocks = Math.min(1 << GROUP_SHIFT, blockCount - (group << GROUP_SHIFT));
        return (int) Math.min(MOST_PLACES, blocks * wordsPerBlock);
    }

    /** How many more words a block's group may take. */
    public int room(int block) {
        int group = block >>> GROUP_SHIFT;
        return limit(group) - Long.bitCount(used[group]);
    }

    /** How many words are allocated for a block's group. */
    public int allocated(int block) {
        return words[block >>> GROUP_SHIFT].length;
    }

    /** How many more {@link #take(int)} would allocate: none where a place between others is free. */
    public int growth(int block) {
        return Long.numberOfTrailingZeros(~used[block >>> GROUP_SHIFT]) < allocated(block) ? 0 : 1;
    }

    /** The word at a place of a block. */
    public long get(int block, int place) {
        return words[block >>> GROUP_SHIFT][place];
    }

    /** Writes the word at a place that the block has taken. */
    public void set(int block, int place, long word) {
        words[block >>> GROUP_SHIFT][place] = word;
    }

    /** Takes a place for a block whose group has {@linkplain #room(int) room}. */
    public int take(int block) {
        int group = block >>> GROUP_SHIFT;
        int place = Long.numberOfTrailingZeros(~used[group]);
        int limit = limit(group);
        if (place >= limit) {
            throw new IllegalStateException("group " + group + " has no room for another word");
        }
        if (place >= words[group].length) {
            words[group] = Arrays.copyOf(words[group], place + 1);
        }
        used[group] |= 1L << place;
        return place;
    }

    /** Gives back a place. */
    public void release(int block, int place) {
        int group = block >>> GROUP_SHIFT;
        words[group][place] = 0;
        used[group] &= ~(1L << place);
    }

    /** Gives back the words of a block's group behind the last one in use. Nobody may read meanwhile. */
    public void trim(int block) {
        int group = block >>> GROUP_SHIFT;
        int end = Long.SIZE - Long.numberOfLeadingZeros(used[group]);
        if (end < words[group].length) {
            words[group] = Arrays.copyOf(words[group], end);
        }
    }

    /** Whether a place of a block's group is taken. */
    public boolean isUsed(int block, int place) {
        return (used[block >>> GROUP_SHIFT] >>> place & 1) != 0;
    }

    /** How many words are in use. */
    public int size() {
        int size = 0;
        for (long places : used) {
            size += Long.bitCount(places);
        }
        return size;
    }

    /** How many words are allocated, in use or not. */
    public long allocated() {
        long allocated = 0;
        for (long[] each : words) {
            allocated += each.length;
        }
        return allocated;
    }

    /** The memory of all words, in use or not, and of the used bits. */
    public long sizeInBits() {
        return (used.length + allocated()) * Long.SIZE;
    }

    /** The words that an empty spill of so many blocks takes. */
    public static int leastWords(int blockCount) {
        return (blockCount + (1 << GROUP_SHIFT) - 1) >>> GROUP_SHIFT;
    }

    /** All words in use, for {@link #read(long[])}. */
    public long[] section() {
        long[] section = Words.allocate((long) used.length + size());
        int at = Words.LEAD;
        for (int group = 0; group < used.length; group++) {
            section[at++] = used[group];
            for (long places = used[group]; places != 0; places &= places - 1) {
                section[at++] = words[group][Long.numberOfTrailingZeros(places)];
            }
        }
        return section;
    }

    /**
     * Fills an empty spill from a section.
     *
     * @throws IllegalStateException if no spill of this size wrote it
     */
    public void read(long[] section) {
        if (readWords(section) != section.length) {
            throw new IllegalStateException("the spill goes on behind its last group");
        }
    }

    /**
     * Fills an empty spill from the start of a section.
     *
     * @return where the section goes on
     * @throws IllegalStateException if no spill of this size wrote it
     */
    public int readWords(long[] section) {
        int at = Words.LEAD;
        for (int group = 0; group < used.length; group++) {
            if (at >= section.length) {
                throw new IllegalStateException("the spill ends before group " + group);
            }
            long places = section[at++];
            int end = Long.SIZE - Long.numberOfLeadingZeros(places);
            if (end > limit(group) || Long.bitCount(places) > section.length - at) {
                throw new IllegalStateException("the spill of group " + group + " is larger than it may be");
            }
            used[group] = places;
            words[group] = new long[end];
            for (; places != 0; places &= places - 1) {
                words[group][Long.numberOfTrailingZeros(places)] = section[at++];
            }
        }
        return at;
    }
}
