package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every code of selectors promises, and what sets the three apart. */
class SelectorCodeTest {

    private static final int SLOTS = SelectorCode.SLOTS;

    record Named(String name, SelectorCode code, long seed) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Named> codes() {
        return Stream.of(
                new Named("enumerative", EnumerativeSelectorCode.INSTANCE, 0x1e1),
                new Named("shift", ShiftSelectorCode.INSTANCE, 0x1e2),
                new Named("general 2 3", new GeneralSelectorCode(2, 3), 0x1e3),
                new Named("general 3 4", new GeneralSelectorCode(3, 4), 0x1e4),
                new Named("general 1 1", new GeneralSelectorCode(1, 1), 0x1e5));
    }

    /** The codes that place selectors in lexicographic order. */
    static Stream<Named> arithmeticCodes() {
        return codes().filter(each -> !(each.code instanceof EnumerativeSelectorCode));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void noSelectorsHaveTheCodeZero(Named named) {
        byte[] selectors = new byte[SLOTS];
        assertThat(named.code.encode(selectors)).isZero();
        Arrays.fill(selectors, (byte) 9);
        named.code.decode(0, selectors);
        assertThat(selectors).containsOnly(0);
        assertThat(named.code.greatestSelector(0)).isZero();
        for (int slot = 0; slot < SLOTS; slot++) {
            assertThat(named.code.selectorAt(0, slot)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void allSmallSelectorsOfSixSlotsComeOutAgainWhereverTheSlotsAre(Named named) {
        int[] spread = {0, 1, 31, 32, 50, 63};
        for (int number = 0; number < 1 << 12; number++) {
            byte[] selectors = new byte[SLOTS];
            for (int index = 0; index < spread.length; index++) {
                selectors[spread[index]] = (byte) (number >>> (2 * index) & 3);
            }
            assertRoundTripOrRefusal(named, selectors);
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void selectorsOfAnyRateComeOutAgain(Named named) {
        SplittableRandom random = new SplittableRandom(named.seed);
        int fitting = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] selectors = geometric(random, random.nextDouble(0.35));
            if (assertRoundTripOrRefusal(named, selectors)) {
                fitting++;
            }
        }
        assertThat(fitting).isBetween(3_000, 19_000);
    }

    /** True if the selectors fit. */
    private static boolean assertRoundTripOrRefusal(Named named, byte[] selectors) {
        long code = named.code.encode(selectors);
        if (code == SelectorCode.DOES_NOT_FIT) {
            return false;
        }
        assertThat(code).isBetween(0L, (1L << SelectorCode.BITS) - 1);
        byte[] decoded = new byte[SLOTS];
        Arrays.fill(decoded, (byte) 99);
        named.code.decode(code, decoded);
        assertThat(decoded).isEqualTo(selectors);
        int greatest = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (named.code.selectorAt(code, slot) != selectors[slot]) {
                assertThat(named.code.selectorAt(code, slot)).as("slot " + slot).isEqualTo(selectors[slot]);
            }
            greatest = Math.max(greatest, selectors[slot]);
        }
        assertThat(named.code.greatestSelector(code)).isGreaterThanOrEqualTo(greatest);
        assertThat(named.code.isCode(code)).isTrue();
        return true;
    }

    @ParameterizedTest
    @MethodSource("codes")
    void anyNumberDecodesAndOneThatIsNoCodeIsSeen(Named named) {
        SplittableRandom random = new SplittableRandom(named.seed ^ 0xa5a5);
        byte[] decoded = new byte[SLOTS];
        for (int round = 0; round < 20_000; round++) {
            long number = random.nextLong(1L << SelectorCode.BITS);
            named.code.decode(number, decoded);
            for (int slot = 0; slot < SLOTS; slot += 7) {
                assertThat(named.code.selectorAt(number, slot)).isEqualTo(decoded[slot]);
            }
            assertThat(named.code.isCode(number)).isEqualTo(named.code.encode(decoded) == number);
        }
        assertThat(named.code.isCode(1L << SelectorCode.BITS)).isFalse();
        assertThat(named.code.isCode(-1)).isFalse();
    }

    /**
     * Decoding never falls as the number rises, so the numbers that decode to given selectors are found by halving; the
     * code must refuse exactly the selectors that have none.
     */
    @ParameterizedTest
    @MethodSource("arithmeticCodes")
    void arithmeticCodesRefuseExactlyWhatNoNumberDecodesTo(Named named) {
        SplittableRandom random = new SplittableRandom(named.seed ^ 0x5a5a);
        int refused = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] selectors = geometric(random, 0.05 + random.nextDouble(0.3));
            byte[] decoded = new byte[SLOTS];
            long low = 0;
            long high = (1L << SelectorCode.BITS) - 1;
            while (low < high) {
                long middle = (low + high) >>> 1;
                named.code.decode(middle, decoded);
                if (Arrays.compare(decoded, selectors) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            named.code.decode(low, decoded);
            boolean found = Arrays.equals(decoded, selectors);
            assertThat(named.code.encode(selectors)).isEqualTo(found ? low : SelectorCode.DOES_NOT_FIT);
            refused += found ? 0 : 1;
        }
        assertThat(refused).isBetween(100, 2_900);
    }

    @Test
    void theEnumerativeCodeNumbersSmallTotalsWithoutGaps() {
        EnumerativeSelectorCode code = EnumerativeSelectorCode.INSTANCE;
        // All ways to spread at most 3 increments: C(67, 3).
        int ways = 67 * 66 * 65 / 6;
        byte[] decoded = new byte[SLOTS];
        int before = 0;
        for (int number = 0; number < ways; number++) {
            code.decode(number, decoded);
            int total = total(decoded);
            assertThat(total).isBetween(before, 3);
            assertThat(code.encode(decoded)).isEqualTo(number);
            before = total;
        }
        code.decode(ways, decoded);
        assertThat(total(decoded)).isEqualTo(4);
    }

    @Test
    void theEnumerativeCodeTakesAnyTotalOfSixteenAndNoneOfEighteen() {
        EnumerativeSelectorCode code = EnumerativeSelectorCode.INSTANCE;
        SplittableRandom random = new SplittableRandom(0x16);
        int fitting = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] selectors = new byte[SLOTS];
            int within = 1 << random.nextInt(7);
            int from = random.nextInt(SLOTS - within + 1);
            for (int increment = 0; increment < 16; increment++) {
                selectors[from + random.nextInt(within)]++;
            }
            assertThat(code.encode(selectors)).isNotEqualTo(SelectorCode.DOES_NOT_FIT);
            selectors[random.nextInt(SLOTS)]++;
            fitting += code.encode(selectors) == SelectorCode.DOES_NOT_FIT ? 0 : 1;
            selectors[random.nextInt(SLOTS)]++;
            assertThat(code.encode(selectors)).isEqualTo(SelectorCode.DOES_NOT_FIT);
        }
        assertThat(fitting).isBetween(6_000, 14_000);
    }

    @Test
    void theEnumerativeCodeUsesEveryNumberOfItsBits() {
        EnumerativeSelectorCode code = EnumerativeSelectorCode.INSTANCE;
        SplittableRandom random = new SplittableRandom(0x17);
        byte[] decoded = new byte[SLOTS];
        for (int round = 0; round < 50_000; round++) {
            long number = random.nextLong(1L << SelectorCode.BITS) >>> random.nextInt(SelectorCode.BITS);
            code.decode(number, decoded);
            assertThat(code.encode(decoded)).isEqualTo(number);
        }
        assertThat(code.isCode((1L << SelectorCode.BITS) - 1)).isTrue();
    }

    @Test
    void repairsThatFitABlockAreAsManyAsStated() {
        // Mean repairs of a block before the first that does not fit, at uniformly drawn slots, each of which meets one
        // of 20 earlier queries of its quotient again with probability 20/256.
        assertThat(meanCapacity(EnumerativeSelectorCode.INSTANCE)).isBetween(16.3, 16.6);
        assertThat(meanCapacity(ShiftSelectorCode.INSTANCE)).isBetween(14.4, 14.9);
        assertThat(meanCapacity(new GeneralSelectorCode(2, 3))).isBetween(15.2, 15.7);
    }

    static double meanCapacity(SelectorCode code) {
        SplittableRandom random = new SplittableRandom(0xca9ac177L);
        int rounds = 4_000;
        long repairs = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] selectors = new byte[SLOTS];
            int slot = 0;
            boolean again = false;
            while (true) {
                slot = again ? slot : random.nextInt(SLOTS);
                selectors[slot]++;
                if (code.encode(selectors) == SelectorCode.DOES_NOT_FIT) {
                    break;
                }
                repairs++;
                again = random.nextInt(256) < 20;
            }
        }
        return (double) repairs / rounds;
    }

    private static byte[] geometric(SplittableRandom random, double rate) {
        byte[] selectors = new byte[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++) {
            while (random.nextDouble() < rate) {
                selectors[slot]++;
            }
        }
        return selectors;
    }

    private static int total(byte[] selectors) {
        int total = 0;
        for (byte selector : selectors) {
            total += selector;
        }
        return total;
    }
}
