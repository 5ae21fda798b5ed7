package dev.besom.broom;

/** Primary bins of small remainders: a run for each of a bin's quotients, and slots that hold remainders. */
final class PrimaryBins extends ExtendedBins {

    final LineBins bins;
    private final int runs;

    PrimaryBins(LineBins bins, BinSpill.Budget budget) {
        super(bins, budget);
        this.bins = bins;
        this.runs = bins.layout.runs();
    }

    @Override
    long quotientOf(int bin, int slot) {
        return (long) bin * runs + bins.runOf(bins.base(bin), slot);
    }

    @Override
    long remainderOf(int bin, int slot) {
        return bins.slot(bins.base(bin), slot);
    }

    /** Whether a slot of a run has a remainder, and an extension that is a prefix of a word. All slots are looked at. */
    boolean isAnyPrefix(int bin, int run, long remainder, long following) {
        int base = bins.base(bin);
        if (bins.isOccupied(base, run)) {
            for (long equal = bins.equal(base, remainder); equal != 0; equal &= equal - 1) {
                int slot = bins.slotOf(equal);
                if (bins.isOfRun(base, run, slot) && extensions.isPrefix(bin, slot, following)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Lists the slots of a run that have a remainder. */
    void gather(int bin, int run, long remainder, LookAlikes found) {
        int base = bins.base(bin);
        if (bins.isOccupied(base, run)) {
            for (long equal = bins.equal(base, remainder); equal != 0; equal &= equal - 1) {
                int slot = bins.slotOf(equal);
                if (bins.isOfRun(base, run, slot)) {
                    found.add(entry(bin, slot));
                }
            }
        }
    }

    /** Takes a key from elsewhere into a bin that is not full; false, and no change, if its extension has no room. */
    boolean take(int bin, int run, long remainder, long extension) {
        int slot = open(bin, run, remainder);
        if (!extend(bin, slot, extension)) {
            close(bin, run, slot);
            return false;
        }
        return true;
    }
}
