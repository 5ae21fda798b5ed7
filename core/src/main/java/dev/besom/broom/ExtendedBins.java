package dev.besom.broom;

import dev.besom.bits.Words;

/**
 * Bins whose slots have extensions: a fingerprint is a run, the value of a slot and the slot's extension. What runs and
 * values stand for is known to the areas of a table, which extend this class.
 */
abstract sealed class ExtendedBins extends Area permits PrimaryBins, FrontYard {

    private final Bins bins;
    final BinExtensions extensions;

    ExtendedBins(Bins bins, BinSpill.Budget budget) {
        this.bins = bins;
        this.extensions = new BinExtensions(bins, new BinSpill(bins.binCount, budget));
    }

    @Override
    final long extensionOf(int bin, int slot) {
        return extensions.get(bin, slot);
    }

    @Override
    final int[] extendedSlots(int bin) {
        return extensions.extendedSlots(bin);
    }

    @Override
    final boolean setExtension(int bin, int slot, long extension) {
        return extensions.set(bin, slot, extension);
    }

    final boolean isFull(int bin) {
        return bins.isFull(bins.base(bin));
    }

    /** Adds a slot without an extension to a bin that is not full; returns where it is. */
    final int open(int bin, int run, long value) {
        int slot = bins.open(bins.base(bin), run, value);
        extensions.opened(bin, slot);
        cover(WHOLE);
        return slot;
    }

    /** Takes a slot of a run away. */
    final void close(int bin, int run, int slot) {
        cover(-covered(extensions.get(bin, slot)));
        bins.close(bins.base(bin), run, slot);
        extensions.closed(bin, slot);
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
        long coverage = 0;
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
        cover(coverage - coverage());
        return keys;
    }
}
