package dev.besom.broom;

/**
 * A code that fits into the free bits of a bin: 35 in a bin of the usual size.
 *
 * <pre>
 *   free bits           | 0 | code |
 * </pre>
 */
final class CodeInBin implements CodePlace {

    private final Bins bins;
    private final ExtensionCode form;
    private final long listMark;
    private final int capacity;

    CodeInBin(Bins bins, ExtensionCode form) {
        this.bins = bins;
        this.form = form;
        this.listMark = CodeInList.mark(form);
        this.capacity = bins.freeBits() - 1;
    }

    @Override
    public boolean isPlaceOf(int base) {
        long first = bins.firstFree(base);
        return (first & 1) == 0 && first != listMark;
    }

    @Override
    public long find(int bin, int slot) {
        int base = bins.base(bin);
        return capacity <= Long.SIZE
                ? form.find(bins.free(base, 1), capacity, slot)
                : form.find(
                        bins.free(base, 1),
                        bins.free(base, 1 + Long.SIZE),
                        bins.free(base, 1 + 2 * Long.SIZE),
                        capacity,
                        slot);
    }

    @Override
    public int sizeFor(int bits) {
        return capacity;
    }

    @Override
    public int size(int bin) {
        return capacity;
    }

    @Override
    public long[] read(int bin) {
        int base = bins.base(bin);
        long[] code = new long[ExtensionCode.words(capacity)];
        for (int i = 0; i < code.length; i++) {
            code[i] = bins.free(base, 1 + i * Long.SIZE);
        }
        return code;
    }

    @Override
    public boolean hasRoom(int bin, int bits, long freed) {
        return bits <= capacity;
    }

    @Override
    public void write(int bin, long[] code) {
        long[] bits = new long[code.length + 1];
        for (int i = 0; i < code.length; i++) {
            ExtensionCode.or(bits, 1 + i * Long.SIZE, code[i]);
        }
        bins.setFree(bins.base(bin), bits);
    }

    @Override
    public long freedBy(int bin) {
        return 0;
    }

    @Override
    public void release(int bin) {}

    @Override
    public boolean holds(int bin, long[] code) {
        return ExtensionCode.areEqual(read(bin), code);
    }
}
