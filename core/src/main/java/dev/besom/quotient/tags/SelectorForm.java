package dev.besom.quotient.tags;

import dev.besom.quotient.slots.Slots;

/** The forms of selectors in filters that keep them in several words of a block. */
public enum SelectorForm {
    /** A bitmap and unary values: {@link BitmapSelectors}. */
    BITMAP(BitmapSelectors.METADATA_WORDS, 16),
    /** A byte for each slot: {@link PlainSelectors}. */
    PLAIN(PlainSelectors.METADATA_WORDS, 0),
    /** A bitmap and lists that grow: {@link ListedTags}. */
    LISTED(ListedTags.METADATA_WORDS, ListedTags.MOST_SPILL);

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
        return switch (this) {
            case BITMAP -> new BitmapSelectors(slots, spillBits);
            case PLAIN -> new PlainSelectors(slots);
            case LISTED -> new ListedTags(slots, spillBits);
        };
    }
}
