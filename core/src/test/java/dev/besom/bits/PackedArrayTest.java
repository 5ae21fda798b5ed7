package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackedArrayTest {

    static IntStream widths() {
        return IntStream.rangeClosed(1, 64);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void eachNumberKeepsToItself(int width) {
        int length = 200;
        long mask = width == 64 ? -1 : (1L << width) - 1;
        PackedArray array = new PackedArray(length, width);
        long[] model = new long[length];
        SplittableRandom random = new SplittableRandom(width);
        for (int step = 0; step < 2000; step++) {
            int index = step < length ? step : random.nextInt(length);
            long value = switch (random.nextInt(4)) {
                case 0 -> -1L;
                case 1 -> 0L;
                default -> random.nextLong();
            };
            array.set(index, value);
            model[index] = value & mask;
            if (step % 50 == 0) {
                assertSame(array, model);
            }
        }
        assertSame(array, model);
        assertThat(array.length()).isEqualTo(length);
        assertThat(array.widthInBits()).isEqualTo(width);
        assertThat(array.sizeInBits()).isEqualTo(64L * ((length * width + 63) / 64 + 1));
        long[] words = array.words();
        assertThat(words[words.length - 1]).as("the word that ends the array").isZero();
        assertSame(new PackedArray(words, length, width), model);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void sumsThatDoNotFitBecomeTheHighestNumber(int width) {
        int most = (1 << width) - 1;
        for (int shift = 0; shift <= most; shift++) {
            PackedArray left = new PackedArray(most + 1, width);
            PackedArray right = new PackedArray(most + 1, width);
            for (int i = 0; i <= most; i++) {
                left.set(i, i);
                right.set(i, i + shift);
            }
            left.addSaturating(right);
            for (int i = 0; i <= most; i++) {
                assertThat(left.get(i)).isEqualTo(Math.min(most, i + (i + shift & most)));
                assertThat(right.get(i)).as("what was added").isEqualTo(i + shift & most);
            }
        }
    }

    @Test
    void sizesThatDoNotFitAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(1, 65));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(-1, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(Long.MAX_VALUE, 64));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(1L << 40, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(Words.allocate(1), 1, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedArray(Words.allocate(3), 1, 5));
        assertThat(new PackedArray(Words.allocate(2), 12, 5).get(11)).isZero();
        assertThat(new PackedArray(0, 7).length()).isZero();
    }

    /** The largest length that is let through needs no more words than an array can have. */
    @ParameterizedTest
    @MethodSource("widths")
    void theLargestLengthStillFitsAnArray(int width) {
        long low = 0;
        long high = Words.MAX_COUNT * 64;
        while (low < high) {
            long middle = (low + high + 1) / 2;
            try {
                PackedArray.wordCount(middle, width);
                low = middle;
            } catch (IllegalArgumentException e) {
                high = middle - 1;
            }
        }
        assertThat(PackedArray.wordCount(low, width)).isEqualTo(Words.MAX_COUNT);
    }

    private static void assertSame(PackedArray array, long[] model) {
        for (int i = 0; i < model.length; i++) {
            assertThat(array.get(i)).isEqualTo(model[i]);
        }
    }
}
