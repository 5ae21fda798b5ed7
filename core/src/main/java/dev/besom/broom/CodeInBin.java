package dev.besom.broom;

/**
 * A code that fits into the bits that a bin's metadata leave free: 33 of word 1 and 32 of word 3, in a bin of the usual size.
 *
 * <pre>
 *   bits beside runs    | 0 | code, first part |
 *   bits beside ends    | code, second part |
 * </pre>
 */
final class CodeInBin implements CodePlace {

    private final Bins bins;

    /** Bits of the first part. */
    private final int firstBits;

    /** Bits of the second part. */
    private final int secondBits;

    CodeInBin(Bins bins) {
        this.bins = bins;
        this.firstBits = bins.bitsBesideRuns() - 1;
        this.secondBits = bins.bitsBesideEnds();
    }

    /** How many bits a code here can have. */
    int capacity() {
        return firstBits + secondBits;
    }

    @Override
    public boolean isPlaceOf(int base) {
        long beside = bins.besideRuns(base);
        return (beside & 1) == 0 && beside != CodeInList.MARK;
    }

    @Override
    public long find(int bin, int slot) {
        int base = bins.base(bin);
        long second = bins.besideEnds(base);
        return ExtensionCode.find(
                bins.besideRuns(base) >>> 1 | second << firstBits,
                second >>> 1 >>> (Long.SIZE - 1 - firstBits),
                0,
                slot);
    }

    @Override
    public long[] read(int bin) {
        int base = bins.base(bin);
        long[] code = new long[ExtensionCode.words(capacity())];
        ExtensionCode.or(code, 0, bins.besideRuns(base) >>> 1);
        ExtensionCode.or(code, firstBits, bins.besideEnds(base));
        return code;
    }

    @Override
    public boolean hasRoom(int bin, int bits, long freed) {
        return bits <= capacity();
    }

    @Override
    public void write(int bin, long[] code) {
        long first = ExtensionCode.bitsAt(code, 0) & ((1L << firstBits) - 1);
        bins.setBeside(bins.base(bin), first << 1, ExtensionCode.bitsAt(code, firstBits));
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
