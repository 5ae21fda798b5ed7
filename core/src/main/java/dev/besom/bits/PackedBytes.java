package dev.besom.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The bits of a {@link PackedArray} in bytes, the lowest first: a number of up to 57 bits is read at once, wherever it begins, where
 * words take two reads and the joining of both.
 *
 * <pre>
 *   width 12:   byte 0     byte 1     byte 2     byte 3
 *              | low of 0 | 1  |  0  | high of 1 | low of 2 | ...
 *                         |&lt;----- one read -----&gt;  8 bytes from the one that the number begins in
 * </pre>
 */
public final class PackedBytes implements PackedNumbers {

    /** The longest array of bytes, in words. */
    private static final long MOST_WORDS = (Integer.MAX_VALUE - 8) / Long.BYTES;

    /** A number that begins with the last bit of a byte ends in the same eight bytes. */
    private static final int MOST_WIDTH = Long.SIZE - (Byte.SIZE - 1);

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int widthInBits;
    private final long mask;

    /** So many numbers, all 0. */
    public PackedBytes(long length, int widthInBits) {
        if (!fits(length, widthInBits)) {
            throw new IllegalArgumentException("no bytes hold " + length + " numbers of " + widthInBits + " bits");
        }
        this.bytes = new byte[(int) (PackedArray.wordCount(length, widthInBits) * Long.BYTES)];
        this.widthInBits = widthInBits;
        this.mask = -1L >>> (Long.SIZE - widthInBits);
    }

    /** The numbers of an array; its memory is not shared. */
    public static PackedBytes of(PackedArray array) {
        PackedBytes packed = new PackedBytes(array.length(), array.widthInBits());
        longs(packed.bytes).put(array.words(), Words.LEAD, Words.count(array.words()));
        return packed;
    }

    /** Whether an array of bytes has room for so many numbers. */
    public static boolean fits(long length, int widthInBits) {
        return widthInBits <= MOST_WIDTH && PackedArray.wordCount(length, widthInBits) <= MOST_WORDS;
    }

    private static LongBuffer longs(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }

    @Override
    public long get(long index) {
        return bitsFrom(index) & mask;
    }

    /** A number, and other bits above it. */
    public long bitsFrom(long index) {
        long bit = index * widthInBits;
        return (long) LONGS.get(bytes, (int) (bit >>> 3)) >>> (bit & 7);
    }

    /** A number of 8 bits. */
    public byte byteAt(int index) {
        return bytes[index];
    }

    /** A number of 16 bits. */
    public short shortAt(int index) {
        return (short) SHORTS.get(bytes, index << 1);
    }

    @Override
    public void set(long index, long value) {
        long bit = index * widthInBits;
        int at = (int) (bit >>> 3);
        int shift = (int) bit & 7;
        long before = (long) LONGS.get(bytes, at);
        LONGS.set(bytes, at, (before & ~(mask << shift)) | ((value & mask) << shift));
    }

    /** The same bits as an array of words that a {@link PackedArray} has. */
    public long[] toWords() {
        long[] words = Words.allocate(bytes.length / Long.BYTES);
        longs(bytes).get(words, Words.LEAD, bytes.length / Long.BYTES);
        return words;
    }

    /** The memory of the numbers and of the word that ends them. */
    public long sizeInBits() {
        return (long) bytes.length * Byte.SIZE;
    }
}
