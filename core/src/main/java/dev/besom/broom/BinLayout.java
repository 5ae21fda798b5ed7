package dev.besom.broom;

/**
 * Where the bits of a bin lie.
 *
 * <pre>
 *   word 0    occupied runs 0 .. 63
 *   word 1    occupied runs 64 ..    | count 7 | spilled 1 | [place 6] | code, first part
 *   word 2    ends of runs, slots 0 .. 63
 *   word 3    ends of runs, slots 64 .. | code, second part
 *   word 4 .. slots, without gaps between them; all slots in use come first, in the order of their runs
 * </pre>
 *
 * <b>count</b> is how many keys of the bin are in overflow bins; <b>spilled</b> says that the code goes on in a word of
 * the spill, at <b>place</b>. The <b>code</b> holds the extensions of the bin's slots: {@link ExtensionCode}.
 *
 * @param words of a bin
 * @param runs at most 120
 * @param slots at most 120
 * @param width bits of a slot
 */
record BinLayout(int words, int runs, int slots, int width) {

    static final int METADATA_WORDS = BroomSizing.METADATA_WORDS;
    static final int MOST = BroomSizing.MOST_SLOTS;
    static final int COUNT_BITS = 7;
    static final int MOST_COUNT = (1 << COUNT_BITS) - 1;
    private static final int MOST_WIDTH = 62;

    BinLayout {
        if (runs < 1 || runs > MOST || slots < 1 || slots > MOST || width < 1 || width > MOST_WIDTH) {
            throw new IllegalArgumentException(
                    "no bin has " + runs + " runs and " + slots + " slots of " + width + " bits");
        }
        if (words != wordsFor(slots, width)) {
            throw new IllegalArgumentException(words + " words for " + slots + " slots of " + width + " bits");
        }
    }

    BinLayout(int runs, int slots, int width) {
        this(wordsFor(slots, width), runs, slots, width);
    }

    private static int wordsFor(int slots, int width) {
        return METADATA_WORDS + (slots * width + Long.SIZE - 1) / Long.SIZE;
    }

    /** The bits of word 1 that occupied runs take. */
    int runsHigh() {
        return Math.max(0, runs - Long.SIZE);
    }

    /** The bits of word 3 that ends of runs take. */
    int slotsHigh() {
        return Math.max(0, slots - Long.SIZE);
    }
}
