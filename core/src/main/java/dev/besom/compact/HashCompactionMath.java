package dev.besom.compact;

/**
 * Rates of tables of short hashes.
 *
 * <p>In an ordered table a search for the signature {@code x} passes the slots with larger ones only: it is the search that
 * fails in a table of just those, whose load is {@code b = load * (1 - x / s)}, where {@code s} is the number of signatures.
 * Searches for one signature have one step, so those that meet go on together, and a slot at which a search ends is the end of
 * all that begin in a run of passed slots before it. The length of such a run is geometric, and two searches for {@code x} end
 * at the same slot of {@code m} with a chance of {@code (1 + b) / (1 - b) / m}. Of {@code load * m / s} keys with that
 * signature, averaged over all {@code x}, one is met with a chance of {@code (2 ln(1 / (1 - load)) - load) / s}.
 */
final class HashCompactionMath {

    static final int WIDEST = 32;

    /** A fuller table has searches too long to be of use. */
    static final double MOST_LOAD = 0.995;

    private HashCompactionMath() {}

    /** The rate of a table. */
    static double fpp(double keys, double slots, int signatureBits) {
        double met = 2 * Math.log((slots + 1) / (slots - keys + 1)) - keys / slots;
        return Math.min(1, met / signatures(signatureBits));
    }

    /** How many signatures there are: all but 0, which is a free slot. */
    static double signatures(int bits) {
        return Math.scalb(1.0, bits) - 1;
    }

    /** The load at which a table has the rate, at most {@link #MOST_LOAD}. */
    static double load(double fpp, int signatureBits) {
        double low = 0;
        double high = MOST_LOAD;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (-2 * Math.log1p(-middle) - middle <= fpp * signatures(signatureBits)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The width with which a table of that rate is smallest, or 0 if none is wide enough. */
    static int signatureBits(double fpp) {
        int best = 0;
        double fewest = Double.MAX_VALUE;
        for (int bits = 1; bits <= WIDEST; bits++) {
            double load = load(fpp, bits);
            if (load > 0 && bits / load < fewest) {
                fewest = bits / load;
                best = bits;
            }
        }
        return load(fpp, WIDEST) < 0.5 ? 0 : best;
    }

    /** The slots a search that fails looks at, averaged over all signatures: {@code ln(1 / (1 - load)) / load}. */
    static double slotsSearched(double load) {
        return -Math.log1p(-load) / load;
    }
}
