package dev.besom.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.MalformedFilterException;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RibbonFilterTest {

    private static final long SEED = 0x726962626F6EL;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static RibbonFilter build(int width, long... hashes) {
        return RibbonFilter.build(
                FilterSpec.of(1, 0.5).with("fingerprintBits", Integer.toString(width)), HashSource.of(hashes));
    }

    private static void assertAllFound(RibbonFilter filter, long[] hashes) {
        for (long hash : hashes) {
            assertThat(filter.mightContainHash(hash)).as("hash %x", hash).isTrue();
        }
        long[] result = new long[(hashes.length + 63) / 64];
        filter.mightContainHashes(hashes, 0, hashes.length, result);
        assertThat(Arrays.stream(result).map(Long::bitCount).sum()).isEqualTo(hashes.length);
    }

    @Test
    void everyNumberOfKeysFromNoneOnIsFound() {
        IntStream.concat(
                        IntStream.rangeClosed(0, 200),
                        IntStream.of(1_000, 1_999, 2_000, 2_001, 2_100, 5_000, 20_000, 100_000))
                .forEach(count -> {
                    long[] keys = hashes(count, count);
                    RibbonFilter filter = build(8, keys);
                    assertThat(filter.count()).isEqualTo(count);
                    assertAllFound(filter, keys);
                    assertAllFound(RibbonFilter.read(filter.image()), keys);
                });
    }

    @Test
    void aFilterWithoutKeysHoldsNothing() {
        RibbonFilter empty = build(8);
        assertThat(Arrays.stream(hashes(10_000, 1)).anyMatch(empty::mightContainHash))
                .isFalse();
        assertThat(empty.expectedFpp()).isZero();
    }

    /** Six standard deviations around what is predicted, on both sides. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 8, 9, 12, 16, 25, 32})
    void everyWidthHasItsRate(int width) {
        long[] keys = hashes(20_000, width);
        RibbonFilter filter = build(width, keys);
        assertAllFound(filter, keys);
        int queries = 500_000;
        double rate = Math.scalb(1.0, -width);
        assertThat(filter.expectedFpp()).isEqualTo(rate);
        long falsePositives = Arrays.stream(hashes(queries, 1_000 + width))
                .filter(filter::mightContainHash)
                .count();
        double sigma = Math.sqrt(queries * rate * (1 - rate));
        assertThat((double) falsePositives).isBetween(queries * rate - 6 * sigma - 1, queries * rate + 6 * sigma + 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"4, 1.01", "7, 1.0075", "8, 1.006", "16, 1.005"})
    void aMillionKeysAreWithinOnePercentOfTheBound(int width, double mostOverBound) {
        long[] keys = hashes(1_000_000, 10);
        RibbonFilter filter = build(width, keys);
        assertThat((double) filter.sizeInBits() / keys.length / width).isBetween(1.0, mostOverBound);
        assertAllFound(filter, keys);
    }

    @Test
    void repeatedHashesAreFoundAndCostNothing() {
        long[] keys = hashes(50_000, 4);
        long[] twice = Arrays.copyOf(keys, 100_000);
        System.arraycopy(keys, 0, twice, 50_000, 50_000);
        RibbonFilter filter = build(8, twice);
        assertAllFound(filter, keys);
        assertAllFound(build(8, new long[100_000]), new long[1]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000, 100_000})
    void numbersThatAreNoHashesMakeAWorkingFilter(int count) {
        long[] ids = LongStream.range(0, count).toArray();
        RibbonFilter filter = build(8, ids);
        assertAllFound(filter, ids);
        assertThat(filter.sizeInBits()).isLessThan((long) (8.3 * count) + 4_000);
        long falsePositives = LongStream.range(count, count + 100_000L)
                .filter(filter::mightContainHash)
                .count();
        assertThat(falsePositives).isBetween(270L, 520L);
    }

    @Test
    void theOrderOfTheSourceDoesNotMatter() {
        long[] keys = hashes(30_000, 9);
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        assertThat(build(8, sorted).image().sections())
                .usingElementComparator(Arrays::compare)
                .isEqualTo(build(8, keys).image().sections());
    }

    @Test
    void aDamagedImageIsRefused() {
        FilterImage image = build(8, hashes(5_000, 1)).image();
        for (int parameter = 0; parameter < image.parameterCount(); parameter++) {
            if (parameter == 2) {
                continue; // any seed is one
            }
            for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
                long[] changed = new long[image.parameterCount()];
                Arrays.setAll(changed, image::parameter);
                changed[parameter] = value;
                FilterImage forged = new FilterImage("ribbon", changed, image.sections());
                assertThatThrownBy(() -> RibbonFilter.read(forged))
                        .as("parameter %d of %d", parameter, value)
                        .isInstanceOf(MalformedFilterException.class);
            }
        }
    }
}
