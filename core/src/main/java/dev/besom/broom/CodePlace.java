package dev.besom.broom;

/**
 * Where the {@link ExtensionCode} of a bin is kept. Most are in the bin itself, some have a word more in the spill, and few
 * are in a list of the spill.
 */
sealed interface CodePlace permits CodeInBin, CodeWithWord, CodeInList {

    /** Whether the code of a bin is here; {@code base} is the index of the bin's first word. */
    boolean isPlaceOf(int base);

    /** The extension of a slot of a bin whose code is here. */
    long find(int bin, int slot);

    /** The bits of the string that a code of so many bits is kept in here. */
    int sizeFor(int bits);

    /** The bits of the string that the code of a bin is in, which is here. */
    int size(int bin);

    /** The string that the code of a bin is in, which is here; 0 behind its end. */
    long[] read(int bin);

    /**
     * Whether a code fits here.
     *
     * @param bits of the code
     * @param freed words of the spill that the bin gives back
     */
    boolean hasRoom(int bin, int bits, long freed);

    /**
     * Puts the code of a bin here, for which there is {@link #hasRoom room}.
     *
     * @param code in a string of the {@linkplain #sizeFor right size}
     */
    void write(int bin, long[] code);

    /** How many words of the spill are free at least if a bin's code leaves. */
    long freedBy(int bin);

    /** Gives back what the spill has for a bin whose code is here. */
    void release(int bin);

    /** Whether a bin whose code is here has this string and not one bit more. */
    boolean holds(int bin, long[] code);
}
