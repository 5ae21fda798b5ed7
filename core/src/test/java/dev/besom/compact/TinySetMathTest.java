package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.compact.TinySetMath.Widths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TinySetMathTest {

    private static final double LN10 = Math.log(10);

    /** Table 1 of the paper, but for 16 keys a block at 0.1 %, where the paper has 15.1 and its own formula 14.3. */
    @ParameterizedTest
    @CsvSource({
        "16, 0.01, 10.1",
        "32, 0.01, 9.5",
        "64, 0.01, 9.1",
        "128, 0.01, 9.0",
        "32, 0.001, 13.5",
        "64, 0.001, 12.8",
        "128, 0.001, 12.5",
        "16, 0.0001, 19.5",
        "32, 0.0001, 17.5",
        "64, 0.0001, 16.6",
        "128, 0.0001, 16.2"
    })
    void asManyKeysAsChainsTakeThePapersBits(int keys, double fpp, double paper) {
        double bits = 1 + (double) TinySetMath.arrayBits(keys, keys, fpp, Widths.TWO) / keys;
        assertThat(bits).isCloseTo(paper, within(0.03 * paper));
    }

    /** Table 4: the bits that count only where they are 1. */
    @ParameterizedTest
    @CsvSource({"0.01, 9.5", "0.001, 13.2", "0.0001, 16.9"})
    void removalsTakeThePapersBits(double fpp, double paper) {
        double bits = 1 + TinySetMath.arrayBits(64, 64, fpp, Widths.TWO_AFTER_REMOVALS) / 64.0;
        assertThat(bits).isCloseTo(paper, within(0.03 * paper));
    }

    /** Tables 5 and 6. */
    @ParameterizedTest
    @CsvSource({
        "512, 80, 0.01, 9.1",
        "512, 64, 0.01, 9.2",
        "512, 64, 0.001, 13.1",
        "512, 64, 0.0001, 17.7",
        "256, 32, 0.01, 9.5",
        "256, 32, 0.001, 14",
        "256, 32, 0.0001, 19.6"
    })
    void blocksOfAFixedSizeTakeThePapersBits(int blockBits, int chains, double fpp, double paper) {
        double bits = blockBits / TinySetMath.keysPerBlock(blockBits - chains, chains, fpp, Widths.TWO);
        assertThat(bits).isCloseTo(paper, within(0.03 * paper));
    }

    /** Section 4.2 by hand: 30 keys in 64 chains and 224 bits have 6 bits and a last bit, and 14 bits are left over. */
    @Test
    void theRateOfABlockIsThatOfItsFingerprints() {
        double six = 1.0 / 64 / 64;
        assertThat(TinySetMath.blockRate(224, 64, 30, Widths.ONE)).isCloseTo(1 - Math.pow(1 - six, 30), within(1e-15));
        assertThat(TinySetMath.blockRate(224, 64, 30, Widths.TWO))
                .isCloseTo(1 - Math.pow(1 - six, 16) * Math.pow(1 - six / 2, 14), within(1e-15));
        assertThat(TinySetMath.blockRate(224, 64, 30, Widths.TWO_AFTER_REMOVALS))
                .isCloseTo(1 - Math.pow(1 - six, 16) * Math.pow(1 - 0.75 * six, 14), within(1e-15));
        assertThat(TinySetMath.blockRate(224, 64, 0, Widths.TWO)).isZero();
        assertThat(TinySetMath.blockRate(224, 64, 225, Widths.TWO)).isEqualTo(1);
        assertThat(TinySetMath.blockRate(447, 64, 1, Widths.TWO)).isEqualTo(Math.scalb(1.0, -38));
    }

    @Test
    void moreWidthsAreBetterAndRemovalsCostSomeOfIt() {
        for (double keys = 5; keys < 300; keys += 7.5) {
            double one = TinySetMath.fpp(447, 64, keys, Widths.ONE);
            double two = TinySetMath.fpp(447, 64, keys, Widths.TWO);
            double removals = TinySetMath.fpp(447, 64, keys, Widths.TWO_AFTER_REMOVALS);
            assertThat(removals).isStrictlyBetween(two, one);
        }
    }

    @Test
    void sizesKeepTheRateAndNoLessWould() {
        for (double fpp : new double[] {0.2, 0.01, 1e-4, 1e-7}) {
            double keys = TinySetMath.keysPerBlock(447, 64, fpp, Widths.TWO);
            assertThat(TinySetMath.fpp(447, 64, keys, Widths.TWO)).isBetween(0.999 * fpp, fpp);
            int bits = TinySetMath.arrayBits(64, 64, fpp, Widths.TWO);
            assertThat(TinySetMath.fpp(bits, 64, 64, Widths.TWO)).isLessThanOrEqualTo(fpp);
            assertThat(TinySetMath.fpp(bits - 1, 64, 64, Widths.TWO)).isGreaterThan(fpp);
        }
        assertThatThrownBy(() -> TinySetMath.keysPerBlock(447, 64, 1e-14, Widths.TWO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Section 4.4: "smaller than 10^-200" for a block with 64 keys on average; and a counter of 8 bits below 10^-23. */
    @Test
    void blocksDoNotOverflow() {
        assertThat(TinySetMath.logOverflow(1, 64, 448) / LN10).isLessThan(-200);
        assertThat(TinySetMath.logOverflow(1, 64, 255) / LN10).isLessThan(-23);
        assertThat(TinySetMath.logOverflow(1_000_000_000, 64, 448) / LN10).isLessThan(-191);
        assertThat(TinySetMath.logOverflow(1, 600, 448)).isZero();
    }
}
