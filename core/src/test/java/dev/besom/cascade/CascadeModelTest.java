package dev.besom.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class CascadeModelTest {

    private static final int FEW_KEYS = 60;
    private static final int STEPS_BETWEEN_CHECKS = 100;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "adaptive-bloom, -, 1, 0.01, 1, false, 5000, false, 0x1",
                "adaptive-bloom, -, 40, 0.25, 1, false, 10000, true, 0x2",
                "adaptive-bloom, -, 40, 0.25, 3, true, 10000, true, 0x3",
                "adaptive-bloom, -, 2000, 0.25, 1, false, 30000, true, 0x4",
                "adaptive-bloom, -, 2000, 0.02, 1, true, 50000, true, 0x5",
                "cascade, quotient, 1, 0.01, 1, false, 5000, false, 0x6",
                "cascade, quotient, 40, 0.25, 1, false, 10000, true, 0x7",
                "cascade, quotient, 40, 0.25, 1, true, 10000, true, 0x8",
                "cascade, quotient, 2000, 0.25, 1, false, 30000, true, 0x9",
                "cascade, quotient, 2000, 0.02, 1, true, 30000, true, 0xa",
                "cascade, tinyset, 1, 0.01, 1, false, 5000, false, 0xb",
                "cascade, tinyset, 40, 0.25, 1, false, 30000, false, 0xc",
                "cascade, tinyset, 40, 0.25, 2, true, 10000, true, 0xd",
                "cascade, tinyset, 2000, 0.25, 1, false, 30000, true, 0xe",
                "cascade, tinyset, 2000, 0.02, 1, true, 30000, true, 0xf"
            })
    void everyKeyIsFoundAndRepairsHoldWhateverHappens(String life) {
        run(life);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "adaptive-bloom, -, 40, 0.25, 1, false, 2000000, true, 0x12",
                "adaptive-bloom, -, 2000, 0.25, 1, true, 2000000, true, 0x14",
                "cascade, quotient, 40, 0.25, 1, true, 2000000, true, 0x17",
                "cascade, quotient, 2000, 0.25, 1, false, 2000000, true, 0x19",
                "cascade, tinyset, 40, 0.25, 1, true, 2000000, true, 0x1c",
                "cascade, tinyset, 2000, 0.25, 1, false, 2000000, true, 0x1e"
            })
    void everyKeyIsFoundAndRepairsHoldInALongLife(String life) {
        run(life);
    }

    /** Kind, kind of the levels, capacity, rate, load, whether the store lags, steps, whether hash functions change, seed. */
    private static void run(String life) {
        String[] parts = life.split(", ", -1);
        Kind kind = Filters.kind(parts[0]);
        String inner = parts[1];
        int capacity = Integer.parseInt(parts[2]);
        double fpp = Double.parseDouble(parts[3]);
        double load = Double.parseDouble(parts[4]);
        boolean lag = Boolean.parseBoolean(parts[5]);
        int steps = Integer.parseInt(parts[6]);
        boolean changes = Boolean.parseBoolean(parts[7]);
        long seed = Long.decode(parts[8]);
        FilterSpec spec = FilterSpec.of(capacity, fpp).withSeed(seed);
        CascadeModel model = new CascadeModel(kind, inner.equals("-") ? spec : spec.with("inner", inner), lag, seed);
        model.run(steps, load, capacity <= FEW_KEYS ? 1 : STEPS_BETWEEN_CHECKS);
        assertThat(model.loaded()).as("loads").isPositive();
        if (capacity > 1) {
            assertThat(model.fixed()).as("repairs").isPositive();
            assertThat(model.dead).as("dead").isPositive();
            assertThat(model.moved).as("moved").isPositive();
        }
        assertThat(model.forgot() > 0).as("hash functions have changed").isEqualTo(changes);
        if (capacity == 2000 && fpp == 0.25) {
            assertThat(model.levels).as("levels").isGreaterThan(1);
        }
    }
}
