package dev.besom.broom;

import dev.besom.adaptive.Extensions;

/**
 * The extensions of bins' slots, packed into the free bits of bins, for some bins with a word more, and
 * for few in a list elsewhere: see {@link CodePlace}. Where a bin has none, which one look at its first free bits tells, a query is done.
 *
 * <p>Writing uses scratch space of the object: one writer at a time. Reading uses none.
 */
final class BinExtensions {

    private final Bins bins;
    private final BinSpill spill;
    private final CodeInBin inBin;
    private final CodeWithWord withWord;
    private final CodeInList inList;
    private final ExtensionList list;

    BinExtensions(Bins bins, BinSpill spill) {
        ExtensionCode form = ExtensionCode.forSlots(bins.layout.slots());
        this.bins = bins;
        this.spill = spill;
        this.inBin = new CodeInBin(bins, form);
        this.withWord = new CodeWithWord(bins, spill, form);
        this.inList = new CodeInList(bins, spill, form);
        this.list = new ExtensionList(form, bins.layout.slots());
    }

    BinSpill spill() {
        return spill;
    }

    /** Whether no slot of a bin is extended. */
    private boolean isEmpty(int base) {
        return bins.firstFree(base) == 0;
    }

    private CodePlace placeOf(int base) {
        return withWord.isPlaceOf(base) ? withWord : inList.isPlaceOf(base) ? inList : inBin;
    }

    /** Whether a slot's extension, which may be none, is a prefix of a word. */
    boolean isPrefix(int bin, int slot, long bits) {
        return isEmpty(bins.base(bin)) || Extensions.isPrefix(get(bin, slot), bits);
    }

    /** The extension of a slot. */
    long get(int bin, int slot) {
        int base = bins.base(bin);
        return inBin.isPlaceOf(base) ? inBin.find(bin, slot) : placeOf(base).find(bin, slot);
    }

    /** Gives a slot another extension; false, and no change, if there is no room for it. */
    boolean set(int bin, int slot, long extension) {
        load(bin);
        return list.set(slot, extension) && store(bin);
    }

    /** Makes room for a slot that is new in a bin; it has no extension. */
    void opened(int bin, int slot) {
        if (!isEmpty(bins.base(bin))) {
            load(bin);
            list.open(slot);
            store(bin);
        }
    }

    /** Forgets the extension of a slot that is taken away. */
    void closed(int bin, int slot) {
        if (!isEmpty(bins.base(bin))) {
            load(bin);
            list.close(slot);
            store(bin);
        }
    }

    /** The extended slots of a bin in ascending order, as a new array. */
    int[] extendedSlots(int bin) {
        load(bin);
        return list.slots();
    }

    /** The lengths of all extensions of all bins together. */
    long totalBits() {
        long bits = 0;
        for (int bin = 0; bin < bins.binCount; bin++) {
            load(bin);
            for (int i = 0; i < list.size(); i++) {
                bits += Extensions.length(list.extension(i));
            }
        }
        return bits;
    }

    /** Unpacks a bin's extensions into the scratch space. */
    private void load(int bin) {
        int base = bins.base(bin);
        if (isEmpty(base)) {
            list.clear();
        } else {
            CodePlace place = placeOf(base);
            list.read(place.read(bin), 0, place.size(bin));
        }
    }

    /** Packs the scratch space into a bin; false, and no change, if it does not fit. */
    private boolean store(int bin) {
        CodePlace before = placeOf(bins.base(bin));
        int bits = list.sizeInBits();
        long freed = before.freedBy(bin);
        CodePlace after =
                inBin.hasRoom(bin, bits, freed) ? inBin : withWord.hasRoom(bin, bits, freed) ? withWord : inList;
        if (!after.hasRoom(bin, bits, freed)) {
            return false;
        }
        if (before != after) {
            before.release(bin);
        }
        after.write(bin, list.toCode(after.sizeFor(bits)));
        return true;
    }

    /**
     * Checks one bin's extensions.
     *
     * @return whether the bin has a word or a list in the spill
     * @throws IllegalStateException if nothing could have written them
     */
    boolean check(int bin) {
        int base = bins.base(bin);
        load(bin);
        int before = -1;
        for (int i = 0; i < list.size(); i++) {
            int slot = list.slot(i);
            if (slot <= before || slot >= bins.used(base) || list.extension(i) == Extensions.EMPTY) {
                throw new IllegalStateException("bin " + bin + " extends slot " + slot + " after " + before);
            }
            before = slot;
        }
        CodePlace place = placeOf(base);
        int bits = list.sizeInBits();
        if (!place.holds(bin, list.toCode(place.sizeFor(bits))) || (place == withWord && bits <= inBin.sizeFor(bits))) {
            throw new IllegalStateException("bin " + bin + " has bits behind its extensions");
        }
        return place != inBin;
    }

    /**
     * Checks the spill, after all bins.
     *
     * @param spilled how many bins have a word or a list there
     * @throws IllegalStateException if it has others
     */
    void checkSpill(int spilled) {
        if (spilled != spill.size()) {
            throw new IllegalStateException(spilled + " bins are spilled, to " + spill.size() + " places");
        }
    }
}
