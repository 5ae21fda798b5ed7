package dev.besom.quotient.tags;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class BinomialsTest {

    @Test
    void everyCoefficientIsTheSumOfTheTwoAboveItOrTooLargeForAWord() {
        BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
        BigInteger[] row = {BigInteger.ONE};
        for (int of = 0; of <= 140; of++) {
            for (int size = 0; size <= of; size++) {
                assertThat(Binomials.choose(of, size))
                        .as("%d of %d", size, of)
                        .isEqualTo(row[size].min(most).longValueExact());
            }
            BigInteger[] next = new BigInteger[of + 2];
            next[0] = BigInteger.ONE;
            next[of + 1] = BigInteger.ONE;
            for (int size = 1; size <= of; size++) {
                next[size] = row[size - 1].add(row[size]);
            }
            row = next;
        }
    }

    @Test
    void thereAreNoSubsetsOfANegativeSizeOrLargerThanTheSet() {
        assertThat(Binomials.choose(5, -1)).isZero();
        assertThat(Binomials.choose(5, 6)).isZero();
    }
}
