package dev.besom.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CascadePlanTest {

    @Test
    void ratesOfBloomLevelsAreSquares() {
        CascadePlan plan = CascadePlan.of(1_000_000, 0.25, 0.25, CascadePlan.Rule.SQUARES);
        assertThat(plan.levels()).isEqualTo(2);
        assertThat(plan.rate(0)).isEqualTo(0.25);
        assertThat(plan.rate(1)).isEqualTo(1 / 16.0);
        assertThat(plan.keys(0)).isEqualTo(1_000_000);
        assertThat(plan.keys(1)).isEqualTo(250_008);
        // A 16th of level 1 and six deviations; fewer than n / (3 log n) = 16,724.
        assertThat(plan.keys(2)).isBetween(15_626L, 16_724L);
    }

    @Test
    void ratesOfCascadesFallAsTowers() {
        CascadePlan plan = CascadePlan.of(1_000_000_000_000L, 0.25, 0.25, CascadePlan.Rule.LOG_STAR);
        assertThat(plan.rate(1)).isCloseTo(Math.pow(0.25, 2), within(1e-12));
        assertThat(CascadePlan.Rule.LOG_STAR.next(0.25, plan.rate(1), 2)).isCloseTo(Math.pow(0.25, 16), within(1e-12));
        assertThat(CascadePlan.Rule.LOG_STAR.next(1 / 256.0, 1 / 256.0, 1)).isEqualTo(0x1p-128);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.03, 1 / 256.0, 1e-6})
    void atUsualRatesOneFilterAndTheTableAreEnough(double fpp) {
        for (CascadePlan.Rule rule : CascadePlan.Rule.values()) {
            CascadePlan plan = CascadePlan.of(1_000_000, fpp, 1 / 64.0, rule);
            assertThat(plan.levels()).isEqualTo(1);
            assertThat(plan.keys(1)).isEqualTo(15_633);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.999, 0.9, 0.5})
    void highRatesHaveAnEndToo(double fpp) {
        for (CascadePlan.Rule rule : CascadePlan.Rule.values()) {
            assertThat(CascadePlan.of(1_000_000, fpp, fpp, rule).levels()).isBetween(2, 8);
            assertThat(CascadePlan.of(1, fpp, fpp, rule).levels()).isEqualTo(1);
        }
    }
}
