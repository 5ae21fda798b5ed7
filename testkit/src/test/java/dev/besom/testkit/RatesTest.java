package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RatesTest {

    @Test
    void tooManyAndTooFewAreBothRefusedWithSeedCountAndInterval() {
        Binomial.Interval interval = Binomial.interval(100_000, 0.01, Rates.FALSE_ALARM / 2);
        Rates.assertRate(5, interval.least(), 100_000, 0.01);
        Rates.assertRate(5, interval.most(), 100_000, 0.01);
        for (long count : new long[] {interval.least() - 1, interval.most() + 1}) {
            assertThatThrownBy(() -> Rates.assertRate(5, count, 100_000, 0.01))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("seed 5")
                    .hasMessageContaining(count + " of 100000")
                    .hasMessageContaining(interval.least() + " to " + interval.most());
        }
    }

    @Test
    void anUpperBoundTakesAnythingBelow() {
        Rates.assertRateAtMost(5, 0, 100_000, 0.01);
        assertThatThrownBy(() -> Rates.assertRateAtMost(5, 1_300, 100_000, 0.01))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void slackWidensBothSides() {
        Rates.assertRate(5, 1_400, 100_000, 0.01, 0.3);
        Rates.assertRate(5, 650, 100_000, 0.01, 0.3);
        assertThatThrownBy(() -> Rates.assertRate(5, 1_400, 100_000, 0.01)).isInstanceOf(AssertionError.class);
    }

    @Test
    void theStatedBudgetIsBelowOneInAMillion() {
        assertThat(5 * Rates.MOST_ASSERTIONS * Rates.FALSE_ALARM).isLessThanOrEqualTo(1e-6);
    }
}
