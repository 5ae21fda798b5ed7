package dev.besom.broom;

/**
 * A bin of up to two cache lines, for the signatures of large remainders.
 *
 * <pre>
 *   word 0    occupied runs 0 .. 63
 *   word 1    occupied runs 64 ..    | count 7 | spilled 1 | [place 6] | code, first part
 *   word 2    ends of runs, slots 0 .. 63
 *   word 3    ends of runs, slots 64 .. | code, second part
 *   word 4 .. slots, without gaps between them; all slots in use come first, in the order of their runs
 * </pre>
 *
 * <b>count</b> is how many keys of the bin are in the back yard; <b>spilled</b> says that the code goes on in a word of
 * the spill, at <b>place</b>. The <b>code</b> holds the extensions of the bin's slots: {@link ExtensionCode}.
 *
 * @param words of a bin
 * @param runs at most 120
 * @param slots at most 120
 * @param width bits of a slot
 */
record WideLayout(int words, int runs, int slots, int width) implements BinLayout {

    /** Two for occupied runs, two for ends of runs, with room beside both. */
    static final int METADATA_WORDS = 4;

    /** Slots are numbered from 1 in 7 bits, and 127 of them would leave no bit beside the ends of runs. */
    static final int MOST = 120;

    static final int COUNT_BITS = 7;
    static final int MOST_COUNT = (1 << COUNT_BITS) - 1;
    private static final int MOST_WIDTH = 62;

    WideLayout {
        if (runs < 1 || runs > MOST || slots < 1 || slots > MOST || width < 1 || width > MOST_WIDTH) {
            throw new IllegalArgumentException(
                    "no bin has " + runs + " runs and " + slots + " slots of " + width + " bits");
        }
        if (words != wordsFor(slots, width)) {
            throw new IllegalArgumentException(words + " words for " + slots + " slots of " + width + " bits");
        }
    }

    WideLayout(int runs, int slots, int width) {
        this(wordsFor(slots, width), runs, slots, width);
    }

    private static int wordsFor(int slots, int width) {
        return METADATA_WORDS + (slots * width + Long.SIZE - 1) / Long.SIZE;
    }

    /** How many bits so many runs and ends of runs leave free in the words of metadata. */
    static int metadataLeft(int runs, int slots) {
        return METADATA_WORDS * Long.SIZE - Math.max(runs, Long.SIZE) - Math.max(slots, Long.SIZE);
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
