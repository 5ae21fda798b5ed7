package dev.besom.broom;

import dev.besom.math.Gamma;

/**
 * Sizes of a broom filter with small remainders, from tails of the binomial distribution.
 *
 * <p>A primary bin has C slots for m keys on average. Of n keys in B bins, X fall into one, binomially distributed, and
 * Y = max(0, X - C) of them go to overflow pages, whatever has come and gone before.
 *
 * <p>Overflow pages hold the sum of Y over all bins. The numbers of keys in bins are negatively associated, so that the
 * sum's tail is at most what S. N. Bernstein's inequality gives for independent ones:
 * {@code P(sum >= t) <= E[exp(a Y)]^bins * exp(-a t)} for any a > 0, of which the best is taken.
 */
public final class BroomSizing {

    /** Fewer bits of a hash than that are left to tell keys apart. */
    static final int MOST_REMAINDER_BITS = 44;

    /**
     * So many standard deviations of Poisson's law are kept free in a primary bin: 44 keys in 48 slots. One bin in four
     * overflows, and one key in forty is elsewhere.
     */
    private static final double FREE_DEVIATIONS = 0.578;

    /** Parts of a standard deviation by which denser bins differ. */
    private static final double STEPS_PER_DEVIATION = 80;

    /** What a bin should have for the extensions that queries cause, in bits a key. */
    private static final double EXTENSION_BITS_PER_KEY = 0.5;

    /**
     * What the extensions that tell stored keys apart take, for each key that has one: 10 bits on average, and more
     * for bins that have more of them than others. As many keys as the rate says need one.
     */
    private static final double BITS_PER_EXTENSION = 16;

    /** Says whether the code goes on in the spill. */
    private static final int HEADER_BITS = 1;

    /** At higher rates so many keys need extensions from the start that bins for a lower rate are smaller. */
    private static final double HIGHEST_RATE = 1 / 16.0;

    /**
     * The chance that there is no room elsewhere when a key is put in whose bin is full. For 5 * 10^9 inserts into a full filter that is
     * below 10^-8.
     */
    static final double FULL_CHANCE = 1e-18;

    /** More keys of one bin than that are elsewhere with a chance below all that counts. */
    private static final int MOST_OF_ONE_BIN = 200;

    private BroomSizing() {}

    /**
     * A primary bin.
     *
     * @param words of memory
     * @param slots room for so many keys
     * @param runs quotients of the bin
     * @param remainderBits bits of a slot
     * @param keys how many keys it is planned for
     */
    public record Bin(int words, int slots, int runs, int remainderBits, double keys) {}

    /** The bin with the fewest bits a key that keeps a rate. */
    public static Bin bin(double wanted) {
        double fpp = Math.min(wanted, HIGHEST_RATE);
        double extensionBits = EXTENSION_BITS_PER_KEY + BITS_PER_EXTENSION * fpp;
        Bin best = null;
        for (int bits = LineLayout.LEAST_WIDTH; bits <= LineLayout.MOST_WIDTH; bits++) {
            for (int slots : new int[] {LineLayout.mostSlots(bits), LineLayout.mostSlotsBesideCode(bits)}) {
                double keys = slots - FREE_DEVIATIONS * Math.sqrt(slots);
                double runs = Math.max(1, Math.ceil(keys / Math.scalb(fpp, bits)));
                if (runs <= LineLayout.MOST_RUNS
                        && new LineLayout((int) runs, slots, bits).freeBits() >= HEADER_BITS + extensionBits * keys
                        && (best == null || keys > best.keys())) {
                    best = new Bin(LineLayout.WORDS, slots, (int) runs, bits, keys);
                }
            }
        }
        if (best == null) {
            throw new IllegalArgumentException(
                    "a rate of " + fpp + " needs remainders of more than " + LineLayout.MOST_WIDTH + " bits");
        }
        return best;
    }

    /** A bin of the same size for more keys, a step being an eightieth of a standard deviation; more of them overflow. */
    static Bin denser(Bin bin, double wanted, int steps) {
        double fpp = Math.min(wanted, HIGHEST_RATE);
        double keys = bin.slots() - (FREE_DEVIATIONS - steps / STEPS_PER_DEVIATION) * Math.sqrt(bin.slots());
        int runs = (int) Math.ceil(keys / Math.scalb(fpp, bin.remainderBits()));
        return runs > LineLayout.MOST_RUNS ? bin : new Bin(bin.words(), bin.slots(), runs, bin.remainderBits(), keys);
    }

    /** A number of keys that is exceeded in overflow pages with a chance below 10^-18 when the filter is full. */
    static double mostOverflowed(long keys, long bins, int slots) {
        return Math.min((double) keys, mostOfSum(overflowOfOneBin(keys, bins, slots), bins, FULL_CHANCE));
    }

    /** A number that the sum over all bins exceeds with at most a chance, given the chances of 0, 1, 2, ... in one of them. */
    static double mostOfSum(double[] one, long bins, double chance) {
        double most = Double.MAX_VALUE;
        for (double a = 1e-4; a < 8; a *= 1.05) {
            double moment = 0;
            for (int y = 1; y < one.length; y++) {
                moment += one[y] == 0 ? 0 : one[y] * Math.expm1(a * y);
            }
            most = Math.min(most, (bins * Math.log1p(moment) - Math.log(chance)) / a);
        }
        return most;
    }

    /** The chances that a bin has 0, 1, 2, ... keys elsewhere. */
    static double[] overflowOfOneBin(long keys, long bins, int slots) {
        double[] chances = new double[MOST_OF_ONE_BIN + 1];
        for (long x = 0; x <= Math.min(keys, slots + MOST_OF_ONE_BIN); x++) {
            chances[(int) Math.max(0, x - slots)] += binomial(keys, 1.0 / bins, x);
        }
        return chances;
    }

    static double binomial(long trials, double chance, long successes) {
        if (chance >= 1) {
            return successes == trials ? 1 : 0;
        }
        return Math.exp(Gamma.logChoose(trials, successes)
                + successes * Math.log(chance)
                + (trials - successes) * Math.log1p(-chance));
    }
}
