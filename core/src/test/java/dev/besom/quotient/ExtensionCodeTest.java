package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What both codes of extensions promise, and how much each one packs. */
class ExtensionCodeTest {

    private static final int SLOTS = ExtensionCode.SLOTS;

    static Stream<ExtensionCode> codes() {
        return Stream.of(EnumerativeExtensionCode.INSTANCE, ShiftExtensionCode.INSTANCE);
    }

    @Test
    void anExtensionIsAPrefixOfTheWordItCameFrom() {
        long word = 0xfedcba9876543210L;
        for (int length = 0; length <= 62; length++) {
            long extension = ExtensionCode.extension(word, length);
            assertThat(ExtensionCode.length(extension)).isEqualTo(length);
            assertThat(ExtensionCode.isPrefix(extension, word)).isTrue();
            assertThat(ExtensionCode.isPrefix(extension, word ^ 1L << length)).isTrue();
            if (length > 0) {
                assertThat(ExtensionCode.isPrefix(extension, word ^ 1L << (length - 1)))
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void noExtensionsHaveTheCodeZero(ExtensionCode code) {
        long[] extensions = new long[SLOTS];
        code.decode(0, extensions);
        assertThat(extensions).containsOnly(ExtensionCode.EMPTY);
        assertThat(code.encode(extensions)).isZero();
        assertThat(code.extensionAt(0, 63)).isEqualTo(ExtensionCode.EMPTY);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void allShortExtensionsOfTwoSlotsFitAndComeOutAgain(ExtensionCode code) {
        for (int first = 0; first < SLOTS; first++) {
            for (int second = first + 1; second < SLOTS; second++) {
                for (int which = 0; which < 7 * 7; which++) {
                    long[] extensions = none();
                    extensions[first] = 1L + which % 7;
                    extensions[second] = 1L + which / 7;
                    assertThat(assertRoundTripOrRefusal(code, extensions)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void extensionsOfAnyRateComeOutAgain(ExtensionCode code) {
        SplittableRandom random = new SplittableRandom(0xe1);
        int fitting = 0;
        for (int round = 0; round < 20_000; round++) {
            if (assertRoundTripOrRefusal(code, drawn(random, random.nextDouble(0.2)))) {
                fitting++;
            }
        }
        assertThat(fitting).isBetween(5_000, 19_000);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void oneLongExtensionFitsAnywhere(ExtensionCode code) {
        int most = code instanceof ShiftExtensionCode ? 20 : 46;
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int length = 1; length <= most; length++) {
                long[] extensions = none();
                extensions[slot] = ExtensionCode.extension(0x9e3779b97f4a7c15L, length);
                assertThat(assertRoundTripOrRefusal(code, extensions)).isTrue();
            }
            long[] extensions = none();
            extensions[slot] = ExtensionCode.extension(-1, 60);
            assertThat(code.encode(extensions)).isEqualTo(ExtensionCode.DOES_NOT_FIT);
        }
    }

    private static boolean assertRoundTripOrRefusal(ExtensionCode code, long[] extensions) {
        long packed = code.encode(extensions);
        if (packed == ExtensionCode.DOES_NOT_FIT) {
            return false;
        }
        assertThat(packed >>> ExtensionCode.BITS).isZero();
        long[] decoded = new long[SLOTS];
        code.decode(packed, decoded);
        if (!Arrays.equals(decoded, extensions)) {
            assertThat(decoded).isEqualTo(extensions);
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            if (code.extensionAt(packed, slot) != extensions[slot]) {
                assertThat(code.extensionAt(packed, slot)).as("slot " + slot).isEqualTo(extensions[slot]);
            }
        }
        return true;
    }

    @ParameterizedTest
    @MethodSource("codes")
    void anyNumberDecodesAndOneThatIsNoCodeIsSeen(ExtensionCode code) {
        SplittableRandom random = new SplittableRandom(0xe2);
        long[] decoded = new long[SLOTS];
        for (int round = 0; round < 50_000; round++) {
            long number = random.nextLong(1L << ExtensionCode.BITS) >>> random.nextInt(ExtensionCode.BITS);
            code.decode(number, decoded);
            for (int slot = 0; slot < SLOTS; slot += 7) {
                if (code.extensionAt(number, slot) != decoded[slot]) {
                    assertThat(code.extensionAt(number, slot)).isEqualTo(decoded[slot]);
                }
            }
            assertThat(code.isCode(number)).isEqualTo(code.encode(decoded) == number);
        }
        assertThat(code.isCode(1L << ExtensionCode.BITS)).isFalse();
        assertThat(code.isCode(-1)).isFalse();
    }

    @Test
    void theEnumerativeCodeFitsAClassExactlyIfAllClassesOfAtMostItsSizeFitTogether() {
        BigInteger room = BigInteger.ONE.shiftLeft(ExtensionCode.BITS);
        for (int slots = 1; slots <= SLOTS; slots++) {
            for (int bits = slots; bits < 60; bits++) {
                BigInteger size = size(slots, bits);
                boolean fits = size.compareTo(room) <= 0;
                if (fits) {
                    BigInteger together = BigInteger.ONE;
                    for (int otherSlots = 1; otherSlots <= SLOTS; otherSlots++) {
                        for (int otherBits = otherSlots; otherBits < 60; otherBits++) {
                            BigInteger other = size(otherSlots, otherBits);
                            int order = other.compareTo(size);
                            if (order < 0 || (order == 0 && otherSlots <= slots)) {
                                together = together.add(other);
                            }
                        }
                    }
                    fits = together.compareTo(room) <= 0;
                }
                assertThat(EnumerativeExtensionCode.fits(slots, bits))
                        .as(slots + " slots, " + bits + " bits")
                        .isEqualTo(fits);
                long[] extensions = none();
                for (int slot = 0; slot < slots; slot++) {
                    int length = slot == 0 ? bits - slots + 1 : 1;
                    extensions[SLOTS - 1 - slot] = ExtensionCode.extension(0x5555555555555555L, length);
                }
                assertThat(EnumerativeExtensionCode.INSTANCE.encode(extensions) != ExtensionCode.DOES_NOT_FIT)
                        .isEqualTo(fits);
            }
        }
    }

    private static BigInteger size(int slots, int bits) {
        return choose(SLOTS, slots).multiply(choose(bits - 1, slots - 1)).shiftLeft(bits);
    }

    private static BigInteger choose(int of, int size) {
        BigInteger ways = BigInteger.ONE;
        for (int member = 1; member <= size; member++) {
            ways = ways.multiply(BigInteger.valueOf(of - member + 1)).divide(BigInteger.valueOf(member));
        }
        return ways;
    }

    @Test
    void magnitudesRiseWithTheNumberAndStartAtTheirLeast() {
        int before = 0;
        for (long number = 0; number < 100_000; number++) {
            int magnitude = EnumerativeExtensionCode.magnitude(number);
            assertThat(magnitude).isBetween(before, before + 1);
            assertThat(EnumerativeExtensionCode.leastOfMagnitude(magnitude))
                    .isEqualTo(
                            magnitude == before && number > 0
                                    ? EnumerativeExtensionCode.leastOfMagnitude(before)
                                    : number);
            before = magnitude;
        }
        assertThat(EnumerativeExtensionCode.magnitude(Long.MAX_VALUE)).isLessThan(256);
    }

    @Test
    void theEnumerativeCodeNumbersItsFirstClassesWithoutGaps() {
        long[] decoded = new long[SLOTS];
        for (int number = 0; number < 300_000; number++) {
            EnumerativeExtensionCode.INSTANCE.decode(number, decoded);
            if (EnumerativeExtensionCode.INSTANCE.encode(decoded) != number) {
                assertThat(EnumerativeExtensionCode.INSTANCE.encode(decoded)).isEqualTo(number);
            }
        }
    }

    @Test
    void theArithmeticCodeRefusesWhatHasMoreInformationThanItsBitsAndNothingWithTwoBitsLess() {
        SplittableRandom random = new SplittableRandom(0xe3);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            long[] extensions = drawn(random, 0.05 + random.nextDouble(0.1));
            double information = 0;
            for (long extension : extensions) {
                int length = ExtensionCode.length(extension);
                information += length == 0 ? Math.log(8 / 7.0) / Math.log(2) : 3 + 2 * length;
            }
            boolean fits = ShiftExtensionCode.INSTANCE.encode(extensions) != ExtensionCode.DOES_NOT_FIT;
            // Rounding down the small intervals at the end costs at most a little more than a bit; trailing empty
            // extensions are free once the interval is a single number.
            double trailing = 0;
            for (int slot = SLOTS - 1; slot >= 0 && extensions[slot] == ExtensionCode.EMPTY; slot--) {
                trailing += Math.log(8 / 7.0) / Math.log(2);
            }
            if (information - trailing > ExtensionCode.BITS + 0.5) {
                assertThat(fits).isFalse();
            }
            if (information < ExtensionCode.BITS - 2) {
                assertThat(fits).isTrue();
            }
            refused += fits ? 0 : 1;
        }
        assertThat(refused).isBetween(1_000, 19_000);
    }

    @Test
    void repairsThatFitABlockAreAsManyAsStated() {
        assertThat(meanCapacity(EnumerativeExtensionCode.INSTANCE)).isBetween(6.5, 6.9);
        assertThat(meanCapacity(ShiftExtensionCode.INSTANCE)).isBetween(6.2, 6.6);
    }

    /** Mean repairs of a block before the first that does not fit: each adds bits up to the first that differs. */
    static double meanCapacity(ExtensionCode code) {
        SplittableRandom random = new SplittableRandom(0xca9ac178L);
        int rounds = 4_000;
        long repairs = 0;
        for (int round = 0; round < rounds; round++) {
            long[] extensions = none();
            while (true) {
                int slot = random.nextInt(SLOTS);
                int length = ExtensionCode.length(extensions[slot]);
                int added = 1 + Long.numberOfTrailingZeros(random.nextLong() | 1L << 40);
                extensions[slot] = ExtensionCode.extension(
                        extensions[slot] ^ 1L << length ^ random.nextLong() << length, length + added);
                if (code.encode(extensions) == ExtensionCode.DOES_NOT_FIT) {
                    break;
                }
                repairs++;
            }
        }
        return (double) repairs / rounds;
    }

    private static long[] none() {
        long[] extensions = new long[SLOTS];
        Arrays.fill(extensions, ExtensionCode.EMPTY);
        return extensions;
    }

    private static long[] drawn(SplittableRandom random, double rate) {
        long[] extensions = none();
        for (int slot = 0; slot < SLOTS; slot++) {
            if (random.nextDouble() < rate) {
                int length = 1 + Long.numberOfTrailingZeros(random.nextLong() | 1L << 20);
                extensions[slot] = ExtensionCode.extension(random.nextLong(), length);
            }
        }
        return extensions;
    }
}
