package dev.besom.broom;

import dev.besom.adaptive.GroupSpill;

/**
 * A code that is too long for its bin by less than a word, which the spill has.
 *
 * <pre>
 *   free bits           | 1 | place of the word, 6 bits | code, first part |
 *   word of the spill   | code, second part |
 * </pre>
 */
final class CodeWithWord implements CodePlace {

    private static final int PLACE_BITS = GroupSpill.PLACE_BITS;
    private static final int HEADER_BITS = 1 + PLACE_BITS;

    private final Bins bins;
    private final BinSpill spill;

    private final ExtensionCode form;

    /** Bits of the first part, and of both. */
    private final int inBin;

    private final int size;

    CodeWithWord(Bins bins, BinSpill spill, ExtensionCode form) {
        this.bins = bins;
        this.spill = spill;
        this.form = form;
        this.inBin = bins.freeBits() - HEADER_BITS;
        this.size = inBin + Long.SIZE;
        if (bins.firstFreeBits() < HEADER_BITS || inBin > 2 * Long.SIZE) {
            throw new IllegalArgumentException(
                    bins.firstFreeBits() + " and " + inBin + " free bits are too few or too many");
        }
    }

    @Override
    public boolean isPlaceOf(int base) {
        return (bins.firstFree(base) & 1) != 0;
    }

    private int place(int base) {
        return (int) (bins.firstFree(base) >>> 1) & ((1 << PLACE_BITS) - 1);
    }

    @Override
    public long find(int bin, int slot) {
        int base = bins.base(bin);
        long word = spill.word(bin, place(base));
        long first = bins.free(base, HEADER_BITS);
        if (inBin < Long.SIZE) {
            return form.find(first | word << inBin, word >>> 1 >>> (Long.SIZE - 1 - inBin), 0, size, slot);
        }
        return form.find(
                first,
                bins.free(base, HEADER_BITS + Long.SIZE) | (inBin < 2 * Long.SIZE ? word << (inBin - Long.SIZE) : 0),
                word >>> 1 >>> (2 * Long.SIZE - 1 - inBin),
                size,
                slot);
    }

    @Override
    public int sizeFor(int bits) {
        return size;
    }

    @Override
    public int size(int bin) {
        return size;
    }

    @Override
    public long[] read(int bin) {
        int base = bins.base(bin);
        if (!spill.isWordUsed(bin, place(base))) {
            throw new IllegalStateException("bin " + bin + " is spilled to a free place");
        }
        long[] code = new long[ExtensionCode.words(size)];
        code[0] = bins.free(base, HEADER_BITS);
        if (inBin > Long.SIZE) {
            code[1] = bins.free(base, HEADER_BITS + Long.SIZE);
        }
        ExtensionCode.or(code, inBin, spill.word(bin, place(base)));
        return code;
    }

    @Override
    public boolean hasRoom(int bin, int bits, long freed) {
        return bits <= size && (isPlaceOf(bins.base(bin)) || spill.hasRoomForWord(bin, freed));
    }

    @Override
    public void write(int bin, long[] code) {
        int base = bins.base(bin);
        int place = isPlaceOf(base) ? place(base) : spill.takeWord(bin);
        long[] bits = new long[code.length + 1];
        bits[0] = (long) place << 1 | 1;
        for (int i = 0; i < code.length; i++) {
            ExtensionCode.or(bits, HEADER_BITS + i * Long.SIZE, code[i]);
        }
        bins.setFree(base, bits);
        spill.setWord(bin, place, ExtensionCode.bitsAt(code, inBin));
    }

    @Override
    public long freedBy(int bin) {
        return spill.freedBy(bin, place(bins.base(bin)));
    }

    @Override
    public void release(int bin) {
        spill.releaseWord(bin, place(bins.base(bin)));
    }

    @Override
    public boolean holds(int bin, long[] code) {
        return ExtensionCode.areEqual(read(bin), code);
    }
}
