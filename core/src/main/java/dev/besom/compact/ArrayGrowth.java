package dev.besom.compact;

/**
 * Puts a slot into the array of a block. The row of last bits and each plane get a bit more, and what is behind moves up;
 * the cores get one more, and those behind it, which lie before it, move down. All of it goes by whole words:
 *
 * <pre>
 *   before   last: a b c d   | plane: i j k l   | plane: m n | cores: hh gg ff ee
 *   after    last: a b X c d | plane: i j Z k l |           cores: hh gg YY ff ee
 * </pre>
 *
 * Cost: a step for each row and for each word of cores. How many these are depends on the slots alone, and where the new
 * slot lies changes only shifts, so that few branches are mispredicted.
 */
final class ArrayGrowth {

    /** So many words behind an array may be written to before it is seen that they are too many. */
    static final int SPARE_WORDS = 2;

    /** Rows of so many bits, or more, do not fit into a word with a new one. */
    static final int LONG_ROW = Long.SIZE;

    final int arrayWords;

    private final ChainBlock layout;

    ArrayGrowth(ChainBlock layout) {
        this.layout = layout;
        this.arrayWords = (layout.arrayBits + Long.SIZE - 1) >>> 6;
    }

    /** Copies an array that starts with a word to where another does, with one more slot; the rest of its last word is 0. */
    void grow(
            long[] from,
            int base,
            long[] to,
            int target,
            int start,
            int slots,
            boolean isNewChain,
            int flags,
            int fingerprint) {
        int core = layout.coreBits(slots);
        int end = layout.planesEnd(slots + 1, flags);
        int coresEnd = layout.arrayEnd(flags);
        int firstCore = coresEnd - core * (slots + 1);
        long bits = ChainBlock.rowBits(fingerprint, core, isNewChain ? 1 : 0);
        if (slots < LONG_ROW) {
            growShortRows(from, base, to, target, start, slots, end, bits);
        } else {
            growLongRows(from, base, to, target, start, slots, end, bits);
        }
        // What was written behind the planes goes, and the space up to the cores is empty.
        int word = end >>> 6;
        to[target + word] &= ChainBlock.lowest(end & 63);
        for (int last = firstCore >>> 6; word < last; word++) {
            to[target + word + 1] = 0;
        }
        growCores(from, base, to, target, firstCore, coresEnd - core * start, core, fingerprint);
        to[target + (coresEnd >>> 6)] &= ChainBlock.lowest(coresEnd & 63);
    }

    /** Copies rows of less than a word with a bit more each. */
    private static void growShortRows(
            long[] from, int base, long[] to, int target, int start, int slots, int end, long bits) {
        long rowMask = ChainBlock.lowest(slots);
        int source = start;
        int word = target;
        int filled = start;
        long open = from[base] & ChainBlock.lowest(start);
        long left = bits;
        for (int place = start; place < end; place += slots + 1) {
            // A new bit, and the row's other bits behind it with those of the next row before its own new bit.
            long row = (ChainBlock.read(from, base, source) & rowMask) << 1 | (left & 1);
            long low = open | row << filled;
            long high = row >>> 1 >>> ~filled;
            to[word] = low;
            to[word + 1] = high;
            source += slots;
            left >>>= 1;
            filled += slots + 1;
            int carry = filled >>> 6;
            open = low ^ ((low ^ high) & -(long) carry);
            word += carry;
            filled &= 63;
        }
    }

    /** The same for longer rows. */
    private static void growLongRows(
            long[] from, int base, long[] to, int target, int start, int slots, int end, long bits) {
        int last = end >>> 6;
        for (int word = 0; word <= last; word++) {
            to[target + word] = from[base + word];
        }
        long left = bits;
        for (int place = start; place < end; place += slots + 1) {
            int split = place >>> 6;
            for (int word = last; word > split; word--) {
                to[target + word] = to[target + word] << 1 | to[target + word - 1] >>> 63;
            }
            long low = ChainBlock.lowest(place & 63);
            long mixed = to[target + split];
            to[target + split] = (mixed & low) | (left & 1) << place | (mixed & ~low) << 1;
            left >>>= 1;
        }
    }

    /**
     * Copies cores with one more among them.
     *
     * @param first where the lowest core lies afterwards; the bits before it in its word are there already
     * @param behind where the new core ends, and those that stay begin
     */
    private void growCores(
            long[] from, int base, long[] to, int target, int first, int behind, int core, int fingerprint) {
        int place = behind - core;
        int split = place >>> 6;
        int firstWord = first >>> 6;
        long planes = to[target + firstWord];
        for (int word = firstWord; word < arrayWords; word++) {
            // By as much as a core below the new one, by nothing above it.
            int shift = core & ((word - split) >> 31);
            to[target + word] = from[base + word] >>> shift | from[base + word + 1] << 1 << ~shift;
        }
        long bits = fingerprint & ChainBlock.lowest(core);
        long moved = (from[base + split] >>> core | from[base + split + 1] << 1 << ~core);
        long low = ChainBlock.lowest(place & 63);
        int next = behind >>> 6;
        if (next == split) {
            long kept = from[base + split] & -1L << behind;
            to[target + split] = (moved & low) | bits << place | kept;
        } else {
            to[target + split] = (moved & low) | bits << place;
            to[target + next] = (from[base + next] & -1L << behind) | bits >>> 1 >>> ~place;
        }
        to[target + firstWord] = (to[target + firstWord] & -1L << first) | planes;
    }
}
