package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedFieldsTest {

    private static long zerosOneByOne(long word, int width) {
        long zeros = 0;
        for (int field = 0; field < Long.SIZE / width; field++) {
            if (width < Long.SIZE ? (word >>> (field * width) & ((1L << width) - 1)) == 0 : word == 0) {
                zeros |= 1L << (field * width + width - 1);
            }
        }
        return zeros;
    }

    /** The zero fields of a word as both ways find them, against a look at each field. */
    private static void check(long word, int width, long lows, long highs) {
        long expected = zerosOneByOne(word, width);
        long rough = PackedFields.roughZeros(word, lows, highs);
        if (PackedFields.zeros(word, lows, highs) != expected
                || Long.lowestOneBit(rough) != Long.lowestOneBit(expected)) {
            throw new AssertionError(Long.toHexString(word) + " in fields of " + width);
        }
    }

    @Test
    void allWordsOfSixteenBitsHaveTheirZeroFieldsFound() {
        for (int width = 1; width <= 16; width++) {
            long lows = PackedFields.lows(width);
            long highs = PackedFields.highs(width);
            for (long word = 0; word < 1 << 16; word++) {
                // At both ends of the word, and beside fields that are all ones.
                for (long each : new long[] {word, word << 48, ~word, ~(word << 48)}) {
                    check(each, width, lows, highs);
                }
            }
        }
    }

    @Test
    void aboveAFieldOfZeroTheRoughWayTakesAOneForAZero() {
        long lows = PackedFields.lows(8);
        long highs = PackedFields.highs(8);
        assertThat(PackedFields.roughZeros(0x0202_0202_0202_0100L, lows, highs)).isEqualTo(0x8080);
        assertThat(PackedFields.zeros(0x0202_0202_0202_0100L, lows, highs)).isEqualTo(0x80);
        assertThat(PackedFields.roughZeros(0x0202_0202_0202_0001L, lows, highs)).isEqualTo(0x8000);
    }

    @Test
    void zeroFieldsAreFoundAtEveryWidth() {
        SplittableRandom random = new SplittableRandom(4);
        for (int width = 1; width <= Long.SIZE; width++) {
            long lows = PackedFields.lows(width);
            long highs = PackedFields.highs(width);
            assertThat(Long.bitCount(lows)).isEqualTo(PackedFields.perWord(width));
            for (int i = 0; i < 2_000; i++) {
                long half = random.nextLong();
                long quarter = half & random.nextLong();
                long word = quarter & random.nextLong();
                check(word, width, lows, highs);
            }
        }
    }
}
