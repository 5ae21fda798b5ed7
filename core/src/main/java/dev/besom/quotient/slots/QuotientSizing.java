package dev.besom.quotient.slots;

/** Sizes and rates of hash tables of remainders with linear probing. */
public final class QuotientSizing {

    /**
     * The natural logarithm of the chance, about one in 10^9, that a table filled to its planned load needs more than
     * the spare slots behind its end.
     */
    private static final double SPARE_EXPONENT = 21;

    private QuotientSizing() {}

    /** How many slots hold that many keys at that load. */
    public static long slots(long capacity, double load) {
        double slots = Math.ceil(capacity / load);
        if (slots > 1L << 62) {
            throw new IllegalArgumentException("no table holds " + capacity + " keys");
        }
        return Math.max((long) slots, capacity);
    }

    /**
     * How many spare slots a table needs behind its last quotient. The distance from a quotient to its slot has a tail
     * of exp(-t * distance) with t about 2 * (1 - load) / load.
     */
    public static long spareSlots(long slots, double load) {
        return Math.min(slots, (long) Math.ceil(SPARE_EXPONENT * load / (2 * (1 - load))));
    }

    /**
     * The chance that a new hash meets its own remainder in the run of its quotient: runs are Poisson distributed.
     *
     * @param count how many remainders there are; one that not all hashes meet which have it is a part of one
     */
    public static double fpp(double count, long slots, int remainderBits) {
        return -Math.expm1(-count / slots * Math.scalb(1.0, -remainderBits));
    }

    /** The fewest bits of a remainder with which a table at that load keeps the rate; can exceed what a table offers. */
    public static int remainderBits(double load, double fpp) {
        double bits = Math.log(load / -Math.log1p(-fpp)) / Math.log(2);
        return Math.max(1, (int) Math.ceil(bits));
    }
}
