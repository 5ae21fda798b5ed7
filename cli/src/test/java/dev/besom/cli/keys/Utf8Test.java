package dev.besom.cli.keys;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Utf8Test {

    @Test
    void utf8IsJudgedAsTheDecoderOfTheJdkJudgesIt() {
        byte[] edges = {
            0,
            'a',
            0x7F,
            (byte) 0x80,
            (byte) 0x8F,
            (byte) 0x90,
            (byte) 0x9F,
            (byte) 0xA0,
            (byte) 0xBF,
            (byte) 0xC0,
            (byte) 0xC1,
            (byte) 0xC2,
            (byte) 0xDF,
            (byte) 0xE0,
            (byte) 0xE1,
            (byte) 0xEC,
            (byte) 0xED,
            (byte) 0xEE,
            (byte) 0xEF,
            (byte) 0xF0,
            (byte) 0xF1,
            (byte) 0xF3,
            (byte) 0xF4,
            (byte) 0xF5,
            (byte) 0xFF
        };
        for (int first = 0; first < 256; first++) {
            assertJudged((byte) first);
            for (int second = 0; second < 256; second++) {
                assertJudged((byte) first, (byte) second);
            }
        }
        for (byte first : edges) {
            for (byte second : edges) {
                for (byte third : edges) {
                    assertJudged(first, second, third);
                    for (byte fourth : edges) {
                        assertJudged(first, second, third, fourth);
                    }
                }
            }
        }
    }

    /** Alone, and behind so much ASCII that it crosses the words that are looked at as one. */
    private static void assertJudged(byte... bytes) {
        boolean valid = decodes(bytes);
        byte[] padded = "0123456789abcdefghij".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, padded, 6, bytes.length);
        if (Utf8.isWellFormed(bytes, 0, bytes.length) != valid
                || Utf8.isWellFormed(padded, 1, padded.length) != valid) {
            throw new AssertionError(
                    "should be " + valid + ": " + HexFormat.of().formatHex(bytes));
        }
    }

    /** The JDK puts U+FFFD for what is not well-formed, and so does not get the same bytes back. */
    private static boolean decodes(byte[] bytes) {
        return Arrays.equals(new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), bytes);
    }
}
