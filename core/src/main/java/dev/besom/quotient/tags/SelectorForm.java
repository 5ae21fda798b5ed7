package dev.besom.quotient.tags;

import dev.besom.quotient.slots.Slots;

/** The forms of selectors that queries look up without decoding a block. */
public enum SelectorForm {
    /** A bitmap and unary values: {@link BitmapSelectors}. */
    BITMAP(BitmapSelectors.METADATA_WORDS, 16),
    /** A byte for each slot: {@link PlainSelectors}. */
    PLAIN(PlainSelectors.METADATA_WORDS, 0);

    private final int metadataWords;
    private final double mostSpill;

    SelectorForm(int metadataWords, double mostSpill) {
        this.metadataWords = metadataWords;
        this.mostSpill = mostSpill;
    }

    /** The words of metadata that a block has. */
    public int metadataWords() {
        return metadataWords;
    }

    /** The most bits a key that a user can allow for selectors beside the table. */
    public double mostSpill() {
        return mostSpill;
    }

    /**
     * Selectors over slots.
     *
     * @param spillBits the most memory that selectors beside the table may take
     */
    public Tags tags(Slots slots, double spillBits) {
        return this == PLAIN ? new PlainSelectors(slots) : new BitmapSelectors(slots, spillBits);
    }
}
