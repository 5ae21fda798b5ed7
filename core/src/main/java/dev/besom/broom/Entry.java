package dev.besom.broom;

/** A fingerprint at its place. */
sealed interface Entry {

    /** What follows the remainder in its owner's hash, as far as it is known. */
    long extension();

    /** A fingerprint in a slot of a bin. */
    record InBin(Area area, int bin, int slot, long extension) implements Entry {}

    /** A whole hash in the back yard. */
    record InBackYard(int place, long extension) implements Entry {}
}
