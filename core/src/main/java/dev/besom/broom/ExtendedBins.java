package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import dev.besom.bits.Words;

/**
 * Bins whose slots have extensions: a fingerprint is a run, the value of a slot and the slot's extension. What runs and
 * values stand for is known to the areas of a table, which extend this class.
 */
abstract sealed class ExtendedBins permits PrimaryBins, OverflowBins, FrontYard {

    /** Parts of a fingerprint's share of the hashes in which {@link #coverage()} counts: up to so many bits more. */
    static final int COVERAGE_BITS = 32;

    private static final long WHOLE = 1L << COVERAGE_BITS;

    final Bins bins;
    final BinExtensions extensions;
    private long coverage;

    ExtendedBins(Bins bins, BinSpill.Budget budget) {
        this.bins = bins;
        this.extensions = new BinExtensions(bins, new BinSpill(bins.binCount, budget));
    }

    /** The quotient of a slot in use. */
    abstract long quotientOf(int bin, int slot);

    /** The remainder of a slot in use. */
    abstract long remainderOf(int bin, int slot);

    /** Whether a slot of a run has a value, and an extension that is a prefix of a word. */
    final boolean mightContain(int bin, int run, long value, long following) {
        int slot = bins.find(bins.base(bin), run, value);
        return slot >= 0 && (extensions.isPrefix(bin, slot, following) || isPrefixBefore(bin, slot, value, following));
    }

    /** Whether a slot before the given one in its run has a value, and an extension that is a prefix of a word. */
    private boolean isPrefixBefore(int bin, int slot, long value, long following) {
        int base = bins.base(bin);
        for (int other = slot; !bins.startsRun(base, other); ) {
            other--;
            if (bins.slot(base, other) == value && extensions.isPrefix(bin, other, following)) {
                return true;
            }
        }
        return false;
    }

    /** Lists the slots of a run that have a value. */
    final void gather(int bin, int run, long value, LookAlikes found) {
        int base = bins.base(bin);
        if (!bins.isOccupied(base, run)) {
            return;
        }
        for (int slot = bins.runEnd(base, run); ; slot--) {
            if (bins.slot(base, slot) == value) {
                found.add(entry(bin, slot));
            }
            if (bins.startsRun(base, slot)) {
                return;
            }
        }
    }

    final Entry.InBin entry(int bin, int slot) {
        return new Entry.InBin(this, bin, slot, extensions.get(bin, slot));
    }

    final boolean isFull(int bin) {
        return bins.isFull(bins.base(bin));
    }

    /** Adds a slot without an extension to a bin that is not full; returns where it is. */
    final int open(int bin, int run, long value) {
        int slot = bins.open(bins.base(bin), run, value);
        extensions.opened(bin, slot);
        coverage += WHOLE;
        return slot;
    }

    /** Takes a slot of a run away. */
    final void close(int bin, int run, int slot) {
        coverage -= covered(extensions.get(bin, slot));
        bins.close(bins.base(bin), run, slot);
        extensions.closed(bin, slot);
    }

    /** Gives a slot another extension; false, and no change, if there is no room for it. */
    final boolean extend(int bin, int slot, long extension) {
        long before = extensions.get(bin, slot);
        if (before == extension) {
            return true;
        }
        if (!extensions.set(bin, slot, extension)) {
            return false;
        }
        coverage += covered(extension) - covered(before);
        return true;
    }

    /** The share of a fingerprint with an extension. */
    private static long covered(long extension) {
        int length = Extensions.length(extension);
        return length > COVERAGE_BITS ? 0 : WHOLE >>> length;
    }

    /** The shares of all fingerprints, of what one without an extension has, in units of 2^-32. */
    final long coverage() {
        return coverage;
    }

    final long sizeInBits() {
        return ((long) Words.count(bins.words) << 6) + extensions.spill().sizeInBits();
    }

    /**
     * Checks all bins, and counts anew what is covered.
     *
     * @return how many slots are in use
     * @throws IllegalStateException if anything is damaged
     */
    long check() {
        long keys = 0;
        int spilled = 0;
        coverage = 0;
        for (int bin = 0; bin < bins.binCount; bin++) {
            bins.check(bin);
            spilled += extensions.check(bin) ? 1 : 0;
            int used = bins.used(bins.base(bin));
            keys += used;
            coverage += used * WHOLE;
            for (int slot : extensions.extendedSlots(bin)) {
                coverage += covered(extensions.get(bin, slot)) - WHOLE;
            }
        }
        extensions.checkSpill(spilled);
        return keys;
    }
}
