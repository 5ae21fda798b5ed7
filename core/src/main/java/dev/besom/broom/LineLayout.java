package dev.besom.broom;

import dev.besom.bits.PackedFields;

/**
 * A bin of one cache line, for small remainders.
 *
 * <pre>
 *   word 0        occupied runs 0 .. | code, first part  | bit 63: keys of the bin are elsewhere
 *   word 1        ends of runs, slots 0 .. | code, second part
 *   [word 2       code, third part]
 *   words .. 7    slots, as many in each word as it has room for; all slots in use come first, in the order of their runs
 * </pre>
 *
 * No slot lies in two words, so that all of them are compared with a value at once. What the slots of a word leave free at its
 * top is not used. The <b>code</b> holds the extensions of the bin's slots: {@link ExtensionCode}.
 *
 * @param runs at most {@value #MOST_RUNS}
 * @param slots at most {@value #MOST_SLOTS}
 * @param width bits of a slot, from {@value #LEAST_WIDTH} to {@value #MOST_WIDTH}
 */
record LineLayout(int runs, int slots, int width) implements BinLayout {

    /** A cache line. */
    static final int WORDS = 8;

    /** With fewer there would be more words of slots than a slot has bits, and no bit of its own for each slot that is equal. */
    static final int LEAST_WIDTH = 5;

    /** Wider slots would be so few that front yards take less space. */
    static final int MOST_WIDTH = 16;

    /** More would leave too little of word 0 for the start of a code and for the bits that say where it goes on. */
    static final int MOST_RUNS = 54;

    /** Slots are numbered from 1 in six bits, and the last number stands for none. */
    static final int MOST_SLOTS = 62;

    /** Words of runs, ends and codes. */
    private static final int LEAST_METADATA_WORDS = 2;

    private static final int MOST_METADATA_WORDS = 3;

    LineLayout {
        if (runs < 1 || runs > MOST_RUNS || width < LEAST_WIDTH || width > MOST_WIDTH) {
            throw new IllegalArgumentException("no line has " + runs + " runs and slots of " + width + " bits");
        }
        if (slots < 1 || slots > mostSlots(width)) {
            throw new IllegalArgumentException("no line has " + slots + " slots of " + width + " bits");
        }
    }

    private static int mostSlots(int width, int metadataWords) {
        return Math.min(MOST_SLOTS, (WORDS - metadataWords) * PackedFields.perWord(width));
    }

    /** The most slots of a width: those of no more words than a slot has bits. */
    static int mostSlots(int width) {
        return mostSlots(width, Math.max(LEAST_METADATA_WORDS, WORDS - width));
    }

    /** The most slots of a width where codes have a word of their own. */
    static int mostSlotsBesideCode(int width) {
        return mostSlots(width, MOST_METADATA_WORDS);
    }

    @Override
    public int words() {
        return WORDS;
    }

    /** The first word with slots. */
    int slotsFrom() {
        return slots <= mostSlotsBesideCode(width) ? MOST_METADATA_WORDS : LEAST_METADATA_WORDS;
    }

    /** The bits of word 0 that a code has. */
    int firstFreeBits() {
        return Long.SIZE - 1 - runs;
    }

    /** The bits that a code has in all. */
    int freeBits() {
        return firstFreeBits() + Long.SIZE - slots + (slotsFrom() - LEAST_METADATA_WORDS) * Long.SIZE;
    }
}
