package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.adaptive.Extensions;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

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
 * signature is taken in its bin by another key: a <b>partial collision</b>. So a query that finds its signature compares
 * one rest and one extension; and it looks at the back yard only if its signature is taken or its bin full, and if keys of
 * its bin are there.
 *
 * <p>A whole hash is a fingerprint that needs no extension: only a query with the same hash meets it. A fingerprint in front that
 * is a prefix of a new key's hash is extended as elsewhere, so that no fingerprint is a prefix of another.
 *
 * <p>The back yard is planned for different keys. Of a key that is in more than once all but one are there; where these are
 * so many that the whole yard is full, it is laid out anew at twice the size.
 *
 * <p>Departures from the paper: queries go to the back yard only where it can matter; a key comes back from it when what kept it
 * out of its bin leaves, so that how many are there depends on what is stored now, not on the past; rests move along with
 * their signatures and need no pointers.
 */
final class YardTable extends FingerprintTable {

    final FrontYard front;
    BackYard back;

    YardTable(BroomShape shape) {
        this(
                shape,
                new WideBins(shape.wide(), shape.bins()),
                new RemainderArray(shape.bins(), shape.primary().slots(), shape.restBits()),
                new BackYard((int) shape.overflow(), shape.quotientCount()));
    }

    private YardTable(BroomShape shape, WideBins front, RemainderArray rests, BackYard back) {
        super(shape);
        this.front = new FrontYard(shape, front, rests, budget);
        this.back = back;
    }

    /** Takes over the yards of an image. */
    static YardTable read(BroomShape shape, FilterImage image) {
        YardTable table = new YardTable(
                shape,
                new WideBins(shape.wide(), shape.bins(), image.get(BroomForm.PRIMARY)),
                new RemainderArray(shape.bins(), shape.primary().slots(), shape.restBits(), image.get(BroomForm.RESTS)),
                BackYard.read((int) shape.overflow(), shape.quotientCount(), image.get(BroomForm.OVERFLOW)));
        table.front.extensions.spill().read(image.get(BroomForm.SPILLED));
        return table;
    }

    @Override
    void write(ImageForm.Writer writer) {
        writer.set(BroomForm.PRIMARY, front.bins.words)
                .set(BroomForm.RESTS, front.rests.words())
                .set(BroomForm.OVERFLOW, back.words)
                .set(BroomForm.SPILLED, front.extensions.spill().section());
    }

    @Override
    boolean mightContain(long hash) {
        long f = hash * binCount;
        int bin = (int) FastRange.place(hash, binCount);
        int run = (int) FastRange.place(f, runs);
        long g = f * runs;
        long remainder = g >>> (Long.SIZE - remainderBits);
        int slot = front.slotOf(bin, run, remainder);
        if (slot >= 0 && front.isPrefix(bin, slot, remainder, g << remainderBits)) {
            return true;
        }
        return countInBack(bin) != 0 && (slot >= 0 || front.isFull(bin)) && back.contains(hash);
    }

    /** How many keys of a bin are in the back yard. */
    private int countInBack(int bin) {
        return front.bins.count(front.bins.base(bin));
    }

    private void addToCount(int bin, int change) {
        front.bins.addToCount(front.bins.base(bin), change);
    }

    @Override
    long firstWord(long hash) {
        return front.bins.words[front.bins.base(bin(hash))];
    }

    @Override
    boolean hasLookAlike(long hash) {
        return new LookAlikes(this, hash).slotCount() > 0;
    }

    @Override
    void gather(long hash, LookAlikes found) {
        int bin = bin(hash);
        front.gatherKey(bin, run(hash), remainder(hash), found);
        if (countInBack(bin) != 0) {
            long plot = BackYard.plotOf(quotient(hash));
            for (int i = back.placeCount(plot) - 1; i >= 0; i--) {
                int place = back.place(plot, i);
                if (back.isUsed(place) && isAlike(back.hash(place), hash)) {
                    found.add(new Entry.InBackYard(place, wholeExtension(back.hash(place))));
                }
            }
        }
    }

    /** All bits of a hash that follow its remainder: with quotient and remainder they are the hash. */
    private long wholeExtension(long hash) {
        return Extensions.of(following(hash), Long.SIZE - remainderBits);
    }

    /** Whether the signature of a hash is taken in its bin. */
    private boolean isTaken(long hash) {
        return front.slotOf(bin(hash), run(hash), remainder(hash)) >= 0;
    }

    /** Whether the fingerprint of a hash cannot be in front. */
    private boolean goesBack(long hash) {
        return front.isFull(bin(hash)) || isTaken(hash);
    }

    /** {@inheritDoc} A back yard that is full all over, of keys that are in more than once, becomes larger. */
    @Override
    void checkRoom(long hash) {
        if (!goesBack(hash)) {
            return;
        }
        boolean isCountFull = countInBack(bin(hash)) == WideLayout.MOST_COUNT;
        BackYard enough = isCountFull || back.hasRoom(hash) ? back : back.larger();
        if (isCountFull || !enough.hasRoom(hash)) {
            throw new FilterFullException("bin " + bin(hash) + " and its buckets of the back yard are full");
        }
        // Only now: for a hash that is refused nothing grows.
        back = enough;
    }

    @Override
    Entry add(long hash) {
        if (goesBack(hash)) {
            addToCount(bin(hash), 1);
            return new Entry.InBackYard(back.add(hash), wholeExtension(hash));
        }
        return addInFront(hash);
    }

    private Entry.InBin addInFront(long hash) {
        int bin = bin(hash);
        return front.entry(bin, front.add(bin, run(hash), remainder(hash)));
    }

    @Override
    void remove(long hash, Entry entry, Arrivals arrivals) {
        int bin = bin(hash);
        if (entry instanceof Entry.InBackYard whole) {
            back.removeAt(whole.place());
            addToCount(bin, -1);
            return;
        }
        boolean wasFull = front.isFull(bin);
        front.remove(bin, run(hash), ((Entry.InBin) entry).slot());
        if (countInBack(bin) != 0 && !bringBack(bin, BackYard.plotOf(quotient(hash)), arrivals) && wasFull) {
            bringBackAny(bin, Mix.mix(hash), arrivals);
        }
    }

    /** Moves a key of a full bin back to it if its signature is not taken; all plots of the bin have the same chance. */
    private void bringBackAny(int bin, long chance, Arrivals arrivals) {
        long first = BackYard.plotOf(quotient(bin, 0));
        int plots = (int) (BackYard.plotOf(quotient(bin, (int) runs - 1)) - first) + 1;
        int start = (int) FastRange.place(chance, plots);
        for (int i = 0; i < plots; i++) {
            if (bringBack(bin, first + (start + i) % plots, arrivals)) {
                return;
            }
        }
    }

    /** Moves a key of a bin that is not full back to it from a plot; false if no signature there is free in the bin. */
    private boolean bringBack(int bin, long plot, Arrivals arrivals) {
        for (int i = back.placeCount(plot) - 1; i >= 0; i--) {
            int place = back.place(plot, i);
            if (back.isUsed(place)) {
                long hash = back.hash(place);
                if (bin(hash) == bin && !isTaken(hash)) {
                    back.removeAt(place);
                    addToCount(bin, -1);
                    arrivals.arrived(addInFront(hash), hash, lengthAgainstBack(hash));
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
                length = Math.max(length, Extensions.sharedBits(following(back.hash(place)), following(hash)) + 1);
            }
        }
        return length;
    }

    @Override
    long covered() {
        return front.coverage();
    }

    @Override
    long extensionBits() {
        return front.extensions.totalBits();
    }

    /** {@inheritDoc} Keys that move get their extensions from what is known of them. */
    @Override
    long lostExtensions() {
        return 0;
    }

    @Override
    int spilledBins() {
        return front.extensions.spill().size();
    }

    @Override
    long overflowed() {
        return back.size();
    }

    @Override
    long sizeInBits() {
        long words = (long) Words.count(front.rests.words()) + Words.count(back.words);
        return front.sizeInBits() + (words << 6);
    }

    @Override
    long check() {
        long keys = front.check();
        int[] counts = checkBack();
        for (int bin = 0; bin < counts.length; bin++) {
            if (countInBack(bin) != counts[bin]) {
                throw new IllegalStateException(
                        "bin " + bin + " counts other keys in the back yard than " + counts[bin]);
            }
        }
        return keys + back.size();
    }

    /** Checks the back yard, behind a front yard whose bins are in order, and counts the keys of each bin there. */
    private int[] checkBack() {
        int[] counts = new int[front.bins.binCount];
        long zeros = back.zeroCount();
        if (zeros < 0 || zeros > WideLayout.MOST_COUNT || (zeros > 0 && !goesBack(0))) {
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
