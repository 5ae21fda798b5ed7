package dev.besom.quotient.tags;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every code of selectors promises, and what sets the three apart. */
class SelectorCodeTest {

    private static final int SLOTS = BlockCode.SLOTS;

    record Named(String name, BlockCode code, long seed) {
        int slots() {
            return code.slots;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Named> codes() {
        return Stream.of(
                new Named("enumerative", new EnumerativeSelectorCode(SLOTS, 62), 0x1e1),
                new Named("enumerative, half a block", new EnumerativeSelectorCode(SLOTS / 2, 56), 0x1e2),
                new Named("enumerative, 56 bits", new EnumerativeSelectorCode(SLOTS, 56), 0x1e3),
                new Named("shift", new ShiftSelectorCode(SLOTS, 62), 0x1e4),
                new Named("shift, half a block", new ShiftSelectorCode(SLOTS / 2, 56), 0x1e5),
                new Named("general 2 3", new GeneralSelectorCode(SLOTS, 62, 2, 3), 0x1e6),
                new Named("general 3 4, half a block", new GeneralSelectorCode(SLOTS / 2, 56, 3, 4), 0x1e7),
                new Named("general 1 1", new GeneralSelectorCode(SLOTS, 56, 1, 1), 0x1e8));
    }

    /** The codes that place selectors in lexicographic order. */
    static Stream<Named> arithmeticCodes() {
        return codes().filter(each -> !(each.code instanceof EnumerativeSelectorCode));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void noSelectorsHaveTheCodeZero(Named named) {
        long[] selectors = new long[named.slots()];
        assertThat(named.code.encode(selectors, 0)).isZero();
        Arrays.fill(selectors, 9);
        named.code.decode(0, selectors, 0);
        assertThat(selectors).containsOnly(0);
        for (int slot = 0; slot < named.slots(); slot++) {
            assertThat(named.code.tagAt(0, slot)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void allSmallSelectorsOfSixSlotsComeOutAgainWhereverTheSlotsAre(Named named) {
        int most = named.slots() - 1;
        int[] spread = {0, 1, most / 2, most / 2 + 1, most - 13, most};
        for (int number = 0; number < 1 << 12; number++) {
            long[] selectors = new long[named.slots()];
            for (int index = 0; index < spread.length; index++) {
                selectors[spread[index]] = (long) number >>> (2 * index) & 3;
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
            long[] selectors = geometric(random, named.slots(), random.nextDouble(0.6));
            if (assertRoundTripOrRefusal(named, selectors)) {
                fitting++;
            }
        }
        assertThat(fitting).isBetween(2_000, 19_000);
    }

    /** True if the selectors fit. */
    private static boolean assertRoundTripOrRefusal(Named named, long[] selectors) {
        long code = named.code.encode(selectors, 0);
        if (code == BlockCode.DOES_NOT_FIT) {
            return false;
        }
        assertThat(code >>> named.code.bits).isZero();
        long[] decoded = new long[named.slots()];
        Arrays.fill(decoded, 99);
        named.code.decode(code, decoded, 0);
        assertThat(decoded).isEqualTo(selectors);
        for (int slot = 0; slot < named.slots(); slot++) {
            if (named.code.tagAt(code, slot) != selectors[slot]) {
                assertThat(named.code.tagAt(code, slot)).as("slot " + slot).isEqualTo(selectors[slot]);
            }
        }
        assertThat(named.code.isCode(code)).isTrue();
        return true;
    }

    @ParameterizedTest
    @MethodSource("codes")
    void anyNumberDecodesAndOneThatIsNoCodeIsSeen(Named named) {
        SplittableRandom random = new SplittableRandom(named.seed ^ 0xa5a5);
        long[] decoded = new long[named.slots()];
        for (int round = 0; round < 20_000; round++) {
            long number = random.nextLong(1L << named.code.bits);
            named.code.decode(number, decoded, 0);
            for (int slot = 0; slot < named.slots(); slot += 7) {
                assertThat(named.code.tagAt(number, slot)).isEqualTo(decoded[slot]);
            }
            assertThat(named.code.isCode(number)).isEqualTo(named.code.encode(decoded, 0) == number);
        }
        assertThat(named.code.isCode(1L << named.code.bits)).isFalse();
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
            long[] selectors = geometric(random, named.slots(), 0.05 + random.nextDouble(0.3));
            long[] decoded = new long[named.slots()];
            long low = 0;
            long high = (1L << named.code.bits) - 1;
            while (low < high) {
                long middle = (low + high) >>> 1;
                named.code.decode(middle, decoded, 0);
                if (Arrays.compare(decoded, selectors) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            named.code.decode(low, decoded, 0);
            boolean found = Arrays.equals(decoded, selectors);
            assertThat(named.code.encode(selectors, 0)).isEqualTo(found ? low : BlockCode.DOES_NOT_FIT);
            refused += found ? 0 : 1;
        }
        assertThat(refused).isBetween(100, 2_900);
    }

    @Test
    void theEnumerativeCodeNumbersSmallTotalsWithoutGaps() {
        EnumerativeSelectorCode code = new EnumerativeSelectorCode(SLOTS, 62);
        // All ways to spread at most 3 increments: C(67, 3).
        int ways = 67 * 66 * 65 / 6;
        long[] decoded = new long[SLOTS];
        long before = 0;
        for (int number = 0; number < ways; number++) {
            code.decode(number, decoded, 0);
            long total = total(decoded);
            assertThat(total).isBetween(before, 3L);
            assertThat(code.encode(decoded, 0)).isEqualTo(number);
            before = total;
        }
        code.decode(ways, decoded, 0);
        assertThat(total(decoded)).isEqualTo(4);
    }

    @Test
    void theEnumerativeCodeTakesAnyTotalOfNineteenAndNoneOfTwentyOne() {
        EnumerativeSelectorCode code = new EnumerativeSelectorCode(SLOTS, 62);
        SplittableRandom random = new SplittableRandom(0x16);
        int fitting = 0;
        for (int round = 0; round < 20_000; round++) {
            long[] selectors = new long[SLOTS];
            int within = 1 << random.nextInt(7);
            int from = random.nextInt(SLOTS - within + 1);
            for (int increment = 0; increment < 19; increment++) {
                selectors[from + random.nextInt(within)]++;
            }
            assertThat(code.encode(selectors, 0)).isNotEqualTo(BlockCode.DOES_NOT_FIT);
            selectors[random.nextInt(SLOTS)]++;
            fitting += code.encode(selectors, 0) == BlockCode.DOES_NOT_FIT ? 0 : 1;
            selectors[random.nextInt(SLOTS)]++;
            assertThat(code.encode(selectors, 0)).isEqualTo(BlockCode.DOES_NOT_FIT);
        }
        assertThat(fitting).isBetween(1_000, 9_000);
    }

    @Test
    void theEnumerativeCodeUsesEveryNumberOfItsBits() {
        EnumerativeSelectorCode code = new EnumerativeSelectorCode(SLOTS, 62);
        SplittableRandom random = new SplittableRandom(0x17);
        long[] decoded = new long[SLOTS];
        for (int round = 0; round < 50_000; round++) {
            long number = random.nextLong(1L << code.bits) >>> random.nextInt(code.bits);
            code.decode(number, decoded, 0);
            assertThat(code.encode(decoded, 0)).isEqualTo(number);
        }
        assertThat(code.isCode((1L << code.bits) - 1)).isTrue();
    }

    @Test
    void repairsThatFitABlockAreAsManyAsStated() {
        // Mean repairs of a block before the first that does not fit, at uniformly drawn slots, each of which meets one
        // of 20 earlier queries of its quotient again with probability 20/256.
        assertThat(meanCapacity(new EnumerativeSelectorCode(SLOTS, 56))).isBetween(16.3, 16.6);
        assertThat(meanCapacity(new ShiftSelectorCode(SLOTS, 56))).isBetween(14.4, 14.9);
        assertThat(meanCapacity(new GeneralSelectorCode(SLOTS, 56, 2, 3))).isBetween(15.2, 15.7);
        assertThat(meanCapacity(new EnumerativeSelectorCode(SLOTS, 62))).isBetween(19.1, 19.4);
    }

    static double meanCapacity(BlockCode code) {
        SplittableRandom random = new SplittableRandom(0xca9ac177L);
        int rounds = 4_000;
        long repairs = 0;
        for (int round = 0; round < rounds; round++) {
            long[] selectors = new long[SLOTS];
            int slot = 0;
            boolean again = false;
            while (true) {
                slot = again ? slot : random.nextInt(SLOTS);
                selectors[slot]++;
                if (code.encode(selectors, 0) == BlockCode.DOES_NOT_FIT) {
                    break;
                }
                repairs++;
                again = random.nextInt(256) < 20;
            }
        }
        return (double) repairs / rounds;
    }

    private static long[] geometric(SplittableRandom random, int slots, double rate) {
        long[] selectors = new long[slots];
        for (int slot = 0; slot < slots; slot++) {
            while (random.nextDouble() < rate) {
                selectors[slot]++;
            }
        }
        return selectors;
    }

    private static long total(long[] selectors) {
        long total = 0;
        for (long selector : selectors) {
            total += selector;
        }
        return total;
    }
}
