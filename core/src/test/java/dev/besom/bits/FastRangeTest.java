package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastRangeTest {

    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    private static final long[] HASHES = {
        0,
        1,
        2,
        Integer.MAX_VALUE,
        1L << 32,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        -2,
        -1
    };

    @Test
    void aHashIsAFractionOfTheSize() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            long size = 1 + (random.nextLong() >>> (2 + random.nextInt(62)));
            checkFraction(random.nextLong(), size);
            checkFraction(HASHES[i % HASHES.length], size);
        }
        for (long hash : HASHES) {
            for (long size : new long[] {1, 2, 3, 1L << 31, (1L << 31) + 1, 1L << 62, Long.MAX_VALUE}) {
                checkFraction(hash, size);
            }
        }
    }

    @Test
    void thePlacesOfSmallSizesStartAtTheirSmallestHash() {
        for (int size = 1; size <= 300; size++) {
            for (int place = 0; place < size; place++) {
                checkStart(place, size);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                1000003,
                (1L << 31) - 1,
                1L << 31,
                (1L << 31) + 1,
                3_000_000_019L,
                1L << 32,
                (1L << 40) + 12345,
                (1L << 62) - 1,
                1L << 62,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE
            })
    void thePlacesOfLargeSizesStartAtTheirSmallestHash(long size) {
        SplittableRandom random = new SplittableRandom(size);
        for (int i = 0; i < 3000; i++) {
            checkStart(random.nextLong(size), size);
        }
        for (long place : new long[] {0, 1, 2, size / 2, size - 2, size - 1}) {
            checkStart(place, size);
        }
    }

    @Test
    void halfAHashIsAFractionOfTheSizeToo() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            long half = i < 4 ? new long[] {0, 1, 0xFFFFFFFEL, 0xFFFFFFFFL}[i] : random.nextLong() >>> 32;
            long size = 1 + (random.nextLong() >>> (33 + random.nextInt(31)));
            BigInteger expected =
                    BigInteger.valueOf(half).multiply(BigInteger.valueOf(size)).shiftRight(32);
            assertThat(FastRange.placeOfHalf(half, size)).isEqualTo(expected.longValueExact());
        }
    }

    @Test
    void placesAreInTheOrderOfHashes() {
        SplittableRandom random = new SplittableRandom(2);
        for (long size : new long[] {1, 2, 7, 1000, (1L << 33) + 5, Long.MAX_VALUE}) {
            for (int i = 0; i < 5000; i++) {
                long one = random.nextLong();
                long other = i % 2 == 0 ? random.nextLong() : one + random.nextInt(1000);
                int order = Long.compareUnsigned(one, other);
                int places = Long.compare(FastRange.place(one, size), FastRange.place(other, size));
                assertThat(places == 0 || places < 0 == order < 0).isTrue();
            }
        }
    }

    private static void checkFraction(long hash, long size) {
        BigInteger expected = unsigned(hash).multiply(BigInteger.valueOf(size)).shiftRight(64);
        assertThat(FastRange.place(hash, size))
                .as("hash %x of size %d", hash, size)
                .isEqualTo(expected.longValueExact());
    }

    private static void checkStart(long place, long size) {
        BigInteger[] quotient =
                BigInteger.valueOf(place).multiply(TWO_TO_64).divideAndRemainder(BigInteger.valueOf(size));
        BigInteger expected = quotient[1].signum() == 0 ? quotient[0] : quotient[0].add(BigInteger.ONE);
        long start = FastRange.start(place, size);
        assertThat(unsigned(start)).as("place %d of %d", place, size).isEqualTo(expected);
        assertThat(FastRange.place(start, size)).isEqualTo(place);
        if (place > 0) {
            assertThat(FastRange.place(start - 1, size)).isEqualTo(place - 1);
            assertThat(FastRange.end(place - 1, size)).isEqualTo(start - 1);
        }
        assertThat(FastRange.end(size - 1, size)).isEqualTo(-1);
    }

    private static BigInteger unsigned(long number) {
        return new BigInteger(Long.toUnsignedString(number));
    }

    @Test
    void bothWaysToMultiplyAgree() {
        long[] ends = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x9E3779B97F4A7C15L};
        for (long hash : ends) {
            for (long size : new long[] {1, 2, 3, 1000, 1L << 40, Long.MAX_VALUE}) {
                assertThat(FastRange.place(hash, size)).isEqualTo(FastRange.highBySignedProduct(hash, size));
            }
        }
    }

    @Test
    void thePlaceOfAnEvenHashIsItsPlace() {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 10_000; i++) {
            long hash = random.nextLong();
            long size = 1 + (random.nextLong() >>> (2 + random.nextInt(61)));
            assertThat(FastRange.placeOfEven(hash, 2 * size)).isEqualTo(FastRange.place(hash & ~1, size));
        }
        assertThat(FastRange.placeOfEven(-1, 2 * 10)).isEqualTo(9);
        assertThat(FastRange.placeOfEven(0, 2 * 10)).isZero();
    }
}
