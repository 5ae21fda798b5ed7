package dev.besom.quotient.tags;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.adaptive.Extensions;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What both codes of extensions promise, and how much each one packs. */
class ExtensionCodeTest {

    private static final int SLOTS = BlockCode.SLOTS;
    private static final int BITS = 56;
    private static final EnumerativeExtensionCode ENUMERATIVE = new EnumerativeExtensionCode(SLOTS, BITS);
    private static final ShiftExtensionCode ARITHMETIC = new ShiftExtensionCode(SLOTS, BITS);

    /** The empty extension, those of one bit and those of two. */
    private static final long[] SHORTEST = {0, 2, 3, 4, 5, 6, 7};

    static Stream<BlockCode> codes() {
        return Stream.of(
                new EnumerativeExtensionCode(SLOTS, 62),
                new ShiftExtensionCode(SLOTS, 62),
                new EnumerativeExtensionCode(SLOTS / 2, 56),
                new ShiftExtensionCode(SLOTS / 2, 56));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void noExtensionsHaveTheCodeZero(BlockCode code) {
        long[] extensions = new long[code.slots];
        code.decode(0, extensions, 0);
        assertThat(extensions).containsOnly(0L);
        assertThat(code.encode(extensions, 0)).isZero();
        assertThat(code.tagAt(0, code.slots - 1)).isEqualTo(0L);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void allShortExtensionsOfTwoSlotsFitAndComeOutAgain(BlockCode code) {
        for (int first = 0; first < code.slots; first++) {
            for (int second = first + 1; second < code.slots; second++) {
                for (int which = 0; which < 7 * 7; which++) {
                    long[] extensions = none(code.slots);
                    extensions[first] = SHORTEST[which % 7];
                    extensions[second] = SHORTEST[which / 7];
                    assertThat(assertRoundTripOrRefusal(code, extensions)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void extensionsOfAnyRateComeOutAgain(BlockCode code) {
        SplittableRandom random = new SplittableRandom(0xe1);
        int fitting = 0;
        for (int round = 0; round < 20_000; round++) {
            if (assertRoundTripOrRefusal(code, drawn(random, code.slots, random.nextDouble(0.3)))) {
                fitting++;
            }
        }
        assertThat(fitting).isBetween(5_000, 19_000);
    }

    @ParameterizedTest
    @MethodSource("codes")
    void oneLongExtensionFitsAnywhere(BlockCode code) {
        int most = code instanceof ShiftExtensionCode ? 20 : 46;
        for (int slot = 0; slot < code.slots; slot++) {
            for (int length = 1; length <= most; length++) {
                long[] extensions = none(code.slots);
                extensions[slot] = Extensions.of(0x9e3779b97f4a7c15L, length);
                assertThat(assertRoundTripOrRefusal(code, extensions)).isTrue();
            }
            long[] extensions = none(code.slots);
            extensions[slot] = Extensions.of(-1, 60);
            assertThat(code.encode(extensions, 0)).isEqualTo(BlockCode.DOES_NOT_FIT);
        }
    }

    private static boolean assertRoundTripOrRefusal(BlockCode code, long[] extensions) {
        long packed = code.encode(extensions, 0);
        if (packed == BlockCode.DOES_NOT_FIT) {
            return false;
        }
        assertThat(packed >>> code.bits).isZero();
        long[] decoded = new long[code.slots];
        code.decode(packed, decoded, 0);
        if (!Arrays.equals(decoded, extensions)) {
            assertThat(decoded).isEqualTo(extensions);
        }
        for (int slot = 0; slot < code.slots; slot++) {
            if (code.tagAt(packed, slot) != extensions[slot]) {
                assertThat(code.tagAt(packed, slot)).as("slot " + slot).isEqualTo(extensions[slot]);
            }
        }
        return true;
    }

    @ParameterizedTest
    @MethodSource("codes")
    void anyNumberDecodesAndOneThatIsNoCodeIsSeen(BlockCode code) {
        SplittableRandom random = new SplittableRandom(0xe2);
        long[] decoded = new long[code.slots];
        for (int round = 0; round < 50_000; round++) {
            long number = random.nextLong(1L << code.bits) >>> random.nextInt(code.bits);
            code.decode(number, decoded, 0);
            for (int slot = 0; slot < code.slots; slot += 7) {
                if (code.tagAt(number, slot) != decoded[slot]) {
                    assertThat(code.tagAt(number, slot)).isEqualTo(decoded[slot]);
                }
            }
            assertThat(code.isCode(number)).isEqualTo(code.encode(decoded, 0) == number);
        }
        assertThat(code.isCode(1L << code.bits)).isFalse();
        assertThat(code.isCode(-1)).isFalse();
    }

    @Test
    void theEnumerativeCodeFitsAClassExactlyIfAllClassesOfAtMostItsSizeFitTogether() {
        BigInteger room = BigInteger.ONE.shiftLeft(BITS);
        for (int slots = 1; slots <= SLOTS; slots++) {
            for (int bits = slots; bits < 60; bits++) {
                BigInteger size = size(slots, bits);
                boolean fits =
                        size.compareTo(room) <= 0 && sizeOfAllUpTo(size, slots).compareTo(room) <= 0;
                assertThat(ENUMERATIVE.fits(slots, bits))
                        .as(slots + " slots, " + bits + " bits")
                        .isEqualTo(fits);
                long[] extensions = none(SLOTS);
                for (int slot = 0; slot < slots; slot++) {
                    int length = slot == 0 ? bits - slots + 1 : 1;
                    extensions[SLOTS - 1 - slot] = Extensions.of(0x5555555555555555L, length);
                }
                assertThat(ENUMERATIVE.encode(extensions, 0) != BlockCode.DOES_NOT_FIT)
                        .isEqualTo(fits);
            }
        }
    }

    /** The classes of smaller size together, and those of the same size with no more slots. */
    private static BigInteger sizeOfAllUpTo(BigInteger most, int slotsAtMost) {
        BigInteger together = BigInteger.ONE;
        for (int slots = 1; slots <= SLOTS; slots++) {
            for (int bits = slots; bits < 60; bits++) {
                BigInteger size = size(slots, bits);
                int order = size.compareTo(most);
                if (order > 0) {
                    break;
                }
                together = order < 0 || slots <= slotsAtMost ? together.add(size) : together;
            }
        }
        return together;
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
            ENUMERATIVE.decode(number, decoded, 0);
            if (ENUMERATIVE.encode(decoded, 0) != number) {
                assertThat(ENUMERATIVE.encode(decoded, 0)).isEqualTo(number);
            }
        }
    }

    @Test
    void theArithmeticCodeRefusesWhatHasMoreInformationThanItsBitsAndNothingWithTwoBitsLess() {
        SplittableRandom random = new SplittableRandom(0xe3);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            long[] extensions = drawn(random, SLOTS, 0.05 + random.nextDouble(0.1));
            double information = 0;
            for (long extension : extensions) {
                int length = Extensions.length(extension);
                information += length == 0 ? Math.log(8 / 7.0) / Math.log(2) : 3 + 2 * length;
            }
            boolean fits = ARITHMETIC.encode(extensions, 0) != BlockCode.DOES_NOT_FIT;
            // Rounding down the small intervals at the end costs at most a little more than a bit; trailing empty
            // extensions are free once the interval is a single number.
            double trailing = 0;
            for (int slot = SLOTS - 1; slot >= 0 && extensions[slot] == 0L; slot--) {
                trailing += Math.log(8 / 7.0) / Math.log(2);
            }
            if (information - trailing > BITS + 0.5) {
                assertThat(fits).isFalse();
            }
            if (information < BITS - 2) {
                assertThat(fits).isTrue();
            }
            refused += fits ? 0 : 1;
        }
        assertThat(refused).isBetween(1_000, 19_000);
    }

    @Test
    void repairsThatFitABlockAreAsManyAsStated() {
        assertThat(meanCapacity(ENUMERATIVE)).isBetween(6.5, 6.9);
        assertThat(meanCapacity(ARITHMETIC)).isBetween(6.2, 6.6);
    }

    /** Mean repairs of a block before the first that does not fit: each adds bits up to the first that differs. */
    static double meanCapacity(BlockCode code) {
        SplittableRandom random = new SplittableRandom(0xca9ac178L);
        int rounds = 4_000;
        long repairs = 0;
        for (int round = 0; round < rounds; round++) {
            long[] extensions = none(SLOTS);
            while (true) {
                int slot = random.nextInt(SLOTS);
                int added = 1 + Long.numberOfTrailingZeros(random.nextLong() | 1L << 40);
                extensions[slot] = longer(extensions[slot], random.nextLong(), added);
                if (code.encode(extensions, 0) == BlockCode.DOES_NOT_FIT) {
                    break;
                }
                repairs++;
            }
        }
        return (double) repairs / rounds;
    }

    /** An extension with some bits of a word behind it. */
    static long longer(long extension, long word, int added) {
        return Extensions.ofBits(
                Extensions.bits(extension) << added | word >>> -added, Extensions.length(extension) + added);
    }

    private static long[] none(int slots) {
        return new long[slots];
    }

    private static long[] drawn(SplittableRandom random, int slots, double rate) {
        long[] extensions = none(slots);
        for (int slot = 0; slot < slots; slot++) {
            if (random.nextDouble() < rate) {
                int length = 1 + Long.numberOfTrailingZeros(random.nextLong() | 1L << 20);
                extensions[slot] = Extensions.of(random.nextLong(), length);
            }
        }
        return extensions;
    }
}
