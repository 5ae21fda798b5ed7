package dev.besom.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import org.junit.jupiter.api.Test;

class CalculatorTest {

    @Test
    void aFilterOnPaperTakesWhatARealOneTakes() {
        for (Kind kind : Filters.kinds()) {
            Calculator.Model model = Calculator.model(kind);
            for (int keys : new int[] {1000, 123_456}) {
                for (double fpp : new double[] {0.2, 0.01, 0.0009}) {
                    boolean isSampled =
                            model.name().equals("sampled") || model.name().equals("stepped");
                    if (isSampled && keys == 1000) {
                        continue;
                    }
                    double real = made(kind, keys, fpp).sizeInBits();
                    // A composite filter has a small table of its own besides; samples lie on a curve of steps.
                    double tolerance = isSampled ? 0.1 * real : 2048;
                    assertThat(Calculator.plan(model, keys, 1, fpp).bits())
                            .as("%s, %s keys at %s", kind.name(), keys, fpp)
                            .isCloseTo(real, within(model.name().equals("composite") ? 2048.0 : tolerance));
                }
            }
        }
    }

    private static PersistentFilter made(Kind kind, int keys, double fpp) {
        FilterSpec spec = FilterSpec.of(keys, fpp);
        return Calculator.isSizedWhenFilled(kind)
                ? kind.build(spec, HashSource.of(new KeySpace(7).stored(keys)), StoredHashes.none())
                : kind.make(spec, StoredHashes.none());
    }

    @Test
    void theLowestRateForAMemoryIsTheOneThatJustFits() {
        for (Kind kind : Filters.kinds()) {
            Calculator.Model model = Calculator.model(kind);
            double bits = Calculator.plan(model, 50_000, 1, 0.01).bits();
            double rate = Calculator.lowestRate(model, 50_000, 1, bits);
            assertThat(rate).as(kind.name()).isLessThanOrEqualTo(0.0100001);
            assertThat(Calculator.plan(model, 50_000, 1, rate).bits()).isLessThanOrEqualTo(bits);
            assertThat(Calculator.lowestRate(model, 50_000, 1, 64)).isNaN();
        }
    }

    @Test
    void growthCostsAScalableFilterMoreThanAFilterThatWasPlannedForIt() {
        Calculator.Model scalable = Calculator.model(Filters.kind("scalable-bloom"));
        Calculator.Model bloom = Calculator.model(Filters.kind("bloom"));
        assertThat(Calculator.plan(scalable, 1000, 7, 0.01).bits())
                .isGreaterThan(Calculator.plan(bloom, 1000, 7, 0.01).bits());
        assertThat(Calculator.plan(scalable, 1000, 7, 0.01).probes())
                .isGreaterThan(Calculator.plan(scalable, 1000, 1, 0.01).probes());
    }

    @Test
    void onlyFiltersThatAdaptGainFromSkew() {
        assertThat(Calculator.wastedShare(0.01, false, 1e6, 1.2, 1e7)).isEqualTo(0.01);
        double little = Calculator.wastedShare(0.01, true, 1e6, 0.5, 1e7);
        double much = Calculator.wastedShare(0.01, true, 1e6, 1.5, 1e7);
        assertThat(little).isLessThan(0.01);
        assertThat(much).isLessThan(little / 5);
    }
}
