package dev.besom.broom;

import dev.besom.adaptive.GroupSpill;

/**
 * A code that is too long for its bin by less than a word, which the spill has.
 *
 * <pre>
 *   bits beside runs    | 1 | place of the word, 6 bits | code, first part |
 *   bits beside ends    | code, second part |
 *   word of the spill   | code, third part |
 * </pre>
 */
final class CodeWithWord implements CodePlace {

    private static final int PLACE_BITS = GroupSpill.PLACE_BITS;
    private static final int HEADER_BITS = 1 + PLACE_BITS;

    private final Bins bins;
    private final BinSpill spill;

    /** Bits of the first part. */
    private final int firstBits;

    /** Bits of the first two parts. */
    private final int inBin;

    CodeWithWord(Bins bins, BinSpill spill) {
        this.bins = bins;
        this.spill = spill;
        this.firstBits = bins.bitsBesideRuns() - HEADER_BITS;
        this.inBin = firstBits + bins.bitsBesideEnds();
        if (firstBits <= 0) {
            throw new IllegalArgumentException("no room beside " + bins.layout.runs() + " runs");
        }
    }

    @Override
    public boolean isPlaceOf(int base) {
        return (bins.besideRuns(base) & 1) != 0;
    }

    private int place(int base) {
        return (int) (bins.besideRuns(base) >>> 1) & ((1 << PLACE_BITS) - 1);
    }

    @Override
    public long find(int bin, int slot) {
        int base = bins.base(bin);
        long first = bins.besideRuns(base) >>> HEADER_BITS;
        long second = bins.besideEnds(base);
        long third = spill.word(bin, place(base));
        long c0 = first | second << firstBits;
        long c1 = second >>> 1 >>> (Long.SIZE - 1 - firstBits);
        if (inBin < Long.SIZE) {
            return ExtensionCode.find(c0 | third << inBin, third >>> 1 >>> (Long.SIZE - 1 - inBin), 0, slot);
        }
        return ExtensionCode.find(
                c0, c1 | third << (inBin - Long.SIZE), third >>> 1 >>> (2 * Long.SIZE - 1 - inBin), slot);
    }

    @Override
    public long[] read(int bin) {
        int base = bins.base(bin);
        if (!spill.isWordUsed(bin, place(base))) {
            throw new IllegalStateException("bin " + bin + " is spilled to a free place");
        }
        long[] code = new long[ExtensionCode.words(inBin + Long.SIZE)];
        ExtensionCode.or(code, 0, bins.besideRuns(base) >>> HEADER_BITS);
        ExtensionCode.or(code, firstBits, bins.besideEnds(base));
        ExtensionCode.or(code, inBin, spill.word(bin, place(base)));
        return code;
    }

    @Override
    public boolean hasRoom(int bin, int bits, long freed) {
        return bits <= inBin + Long.SIZE && (isPlaceOf(bins.base(bin)) || spill.hasRoomForWord(bin, freed));
    }

    @Override
    public void write(int bin, long[] code) {
        int base = bins.base(bin);
        int place = isPlaceOf(base) ? place(base) : spill.takeWord(bin);
        long first = ExtensionCode.bitsAt(code, 0) & ((1L << firstBits) - 1);
        bins.setBeside(base, (first << PLACE_BITS | place) << 1 | 1, ExtensionCode.bitsAt(code, firstBits));
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
