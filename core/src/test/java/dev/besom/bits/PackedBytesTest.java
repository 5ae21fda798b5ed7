package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PackedBytesTest {

    private static final int LENGTH = 200;

    static IntStream widths() {
        return IntStream.rangeClosed(1, 57);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void numbersAreThoseOfAPackedArrayAndSoAreItsWords(int width) {
        PackedArray array = new PackedArray(LENGTH, width);
        PackedBytes bytes = new PackedBytes(LENGTH, width);
        SplittableRandom random = new SplittableRandom(width);
        for (int step = 0; step < 2000; step++) {
            int index = step < LENGTH ? step : random.nextInt(LENGTH);
            long value = random.nextInt(3) == 0 ? -1L : random.nextLong();
            array.set(index, value);
            bytes.set(index, value);
        }
        assertSame(bytes, array);
        assertSame(PackedBytes.of(array), array);
        assertThat(bytes.toWords()).isEqualTo(array.words());
        assertThat(bytes.sizeInBits()).isEqualTo(array.sizeInBits());
    }

    private static void assertSame(PackedBytes bytes, PackedArray array) {
        long mask = (1L << array.widthInBits()) - 1;
        for (int i = 0; i < LENGTH; i++) {
            assertThat(bytes.get(i)).isEqualTo(array.get(i));
            assertThat(bytes.bitsFrom(i) & mask).isEqualTo(array.get(i));
        }
    }

    @Test
    void numbersOfOneAndOfTwoBytesAreReadAsSuch() {
        PackedBytes ones = new PackedBytes(LENGTH, 8);
        PackedBytes twos = new PackedBytes(LENGTH, 16);
        for (int i = 0; i < LENGTH; i++) {
            ones.set(i, 31L * i);
            twos.set(i, 3001L * i);
        }
        for (int i = 0; i < LENGTH; i++) {
            assertThat(ones.byteAt(i)).isEqualTo((byte) (31 * i));
            assertThat(twos.shortAt(i)).isEqualTo((short) (3001 * i));
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThat(PackedBytes.fits(1000, 57)).isTrue();
        assertThat(PackedBytes.fits(1000, 58)).isFalse();
        assertThat(PackedBytes.fits(1L << 31, 8)).isFalse();
        assertThat(PackedBytes.fits((1L << 31) - 64, 8)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedBytes(10, 58));
        assertThatIllegalArgumentException().isThrownBy(() -> new PackedBytes(1L << 31, 8));
    }
}
