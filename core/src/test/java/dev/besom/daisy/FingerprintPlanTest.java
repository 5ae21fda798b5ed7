package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.distribution.KeyClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintPlanTest {

    @Test
    void eachNumberOfBitsThatManyKeysDeserveHasAFilterAndAllOthersShareOne() {
        double n = 1 << 20;
        double p = 1e-12;
        List<KeyClass> classes = List.of(
                new KeyClass(p, p, 0.5, 0.5),
                new KeyClass(p, p / 10, 0.499, 0.0499),
                new KeyClass(p, p / 60, 0.0005, 0.00001),
                new KeyClass(p, p / 1000, 0.0003, 0),
                new KeyClass(p, p / 30, 0.0002, 0.00001),
                new KeyClass(0, p, 0, 0.45));
        FingerprintPlan plan = FingerprintPlan.of(classes, n, 0.01);
        // 7, 4, 1, 0, 2 and 7 bits; of the rare ones, those with bits go together.
        assertThat(plan.groupOfClass()).containsExactly(2, 1, 3, 0, 3, 2);
        assertThat(plan.rates()).containsExactly(1.0 / 16, 1.0 / 128, 0.01);
        assertThat(plan.capacities().get(1)).isEqualTo((long) Math.ceil(1.05 * n / 2));
        assertThat(plan.capacities().get(2)).isBetween(734L, 734L + 6 * 28);
    }

    @Test
    void keysThatDeserveNothingNeedNoFilter() {
        FingerprintPlan plan = FingerprintPlan.of(List.of(new KeyClass(1e-3, 0, 1, 1)), 1e6, 0.01);
        assertThat(plan.groupOfClass()).containsExactly(0);
        assertThat(plan.rates()).isEmpty();
    }
}
