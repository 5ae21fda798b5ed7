package dev.besom.broom;

/** Where the bits of a bin lie. */
sealed interface BinLayout permits LineLayout, WideLayout {

    /** The words of a bin. */
    int words();

    /** The runs of a bin. */
    int runs();

    /** The slots of a bin. */
    int slots();

    /** The bits of a slot. */
    int width();
}
