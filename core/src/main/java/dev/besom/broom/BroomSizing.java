package dev.besom.broom;

import dev.besom.math.Gamma;
import java.util.function.IntPredicate;

/**
 * Sizes of the bins of a broom filter, from exact tails of the binomial distribution.
 *
 * <p>A primary bin has C slots for m keys on average. Of n keys in B bins, X fall into one, binomially distributed, and
 * X - C of them go to overflow bins if there are more than C. Each of them is sent to one of the K overflow bins of its
 * group of G primary bins by a hash of its own. So what one overflow bin gets is the sum of G independent parts, each
 * (X - C) keys thinned to one in K, and its distribution is the G-th convolution power of the part's.
 */
public final class BroomSizing {

    /** The words of a bin before its slots: two for occupied runs, two for ends of runs, with room beside both. */
    static final int METADATA_WORDS = 4;

    /** Two cache lines. */
    private static final int MOST_WORDS = 16;

    private static final int LEAST_SLOTS = 16;

    /** Slots are numbered from 1 in 7 bits, and 127 of them would leave no bit beside the ends of runs. */
    static final int MOST_SLOTS = 120;

    /** Fewer bits of a hash than that are left to tell keys apart. */
    static final int MOST_REMAINDER_BITS = 44;

    /** So many standard deviations of Poisson's law are kept free in a primary bin: one bin in six overflows. */
    private static final double FREE_DEVIATIONS = 0.9;

    /** The bits of a bin's header: how many of its keys are elsewhere, and whether it is spilled. */
    static final int HEADER_BITS = 8;

    /** What a bin should have for the extensions that queries cause, in bits a key. */
    private static final double EXTENSION_BITS_PER_KEY = 0.6;

    /**
     * What the extensions that tell stored keys apart take, for each key that has one: 11 bits on average, and as much again
     * for bins that have more of them than others. As many keys as the rate says need one.
     */
    private static final double BITS_PER_EXTENSION = 18;

    /** At higher rates so many keys need extensions from the start that bins for a lower rate are smaller. */
    private static final double HIGHEST_RATE = 1 / 16.0;

    /** More runs would leave no room beside them for a header and the start of the extensions. */
    private static final int MOST_RUNS = 104;

    /** The most primary bins that share overflow bins. More would need longer addresses, fewer would be less even. */
    static final int GROUP_BINS = 1024;

    /**
     * The chance that an overflow bin is full when a key is sent to it. Of the inserts into a full filter one in five is
     * sent to one: 5 * 10^9 of them meet a full one with a chance below 10^-9.
     */
    private static final double FULL_CHANCE = 1e-18;

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
        double least = Double.MAX_VALUE;
        for (int bits = 1; bits <= MOST_REMAINDER_BITS; bits++) {
            for (int words = METADATA_WORDS + 1; words <= MOST_WORDS; words++) {
                int slots = Math.min(MOST_SLOTS, (words - METADATA_WORDS) * Long.SIZE / bits);
                double keys = slots - FREE_DEVIATIONS * Math.sqrt(slots);
                double runs = Math.max(1, Math.ceil(keys / Math.scalb(fpp, bits)));
                if (slots >= LEAST_SLOTS
                        && runs <= MOST_RUNS
                        && metadataLeft((int) runs, slots) >= HEADER_BITS + extensionBits * keys
                        && words / keys < least) {
                    best = new Bin(words, slots, (int) runs, bits, keys);
                    least = words / keys;
                }
            }
        }
        if (best == null) {
            throw new IllegalArgumentException(
                    "a rate of " + fpp + " needs remainders of more than " + MOST_REMAINDER_BITS + " bits");
        }
        return best;
    }

    /** A bin of the same size for more keys, a step being an eightieth of a standard deviation; more of them overflow. */
    static Bin denser(Bin bin, double wanted, int steps) {
        double fpp = Math.min(wanted, HIGHEST_RATE);
        double keys = bin.slots() - (FREE_DEVIATIONS - steps / 80.0) * Math.sqrt(bin.slots());
        int runs = (int) Math.ceil(keys / Math.scalb(fpp, bin.remainderBits()));
        return runs > MOST_RUNS ? bin : new Bin(bin.words(), bin.slots(), runs, bin.remainderBits(), keys);
    }

    /** How many bits runs and ends of runs leave free in the four words of metadata. */
    static int metadataLeft(int runs, int slots) {
        return 4 * Long.SIZE - Math.max(runs, Long.SIZE) - Math.max(slots, Long.SIZE);
    }

    /**
     * The fewest overflow bins of a group that are full with a chance below 10^-18 when the filter is.
     *
     * @param guess where the search begins: the nearer, the sooner it ends
     */
    static int overflowBins(long keys, long bins, int slots, int groupBins, int overflowSlots, int guess) {
        IntPredicate isEnough =
                count -> chanceOfFullOverflowBin(keys, bins, slots, groupBins, count, overflowSlots) <= FULL_CHANCE;
        int low = 0; // too few
        int high = guess;
        for (int step = 1; !isEnough.test(high); step *= 2) {
            low = high;
            high += step;
        }
        if (low == 0) {
            int step = 1;
            while (step < high && isEnough.test(high - step)) {
                high -= step;
                step *= 2;
            }
            low = Math.max(0, high - step);
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (isEnough.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** The chance that one overflow bin of a group has at least as many keys as slots. */
    static double chanceOfFullOverflowBin(
            long keys, long bins, int slots, int groupBins, int overflowBins, int overflowSlots) {
        int length = 2 * overflowSlots + Long.SIZE;
        double[] load = power(overflowOfOneBin(keys, bins, slots, overflowBins, length), groupBins, length);
        double fits = 0;
        for (int i = 0; i < overflowSlots; i++) {
            fits += load[i];
        }
        double full = 0;
        for (int i = length - 1; i >= overflowSlots; i--) {
            full += load[i];
        }
        // What is cut off at the end counts where it is more than a rounding error of what is not.
        return Math.max(full, fits < 0.999 ? 1 - fits : 0);
    }

    /** The chances that one primary bin sends 0, 1, 2, ... keys to one of the overflow bins of its group. */
    static double[] overflowOfOneBin(long keys, long bins, int slots, int overflowBins, int length) {
        double[] chances = new double[length];
        double none = 0;
        for (long x = 0; x <= Math.min(keys, slots); x++) {
            none += binomial(keys, 1.0 / bins, x);
        }
        chances[0] = none;
        for (int over = 1; over < length && slots + over <= keys; over++) {
            double chance = binomial(keys, 1.0 / bins, slots + over);
            if (chance < 1e-60) {
                break;
            }
            for (int sent = 0; sent <= over; sent++) {
                chances[sent] += chance * binomial(over, 1.0 / overflowBins, sent);
            }
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

    /** The distribution of the sum of independent numbers that are all distributed alike, cut off at a length. */
    private static double[] power(double[] one, int times, int length) {
        double[] result = new double[length];
        result[0] = 1;
        double[] square = one;
        for (int rest = times; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                result = convolve(result, square);
            }
            if (rest > 1) {
                square = convolve(square, square);
            }
        }
        return result;
    }

    private static double[] convolve(double[] a, double[] b) {
        int length = a.length;
        double[] sums = new double[length];
        for (int i = 0; i < length; i++) {
            double factor = a[i];
            if (factor != 0) {
                for (int j = 0; j < length - i; j++) {
                    sums[i + j] += factor * b[j];
                }
            }
        }
        return sums;
    }
}
