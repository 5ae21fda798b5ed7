package dev.besom.broom;

/** Primary bins of small remainders: a run for each of a bin's quotients, and slots that hold remainders. */
final class PrimaryBins extends ExtendedBins {

    private final int runs;

    PrimaryBins(Bins bins, BinSpill.Budget budget) {
        super(bins, budget);
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
