package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BitMovesTest {

    private static final int BASE = 2;
    private static final int BITS = 3 * 64;

    @Test
    void everyStretchOfThreeWordsMovesUpBitByBit() {
        long[] words = randomWords(1);
        for (int by : new int[] {1, 2, 7, 8, 31, 32, 33, 63}) {
            for (int from = 0; from < BITS - by; from++) {
                for (int to = from; to <= BITS - by; to += 5) {
                    long[] moved = words.clone();
                    BitMoves.up(moved, BASE, from, to, by);
                    long[] expected = words.clone();
                    for (int bit = to - 1; bit >= from; bit--) {
                        copyBit(words, bit, expected, bit + by);
                    }
                    assertThat(Arrays.equals(moved, expected))
                            .as("from %d to %d by %d", from, to, by)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void everyStretchOfThreeWordsMovesDownBitByBit() {
        long[] words = randomWords(2);
        for (int by : new int[] {1, 2, 7, 8, 31, 32, 33, 63}) {
            for (int from = by; from < BITS; from++) {
                for (int to = from; to <= BITS; to += 5) {
                    long[] moved = words.clone();
                    BitMoves.down(moved, BASE, from, to, by);
                    long[] expected = words.clone();
                    for (int bit = from; bit < to; bit++) {
                        copyBit(words, bit, expected, bit - by);
                    }
                    assertThat(Arrays.equals(moved, expected))
                            .as("from %d to %d by %d", from, to, by)
                            .isTrue();
                }
            }
        }
    }

    private static long[] randomWords(long seed) {
        return new SplittableRandom(seed).longs(7).toArray();
    }

    private static void copyBit(long[] source, int from, long[] target, int to) {
        long bit = source[BASE + (from >>> 6)] >>> from & 1;
        target[BASE + (to >>> 6)] = (target[BASE + (to >>> 6)] & ~(1L << to)) | (bit << to);
    }
}
