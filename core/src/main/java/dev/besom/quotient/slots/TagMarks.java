package dev.besom.quotient.slots;

/**
 * Which word of a block tells that slots have no tags.
 *
 * @param word its number in the block
 * @param isBitmap true: bit i is 0 if slot i has no tag; false: the word is 0 if no slot of the block has one
 */
public record TagMarks(int word, boolean isBitmap) {

    /** Of tables without tags. */
    public static final TagMarks NO_TAGS = new TagMarks(-1, false);

    /** Of forms that have no such word: the block of a run has an occupied bit, so every run counts as tagged. */
    public static final TagMarks UNKNOWN = new TagMarks(SlotLayout.OCCUPIED, false);
}
