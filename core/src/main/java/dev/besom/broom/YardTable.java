package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.bits.Multiply;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.util.List;

/**
 * Fingerprints of large remainders: a front yard of bins that hold the first bits of remainders, and a back yard.
 *
 * <pre>
 *   remainder     | signature | rest |
 *
 *   front yard    bin:   run {signature, ...} run {...} ...   | count of keys in the back yard
 *                 array: rest of slot 0, rest of slot 1, ...  of the same bin
 *   back yard     whole hashes
 * </pre>
 *
 * In a bin no two slots of a run have the same signature. A key is in the back yard only if its bin is full, or its
 * signature is taken in its bin by another key: a <b>partial collision</b>. So a question that finds its signature compares
 * one rest and one extension; and it looks at the back yard only if its signature is taken or its bin full, and if keys of
 * its bin are there.
 *
 * <p>A whole hash is a fingerprint that needs no extension: only a query with the same hash meets it. A fingerprint in front that
 * is a prefix of a new key's hash is extended as elsewhere, so that no fingerprint is a prefix of another.
 *
 * <p>The back yard is planned for different keys. Of a key that is in more than once all but one are there; where these are
 * so many that the whole yard is full, it is laid out anew at twice the size.
 *
 * <p>Departures from the paper: the back yard is asked only where it can matter; a key comes back from it when what kept it
 * out of its bin leaves, so that how many are there depends on what is stored now, not on the past; rests move along with
 * their signatures and need no pointers.
 */
final class YardTable extends FingerprintTable {

    final Bins front;
    BackYard back;
    private final RemainderArray rests;
    private final BinExtensions extensions;
    private final int signatureBits;

    YardTable(BroomShape shape) {
        this(
                shape,
                new Bins(shape.primaryLayout(), shape.bins()),
                new RemainderArray(shape.bins(), shape.slots(), shape.restBits()),
                new BackYard(shape.overflowBins(), (long) shape.bins() * shape.runs()));
    }

    private YardTable(BroomShape shape, Bins front, RemainderArray rests, BackYard back) {
        super(shape);
        this.front = front;
        this.rests = rests;
        this.back = back;
        this.extensions = new BinExtensions(
                front, new BinSpill(front.binCount, new BinSpill.Budget(shape.spillWords(), shape.mostSpillWords())));
        this.signatureBits = shape.signatureBits();
    }

    /** Takes over the yards of an image. */
    static YardTable read(BroomShape shape, FilterImage image) {
        List<long[]> sections = image.sections();
        YardTable table = new YardTable(
                shape,
                new Bins(shape.primaryLayout(), shape.bins(), sections.get(0)),
                new RemainderArray(shape.bins(), shape.slots(), shape.restBits(), sections.get(1)),
                BackYard.read(shape.overflowBins(), (long) shape.bins() * shape.runs(), sections.get(2)));
        table.extensions.spill().read(sections.get(3));
        return table;
    }

    @Override
    List<long[]> sections() {
        return List.of(
                front.words, rests.words(), back.words, extensions.spill().section());
    }

    private long signature(long hash) {
        return fraction(hash) >>> (Long.SIZE - signatureBits);
    }

    private long rest(long hash) {
        return restOf(fraction(hash));
    }

    private long restOf(long fraction) {
        return fraction << signatureBits >>> (Long.SIZE - remainderBits + signatureBits);
    }

    @Override
    boolean mightContain(long hash) {
        long f = hash * binCount;
        int bin = (int) Multiply.toRange(hash, binCount);
        int run = (int) Multiply.toRange(f, runs);
        long g = f * runs;
        int base = front.base(bin);
        int slot = front.find(base, run, g >>> (Long.SIZE - signatureBits));
        if (slot >= 0 && rests.get(bin, slot) == restOf(g) && extensions.isPrefix(bin, slot, g << remainderBits)) {
            return true;
        }
        return front.count(base) != 0 && (slot >= 0 || front.isFull(base)) && back.contains(hash);
    }

    @Override
    long openBit(long hash) {
        return front.openBit(front.base(bin(hash)), run(hash));
    }

    /** The slot with the signature of a hash; -1 if there is none. */
    private int slotOf(long hash) {
        return front.find(front.base(bin(hash)), run(hash), signature(hash));
    }

    @Override
    void gather(long hash, LookAlikes found) {
        int bin = bin(hash);
        int slot = slotOf(hash);
        if (slot >= 0 && rests.get(bin, slot) == rest(hash)) {
            found.add(false, bin, slot, extensions.get(bin, slot));
        }
        if (front.count(front.base(bin)) != 0) {
            long plot = BackYard.plotOf(quotient(hash));
            for (int i = back.placeCount(plot) - 1; i >= 0; i--) {
                int place = back.place(plot, i);
                if (back.isUsed(place) && isAlike(back.hash(place), hash)) {
                    found.add(true, place / BackYard.CELLS, place % BackYard.CELLS, wholePrefix(back.hash(place)));
                }
            }
        }
    }

    private boolean isAlike(long one, long another) {
        return quotient(one) == quotient(another) && remainder(one) == remainder(another);
    }

    /** All bits of a hash that follow its remainder: with quotient and remainder they are the hash. */
    private long wholePrefix(long hash) {
        return Prefix.of(following(hash), Long.SIZE - remainderBits);
    }

    /** Whether the fingerprint of a hash cannot be in front. */
    private boolean goesBack(long hash) {
        return front.isFull(front.base(bin(hash))) || slotOf(hash) >= 0;
    }

    /** {@inheritDoc} A back yard that is full all over, of keys that are in more than once, becomes larger. */
    @Override
    void checkRoom(long hash) {
        if (!goesBack(hash)) {
            return;
        }
        if (!back.hasRoom(hash)) {
            back = back.larger();
        }
        if (!back.hasRoom(hash) || front.count(front.base(bin(hash))) == BinLayout.MOST_COUNT) {
            throw new FilterFullException("bin " + bin(hash) + " and its buckets of the back yard are full");
        }
    }

    @Override
    void add(long hash, int extensionLength) {
        if (goesBack(hash)) {
            back.add(hash);
            front.addToCount(front.base(bin(hash)), 1);
        } else {
            addInFront(hash, extensionLength);
        }
    }

    private void addInFront(long hash, int extensionLength) {
        int bin = bin(hash);
        int base = front.base(bin);
        int used = front.used(base);
        int slot = front.open(base, run(hash), signature(hash));
        rests.open(bin, slot, used, rest(hash));
        extensions.opened(bin, slot);
        coverage += 1L << COVERAGE_BITS;
        extend(false, bin, slot, following(hash), extensionLength);
    }

    @Override
    void remove(long hash, boolean isOverflow, int bin, int slot) {
        int home = bin(hash);
        int base = front.base(home);
        if (isOverflow) {
            back.removeAt(bin * BackYard.CELLS + slot);
            front.addToCount(base, -1);
            return;
        }
        boolean wasFull = front.isFull(base);
        coverage -= covered(extensions.get(bin, slot));
        rests.close(bin, slot, front.used(base));
        front.close(base, run(hash), slot);
        extensions.closed(bin, slot);
        if (front.count(base) != 0 && !bringBack(home, BackYard.plotOf(quotient(hash))) && wasFull) {
            bringBackAny(home, Mix.mix(hash));
        }
    }

    /** Moves a key of a full bin back to it if its signature is not taken; all plots of the bin have the same chance. */
    private void bringBackAny(int bin, long chance) {
        long first = BackYard.plotOf(quotient(bin, 0));
        int plots = (int) (BackYard.plotOf(quotient(bin, (int) runs - 1)) - first) + 1;
        int start = (int) Multiply.toRange(chance, plots);
        for (int i = 0; i < plots; i++) {
            if (bringBack(bin, first + (start + i) % plots)) {
                return;
            }
        }
    }

    /** Moves a key of a bin that is not full back to it from a plot; false if no signature there is free in the bin. */
    private boolean bringBack(int bin, long plot) {
        for (int i = back.placeCount(plot) - 1; i >= 0; i--) {
            int place = back.place(plot, i);
            if (back.isUsed(place)) {
                long hash = back.hash(place);
                if (bin(hash) == bin && slotOf(hash) < 0) {
                    back.removeAt(place);
                    front.addToCount(front.base(bin), -1);
                    addInFront(hash, lengthAgainstBack(hash));
                    return true;
                }
            }
        }
        return false;
    }

    /** The shortest extension with which a fingerprint in front is no prefix of another hash in the back yard. */
    private int lengthAgainstBack(long hash) {
        int length = 0;
        long plot = BackYard.plotOf(quotient(hash));
        for (int i = 0; i < back.placeCount(plot); i++) {
            int place = back.place(plot, i);
            if (back.isUsed(place) && back.hash(place) != hash && isAlike(back.hash(place), hash)) {
                length = Math.max(length, Prefix.sharedBits(following(back.hash(place)), following(hash)) + 1);
            }
        }
        return length;
    }

    /** {@inheritDoc} Whole hashes have none. */
    @Override
    BinExtensions extensions(boolean isOverflow) {
        if (isOverflow) {
            throw new IllegalStateException("what is in the back yard cannot be extended");
        }
        return extensions;
    }

    @Override
    boolean extend(boolean isOverflow, int bin, int slot, long following, int length) {
        return !isOverflow && super.extend(false, bin, slot, following, length);
    }

    @Override
    long quotientOf(boolean isOverflow, int bin, int slot) {
        return isOverflow
                ? quotient(back.hash(bin * BackYard.CELLS + slot))
                : quotient(bin, front.runOf(front.base(bin), slot));
    }

    @Override
    long remainderOf(boolean isOverflow, int bin, int slot) {
        return isOverflow
                ? remainder(back.hash(bin * BackYard.CELLS + slot))
                : front.slot(front.base(bin), slot) << (remainderBits - signatureBits) | rests.get(bin, slot);
    }

    @Override
    long extensionBits() {
        return extensions.totalBits();
    }

    @Override
    int spilledBins() {
        return extensions.spill().size();
    }

    @Override
    long overflowed() {
        return back.size();
    }

    @Override
    long sizeInBits() {
        long words = (long) Words.count(front.words) + Words.count(rests.words()) + Words.count(back.words);
        return (words << 6) + extensions.spill().sizeInBits();
    }

    @Override
    long check() {
        for (int bin = 0; bin < front.binCount; bin++) {
            front.check(bin);
        }
        int[] counts = checkBack();
        long keys = back.size();
        int spilled = 0;
        coverage = 0;
        for (int bin = 0; bin < front.binCount; bin++) {
            int base = front.base(bin);
            int used = front.used(base);
            rests.check(bin, used);
            spilled += extensions.check(bin) ? 1 : 0;
            keys += used;
            coverage += covered(extensions, bin, used);
            for (int slot = 0; slot < used; slot++) {
                if (front.find(base, front.runOf(base, slot), front.slot(base, slot)) != slot) {
                    throw new IllegalStateException("a signature is twice in bin " + bin);
                }
            }
            if (front.count(base) != counts[bin]) {
                throw new IllegalStateException(
                        "bin " + bin + " counts other keys in the back yard than " + counts[bin]);
            }
        }
        extensions.checkSpill(spilled);
        return keys;
    }

    /** Checks the back yard, behind a front yard whose bins are in order, and counts the keys of each bin there. */
    private int[] checkBack() {
        int[] counts = new int[front.binCount];
        long zeros = back.zeroCount();
        if (zeros < 0 || zeros > BinLayout.MOST_COUNT || (zeros > 0 && !goesBack(0))) {
            throw new IllegalStateException("the back yard counts " + zeros + " hashes that are 0");
        }
        counts[0] += (int) zeros;
        for (int place = 0; place < back.placeCount(); place++) {
            if (back.isUsed(place)) {
                back.check(place);
                long hash = back.hash(place);
                counts[bin(hash)]++;
                if (!goesBack(hash)) {
                    throw new IllegalStateException("place " + place + " of the back yard holds what belongs in front");
                }
            }
        }
        return counts;
    }
}
