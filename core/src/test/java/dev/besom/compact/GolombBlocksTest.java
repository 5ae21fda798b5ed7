package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that no good hash function makes: crowded at one end, of one number, of thousands. */
class GolombBlocksTest {

    private static final long SEED = 0x626C6F636B73L;

    private static final QuotientLine[] LINES = {
        new QuotientLine(0, 0),
        new QuotientLine(-(1L << 40), 0),
        new QuotientLine(Long.MAX_VALUE, Long.MAX_VALUE),
        new QuotientLine(3L << 31, 0),
        new QuotientLine(1L << 32, 1L << 24)
    };

    /** Whatever a line says, a block holds its numbers and no other. */
    private static void check(long[] numbers, int remainderBits) {
        for (QuotientLine line : LINES) {
            int size = (int) GolombBlocks.bytesOf(numbers, 0, numbers.length, remainderBits);
            GolombBlocks blocks = GolombBlocks.allocate(3 + size + 5, remainderBits, line);
            blocks.write(3, 3 + size, numbers, 0, numbers.length);
            LongStream.Builder read = LongStream.builder();
            assertThat(blocks.forEach(3, 3 + size, read)).isTrue();
            assertThat(read.build().toArray()).isEqualTo(numbers);
            int start = GolombBlocks.LEAD + 3;
            for (long number : numbers) {
                for (long near = Math.max(0, number - 2); near <= number + 2; near++) {
                    assertThat(blocks.contains(start, start + size, near))
                            .as(
                                    "%d of %d numbers, remainders of %d bits, %s",
                                    near, numbers.length, remainderBits, line)
                            .isEqualTo(Arrays.binarySearch(numbers, near) >= 0);
                }
            }
            long beyond = numbers.length == 0 ? 0 : numbers[numbers.length - 1] + 1;
            for (long number :
                    new long[] {beyond, 2 * beyond + 1, beyond + (100L << remainderBits), Long.MAX_VALUE >>> 2}) {
                assertThat(blocks.contains(start, start + size, number)).isFalse();
            }
        }
    }

    private static long[] numbers(int count, long range, long stream) {
        return LongStream.range(0, count)
                .map(i -> Long.remainderUnsigned(Mix.expand(i, SEED, stream), range))
                .sorted()
                .distinct()
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 19, 28, 29, 40, 56})
    void blocksOfAllLengthsHoldTheirNumbers(int remainderBits) {
        long unit = 1L << remainderBits;
        check(new long[0], remainderBits);
        check(new long[] {0}, remainderBits);
        check(new long[] {unit - 1}, remainderBits);
        check(new long[] {unit}, remainderBits);
        check(new long[] {37 * unit + 5}, remainderBits);
        for (int count : new int[] {2, 7, 8, 9, 31, 32, 33, 64, 65, 95, 96, 97, 130, 700}) {
            check(numbers(count, (long) Math.min(0x1p60, 2.0 * count * unit), count), remainderBits);
        }
    }

    /** More numbers than can be added up, a crowd before or behind a gap, and gaps that are longer than a read. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 6, 7, 9, 14, 20})
    void unevenBlocksHoldTheirNumbers(int remainderBits) {
        long unit = 1L << remainderBits;
        check(LongStream.range(0, 2_000).toArray(), remainderBits);
        check(LongStream.range(0, 600).map(i -> i * unit).toArray(), remainderBits);
        check(LongStream.range(0, 100).map(i -> i * 61 * unit).toArray(), remainderBits);
        check(
                LongStream.concat(LongStream.range(0, 150), LongStream.range(300 * unit, 300 * unit + 150))
                        .toArray(),
                remainderBits);
        check(
                LongStream.concat(LongStream.of(0), LongStream.range(0, 150).map(i -> 900 * unit + 3 * i))
                        .toArray(),
                remainderBits);
    }

    @Test
    void onlyZeroBecomesNegative() {
        for (int value :
                new int[] {1, -1, 2, -2, 7, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -Integer.MAX_VALUE}) {
            assertThat(GolombBlocks.negativeIfZero(value)).isNotNegative();
        }
        for (int value = -5_000; value <= 5_000; value++) {
            assertThat(GolombBlocks.negativeIfZero(value) < 0).isEqualTo(value == 0);
        }
    }

    @Test
    void aNumberBelowAnotherMakesAMaskOfOnes() {
        for (int number = 0; number < 70; number++) {
            for (int other = 0; other < 70; other++) {
                assertThat(GolombBlocks.allOnesIfBelow(number, other)).isEqualTo(number < other ? -1 : 0);
            }
        }
    }
}
