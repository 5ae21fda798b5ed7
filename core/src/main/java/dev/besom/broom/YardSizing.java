package dev.besom.broom;

import dev.besom.math.LastResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sizes of a broom filter for large remainders: a front yard of bins that hold signatures, with the rest of each
 * remainder in an array beside them, and a back yard of whole hashes.
 *
 * <p>A bin has C slots. Of the X keys that fall into one, Z have the quotient and signature of another, and all that exceeds
 * C distinct ones has no room: Y = max(X - C, Z) keys go to the back yard, whatever has come and gone before. X is
 * binomially distributed, and Z, given X, is what a walk gives that draws one of S signatures at each step: both exactly
 * known, and so is Y.
 *
 * <p>The back yard holds the sum of Y over all bins, whose tail is bounded as that of overflow pages: see {@link BroomSizing}.
 */
final class YardSizing {

    /** At higher rates bins that hold whole remainders take less space. */
    static final double HIGHEST_RATE = 1 / 300.0;

    /** A back yard of fewer buckets would have too little choice between them. */
    static final int LEAST_BUCKETS = 4;

    /** Words of a bucket of the back yard: a cache line. */
    static final int BUCKET_CELLS = 8;

    /** With that part of the cells in use there is always a free one within two moves; see docs/adaptivity.md. */
    private static final double BACK_YARD_LOAD = 0.85;

    /** What a key in the back yard costs while bins are compared: a word, and the free part of another. */
    private static final double BITS_PER_BACK_KEY = 80;

    private static final int MOST_WORDS = 16;
    private static final int LEAST_WORDS = 12;
    private static final int LEAST_SIGNATURE_BITS = 6;
    private static final int MOST_SIGNATURE_BITS = 10;
    private static final int LEAST_RUNS = 32;
    private static final int MOST_RUNS = 104;
    private static final double EXTENSION_BITS_PER_KEY = 0.6;

    /** The bits of a bin's header: how many of its keys are in the back yard, and whether it is spilled. */
    private static final int HEADER_BITS = WideLayout.COUNT_BITS + 1;

    /** More keys of one bin than that agree in quotient and signature with a chance below all that counts. */
    private static final int MOST_PARTIAL = 64;

    private YardSizing() {}

    /**
     * A bin of the front yard.
     *
     * @param words of memory, without the array beside it
     * @param slots room for so many keys
     * @param runs quotients of the bin
     * @param signatureBits bits of a slot
     * @param remainderBits bits of a remainder, the signature included
     * @param keys how many keys it is planned for
     */
    record Bin(int words, int slots, int runs, int signatureBits, int remainderBits, double keys) {

        /** How many values quotient and signature together have in a bin. */
        double signatures() {
            return Math.scalb((double) runs, signatureBits);
        }

        double bitsInFront() {
            return (words * (double) Long.SIZE + slots * (double) (remainderBits - signatureBits)) / keys;
        }
    }

    /** To find a bin takes tens of milliseconds. */
    private static final LastResult<Double, Bin> BINS = new LastResult<>(YardSizing::find);

    /** The bin with the fewest bits a key, its share of the back yard included, that keeps a rate. */
    static Bin bin(double fpp) {
        return BINS.of(fpp);
    }

    private static Bin find(double fpp) {
        List<Bin> bins = possibleBins(fpp);
        if (bins.isEmpty()) {
            throw new IllegalArgumentException(
                    "a rate of " + fpp + " needs remainders of more than " + BroomSizing.MOST_REMAINDER_BITS + " bits");
        }
        // What is in the back yard takes long to find, so those that take most without it are not tried.
        bins.sort(Comparator.comparingDouble(Bin::bitsInFront));
        Bin best = bins.get(0);
        double least = Double.MAX_VALUE;
        for (Bin bin : bins) {
            if (bin.bitsInFront() >= least) {
                break;
            }
            double all = bin.bitsInFront() + BITS_PER_BACK_KEY * mean(backYardOfOneBin(bin)) / bin.keys();
            if (all < least) {
                best = bin;
                least = all;
            }
        }
        return best;
    }

    private static List<Bin> possibleBins(double fpp) {
        List<Bin> bins = new ArrayList<>();
        for (int words = LEAST_WORDS; words <= MOST_WORDS; words++) {
            for (int signature = LEAST_SIGNATURE_BITS; signature <= MOST_SIGNATURE_BITS; signature++) {
                int slots = Math.min(WideLayout.MOST, (words - WideLayout.METADATA_WORDS) * Long.SIZE / signature);
                for (int tenths = 4; tenths <= 12; tenths++) {
                    double keys = slots - tenths / 10.0 * Math.sqrt(slots);
                    for (int bits = signature + 1; bits <= BroomSizing.MOST_REMAINDER_BITS; bits++) {
                        double runs = Math.ceil(keys / Math.scalb(fpp, bits));
                        if (runs >= LEAST_RUNS && runs <= MOST_RUNS && hasRoom((int) runs, slots, keys)) {
                            bins.add(new Bin(words, slots, (int) runs, signature, bits, keys));
                        }
                    }
                }
            }
        }
        return bins;
    }

    private static boolean hasRoom(int runs, int slots, double keys) {
        return WideLayout.metadataLeft(runs, slots) >= HEADER_BITS + EXTENSION_BITS_PER_KEY * keys;
    }

    /** The fewest buckets of a back yard that has more to hold than it can with a chance below 10^-18. */
    static int buckets(long keys, long bins, Bin bin) {
        double most = Math.min((double) keys, mostInBackYard(keys, bins, bin, BroomSizing.FULL_CHANCE));
        return (int) Math.max(LEAST_BUCKETS, Math.ceil(most / (BUCKET_CELLS * BACK_YARD_LOAD)));
    }

    /** A number that is exceeded in the back yard with at most that chance. */
    static double mostInBackYard(long keys, long bins, Bin bin, double chance) {
        return BroomSizing.mostOfSum(backYardOfOneBin(keys, bins, bin), bins, chance);
    }

    /** The chances that a bin has 0, 1, 2, ... keys in the back yard, in a filter of very many bins. */
    private static double[] backYardOfOneBin(Bin bin) {
        long bins = 1L << 30;
        return backYardOfOneBin(Math.round(bins * bin.keys()), bins, bin);
    }

    /** The chances that a bin has 0, 1, 2, ... keys in the back yard. */
    static double[] backYardOfOneBin(long keys, long bins, Bin bin) {
        int most = 2 * bin.slots() + 8 * MOST_PARTIAL;
        double[] chances = new double[most + 1];
        // partial[z]: the chance that z of x keys agree with another one
        double[] partial = new double[MOST_PARTIAL + 1];
        partial[0] = 1;
        double signatures = bin.signatures();
        for (int x = 0; x <= Math.min(keys, most); x++) {
            double here = BroomSizing.binomial(keys, 1.0 / bins, x);
            if (here < 1e-60 && x > bin.slots() + keys / bins) {
                break;
            }
            int mostPartial = Math.min(MOST_PARTIAL, x);
            for (int z = 0; z <= mostPartial; z++) {
                chances[Math.max(z, x - bin.slots())] += here * partial[z];
            }
            for (int z = mostPartial; z >= 0; z--) {
                double agrees = (x - z) / signatures;
                double from = z == 0 ? 0 : partial[z - 1] * (x - z + 1) / signatures;
                partial[z] = partial[z] * (1 - agrees) + from;
            }
        }
        return chances;
    }

    private static double mean(double[] chances) {
        double mean = 0;
        for (int i = 1; i < chances.length; i++) {
            mean += i * chances[i];
        }
        return mean;
    }
}
