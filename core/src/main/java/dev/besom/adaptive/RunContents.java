package dev.besom.adaptive;

import dev.besom.hash.Mix;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;

/**
 * Finds slots by what they hold: a remainder and a tag. Of slots that hold the same the first stands for all.
 *
 * <p>Cost: an index of two numbers a slot; a look-up takes a step or two.
 */
public final class RunContents {

    private static final int FREE = 0;

    private final long[] remainders;
    private final long[] tags;

    /** The first slot that holds the same. */
    private final int[] first;

    /** Each first slot, and 1 more, at the place of what it holds or the next that was free. */
    private final int[] index;

    /** The lengths, or selectors, of all tags. */
    private final BitSet magnitudes = new BitSet();

    /** What slots hold; the arrays have to stay as they are. */
    public RunContents(long[] remainders, long[] tags, LongToIntFunction magnitude) {
        this.remainders = remainders;
        this.tags = tags;
        this.first = new int[tags.length];
        this.index = new int[4 * Integer.highestOneBit(tags.length | 1)];
        for (int slot = 0; slot < tags.length; slot++) {
            int place = place(remainders[slot], tags[slot]);
            if (index[place] == FREE) {
                index[place] = slot + 1;
                magnitudes.set(magnitude.applyAsInt(tags[slot]));
            }
            first[slot] = index[place] - 1;
        }
    }

    /** Where the index has contents, or would have them. */
    private int place(long remainder, long tag) {
        int mask = index.length - 1;
        int place = (int) Mix.mix(remainder + Mix.mix(tag)) & mask;
        while (index[place] != FREE && !isHeld(remainder, tag, index[place] - 1)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean isHeld(long remainder, long tag, int slot) {
        return remainders[slot] == remainder && tags[slot] == tag;
    }

    /** The first slot that holds the same as a slot. */
    public int first(int slot) {
        return first[slot];
    }

    /** The first slot that holds a remainder and a tag; -1 if there is none. */
    public int find(long remainder, long tag) {
        return index[place(remainder, tag)] - 1;
    }

    /**
     * Looks for one slot for each magnitude that a tag here has.
     *
     * @param slots takes those that were found
     * @param find finds a slot with a tag of a magnitude; -1 if there is none
     * @return how many were found
     */
    public int collect(int[] slots, IntUnaryOperator find) {
        int count = 0;
        for (int magnitude = magnitudes.nextSetBit(0);
                magnitude >= 0;
                magnitude = magnitudes.nextSetBit(magnitude + 1)) {
            int slot = find.applyAsInt(magnitude);
            if (slot >= 0) {
                slots[count++] = slot;
            }
        }
        return count;
    }
}
