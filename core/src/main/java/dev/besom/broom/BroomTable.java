package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Fingerprints of small remainders in primary bins and overflow pages: where each belongs, and where it is.
 *
 * <pre>
 *   primary bin               |  bin: run {remainder, ...} run {...} ...  |  whether keys of the bin are elsewhere
 *   overflow page             |  (bin in group, run), remainder  |  ...
 * </pre>
 *
 * A fingerprint is in its primary bin, or, only if that has no room for all, in the page of its group. Those of the largest runs are
 * elsewhere: no run of a bin that is follows one that is in the bin. So a query looks there only if its run is the last one in its
 * bin, or follows it; of all queries that is one in thirty. Look-alikes are in the bin, in its page, or in both.
 *
 * <p>When a key comes to a full bin, the last one makes room for it, if it does not follow that itself. When a key leaves a bin, the
 * first one of those that had no room comes back. So what is elsewhere depends on what is stored now and not on what has come and gone,
 * and at any time the sizing's tails hold. Where the extension of the one that should come back has no room, all stay
 * where they are, and what is said of runs holds all the same.
 */
final class BroomTable extends FingerprintTable {

    final PrimaryBins primary;
    private final LineBins bins;
    private final OverflowPages overflow;
    final LineQueries queries;
    private long lost;

    BroomTable(BroomShape shape) {
        this(shape, new LineBins(shape.line(), shape.bins()));
    }

    private BroomTable(BroomShape shape, LineBins bins) {
        super(shape);
        this.bins = bins;
        this.primary = new PrimaryBins(bins, budget);
        this.overflow = new OverflowPages(shape, budget);
        this.queries = new LineQueries(primary, overflow);
    }

    /** Takes over the bins, pages and spill of an image. */
    static BroomTable read(BroomShape shape, FilterImage image) {
        BroomTable table =
                new BroomTable(shape, new LineBins(shape.line(), shape.bins(), image.get(BroomForm.PRIMARY)));
        image.check(Words.count(image.get(BroomForm.RESTS)) == 0, "small remainders are whole in their bins");
        table.overflow.read(image.get(BroomForm.OVERFLOW));
        table.primary.extensions.spill().read(image.get(BroomForm.SPILLED));
        return table;
    }

    @Override
    void write(ImageForm.Writer writer) {
        writer.set(BroomForm.PRIMARY, bins.words)
                .set(BroomForm.RESTS, Words.allocate(0))
                .set(BroomForm.OVERFLOW, overflow.section())
                .set(BroomForm.SPILLED, primary.extensions.spill().section());
    }

    @Override
    boolean mightContain(long hash) {
        return queries.mightContain(hash);
    }

    @Override
    long firstWord(long hash) {
        return bins.words[bins.base(bin(hash))];
    }

    @Override
    boolean hasLookAlike(long hash) {
        int bin = bin(hash);
        int run = run(hash);
        long remainder = remainder(hash);
        int base = bins.base(bin);
        return bins.find(base, run, remainder) >= 0
                || (bins.isElsewhere(base, run) && overflow.hasLookAlike(bin, run, remainder));
    }

    @Override
    void gather(long hash, LookAlikes found) {
        int bin = bin(hash);
        int run = run(hash);
        long remainder = remainder(hash);
        primary.gather(bin, run, remainder, found);
        if (bins.isElsewhere(bins.base(bin), run)) {
            overflow.gather(bin, run, remainder, found);
        }
    }

    @Override
    void checkRoom(long hash) {
        int bin = bin(hash);
        int base = bins.base(bin);
        if (bins.isFull(base) || bins.hasElsewhere(base)) {
            overflow.checkRoom(bin);
        }
    }

    @Override
    Entry.InBin add(long hash) {
        int bin = bin(hash);
        int base = bins.base(bin);
        int run = run(hash);
        boolean hasElsewhere = bins.hasElsewhere(base);
        if (hasElsewhere && !bins.isFull(base)) {
            bringBack(bin);
            hasElsewhere = bins.hasElsewhere(base);
        }
        boolean isFull = bins.isFull(base);
        if ((hasElsewhere || isFull) && run >= bins.lastRun(base)) {
            bins.setElsewhere(base, true);
            return overflow.add(bin, run, remainder(hash));
        }
        if (isFull) {
            sendLast(bin);
        }
        return new Entry.InBin(primary, bin, primary.open(bin, run, remainder(hash)), Extensions.EMPTY);
    }

    /** Moves the last key of a full bin to its page. An extension for which there is no room is given up. */
    private void sendLast(int bin) {
        int base = bins.base(bin);
        int run = bins.lastRun(base);
        int slot = bins.used(base) - 1;
        long extension = primary.extensionOf(bin, slot);
        long remainder = bins.slot(base, slot);
        primary.close(bin, run, slot);
        bins.setElsewhere(base, true);
        Entry.InBin entry = overflow.add(bin, run, remainder);
        if (!overflow.extend(entry.bin(), entry.slot(), extension)) {
            lost++;
        }
    }

    /** {@inheritDoc} That one brings its extension along. */
    @Override
    void remove(long hash, Entry entry, Arrivals arrivals) {
        Entry.InBin place = (Entry.InBin) entry;
        int bin = bin(hash);
        if (place.area() == overflow) {
            overflow.remove(place.bin(), place.slot());
            bins.setElsewhere(bins.base(bin), overflow.hasAny(bin));
        } else {
            primary.close(bin, run(hash), place.slot());
            bringBack(bin);
        }
    }

    /** Moves keys back to a bin as long as it has room for them and their extensions. */
    private void bringBack(int bin) {
        int base = bins.base(bin);
        while (bins.hasElsewhere(base)
                && !bins.isFull(base)
                && overflow.offer(bin, (run, remainder, extension) -> primary.take(bin, run, remainder, extension))) {
            bins.setElsewhere(base, overflow.hasAny(bin));
        }
    }

    @Override
    long lostExtensions() {
        return lost;
    }

    @Override
    long covered() {
        return primary.coverage() + overflow.coverage();
    }

    @Override
    int spilledBins() {
        return primary.extensions.spill().size() + overflow.spilledPages();
    }

    @Override
    long extensionBits() {
        return primary.extensions.totalBits() + overflow.extensionBits();
    }

    @Override
    long overflowed() {
        return overflow.size();
    }

    @Override
    long sizeInBits() {
        return primary.sizeInBits() + overflow.sizeInBits();
    }

    @Override
    long check() {
        return primary.check() + overflow.check(bins);
    }
}
