package dev.besom.broom;

import java.util.Arrays;

/**
 * A code that is all in a list of the spill, which is found by the number of its bin.
 *
 * <pre>
 *   free bits           | 0 | a number that no slot has | 0 0 0 ...
 * </pre>
 */
final class CodeInList implements CodePlace {

    private final Bins bins;
    private final BinSpill spill;
    private final ExtensionCode form;
    private final long mark;

    CodeInList(Bins bins, BinSpill spill, ExtensionCode form) {
        this.bins = bins;
        this.spill = spill;
        this.form = form;
        this.mark = mark(form);
    }

    /** The free bits of a bin with a list. */
    static long mark(ExtensionCode form) {
        return (long) form.noSlot() << 1;
    }

    @Override
    public boolean isPlaceOf(int base) {
        return bins.firstFree(base) == mark;
    }

    @Override
    public long find(int bin, int slot) {
        long[] code = spill.list(bin);
        return form.find(code, 0, code.length * Long.SIZE, slot);
    }

    @Override
    public int sizeFor(int bits) {
        return ExtensionCode.words(bits) * Long.SIZE;
    }

    @Override
    public int size(int bin) {
        return spill.list(bin).length * Long.SIZE;
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
        bins.setFree(bins.base(bin), new long[] {mark});
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
        int base = bins.base(bin);
        return bins.free(base, 0) == mark
                && bins.free(base, Long.SIZE) == 0
                && bins.free(base, 2 * Long.SIZE) == 0
                && Arrays.equals(spill.list(bin), code);
    }
}
