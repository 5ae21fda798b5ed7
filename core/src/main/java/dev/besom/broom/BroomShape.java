package dev.besom.broom;

import dev.besom.FilterSpec;
import dev.besom.adaptive.GroupSpill;
import dev.besom.spi.FilterImage;

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
 * @param isOneGroup whether all primary bins share all overflow bins, though there are more of them than a group has otherwise
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
        boolean isOneGroup,
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

    /** Where there is one group this is added to the number of its overflow bins in one parameter. */
    private static final int ONE_GROUP = 1 << 16;

    /** So many bins are one group still: two halves would be less even, and need more overflow bins. */
    private static final int MOST_BINS_OF_ONE_GROUP = 2200;

    /**
     * From so many keys on the size is bounded: what the primary bins of the plan take, and some bits a key for all else. In
     * smaller filters chance is less even, and they have more.
     */
    private static final long LEAST_BOUNDED = 1 << 16;

    /** At higher rates extensions that tell stored keys apart take more than the bound leaves. */
    private static final double HIGHEST_BOUNDED_RATE = 1 / 100.0;

    /** So many keys have a word at least for those of them that have left: 1/128 bits a key; twice that is wanted. */
    private static final int MOST_KEYS_A_DEPARTED_WORD = 8192;

    /** For all but primary bins; with them 12.5 at a rate of 1/256. */
    private static final double BITS_BESIDE_BINS = 0.7525;

    /** How many denser plans are tried. */
    private static final int DENSER_BINS = 20;

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
        BroomShape best = small(capacity, fpp, seed, spill, moves, bin, 1);
        if (!best.isBounded()) {
            return best;
        }
        // Other numbers of bins round to other numbers of overflow bins.
        for (int step = 1; best.sizeLeft() < best.sizeWanted() && step <= DENSER_BINS; step++) {
            BroomShape denser =
                    small(capacity, fpp, seed, spill, moves, BroomSizing.denser(bin, fpp, step), best.overflowBins);
            best = denser.sizeLeft() > best.sizeLeft() ? denser : best;
        }
        return best;
    }

    private static BroomShape small(
            long capacity, double fpp, long seed, double spill, int moves, BroomSizing.Bin bin, int guess) {
        int bins = bins(capacity, bin.keys());
        boolean isOneGroup =
                fpp <= HIGHEST_BOUNDED_RATE && bins > BroomSizing.GROUP_BINS && bins <= MOST_BINS_OF_ONE_GROUP;
        int overflow = BroomSizing.overflowBins(
                capacity, bins, bin.slots(), groupBins(bins, isOneGroup), OVERFLOW_SLOTS, guess);
        int bits = bin.remainderBits();
        return new BroomShape(
                capacity, fpp, seed, spill, moves, bits, bits, bin.runs(), bin.slots(), bins, isOneGroup, overflow);
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
                false,
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
        boolean isOneGroup = signatureBits == 0 && image.parameter(9) > ONE_GROUP;
        image.check(
                !isOneGroup || image.parameter(8) <= MOST_BINS_OF_ONE_GROUP,
                "one group of " + image.parameter(8) + " bins");
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
                isOneGroup,
                signatureBits == 0
                        ? isOneGroup
                                ? number(image, 9, ONE_GROUP + 1, ONE_GROUP + MOST_OVERFLOW_BINS) - ONE_GROUP
                                : number(image, 9, 1, MOST_OVERFLOW_BINS)
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
        all[9] = isOneGroup ? ONE_GROUP + overflowBins : overflowBins;
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

    private static int groupBins(int bins, boolean isOneGroup) {
        int groups = isOneGroup ? 1 : (bins - 1) / BroomSizing.GROUP_BINS + 1;
        return (bins - 1) / groups + 1;
    }

    /** How many primary bins a group has; the last one may have fewer. */
    int groupBins() {
        return groupBins(bins, isOneGroup);
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
        return isBounded() ? (long) (spill * capacity / Long.SIZE) : mostSpillWords();
    }

    /** The words that extensions outside their bins may have taken in a file. */
    long mostSpillWords() {
        return spill == 0 ? 0 : (long) (spill * capacity / Long.SIZE) + SPARE_WORDS;
    }

    /** The words for what is known of keys that have left. */
    long departedWords() {
        return isBounded()
                ? Math.max(capacity / MOST_KEYS_A_DEPARTED_WORD, (long) (sizeLeft() / Long.SIZE) - spillWords())
                : Long.MAX_VALUE;
    }

    /** The bits that the spill and what is known of keys that have left should have. */
    private double sizeWanted() {
        return (spillWords() + 2 * (capacity / MOST_KEYS_A_DEPARTED_WORD)) * (double) Long.SIZE;
    }

    private boolean isBounded() {
        return !isLarge() && capacity >= LEAST_BOUNDED && fpp <= HIGHEST_BOUNDED_RATE;
    }

    /** The bits that the bound leaves for the spill and for keys that have left. */
    private double sizeLeft() {
        BroomSizing.Bin plan = BroomSizing.bin(fpp);
        double most = capacity
                * (plan.words() * Long.SIZE / plan.keys()
                        + BITS_BESIDE_BINS
                        + Math.max(0, spill - LEAST_DEFAULT_SPILL));
        long words = Bins.wordCount(primaryLayout(), bins)
                + Bins.wordCount(overflowLayout(), allOverflowBins())
                + GroupSpill.leastWords(bins)
                + GroupSpill.leastWords(allOverflowBins());
        return most - (double) words * Long.SIZE;
    }
}
