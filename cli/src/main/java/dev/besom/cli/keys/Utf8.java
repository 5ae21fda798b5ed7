package dev.besom.cli.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tells well-formed UTF-8 from other bytes, by the table of the Unicode standard (chapter 3, table 3-7): no overlong
 * forms, no surrogates, nothing above U+10FFFF.
 *
 * <pre>
 *   first byte   second      third       fourth
 *   00 .. 7F
 *   C2 .. DF     80 .. BF
 *   E0           A0 .. BF    80 .. BF
 *   E1 .. EF     80 .. BF    80 .. BF                 ED: second only to 9F
 *   F0           90 .. BF    80 .. BF    80 .. BF
 *   F1 .. F4     80 .. BF    80 .. BF    80 .. BF     F4: second only to 8F
 * </pre>
 */
final class Utf8 {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    static boolean isWellFormed(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (to - i >= Long.BYTES && ((long) WORD.get(bytes, i) & HIGH_BITS) == 0) {
                i += Long.BYTES;
            } else if (bytes[i] >= 0) {
                i++;
            } else {
                int length = sequenceLength(bytes, i, to);
                if (length == 0) {
                    return false;
                }
                i += length;
            }
        }
        return true;
    }

    /** The length of the sequence of two to four bytes at {@code i}, or 0 where there is no well-formed one. */
    private static int sequenceLength(byte[] bytes, int i, int to) {
        int first = bytes[i] & 0xFF;
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || to - i < length) {
            return 0;
        }
        int second = bytes[i + 1] & 0xFF;
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int next = i + 2; next < i + length; next++) {
            if ((bytes[next] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
