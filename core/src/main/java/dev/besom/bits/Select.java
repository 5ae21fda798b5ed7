package dev.besom.bits;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Rank and select in one word.
 *
 * <p>Select is one instruction and a count of zeros (PDEP, TZCNT) where the JDK offers {@code Long.expand}, from 19 on;
 * the method is reached through a constant handle that the compiler inlines. Older JDKs use broadword arithmetic: all
 * byte counts at once by a multiplication, then a table for the last byte.
 *
 * <p>S. Vigna: Broadword implementation of rank/select queries. WEA 2008.
 */
public final class Select {

    private static final long LOW_OF_BYTES = 0x0101010101010101L;
    private static final long HIGH_OF_BYTES = 0x8080808080808080L;

    /** {@code Long.expand} where there is one; never called otherwise. */
    private static final MethodHandle EXPAND;

    private static final boolean HAS_EXPAND;

    static {
        MethodType binary = MethodType.methodType(long.class, long.class, long.class);
        MethodHandle expand = MethodHandles.empty(binary);
        boolean found = false;
        try {
            expand = MethodHandles.lookup().findStatic(Long.class, "expand", binary);
            found = true;
        } catch (NoSuchMethodException | IllegalAccessException e) {
            // A JDK before 19: broadword it is.
        }
        EXPAND = expand;
        HAS_EXPAND = found;
    }

    /** {@code IN_BYTE[rank << 8 | byte]}: the position of the byte's set bit of that rank. */
    private static final byte[] IN_BYTE = tableOfBytes();

    private Select() {}

    /** How many bits are set below a position from 0 to 63. */
    public static int rank(long word, int position) {
        return Long.bitCount(word & ~(-1L << position));
    }

    /**
     * The position of the set bit that has {@code rank} set bits below it.
     *
     * @param rank from 0 to 63
     * @return 64 if the word has no such bit
     */
    public static int select(long word, int rank) {
        return HAS_EXPAND ? selectByExpand(word, rank) : selectByBroadword(word, rank);
    }

    /** Whether a select is one instruction and a count of zeros. */
    public static boolean hasExpand() {
        return HAS_EXPAND;
    }

    static int selectByExpand(long word, int rank) {
        try {
            return Long.numberOfTrailingZeros((long) EXPAND.invokeExact(1L << rank, word));
        } catch (Throwable e) {
            throw new AssertionError("Long.expand throws nothing", e);
        }
    }

    static int selectByBroadword(long word, int rank) {
        long sums = word - (word >>> 1 & 0x5555555555555555L);
        sums = (sums & 0x3333333333333333L) + (sums >>> 2 & 0x3333333333333333L);
        sums = (sums + (sums >>> 4) & 0x0F0F0F0F0F0F0F0FL) * LOW_OF_BYTES;
        // Byte i of sums: set bits in bytes 0..i. The bytes whose sum is at most rank lie before the one searched for.
        int shift = Long.bitCount((rank * LOW_OF_BYTES | HIGH_OF_BYTES) - sums & HIGH_OF_BYTES) << 3;
        if (shift == Long.SIZE) {
            return Long.SIZE;
        }
        int rankInByte = rank - (int) (sums << 8 >>> shift & 0xFF);
        return shift + IN_BYTE[rankInByte << 8 | (int) (word >>> shift & 0xFF)];
    }

    private static byte[] tableOfBytes() {
        byte[] table = new byte[8 << 8];
        for (int value = 0; value < 256; value++) {
            int rank = 0;
            for (int position = 0; position < 8; position++) {
                if ((value >>> position & 1) != 0) {
                    table[rank << 8 | value] = (byte) position;
                    rank++;
                }
            }
        }
        return table;
    }
}
