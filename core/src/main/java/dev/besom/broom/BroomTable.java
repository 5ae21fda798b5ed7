package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.bits.Multiply;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.util.List;

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

    final Bins primary;
    final Bins overflow;
    final BinExtensions primaryExtensions;
    final BinExtensions overflowExtensions;
    private final int overflowShift;
    private final int overflowBins;
    private final int groupBins;

    BroomTable(BroomShape shape) {
        this(
                shape,
                new Bins(shape.primaryLayout(), shape.bins()),
                new Bins(shape.overflowLayout(), shape.allOverflowBins()));
    }

    private BroomTable(BroomShape shape, Bins primary, Bins overflow) {
        super(shape);
        this.primary = primary;
        this.overflow = overflow;
        BinSpill.Budget budget = new BinSpill.Budget(shape.spillWords(), shape.mostSpillWords());
        this.primaryExtensions = new BinExtensions(primary, new BinSpill(primary.binCount, budget));
        this.overflowExtensions = new BinExtensions(overflow, new BinSpill(overflow.binCount, budget));
        this.overflowShift = shape.overflowShift();
        this.overflowBins = shape.overflowBins();
        this.groupBins = shape.groupBins();
    }

    /** Takes over the bins and spills of an image. */
    static BroomTable read(BroomShape shape, FilterImage image) {
        List<long[]> sections = image.sections();
        BroomTable table = new BroomTable(
                shape,
                new Bins(shape.primaryLayout(), shape.bins(), sections.get(0)),
                new Bins(shape.overflowLayout(), shape.allOverflowBins(), sections.get(1)));
        table.primaryExtensions.spill().read(sections.get(2));
        table.overflowExtensions.spill().read(sections.get(3));
        return table;
    }

    @Override
    List<long[]> sections() {
        return List.of(
                primary.words,
                overflow.words,
                primaryExtensions.spill().section(),
                overflowExtensions.spill().section());
    }

    @Override
    BinExtensions extensions(boolean isOverflow) {
        return isOverflow ? overflowExtensions : primaryExtensions;
    }

    @Override
    boolean mightContain(long hash) {
        long f = hash * binCount;
        int bin = (int) Multiply.toRange(hash, binCount);
        int run = (int) Multiply.toRange(f, runs);
        long g = f * runs;
        long remainder = g >>> (Long.SIZE - remainderBits);
        int base = primary.base(bin);
        int slot = primary.find(base, run, remainder);
        if (slot >= 0 && isPrefix(false, bin, slot, remainder, g << remainderBits)) {
            return true;
        }
        return primary.count(base) != 0 && isInOverflow(bin, run, remainder, g << remainderBits);
    }

    @Override
    long openBit(long hash) {
        return primary.openBit(primary.base(bin(hash)), run(hash));
    }

    private boolean isInOverflow(int bin, int run, long remainder, long following) {
        int other = overflowBin(bin, run, remainder);
        int base = overflow.base(other);
        int target = target(bin, run);
        long value = overflowValue(target, remainder);
        int slot = overflow.find(base, target >>> overflowShift, value);
        return slot >= 0 && isPrefix(true, other, slot, value, following);
    }

    /** Whether the extension of a slot, or of one before it in its run with the same value, is a prefix of a word. */
    private boolean isPrefix(boolean isOverflow, int bin, int slot, long value, long following) {
        BinExtensions extensions = extensions(isOverflow);
        if (extensions.isPrefix(bin, slot, following)) {
            return true;
        }
        Bins bins = isOverflow ? overflow : primary;
        int base = bins.base(bin);
        for (int other = slot; !bins.startsRun(base, other); ) {
            other--;
            if (bins.slot(base, other) == value && extensions.isPrefix(bin, other, following)) {
                return true;
            }
        }
        return false;
    }

    /** The number of a quotient in its group. */
    private int target(int bin, int run) {
        return bin % groupBins * (int) runs + run;
    }

    private int overflowBin(int bin, int run, long remainder) {
        long second = Mix.mix(quotient(bin, run) << remainderBits ^ remainder);
        return bin / groupBins * overflowBins + (int) Multiply.toRange(second, overflowBins);
    }

    private long overflowValue(int target, long remainder) {
        return (target & ((1L << overflowShift) - 1)) << remainderBits | remainder;
    }

    @Override
    void gather(long hash, LookAlikes found) {
        int bin = bin(hash);
        int run = run(hash);
        long remainder = remainder(hash);
        int base = primary.base(bin);
        if (primary.isOccupied(base, run)) {
            gather(false, bin, run, remainder, found);
        }
        if (primary.count(base) != 0) {
            int other = overflowBin(bin, run, remainder);
            int target = target(bin, run);
            int otherRun = target >>> overflowShift;
            if (overflow.isOccupied(overflow.base(other), otherRun)) {
                gather(true, other, otherRun, overflowValue(target, remainder), found);
            }
        }
    }

    private void gather(boolean isOverflow, int bin, int run, long value, LookAlikes found) {
        Bins bins = isOverflow ? overflow : primary;
        BinExtensions extensions = extensions(isOverflow);
        int base = bins.base(bin);
        for (int slot = bins.runEnd(base, run); ; slot--) {
            if (bins.slot(base, slot) == value) {
                found.add(isOverflow, bin, slot, extensions.get(bin, slot));
            }
            if (bins.startsRun(base, slot)) {
                return;
            }
        }
    }

    @Override
    void checkRoom(long hash) {
        int bin = bin(hash);
        int base = primary.base(bin);
        if (primary.isFull(base)) {
            int other = overflowBin(bin, run(hash), remainder(hash));
            if (overflow.isFull(overflow.base(other)) || primary.count(base) == BinLayout.MOST_COUNT) {
                throw new FilterFullException("bin " + bin + " and overflow bin " + other + " are full");
            }
        }
    }

    @Override
    void add(long hash, int extensionLength) {
        int bin = bin(hash);
        int base = primary.base(bin);
        if (!primary.isFull(base)) {
            int slot = primary.open(base, run(hash), remainder(hash));
            primaryExtensions.opened(bin, slot);
            coverage += 1L << COVERAGE_BITS;
            extend(false, bin, slot, following(hash), extensionLength);
        } else {
            long remainder = remainder(hash);
            int other = overflowBin(bin, run(hash), remainder);
            int target = target(bin, run(hash));
            int slot = overflow.open(overflow.base(other), target >>> overflowShift, overflowValue(target, remainder));
            overflowExtensions.opened(other, slot);
            primary.addToCount(base, 1);
            coverage += 1L << COVERAGE_BITS;
            extend(true, other, slot, following(hash), extensionLength);
        }
    }

    @Override
    void remove(long hash, boolean isOverflow, int bin, int slot) {
        int home = bin(hash);
        if (isOverflow) {
            closeOverflow(bin, target(home, run(hash)) >>> overflowShift, slot);
            primary.addToCount(primary.base(home), -1);
        } else {
            coverage -= covered(primaryExtensions.get(bin, slot));
            primary.close(primary.base(bin), run(hash), slot);
            primaryExtensions.closed(bin, slot);
            if (primary.count(primary.base(bin)) != 0) {
                bringBack(bin, Mix.mix(hash));
            }
        }
    }

    private void closeOverflow(int bin, int run, int slot) {
        coverage -= covered(overflowExtensions.get(bin, slot));
        overflow.close(overflow.base(bin), run, slot);
        overflowExtensions.closed(bin, slot);
    }

    /**
     * Moves one of a primary bin's keys back to it from an overflow bin. If the bin has no room for the extension of one
     * of them, another one is taken; if for none, all stay. All overflow bins have the same chance to be asked first: else
     * the last would fill up.
     */
    private void bringBack(int bin, long chance) {
        int low = target(bin, 0);
        int high = target(bin, (int) runs - 1);
        int first = bin / groupBins * overflowBins;
        int start = (int) Multiply.toRange(chance, overflowBins);
        for (int i = 0; i < overflowBins; i++) {
            int other = first + (start + i) % overflowBins;
            int base = overflow.base(other);
            for (int run = low >>> overflowShift; run <= high >>> overflowShift; run++) {
                if (!overflow.isOccupied(base, run)) {
                    continue;
                }
                for (int slot = overflow.runEnd(base, run); ; slot--) {
                    long value = overflow.slot(base, slot);
                    int target = run << overflowShift | (int) (value >>> remainderBits);
                    if (target >= low && target <= high && moveBack(bin, target - low, other, run, slot)) {
                        return;
                    }
                    if (overflow.startsRun(base, slot)) {
                        break;
                    }
                }
            }
        }
    }

    private boolean moveBack(int bin, int run, int other, int otherRun, int otherSlot) {
        long remainder = overflow.slot(overflow.base(other), otherSlot) & (1L << remainderBits) - 1;
        long prefix = overflowExtensions.get(other, otherSlot);
        int base = primary.base(bin);
        int slot = primary.open(base, run, remainder);
        primaryExtensions.opened(bin, slot);
        if (prefix != Prefix.NONE && !primaryExtensions.set(bin, slot, prefix)) {
            primary.close(base, run, slot);
            primaryExtensions.closed(bin, slot);
            return false;
        }
        coverage += covered(prefix);
        closeOverflow(other, otherRun, otherSlot);
        primary.addToCount(base, -1);
        return true;
    }

    @Override
    long quotientOf(boolean isOverflow, int bin, int slot) {
        Bins bins = isOverflow ? overflow : primary;
        int run = bins.runOf(bins.base(bin), slot);
        if (!isOverflow) {
            return quotient(bin, run);
        }
        int target = run << overflowShift | (int) (overflow.slot(overflow.base(bin), slot) >>> remainderBits);
        return (long) (bin / overflowBins) * groupBins * runs + target;
    }

    @Override
    long remainderOf(boolean isOverflow, int bin, int slot) {
        Bins bins = isOverflow ? overflow : primary;
        return bins.slot(bins.base(bin), slot) & (1L << remainderBits) - 1;
    }

    @Override
    int spilledBins() {
        return primaryExtensions.spill().size() + overflowExtensions.spill().size();
    }

    @Override
    long extensionBits() {
        return primaryExtensions.totalBits() + overflowExtensions.totalBits();
    }

    @Override
    long overflowed() {
        long sum = 0;
        for (int bin = 0; bin < primary.binCount; bin++) {
            sum += primary.count(primary.base(bin));
        }
        return sum;
    }

    @Override
    long sizeInBits() {
        return (((long) Words.count(primary.words) + Words.count(overflow.words)) << 6)
                + primaryExtensions.spill().sizeInBits()
                + overflowExtensions.spill().sizeInBits();
    }

    @Override
    long check() {
        int[] counts = new int[primary.binCount];
        coverage = 0;
        long keys = check(true, counts);
        for (int bin = 0; bin < primary.binCount; bin++) {
            if (primary.count(primary.base(bin)) != counts[bin]) {
                throw new IllegalStateException("bin " + bin + " counts other keys elsewhere than " + counts[bin]);
            }
        }
        return keys + check(false, counts);
    }

    private long check(boolean isOverflow, int[] counts) {
        Bins bins = isOverflow ? overflow : primary;
        BinExtensions extensions = extensions(isOverflow);
        long keys = 0;
        int spilled = 0;
        for (int bin = 0; bin < bins.binCount; bin++) {
            bins.check(bin);
            spilled += extensions.check(bin) ? 1 : 0;
            int used = bins.used(bins.base(bin));
            keys += used;
            coverage += covered(extensions, bin, used);
            for (int slot = 0; isOverflow && slot < used; slot++) {
                countHome(bin, slot, counts);
            }
        }
        extensions.checkSpill(spilled);
        return keys;
    }

    private void countHome(int bin, int slot, int[] counts) {
        long quotient = quotientOf(true, bin, slot);
        long home = quotient / runs;
        if (home >= binCount
                || home / groupBins != bin / overflowBins
                || overflowBin((int) home, (int) (quotient % runs), remainderOf(true, bin, slot)) != bin) {
            throw new IllegalStateException("slot " + slot + " of overflow bin " + bin + " belongs elsewhere");
        }
        counts[(int) home]++;
    }
}
