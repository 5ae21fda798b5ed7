package dev.besom.broom;

import dev.besom.adaptive.GroupSpill;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * What the bins of a filter are made from.
 *
 * @param plan what the filter is to be
 * @param primary a primary bin, whose slots hold remainders, or, where these are large, signatures
 * @param remainderBits bits of a remainder
 * @param bins how many primary bins there are
 * @param overflow how many keys overflow pages hold at most; where remainders are large, how many buckets the back yard has
 */
record BroomShape(BroomPlan plan, BinLayout primary, int remainderBits, int bins, long overflow) {

    private static final int SPARE_WORDS = 64;
    private static final int MOST_BINS = 1 << 30;

    /** So many keys may be in overflow pages at least: chance is less even in filters of a few bins. */
    private static final int LEAST_OVERFLOW = 64;

    private static final long MOST_OVERFLOW = 1L << 32;

    /**
     * From so many keys on the size is bounded: what the primary bins of the plan take, and some bits a key for all else. In
     * smaller filters chance is less even, and they have more.
     */
    private static final long LEAST_BOUNDED = 1 << 16;

    /** At higher rates extensions that tell stored keys apart take more than the bound leaves. */
    private static final double HIGHEST_BOUNDED_RATE = 1 / 100.0;

    /** So many keys have a word at least for those of them that have left: 1/128 bits a key; twice that is wanted. */
    private static final int MOST_KEYS_A_TOMBSTONE_WORD = 8192;

    /** For all but primary bins; with them 12.5 at a rate of 1/256. */
    private static final double BITS_BESIDE_BINS = 0.861;

    /** How many denser plans are tried. */
    private static final int DENSER_BINS = 40;

    static BroomShape of(BroomPlan plan) {
        return plan.fpp() < YardSizing.HIGHEST_RATE ? large(plan) : small(plan);
    }

    private static BroomShape small(BroomPlan plan) {
        BroomSizing.Bin bin = BroomSizing.bin(plan.fpp());
        BroomShape best = small(plan, bin);
        if (!best.isBounded()) {
            return best;
        }
        // Fewer bins take less than what more keys in overflow pages take more.
        for (int step = 1; best.sizeLeft() < best.sizeWanted() && step <= DENSER_BINS; step++) {
            BroomShape denser = small(plan, BroomSizing.denser(bin, plan.fpp(), step));
            best = denser.sizeLeft() > best.sizeLeft() ? denser : best;
        }
        return best;
    }

    private static BroomShape small(BroomPlan plan, BroomSizing.Bin bin) {
        int bins = bins(plan.capacity(), bin.keys());
        double most = BroomSizing.mostOverflowed(plan.capacity(), bins, bin.slots());
        LineLayout primary = new LineLayout(bin.runs(), bin.slots(), bin.remainderBits());
        return new BroomShape(
                plan, primary, bin.remainderBits(), bins, Math.max(LEAST_OVERFLOW, (long) Math.ceil(most)));
    }

    private static BroomShape large(BroomPlan plan) {
        YardSizing.Bin bin = YardSizing.bin(plan.fpp());
        int bins = bins(plan.capacity(), bin.keys());
        WideLayout front = new WideLayout(bin.runs(), bin.slots(), bin.signatureBits());
        return new BroomShape(plan, front, bin.remainderBits(), bins, YardSizing.buckets(plan.capacity(), bins, bin));
    }

    private static int bins(long capacity, double keysPerBin) {
        double bins = Math.ceil(capacity / keysPerBin);
        if (bins > MOST_BINS) {
            throw new IllegalArgumentException(
                    "a filter of " + capacity + " keys is larger than an array; use several");
        }
        return (int) bins;
    }

    BroomShape withCapacity(long newCapacity) {
        return of(plan.withCapacity(newCapacity));
    }

    /** The shape of an image; what it says is not yet held against the image's sections. */
    static BroomShape of(FilterImage image) {
        int remainderBits = (int) image.get(BroomForm.REMAINDER_BITS, 1, BroomSizing.MOST_REMAINDER_BITS);
        int signatureBits = (int) image.get(BroomForm.SIGNATURE_BITS, Math.min(2, remainderBits), remainderBits);
        int runs = (int) image.get(BroomForm.RUNS, 1, WideLayout.MOST);
        int slots = (int) image.get(BroomForm.SLOTS, 1, WideLayout.MOST);
        boolean isLarge = signatureBits < remainderBits;
        BinLayout primary =
                isLarge ? new WideLayout(runs, slots, signatureBits) : new LineLayout(runs, slots, signatureBits);
        return new BroomShape(
                BroomPlan.of(image),
                primary,
                remainderBits,
                (int) image.get(BroomForm.BINS, 1, MOST_BINS),
                image.get(
                        BroomForm.MOST_OVERFLOW,
                        isLarge ? YardSizing.LEAST_BUCKETS : 1,
                        isLarge ? BackYard.MOST_BUCKETS : MOST_OVERFLOW));
    }

    void write(ImageForm.Writer writer) {
        plan.write(writer);
        writer.set(BroomForm.REMAINDER_BITS, remainderBits)
                .set(BroomForm.SIGNATURE_BITS, primary.width())
                .set(BroomForm.RUNS, primary.runs())
                .set(BroomForm.SLOTS, primary.slots())
                .set(BroomForm.BINS, bins)
                .set(BroomForm.MOST_OVERFLOW, overflow);
    }

    /** How many keys the filter is planned for. */
    long capacity() {
        return plan.capacity();
    }

    /** The quotients of a primary bin. */
    int runs() {
        return primary.runs();
    }

    /** How many quotients there are. */
    long quotientCount() {
        return (long) bins * runs();
    }

    /** A primary bin that holds whole remainders. */
    LineLayout line() {
        return (LineLayout) primary;
    }

    /** A primary bin that holds signatures. */
    WideLayout wide() {
        return (WideLayout) primary;
    }

    /** Whether remainders are too long for bins, which then hold signatures. */
    boolean isLarge() {
        return primary instanceof WideLayout;
    }

    /** The bits of a large remainder behind its signature. */
    int restBits() {
        return remainderBits - primary.width();
    }

    /** The words that extensions may take outside their bins; some for a filter so small that chance is not even. */
    long spillWords() {
        if (!isBounded()) {
            return mostSpillWords();
        }
        long most = (long) (sizeLeft() / Long.SIZE) - capacity() / MOST_KEYS_A_TOMBSTONE_WORD;
        return Math.max(0, Math.min(wantedSpillWords(), most));
    }

    private long wantedSpillWords() {
        return (long) (plan.spill() * capacity() / Long.SIZE);
    }

    /** The words that extensions outside their bins may have taken in a file. */
    long mostSpillWords() {
        return plan.spill() == 0 ? 0 : wantedSpillWords() + SPARE_WORDS;
    }

    /** The words for what is known of keys that have left. */
    long tombstoneWords() {
        return isBounded()
                ? Math.max(capacity() / MOST_KEYS_A_TOMBSTONE_WORD, (long) (sizeLeft() / Long.SIZE) - spillWords())
                : Long.MAX_VALUE;
    }

    /** The bits that the spill and what is known of keys that have left should have. */
    private double sizeWanted() {
        return (wantedSpillWords() + 2 * (capacity() / MOST_KEYS_A_TOMBSTONE_WORD)) * (double) Long.SIZE;
    }

    private boolean isBounded() {
        return !isLarge() && capacity() >= LEAST_BOUNDED && plan.fpp() <= HIGHEST_BOUNDED_RATE;
    }

    /** The most words of primary bins and overflow pages, without the spill. */
    long plannedWords() {
        return Bins.wordCount(primary, bins)
                + OverflowPages.mostWords(bins, runs(), remainderBits, overflow)
                + GroupSpill.leastWords(bins);
    }

    /** The bits that the bound leaves for the spill and for keys that have left. */
    private double sizeLeft() {
        BroomSizing.Bin bin = BroomSizing.bin(plan.fpp());
        double most = capacity()
                * (bin.words() * Long.SIZE / bin.keys()
                        + BITS_BESIDE_BINS
                        + Math.max(0, plan.spill() - BroomPlan.LEAST_DEFAULT_SPILL));
        return most - (double) plannedWords() * Long.SIZE;
    }
}
