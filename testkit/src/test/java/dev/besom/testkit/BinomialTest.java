package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BinomialTest {

    private static final MathContext DIGITS = new MathContext(60);

    /** The exact probabilities of 0, 1, ... successes. */
    private static BigDecimal[] exact(int trials, double probability) {
        BigDecimal success = new BigDecimal(probability);
        BigDecimal failure = BigDecimal.ONE.subtract(success);
        BigDecimal[] row = {BigDecimal.ONE};
        for (int n = 1; n <= trials; n++) {
            BigDecimal[] next = new BigDecimal[n + 1];
            for (int k = 0; k <= n; k++) {
                BigDecimal last = k < n ? row[k].multiply(failure) : BigDecimal.ZERO;
                next[k] = (k > 0 ? last.add(row[k - 1].multiply(success)) : last).round(DIGITS);
            }
            row = next;
        }
        return row;
    }

    @ParameterizedTest
    @CsvSource({"1, 0.5", "7, 0.01", "40, 0.3", "300, 0.001", "300, 0.02", "300, 0.9", "257, 0.999", "100, 1e-9"})
    void probabilitiesAndTailsAreThoseOfTheExactSums(int trials, double probability) {
        BigDecimal[] exact = exact(trials, probability);
        BigDecimal below = BigDecimal.ZERO;
        for (int k = 0; k <= trials; k++) {
            double upTo = below.add(exact[k]).doubleValue();
            double from = BigDecimal.ONE.subtract(below).doubleValue();
            assertThat(Binomial.probability(k, trials, probability))
                    .isCloseTo(exact[k].doubleValue(), Percentage.withPercentage(1e-8));
            assertThat(Binomial.atMost(k, trials, probability)).isCloseTo(upTo, within(1e-12 + 1e-10 * upTo));
            assertThat(Binomial.atLeast(k, trials, probability)).isCloseTo(from, within(1e-12 + 1e-10 * from));
            below = below.add(exact[k]);
        }
    }

    @ParameterizedTest
    @CsvSource({"300, 0.02, 1e-3", "300, 0.02, 5e-11", "300, 0.5, 5e-11", "250, 0.99, 1e-6", "20, 0.001, 0.01"})
    void anIntervalIsTheShortestWithThoseTails(int trials, double probability, double tail) {
        BigDecimal[] exact = exact(trials, probability);
        Binomial.Interval interval = Binomial.interval(trials, probability, tail);
        assertThat(sum(exact, 0, (int) interval.least())).isLessThanOrEqualTo(tail);
        assertThat(sum(exact, 0, (int) interval.least() + 1)).isGreaterThan(tail);
        assertThat(sum(exact, (int) interval.most() + 1, trials + 1)).isLessThanOrEqualTo(tail);
        assertThat(sum(exact, (int) interval.most(), trials + 1)).isGreaterThan(tail);
    }

    private static double sum(BigDecimal[] terms, int from, int to) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = from; i < to; i++) {
            sum = sum.add(terms[i]);
        }
        return sum.doubleValue();
    }

    @Test
    void certainEventsHaveIntervalsOfOneCount() {
        assertThat(Binomial.interval(1_000, 0, 1e-10)).isEqualTo(new Binomial.Interval(0, 0));
        assertThat(Binomial.interval(1_000, 1, 1e-10)).isEqualTo(new Binomial.Interval(1_000, 1_000));
        assertThat(Binomial.interval(0, 0.3, 1e-10)).isEqualTo(new Binomial.Interval(0, 0));
    }

    /** For many trials the interval is that of the normal distribution, whose 5e-11 quantile is 6.4667. */
    @Test
    void intervalsOfABillionTrialsAreThoseOfTheNormalDistribution() {
        long trials = 1_000_000_000;
        double deviation = Math.sqrt(trials * 0.25);
        Binomial.Interval interval = Binomial.interval(trials, 0.5, 5e-11);
        assertThat((trials / 2.0 - interval.least()) / deviation).isCloseTo(6.4667, within(2e-3));
        assertThat(interval.most() - trials / 2).isEqualTo(trials / 2 - interval.least());
    }

    /** The limit of rare events: Poisson. */
    @Test
    void rareEventsAmongTrillionsFollowPoisson() {
        double expected = Math.exp(-3) * Math.pow(3, 7) / 5_040;
        assertThat(Binomial.probability(7, 3_000_000_000_000L, 1e-12))
                .isCloseTo(expected, Percentage.withPercentage(1e-6));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Binomial.interval(-1, 0.5, 0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> Binomial.interval(1, Double.NaN, 0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> Binomial.interval(1, 1.5, 0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> Binomial.interval(1, 0.5, 0));
    }
}
