package dev.besom.broom;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * Overflow bins, for keys that have no room in their primary bins. Each group of primary bins has as many of them.
 *
 * <pre>
 *   number of a quotient in its group     bin in group * runs + run    =   high . low
 *   overflow bin                          run `high` {slot: low, remainder} ...
 * </pre>
 *
 * A fingerprint belongs to one overflow bin of its group, which a hash of its quotient and remainder names: look-alikes are in
 * the same one.
 */
final class OverflowBins extends ExtendedBins {

    private final int runs;
    private final int remainderBits;
    private final int lowBits;
    private final int binsOfGroup;
    private final int primaryBinsOfGroup;

    OverflowBins(BroomShape shape, Bins bins, BinSpill.Budget budget) {
        super(bins, budget);
        this.runs = shape.runs();
        this.remainderBits = shape.remainderBits();
        this.lowBits = shape.overflowShift();
        this.binsOfGroup = shape.overflowBins();
        this.primaryBinsOfGroup = shape.groupBins();
    }

    /** The overflow bin of a fingerprint, given its primary bin, run and remainder. */
    int binOf(int home, int run, long remainder) {
        long second = Mix.mix(((long) home * runs + run) << remainderBits ^ remainder);
        return home / primaryBinsOfGroup * binsOfGroup + (int) FastRange.place(second, binsOfGroup);
    }

    /** The number of a quotient in its group. */
    private int numberOf(int home, int run) {
        return home % primaryBinsOfGroup * runs + run;
    }

    private long value(int number, long remainder) {
        return (number & ((1L << lowBits) - 1)) << remainderBits | remainder;
    }

    /** Whether there is a fingerprint of which an extension is a prefix of a word. */
    boolean mightContainKey(int home, int run, long remainder, long following) {
        int number = numberOf(home, run);
        return mightContain(binOf(home, run, remainder), number >>> lowBits, value(number, remainder), following);
    }

    /** Lists the look-alikes of a fingerprint. */
    void gatherKey(int home, int run, long remainder, LookAlikes found) {
        int number = numberOf(home, run);
        gather(binOf(home, run, remainder), number >>> lowBits, value(number, remainder), found);
    }

    /** Adds a fingerprint without an extension to a bin that is not full. */
    Entry.InBin add(int home, int run, long remainder) {
        int number = numberOf(home, run);
        int bin = binOf(home, run, remainder);
        return entry(bin, open(bin, number >>> lowBits, value(number, remainder)));
    }

    /** Takes a slot away that is in use. */
    void remove(int bin, int slot) {
        close(bin, bins.runOf(bins.base(bin), slot), slot);
    }

    private int numberAt(int bin, int slot) {
        int base = bins.base(bin);
        return bins.runOf(base, slot) << lowBits | (int) (bins.slot(base, slot) >>> remainderBits);
    }

    @Override
    long quotientOf(int bin, int slot) {
        return (long) (bin / binsOfGroup) * primaryBinsOfGroup * runs + numberAt(bin, slot);
    }

    @Override
    long remainderOf(int bin, int slot) {
        return bins.slot(bins.base(bin), slot) & (1L << remainderBits) - 1;
    }

    /** Somebody who may take a key. */
    @FunctionalInterface
    interface Taker {
        boolean take(int run, long remainder, long extension);
    }

    /**
     * Offers the keys of a primary bin one after the other until one is taken, and takes that one away. All overflow bins
     * have the same chance to be the first to offer: else the last would fill up.
     *
     * @return whether one was taken
     */
    boolean offer(int home, long chance, Taker taker) {
        int low = numberOf(home, 0);
        int high = numberOf(home, runs - 1);
        int first = home / primaryBinsOfGroup * binsOfGroup;
        int start = (int) FastRange.place(chance, binsOfGroup);
        for (int i = 0; i < binsOfGroup; i++) {
            int bin = first + (start + i) % binsOfGroup;
            for (int run = low >>> lowBits; run <= high >>> lowBits; run++) {
                if (bins.isOccupied(bins.base(bin), run) && offerRun(bin, run, low, taker)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Offers the keys of a run that belong to the primary bin whose first quotient has a number. */
    private boolean offerRun(int bin, int run, int low, Taker taker) {
        int base = bins.base(bin);
        for (int slot = bins.runEnd(base, run); ; slot--) {
            long value = bins.slot(base, slot);
            int homeRun = (run << lowBits | (int) (value >>> remainderBits)) - low;
            if (homeRun >= 0
                    && homeRun < runs
                    && taker.take(homeRun, remainderOf(bin, slot), extensions.get(bin, slot))) {
                close(bin, run, slot);
                return true;
            }
            if (bins.startsRun(base, slot)) {
                return false;
            }
        }
    }

    /**
     * Checks all bins.
     *
     * @param counts for each primary bin the number of its keys that are here, which this adds up
     * @return how many keys there are
     * @throws IllegalStateException if anything is damaged, or a key is where it does not belong
     */
    long check(int[] counts) {
        long keys = check();
        for (int bin = 0; bin < bins.binCount; bin++) {
            int used = bins.used(bins.base(bin));
            for (int slot = 0; slot < used; slot++) {
                counts[homeOf(bin, slot, counts.length)]++;
            }
        }
        return keys;
    }

    private int homeOf(int bin, int slot, int primaryBins) {
        long quotient = quotientOf(bin, slot);
        long home = quotient / runs;
        if (home >= primaryBins
                || home / primaryBinsOfGroup != bin / binsOfGroup
                || binOf((int) home, (int) (quotient % runs), remainderOf(bin, slot)) != bin) {
            throw new IllegalStateException("slot " + slot + " of overflow bin " + bin + " belongs elsewhere");
        }
        return (int) home;
    }
}
