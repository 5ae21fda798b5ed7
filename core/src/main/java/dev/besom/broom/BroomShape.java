package dev.besom.broom;

import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.math.BroomSizing;
import dev.besom.math.YardSizing;

/**
 * What the bins of a filter are made from, and the first parameters of its image in this order.
 *
 * @param capacity how many keys the filter is planned for
 * @param fpp the rate it is planned for
 * @param seed what hash functions after the first are drawn from
 * @param spill the most bits a key for bins whose extensions do not fit into them
 * @param moves how many keys change to the next hash function at each false positive
 * @param remainderBits of a fingerprint
 * @param signatureBits how many of a remainder's bits a slot of a primary bin holds; all of them where remainders are small
 * @param runs quotients of a primary bin
 * @param slots of a primary bin
 * @param bins how many primary bins there are
 * @param overflowBins how many overflow bins each group has; where remainders are large, how many buckets the back yard has
 */
record BroomShape(
        long capacity,
        double fpp,
        long seed,
        double spill,
        int moves,
        int remainderBits,
        int signatureBits,
        int runs,
        int slots,
        int bins,
        int overflowBins) {

    static final int PARAMETER_COUNT = 10;

    /** The signature's bits stand above the remainder's in one parameter; 0 where remainders are small. */
    private static final int SIGNATURE_SHIFT = 8;

    /** Overflow bins are as large as numbers of 7 bits for their slots allow. */
    private static final int OVERFLOW_SLOTS = BinLayout.MOST;

    /** Runs of an overflow bin: few enough to leave room for extensions beside them. */
    private static final int MOST_OVERFLOW_RUNS = 96;

    private static final double LEAST_DEFAULT_SPILL = 0.06;
    private static final double DEFAULT_SPILL_PER_SQUARED_RATE = 64;
    private static final double HIGHEST_RATE = 1 / 16.0;
    private static final int SPARE_WORDS = 64;
    private static final int DEFAULT_MOVES = 40;
    private static final int MOST_MOVES = 256;
    static final double MOST_SPILL = 0.5;
    private static final int MOST_BINS = 1 << 30;
    private static final int MOST_OVERFLOW_BINS = 1 << 12;

    static BroomShape of(FilterSpec spec) {
        return of(
                spec.capacity(),
                spec.fpp(),
                spec.seed(),
                spec.option("spill", defaultSpill(spec.fpp()), 0, MOST_SPILL),
                (int) spec.option("moves", DEFAULT_MOVES, 0, MOST_MOVES));
    }

    private static BroomShape of(long capacity, double fpp, long seed, double spill, int moves) {
        return fpp < YardSizing.HIGHEST_RATE
                ? large(capacity, fpp, seed, spill, moves)
                : small(capacity, fpp, seed, spill, moves);
    }

    private static BroomShape small(long capacity, double fpp, long seed, double spill, int moves) {
        BroomSizing.Bin bin = BroomSizing.bin(fpp);
        int bins = bins(capacity, bin.keys());
        int overflow = BroomSizing.overflowBins(capacity, bins, bin.slots(), groupBins(bins), OVERFLOW_SLOTS);
        int bits = bin.remainderBits();
        return new BroomShape(capacity, fpp, seed, spill, moves, bits, bits, bin.runs(), bin.slots(), bins, overflow);
    }

    private static BroomShape large(long capacity, double fpp, long seed, double spill, int moves) {
        YardSizing.Bin bin = YardSizing.bin(fpp);
        int bins = bins(capacity, bin.keys());
        return new BroomShape(
                capacity,
                fpp,
                seed,
                spill,
                moves,
                bin.remainderBits(),
                bin.signatureBits(),
                bin.runs(),
                bin.slots(),
                bins,
                YardSizing.buckets(capacity, bins, bin));
    }

    private static int bins(long capacity, double keysPerBin) {
        double bins = Math.ceil(capacity / keysPerBin);
        if (bins > MOST_BINS) {
            throw new IllegalArgumentException(
                    "a filter of " + capacity + " keys is larger than an array; use several");
        }
        return (int) bins;
    }

    /** Whether remainders are too long for bins, which then hold signatures. */
    boolean isLarge() {
        return signatureBits < remainderBits;
    }

    /** Pairs of stored keys that need extensions are as frequent as the rate, and so are their partners that have gone. */
    private static double defaultSpill(double fpp) {
        double rate = Math.min(fpp, HIGHEST_RATE);
        return LEAST_DEFAULT_SPILL + DEFAULT_SPILL_PER_SQUARED_RATE * rate * rate;
    }

    BroomShape withCapacity(long newCapacity) {
        return of(newCapacity, fpp, seed, spill, moves);
    }

    /** The shape of an image; what it says is not yet held against the image's sections. */
    static BroomShape of(FilterImage image) {
        long capacity = image.parameter(0);
        double fpp = image.doubleParameter(1);
        double spill = image.doubleParameter(3);
        image.check(capacity >= 1 && fpp > 0 && fpp < 1, "no plan for " + capacity + " keys at a rate of " + fpp);
        image.check(spill >= 0 && spill <= MOST_SPILL, "a spill of " + spill + " bits a key");
        int bits = number(
                image, 5, 1, (BroomSizing.MOST_REMAINDER_BITS << SIGNATURE_SHIFT) + BroomSizing.MOST_REMAINDER_BITS);
        int remainderBits = bits & ((1 << SIGNATURE_SHIFT) - 1);
        int signatureBits = bits >>> SIGNATURE_SHIFT;
        image.check(
                remainderBits >= 1
                        && remainderBits <= BroomSizing.MOST_REMAINDER_BITS
                        && signatureBits < remainderBits
                        && signatureBits != 1,
                "remainders of " + remainderBits + " bits with signatures of " + signatureBits);
        return new BroomShape(
                capacity,
                fpp,
                image.parameter(2),
                spill,
                number(image, 4, 0, MOST_MOVES),
                remainderBits,
                signatureBits == 0 ? remainderBits : signatureBits,
                number(image, 6, 1, BinLayout.MOST),
                number(image, 7, 1, BinLayout.MOST),
                number(image, 8, 1, MOST_BINS),
                signatureBits == 0
                        ? number(image, 9, 1, MOST_OVERFLOW_BINS)
                        : number(image, 9, YardSizing.LEAST_BUCKETS, BackYard.MOST_BUCKETS));
    }

    private static int number(FilterImage image, int index, int least, int most) {
        long value = image.parameter(index);
        image.check(value >= least && value <= most, "parameter " + index + " is " + value);
        return (int) value;
    }

    /** The parameters of an image, with others behind them. */
    long[] parameters(long... own) {
        long[] all = new long[PARAMETER_COUNT + own.length];
        all[0] = capacity;
        all[1] = Double.doubleToRawLongBits(fpp);
        all[2] = seed;
        all[3] = Double.doubleToRawLongBits(spill);
        all[4] = moves;
        all[5] = isLarge() ? signatureBits << SIGNATURE_SHIFT | remainderBits : remainderBits;
        all[6] = runs;
        all[7] = slots;
        all[8] = bins;
        all[9] = overflowBins;
        System.arraycopy(own, 0, all, PARAMETER_COUNT, own.length);
        return all;
    }

    BinLayout primaryLayout() {
        return new BinLayout(runs, slots, signatureBits);
    }

    /** The bits of a large remainder behind its signature. */
    int restBits() {
        return remainderBits - signatureBits;
    }

    private static int groupBins(int bins) {
        int groups = (bins - 1) / BroomSizing.GROUP_BINS + 1;
        return (bins - 1) / groups + 1;
    }

    /** How many primary bins a group has; the last one may have fewer. */
    int groupBins() {
        return groupBins(bins);
    }

    /** How many quotients a group has. */
    private int groupQuotients() {
        return groupBins() * runs;
    }

    /** The low bits of a quotient's number in its group, which an overflow slot holds above the remainder. */
    int overflowShift() {
        int shift = 0;
        while ((groupQuotients() - 1) >>> shift >= MOST_OVERFLOW_RUNS) {
            shift++;
        }
        return shift;
    }

    BinLayout overflowLayout() {
        int shift = overflowShift();
        return new BinLayout(((groupQuotients() - 1) >>> shift) + 1, OVERFLOW_SLOTS, shift + remainderBits);
    }

    /** How many overflow bins there are in all. */
    int allOverflowBins() {
        int groups = (bins - 1) / groupBins() + 1;
        return Math.multiplyExact(groups, overflowBins);
    }

    /** The words that extensions may take outside their bins; some for a filter so small that chance is not even. */
    long spillWords() {
        return spill == 0 ? 0 : (long) (spill * capacity / Long.SIZE) + SPARE_WORDS;
    }
}
