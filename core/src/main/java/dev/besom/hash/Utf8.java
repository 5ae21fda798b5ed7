package dev.besom.hash;

/**
 * UTF-8, one character at a time and in registers. A text's bytes are those of {@code String.getBytes(UTF_8)}: a
 * surrogate without its other half becomes a question mark.
 *
 * <pre>
 *   an encoded character:   bits 63 .. 38   37 .. 32            31 .. 24   ...   7 .. 0
 *                                 0         8, 16, 24 or 32     last byte  ...   first byte
 * </pre>
 */
final class Utf8 {

    private static final long ONE_BYTE = 8L << 32;
    private static final long TWO_BYTES = 16L << 32;
    private static final long THREE_BYTES = 24L << 32;
    private static final long FOUR_BYTES = 32L << 32;

    private Utf8() {}

    static boolean isAscii(CharSequence text) {
        int all = 0;
        for (int i = 0, length = text.length(); i < length; i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    /** Four characters of an ASCII text, the first in the lowest byte. */
    static int fourAscii(CharSequence text, int at) {
        return text.charAt(at) | text.charAt(at + 1) << 8 | text.charAt(at + 2) << 16 | text.charAt(at + 3) << 24;
    }

    /** Eight characters of an ASCII text, the first in the lowest byte. */
    static long eightAscii(CharSequence text, int at) {
        return fourAscii(text, at) | (long) fourAscii(text, at + 4) << 32;
    }

    /** Eight characters if all of them are ASCII, the first in the lowest byte; a negative number if one is not. */
    static long eightIfAscii(CharSequence text, int at) {
        char c0 = text.charAt(at);
        char c1 = text.charAt(at + 1);
        char c2 = text.charAt(at + 2);
        char c3 = text.charAt(at + 3);
        char c4 = text.charAt(at + 4);
        char c5 = text.charAt(at + 5);
        char c6 = text.charAt(at + 6);
        char c7 = text.charAt(at + 7);
        if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 0x80) {
            return -1;
        }
        int low = c0 | c1 << 8 | c2 << 16 | c3 << 24;
        int high = c4 | c5 << 8 | c6 << 16 | c7 << 24;
        return low | (long) high << 32;
    }

    /** The character that starts at an index below {@code length}, as the picture shows. */
    static long encode(CharSequence text, int at, int length) {
        char c = text.charAt(at);
        if (c < 0x80) {
            return ONE_BYTE | c;
        }
        if (c < 0x800) {
            return TWO_BYTES | 0xC0 | c >>> 6 | following(c) << 8;
        }
        if (!Character.isSurrogate(c)) {
            return THREE_BYTES | 0xE0 | c >>> 12 | following(c >>> 6) << 8 | following(c) << 16;
        }
        if (Character.isHighSurrogate(c) && at + 1 < length) {
            char second = text.charAt(at + 1);
            if (Character.isLowSurrogate(second)) {
                int point = Character.toCodePoint(c, second);
                return FOUR_BYTES
                        | 0xF0
                        | point >>> 18
                        | following(point >>> 12) << 8
                        | following(point >>> 6) << 16
                        | following(point) << 24;
            }
        }
        return ONE_BYTE | '?';
    }

    /** A byte after the first of a character: six bits of it. */
    private static long following(int bits) {
        return 0x80 | (bits & 0x3F);
    }

    static long bytes(long encoded) {
        return encoded & 0xFFFFFFFFL;
    }

    static int bitCount(long encoded) {
        return (int) (encoded >>> 32);
    }

    /** How many of the text's characters the encoded one took: two where it has four bytes. */
    static int charCount(long encoded) {
        return 1 + (int) (encoded >>> 37);
    }
}
