package dev.besom.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EntropyTest {

    @Test
    void aFilterNeedsOneBitForEachHalvingOfTheRate() {
        for (int halvings = 0; halvings <= 60; halvings++) {
            assertThat(Entropy.bitsPerKey(Math.scalb(1.0, -halvings))).isCloseTo(halvings, within(1e-12));
        }
        assertThat(Entropy.bitsPerKey(0.01)).isCloseTo(6.643856189774724, within(1e-12));
    }

    @Test
    void entropyIsOneBitForAFairCoinAndNoneForACertainty() {
        assertThat(Entropy.binary(0.5)).isCloseTo(1, within(1e-15));
        assertThat(Entropy.binary(0)).isZero();
        assertThat(Entropy.binary(1)).isZero();
        assertThat(Entropy.binary(0.11)).isCloseTo(0.499915958164528, within(1e-12));
    }

    @Test
    void entropyIsTheSameForAnEventAndItsOpposite() {
        for (double p = 0.01; p < 0.5; p += 0.01) {
            assertThat(Entropy.binary(p)).isCloseTo(Entropy.binary(1 - p), within(1e-14));
            assertThat(Entropy.binary(p)).isLessThan(Entropy.binary(p + 0.005));
        }
    }
}
