package dev.besom.broom;

import java.util.Arrays;

/**
 * A code that is all in a list of the spill, which is found by the number of its bin.
 *
 * <pre>
 *   bits beside runs    | 0 | 127, 7 bits | 0 0 0 ...       a number that no slot has
 *   bits beside ends    | 0 0 0 ...
 * </pre>
 */
final class CodeInList implements CodePlace {

    /** What is beside the runs of a bin with a list. */
    static final long MARK = (long) ExtensionCode.NO_SLOT << 1;

    private final Bins bins;
    private final BinSpill spill;

    CodeInList(Bins bins, BinSpill spill) {
        this.bins = bins;
        this.spill = spill;
    }

    @Override
    public boolean isPlaceOf(int base) {
        return bins.besideRuns(base) == MARK;
    }

    @Override
    public long find(int bin, int slot) {
        return ExtensionCode.find(spill.list(bin), slot);
    }

    @Override
    public long[] read(int bin) {
        return spill.list(bin);
    }

    @Override
    public boolean hasRoom(int bin, int bits, long freed) {
        return spill.hasRoomForList(ExtensionCode.words(bits), freed);
    }

    @Override
    public void write(int bin, long[] code) {
        spill.setList(bin, code);
        bins.setBeside(bins.base(bin), MARK, 0);
    }

    @Override
    public long freedBy(int bin) {
        return spill.listSize(bin);
    }

    @Override
    public void release(int bin) {
        spill.removeList(bin);
    }

    @Override
    public boolean holds(int bin, long[] code) {
        return bins.besideEnds(bins.base(bin)) == 0 && Arrays.equals(spill.list(bin), code);
    }
}
