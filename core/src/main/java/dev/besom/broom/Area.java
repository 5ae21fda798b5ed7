package dev.besom.broom;

import dev.besom.adaptive.Extensions;

/**
 * Bins of one sort whose slots have extensions: a fingerprint is what a bin and its slot stand for, and the slot's extension.
 */
abstract sealed class Area permits ExtendedBins, OverflowPages {

    /** Parts of a fingerprint's share of the hashes in which {@link #coverage()} counts: up to so many bits more. */
    static final int COVERAGE_BITS = 32;

    static final long WHOLE = 1L << COVERAGE_BITS;

    private long coverage;

    /** The quotient of a slot in use. */
    abstract long quotientOf(int bin, int slot);

    /** The remainder of a slot in use. */
    abstract long remainderOf(int bin, int slot);

    /** The extension of a slot in use. */
    abstract long extensionOf(int bin, int slot);

    /** The extended slots of a bin in ascending order, as a new array. */
    abstract int[] extendedSlots(int bin);

    /** Gives a slot another extension; false, and no change, if there is no room for it. */
    abstract boolean setExtension(int bin, int slot, long extension);

    final Entry.InBin entry(int bin, int slot) {
        return new Entry.InBin(this, bin, slot, extensionOf(bin, slot));
    }

    /** Gives a slot another extension; false, and no change, if there is no room for it. */
    final boolean extend(int bin, int slot, long extension) {
        long before = extensionOf(bin, slot);
        if (before == extension) {
            return true;
        }
        if (!setExtension(bin, slot, extension)) {
            return false;
        }
        cover(covered(extension) - covered(before));
        return true;
    }

    /** The share of a fingerprint with an extension. */
    static long covered(long extension) {
        int length = Extensions.length(extension);
        return length > COVERAGE_BITS ? 0 : WHOLE >>> length;
    }

    /** Notes that shares have come or, if negative, gone. */
    final void cover(long change) {
        coverage += change;
    }

    /** The shares of all fingerprints, of what one without an extension has, in units of 2^-32. */
    final long coverage() {
        return coverage;
    }
}
