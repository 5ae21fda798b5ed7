package dev.besom.guard.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FleetModelTest {

    @Test
    void noOrderOfStepsHidesAStoredKey() {
        FleetModel.Outcome outcome = FleetModel.whole();
        assertThat(outcome.hidden())
                .as("a state in which a stored key is denied")
                .isNull();
        assertThat(outcome.stateCount()).isGreaterThan(1000);
    }

    @ParameterizedTest
    @EnumSource
    void someOrderOfStepsHidesAStoredKeyWhereADefenceIsMissing(FleetModel.Defence defence) {
        assertThat(FleetModel.without(defence).hidden()).isNotNull();
    }
}
