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

    @Test
    void allWordsOfSixteenBitsHaveTheirZeroFieldsFound() {
        for (int width = 1; width <= 16; width++) {
            long lows = PackedFields.lows(width);
            long highs = PackedFields.highs(width);
            for (long word = 0; word < 1 << 16; word++) {
                // At both ends of the word, and beside fields that are all ones.
                for (long each : new long[] {word, word << 48, ~word, ~(word << 48)}) {
                    if (PackedFields.zeros(each, lows, highs) != zerosOneByOne(each, width)) {
                        throw new AssertionError(Long.toHexString(each) + " in fields of " + width);
                    }
                }
            }
        }
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
                assertThat(PackedFields.zeros(word, lows, highs)).isEqualTo(zerosOneByOne(word, width));
            }
        }
    }
}
