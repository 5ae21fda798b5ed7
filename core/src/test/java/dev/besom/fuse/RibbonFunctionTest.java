package dev.besom.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RibbonFunctionTest {

    private static final long SEED = 0x7269626266756E63L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static int payload(long hash, int width) {
        return (int) (Mix.mix(hash + 1) >>> (Long.SIZE - width));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 32", "63, 5", "64, 7", "2000, 1", "2001, 8", "5000, 32", "60000, 3", "100000, 1"})
    void everyHashIsMappedToItsPayloadAndToNoOther(int count, int width) {
        long[] hashes = hashes(count, 1);
        RibbonFunction built = RibbonFunction.build(hashes, hash -> payload(hash, width), width, 7);
        for (RibbonFunction function : new RibbonFunction[] {built, RibbonFunction.read(built.image())}) {
            assertThat(Arrays.stream(hashes).filter(hash -> function.maps(hash, payload(hash, width))))
                    .hasSize(count);
            assertThat(Arrays.stream(hashes).filter(hash -> function.maps(hash, payload(hash, width) ^ 1)))
                    .isEmpty();
            assertThat(function.count()).isEqualTo(count);
            assertThat(function.width()).isEqualTo(width);
        }
    }

    /** Numbers in order are no hashes, and are as good. */
    @ParameterizedTest
    @CsvSource({"1, 3000", "4096, 3000"})
    void numbersInOrderAreMappedToo(long step, int count) {
        long[] numbers = LongStream.range(0, count).map(i -> i * step).toArray();
        RibbonFunction function = RibbonFunction.build(numbers, hash -> (int) (hash / step & 15), 4, 1);
        assertThat(Arrays.stream(numbers).filter(number -> function.maps(number, number / step & 15)))
                .hasSize(count);
    }

    @ParameterizedTest
    @CsvSource({"100000, 1, 1.025", "100000, 8, 1.008", "10000, 1, 1.06"})
    void theSizeIsNearTheBitsOfThePayloads(int count, int width, double most) {
        RibbonFunction function = RibbonFunction.build(hashes(count, 2), hash -> payload(hash, width), width, 3);
        assertThat((double) function.sizeInBits() / count / width).isBetween(1.0, most);
    }

    /** Six standard deviations around what is predicted, on both sides. */
    @ParameterizedTest
    @CsvSource({"1", "6"})
    void otherHashesAreMappedByChance(int width) {
        RibbonFunction function = RibbonFunction.build(hashes(5_000, 3), hash -> payload(hash, width), width, 3);
        int queries = 200_000;
        double rate = Math.scalb(1.0, -width);
        double sigma = Math.sqrt(queries * rate * (1 - rate));
        long mapped = Arrays.stream(hashes(queries, 4))
                .filter(hash -> function.maps(hash, payload(hash, width)))
                .count();
        assertThat((double) mapped).isBetween(queries * rate - 6 * sigma, queries * rate + 6 * sigma);
    }
}
