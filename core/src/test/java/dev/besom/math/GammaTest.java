package dev.besom.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class GammaTest {

    @Test
    void theLogarithmOfAFactorialAgreesWithTheExactNumber() {
        BigInteger factorial = BigInteger.ONE;
        for (int n = 0; n <= 1200; n++) {
            factorial = n == 0 ? BigInteger.ONE : factorial.multiply(BigInteger.valueOf(n));
            double exact = logOf(factorial);
            assertThat(Gamma.logFactorial(n)).as("log %d!", n).isCloseTo(exact, within(1e-13 * Math.max(1, exact)));
        }
    }

    @Test
    void largeFactorialsGrowByTheLogarithmOfTheNextNumber() {
        for (long n : new long[] {256, 1000, 1_000_000}) {
            assertThat(Gamma.logFactorial(n) - Gamma.logFactorial(n - 1))
                    .as("step to %d", n)
                    .isCloseTo(Math.log((double) n), within(1e-15 * Gamma.logFactorial(n) + 1e-13));
        }
    }

    @Test
    void binomialCoefficientsAgreeWithPascalsTriangle() {
        BigInteger[] row = {BigInteger.ONE};
        for (int n = 1; n <= 300; n++) {
            BigInteger[] next = new BigInteger[n + 1];
            for (int k = 0; k <= n; k++) {
                BigInteger left = k == 0 ? BigInteger.ZERO : row[k - 1];
                next[k] = k == n ? left : left.add(row[k]);
                assertThat(Gamma.logChoose(n, k))
                        .as("log of %d over %d", n, k)
                        .isCloseTo(logOf(next[k]), within(2e-12));
            }
            row = next;
        }
    }

    /** Of any size: the top 60 bits as a double, and the others as a power of two. */
    private static double logOf(BigInteger number) {
        int shift = Math.max(0, number.bitLength() - 60);
        return Math.log(number.shiftRight(shift).doubleValue()) + shift * Math.log(2);
    }
}
