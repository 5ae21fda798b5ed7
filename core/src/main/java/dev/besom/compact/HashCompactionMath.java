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
 *
 * <p>That takes no two keys of one signature to end at the same slot, which they often do where signatures are few. Exactly, from the
 * largest signature down: with {@code t} keys of each signature for a slot, and {@code u} the part of the slots that a search does
 * not pass, the slot at the end of a run of {@code w} slots is taken by one of them with a chance of {@code 1 - e^-tw}, and {@code w} is
 * geometric with a mean of {@code 1 / u}. A search then meets its signature with a chance of {@code 1 - (u' / u)^2 e^t}, where
 * {@code 1 / u' = 1 / u + (e^t - 1) / u^2} is what is left for the next signature.
 */
final class HashCompactionMath {

    static final int WIDEST = 32;

    /** A fuller table has searches too long to be of use. */
    static final double MOST_LOAD = 0.995;

    /** With more signatures than this the exact rate differs from the other one by less than a hundredth of it. */
    private static final int MOST_COUNTED_BITS = 10;

    private static final int BISECTIONS = 50;

    private HashCompactionMath() {}

    /** The rate of a table. */
    static double fpp(double keys, double slots, int signatureBits) {
        if (signatureBits <= MOST_COUNTED_BITS) {
            return fppOfFewSignatures((slots - keys + 1) / (slots + 1), (1 << signatureBits) - 1);
        }
        double met = 2 * Math.log((slots + 1) / (slots - keys + 1)) - keys / slots;
        return Math.min(1, met / signatures(signatureBits));
    }

    /** The rate of a table of which that part of the slots is free. */
    private static double fppOfFewSignatures(double free, int signatures) {
        double few = 0;
        double many = 1;
        while (freeSlots(many, signatures) > free) {
            many *= 2;
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double keys = (few + many) / 2;
            if (freeSlots(keys, signatures) > free) {
                few = keys;
            } else {
                many = keys;
            }
        }
        double rate = 0;
        double notPassed = 1;
        for (int signature = signatures; signature > 0; signature--) {
            double left = left(notPassed, few);
            rate += 1 - left * left / (notPassed * notPassed) * Math.exp(few);
            notPassed = left;
        }
        return Math.max(0, rate / signatures);
    }

    /** The part of the slots that stays free with so many keys of each signature for a slot. */
    private static double freeSlots(double keysOfEach, int signatures) {
        double free = 1;
        for (int signature = signatures; signature > 0; signature--) {
            free = left(free, keysOfEach);
        }
        return free;
    }

    /** The part of the slots that is left after the keys of one more signature. */
    private static double left(double notPassed, double keysOfEach) {
        return notPassed * notPassed / (notPassed + Math.expm1(keysOfEach));
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
