package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Fingerprints of small remainders in primary and overflow bins: where each belongs, and where it is.
 *
 * <pre>
 *   primary bin               |  bin: run {remainder, ...} run {...} ...  |  count of keys in overflow bins
 *   overflow bin              |  (bin in group, run) high {(bin in group, run) low, remainder} ...
 * </pre>
 *
 * A fingerprint is in its primary bin, or, only if that is full, in the one overflow bin of the group that a second hash
 * of its quotient and remainder names. So look-alikes are in these two bins and nowhere else.
 *
 * <p>When a key leaves a primary bin, one of those that had no room there comes back. So what is in overflow bins depends
 * on what is stored now and not on what has come and gone, and at any time the sizing's tails hold.
 */
final class BroomTable extends FingerprintTable {

    final PrimaryBins primary;
    private final OverflowBins overflow;

    BroomTable(BroomShape shape) {
        this(shape, new Bins(shape.primary(), shape.bins()), new Bins(shape.overflow(), shape.allOverflowBins()));
    }

    private BroomTable(BroomShape shape, Bins primary, Bins overflow) {
        super(shape);
        this.primary = new PrimaryBins(primary, budget);
        this.overflow = new OverflowBins(shape, overflow, budget);
    }

    /** Takes over the bins and spills of an image. */
    static BroomTable read(BroomShape shape, FilterImage image) {
        BroomTable table = new BroomTable(
                shape,
                new Bins(shape.primary(), shape.bins(), image.get(BroomForm.PRIMARY)),
                new Bins(shape.overflow(), shape.allOverflowBins(), image.get(BroomForm.OVERFLOW)));
        image.check(Words.count(image.get(BroomForm.RESTS)) == 0, "small remainders are whole in their bins");
        table.primary.extensions.spill().read(image.get(BroomForm.PRIMARY_SPILL));
        table.overflow.extensions.spill().read(image.get(BroomForm.OVERFLOW_SPILL));
        return table;
    }

    @Override
    void write(ImageForm.Writer writer) {
        writer.set(BroomForm.PRIMARY, primary.bins.words)
                .set(BroomForm.RESTS, Words.allocate(0))
                .set(BroomForm.OVERFLOW, overflow.bins.words)
                .set(BroomForm.PRIMARY_SPILL, primary.extensions.spill().section())
                .set(BroomForm.OVERFLOW_SPILL, overflow.extensions.spill().section());
    }

    @Override
    boolean mightContain(long hash) {
        long f = hash * binCount;
        int bin = (int) FastRange.place(hash, binCount);
        int run = (int) FastRange.place(f, runs);
        long g = f * runs;
        long remainder = g >>> (Long.SIZE - remainderBits);
        long following = g << remainderBits;
        return primary.mightContain(bin, run, remainder, following)
                || (hasMoreElsewhere(bin) && overflow.mightContainKey(bin, run, remainder, following));
    }

    private boolean hasMoreElsewhere(int bin) {
        return primary.bins.count(primary.bins.base(bin)) != 0;
    }

    private void addToCount(int bin, int change) {
        primary.bins.addToCount(primary.bins.base(bin), change);
    }

    @Override
    long openBit(long hash) {
        return primary.bins.openBit(primary.bins.base(bin(hash)), run(hash));
    }

    @Override
    void gather(long hash, LookAlikes found) {
        int bin = bin(hash);
        int run = run(hash);
        long remainder = remainder(hash);
        primary.gather(bin, run, remainder, found);
        if (hasMoreElsewhere(bin)) {
            overflow.gatherKey(bin, run, remainder, found);
        }
    }

    @Override
    void checkRoom(long hash) {
        int bin = bin(hash);
        if (primary.isFull(bin)) {
            int other = overflow.binOf(bin, run(hash), remainder(hash));
            if (overflow.isFull(other) || primary.bins.count(primary.bins.base(bin)) == BinLayout.MOST_COUNT) {
                throw new FilterFullException("bin " + bin + " and overflow bin " + other + " are full");
            }
        }
    }

    @Override
    Entry.InBin add(long hash) {
        int bin = bin(hash);
        if (primary.isFull(bin)) {
            addToCount(bin, 1);
            return overflow.add(bin, run(hash), remainder(hash));
        }
        return primary.entry(bin, primary.open(bin, run(hash), remainder(hash)));
    }

    /** {@inheritDoc} That one brings its extension along. */
    @Override
    void remove(long hash, Entry entry, Arrivals arrivals) {
        Entry.InBin place = (Entry.InBin) entry;
        int bin = bin(hash);
        if (place.area() == overflow) {
            overflow.remove(place.bin(), place.slot());
            addToCount(bin, -1);
        } else {
            primary.close(bin, run(hash), place.slot());
            if (hasMoreElsewhere(bin)) {
                bringBack(bin, Mix.mix(hash));
            }
        }
    }

    /**
     * Moves one of a primary bin's keys back to it from an overflow bin. If the bin has no room for the extension of one
     * of them, another one is taken; if for none, all stay.
     */
    private void bringBack(int bin, long chance) {
        if (overflow.offer(bin, chance, (run, remainder, extension) -> primary.take(bin, run, remainder, extension))) {
            addToCount(bin, -1);
        }
    }

    @Override
    long covered() {
        return primary.coverage() + overflow.coverage();
    }

    @Override
    int spilledBins() {
        return primary.extensions.spill().size() + overflow.extensions.spill().size();
    }

    @Override
    long extensionBits() {
        return primary.extensions.totalBits() + overflow.extensions.totalBits();
    }

    @Override
    long overflowed() {
        long sum = 0;
        for (int bin = 0; bin < primary.bins.binCount; bin++) {
            sum += primary.bins.count(primary.bins.base(bin));
        }
        return sum;
    }

    @Override
    long sizeInBits() {
        return primary.sizeInBits() + overflow.sizeInBits();
    }

    @Override
    long check() {
        int[] counts = new int[primary.bins.binCount];
        long keys = overflow.check(counts) + primary.check();
        for (int bin = 0; bin < counts.length; bin++) {
            if (primary.bins.count(primary.bins.base(bin)) != counts[bin]) {
                throw new IllegalStateException("bin " + bin + " counts other keys elsewhere than " + counts[bin]);
            }
        }
        return keys;
    }
}
