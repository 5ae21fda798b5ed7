package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GolombFilterTest {

    private static final long SEED = 0x676F6C6F6D62L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static GolombFilter build(double fpp, long... hashes) {
        return GolombFilter.build(FilterSpec.of(1, fpp), HashSource.of(hashes));
    }

    private static long number(GolombFilter filter, long hash) {
        GolombFilter.Scheme scheme = filter.scheme();
        long mixed = scheme.mixed(hash);
        return scheme.block(mixed) * scheme.blockRange() + scheme.numberInBlock(mixed);
    }

    /** A hash that has a number. */
    private static long hashOf(GolombFilter filter, long number) {
        GolombFilter.Scheme scheme = filter.scheme();
        // The least rest that gives the number in its block, one more for its lowest bit that is lost, and back to 128
        // bits.
        BigInteger rest = BigInteger.valueOf(number % scheme.blockRange())
                .shiftLeft(Long.SIZE)
                .divide(BigInteger.valueOf(scheme.blockRange()))
                .add(BigInteger.valueOf(2));
        BigInteger blockCount = BigInteger.valueOf(scheme.blockCount());
        long mixed = BigInteger.valueOf(number / scheme.blockRange())
                .shiftLeft(Long.SIZE)
                .add(rest)
                .divide(blockCount)
                .add(BigInteger.TWO)
                .longValue();
        long hash = Mix.unmix(mixed) - GolombFilter.SEED_SALT;
        assertThat(number(filter, hash)).isEqualTo(number);
        return hash;
    }

    private static long[] numbersOf(GolombFilter filter) {
        LongStream.Builder numbers = LongStream.builder();
        filter.forEachNumber(numbers);
        return numbers.build().toArray();
    }

    @Test
    void everyNumberOfKeysFromNoneOnIsFound() {
        IntStream.concat(IntStream.rangeClosed(0, 200), IntStream.of(1_000, 5_000, 50_000))
                .forEach(count -> {
                    long[] keys = hashes(count, count);
                    GolombFilter filter = build(0.01, keys);
                    assertThat(filter.count()).isEqualTo(count);
                    assertThat(Arrays.stream(keys)).allMatch(filter::mightContainHash);
                    GolombFilter again = GolombFilter.read(filter.image());
                    assertThat(Arrays.stream(keys)).allMatch(again::mightContainHash);
                });
    }

    /** Passing over many codes at once must answer as a plain set of the numbers does. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0.3, 0.1, 0.03, 0.01, 0.002, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12})
    void answersAreThoseOfASetOfNumbers(double fpp) {
        for (int remainderBits : new int[] {0, 1, 2, 3, 4, 7, 11, 16, 17, 31, 33, 40, 56}) {
            int usual = GolombMath.remainderBits(fpp);
            if (remainderBits != 0 && Math.abs(remainderBits - usual) > 5) {
                continue; // codes of the smallest remainders would have thousands of bits
            }
            FilterSpec spec = FilterSpec.of(1, fpp);
            long[] keys = hashes(3_000, Double.hashCode(fpp));
            GolombFilter filter = GolombFilter.build(
                    remainderBits == 0 ? spec : spec.with("remainderBits", Integer.toString(remainderBits)),
                    HashSource.of(keys));
            long range = filter.scheme().blockCount() * filter.scheme().blockRange();
            assertThat((double) range).isBetween(keys.length / fpp, keys.length / fpp + keys.length + 1);
            Set<Long> numbers = new HashSet<>();
            Arrays.stream(keys).map(hash -> number(filter, hash)).forEach(numbers::add);
            assertThat(numbersOf(filter))
                    .isEqualTo(
                            numbers.stream().mapToLong(Long::longValue).sorted().toArray());
            for (long near : keys) {
                for (long by = -2; by <= 2; by++) {
                    long number = Math.min(range - 1, Math.max(0, number(filter, near) + by));
                    assertThat(filter.mightContainHash(hashOf(filter, number)))
                            .as("number %d, fpp %s, remainders of %d bits", number, fpp, remainderBits)
                            .isEqualTo(numbers.contains(number));
                }
            }
            for (long hash : hashes(20_000, -1)) {
                assertThat(filter.mightContainHash(hash)).isEqualTo(numbers.contains(number(filter, hash)));
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "0.01, 1000000, 0.2",
        "0.001, 1000000, 0.2",
        "0.01, 100000, 0.2",
        "0.001, 100000, 0.2",
        "0.0078125, 300000, 0.25",
        "0.00390625, 1000000, 0.245"
    })
    void theSizeIsNearTheBound(double fpp, int count, double overhead) {
        GolombFilter filter = build(fpp, hashes(count, 10));
        double bound = GolombMath.boundBitsPerKey(fpp);
        assertThat((double) filter.sizeInBits() / count).isBetween(bound - 0.02, bound + overhead);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.25, 0.1, 0.01, 0.001, 1e-5})
    void codesAreAsLongAsTheFormulaSays(double fpp) {
        int count = 100_000;
        int remainderBits = GolombMath.remainderBits(fpp);
        GolombFilter filter = build(fpp, hashes(count, 11));
        long bits = 0;
        long before = 0;
        long[] numbers = numbersOf(filter);
        for (long number : numbers) {
            bits += ((number - before) >>> remainderBits) + 1 + remainderBits;
            before = number;
        }
        double rate = filter.expectedFpp();
        // A gap is at least 1, one more than the formula's.
        assertThat((double) bits / numbers.length)
                .isCloseTo(GolombMath.codeBits(rate, remainderBits), org.assertj.core.data.Offset.offset(0.55));
        assertThat(GolombMath.codeBits(rate, remainderBits))
                .isLessThan(Math.min(
                        GolombMath.codeBits(rate, remainderBits + 1),
                        remainderBits == 1 ? Double.MAX_VALUE : GolombMath.codeBits(rate, remainderBits - 1) + 1e-3));
    }

    /** Six standard deviations around what is predicted, on both sides. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.1, 0.01, 0.001})
    void theRateIsTheRateAskedFor(double fpp) {
        GolombFilter filter = build(fpp, hashes(30_000, 5));
        int queries = 1_000_000;
        double rate = filter.expectedFpp();
        assertThat(rate).isLessThanOrEqualTo(fpp);
        long falsePositives = Arrays.stream(hashes(queries, 6))
                .filter(filter::mightContainHash)
                .count();
        double sigma = Math.sqrt(queries * rate * (1 - rate));
        assertThat((double) falsePositives).isBetween(queries * rate - 6 * sigma, queries * rate + 6 * sigma);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000, 100_000})
    void numbersThatAreNoHashesMakeAWorkingFilter(int count) {
        long[] ids = LongStream.range(0, count).toArray();
        GolombFilter filter = build(0.01, ids);
        assertThat(Arrays.stream(ids)).allMatch(filter::mightContainHash);
        assertThat(filter.sizeInBits()).isLessThan((long) (8.4 * count) + 1_000);
        long falsePositives = LongStream.range(count, count + 100_000L)
                .filter(filter::mightContainHash)
                .count();
        assertThat(falsePositives).isBetween(count < 200 ? 0L : 700L, 1_300L);
    }

    @Test
    void repeatedHashesCostNothing() {
        long[] keys = hashes(10_000, 4);
        long[] twice = Arrays.copyOf(keys, 20_000);
        System.arraycopy(keys, 0, twice, 10_000, 10_000);
        assertThat(build(0.01, twice).image().sections())
                .usingElementComparator(Arrays::compare)
                .isEqualTo(build(0.01, keys).image().sections());
    }

    @Test
    void aRateOfNumbersThatAreTooWideIsRefused() {
        assertThatThrownBy(() -> build(1e-18, hashes(1_000, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.0E-18");
    }

    /** Any single bit that is changed makes another set or none, and never a filter that fails later. */
    @Test
    void aDamagedImageIsRefusedOrWorks() {
        GolombFilter filter = build(0.01, hashes(3_000, 1));
        FilterImage image = filter.image();
        long[] queries = hashes(200, 2);
        int refused = 0;
        for (int section = 0; section < 3; section++) {
            long[] words = image.sections().get(section);
            for (int bit = 0; bit < Words.count(words) * Long.SIZE; bit += 7) {
                words[Words.LEAD + (bit >>> 6)] ^= 1L << bit;
                try {
                    GolombFilter forged = GolombFilter.read(image);
                    assertThat(Arrays.stream(queries)
                                    .filter(forged::mightContainHash)
                                    .count())
                            .isLessThan(50);
                } catch (MalformedFilterException e) {
                    refused++;
                }
                words[Words.LEAD + (bit >>> 6)] ^= 1L << bit;
            }
        }
        assertThat(refused).isGreaterThan(500);
        for (int parameter = 0; parameter < image.parameterCount(); parameter++) {
            for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 0}) {
                long[] changed = new long[image.parameterCount()];
                Arrays.setAll(changed, image::parameter);
                boolean isLargeRange = parameter == 1 && value == 1L << 40;
                if (changed[parameter] == value || parameter == 3 || isLargeRange) {
                    continue; // any seed is one, and any range that all numbers are below
                }
                changed[parameter] = value;
                FilterImage forged = new FilterImage("golomb", changed, image.sections());
                assertThatThrownBy(() -> GolombFilter.read(forged))
                        .as("parameter %d of %d", parameter, value)
                        .isInstanceOf(MalformedFilterException.class);
            }
        }
    }
}
