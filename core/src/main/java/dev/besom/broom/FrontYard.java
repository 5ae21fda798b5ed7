package dev.besom.broom;

/**
 * Bins of large remainders: slots hold the first bits of remainders, signatures, and an array beside them the rest. No two
 * slots of a run have the same signature.
 */
final class FrontYard extends ExtendedBins {

    final WideBins bins;
    final RemainderArray rests;
    private final int runs;
    private final int restBits;

    FrontYard(BroomShape shape, WideBins bins, RemainderArray rests, BinSpill.Budget budget) {
        super(bins, budget);
        this.bins = bins;
        this.rests = rests;
        this.runs = shape.runs();
        this.restBits = shape.restBits();
    }

    @Override
    long quotientOf(int bin, int slot) {
        return (long) bin * runs + bins.runOf(bins.base(bin), slot);
    }

    @Override
    long remainderOf(int bin, int slot) {
        return bins.slot(bins.base(bin), slot) << restBits | rests.get(bin, slot);
    }

    private long restOf(long remainder) {
        return remainder & (1L << restBits) - 1;
    }

    /** The slot with the signature of a remainder; -1 if there is none. */
    int slotOf(int bin, int run, long remainder) {
        return bins.find(bins.base(bin), run, remainder >>> restBits);
    }

    /** Whether a slot whose signature is that of a remainder has the rest too, and an extension that is a prefix of a word. */
    boolean isPrefix(int bin, int slot, long remainder, long following) {
        return rests.get(bin, slot) == restOf(remainder) && extensions.isPrefix(bin, slot, following);
    }

    /** Lists the look-alike of a fingerprint, if there is one. */
    void gatherKey(int bin, int run, long remainder, LookAlikes found) {
        int slot = slotOf(bin, run, remainder);
        if (slot >= 0 && rests.get(bin, slot) == restOf(remainder)) {
            found.add(entry(bin, slot));
        }
    }

    /** Adds a fingerprint without an extension to a bin that is not full and has not its signature; returns its slot. */
    int add(int bin, int run, long remainder) {
        int used = bins.used(bins.base(bin));
        int slot = open(bin, run, remainder >>> restBits);
        rests.open(bin, slot, used, restOf(remainder));
        return slot;
    }

    /** Takes a slot of a run away. */
    void remove(int bin, int run, int slot) {
        rests.close(bin, slot, bins.used(bins.base(bin)));
        close(bin, run, slot);
    }

    @Override
    long check() {
        long keys = super.check();
        for (int bin = 0; bin < bins.binCount; bin++) {
            int base = bins.base(bin);
            int used = bins.used(base);
            rests.check(bin, used);
            for (int slot = 0; slot < used; slot++) {
                if (bins.find(base, bins.runOf(base, slot), bins.slot(base, slot)) != slot) {
                    throw new IllegalStateException("a signature is twice in bin " + bin);
                }
            }
        }
        return keys;
    }
}
