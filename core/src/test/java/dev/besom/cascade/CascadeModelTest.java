package dev.besom.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CascadeModelTest {

    @ParameterizedTest
    @CsvSource({
        "adaptive-bloom, -, 1, 0.01, 1, false, 5000, false, 0x1",
        "adaptive-bloom, -, 40, 0.25, 1, false, 10000, true, 0x2",
        "adaptive-bloom, -, 40, 0.25, 3, true, 10000, true, 0x3",
        "adaptive-bloom, -, 2000, 0.25, 1, false, 30000, true, 0x4",
        "adaptive-bloom, -, 2000, 0.02, 1, true, 30000, true, 0x5",
        "cascade, quotient, 1, 0.01, 1, false, 5000, false, 0x6",
        "cascade, quotient, 40, 0.25, 1, false, 10000, true, 0x7",
        "cascade, quotient, 40, 0.25, 1, true, 10000, true, 0x8",
        "cascade, quotient, 2000, 0.25, 1, false, 30000, true, 0x9",
        "cascade, quotient, 2000, 0.02, 1, true, 30000, true, 0xa",
        "cascade, tinyset, 1, 0.01, 1, false, 5000, false, 0xb",
        "cascade, tinyset, 40, 0.25, 1, false, 10000, false, 0xc",
        "cascade, tinyset, 40, 0.25, 2, true, 10000, true, 0xd",
        "cascade, tinyset, 2000, 0.25, 1, false, 30000, true, 0xe",
        "cascade, tinyset, 2000, 0.02, 1, true, 30000, true, 0xf"
    })
    void everyKeyIsFoundAndRepairsHoldWhateverHappens(
            String kind,
            String inner,
            int capacity,
            double fpp,
            double load,
            boolean lag,
            int steps,
            boolean changes,
            String seed) {
        run(kind, inner, capacity, fpp, load, lag, steps, changes, Long.decode(seed));
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "adaptive-bloom, -, 40, 0.25, 1, false, 2000000, true, 0x12",
        "adaptive-bloom, -, 2000, 0.25, 1, true, 2000000, true, 0x14",
        "cascade, quotient, 40, 0.25, 1, true, 2000000, true, 0x17",
        "cascade, quotient, 2000, 0.25, 1, false, 2000000, true, 0x19",
        "cascade, tinyset, 40, 0.25, 1, true, 2000000, true, 0x1c",
        "cascade, tinyset, 2000, 0.25, 1, false, 2000000, true, 0x1e"
    })
    void everyKeyIsFoundAndRepairsHoldInALongLife(
            String kind,
            String inner,
            int capacity,
            double fpp,
            double load,
            boolean lag,
            int steps,
            boolean changes,
            String seed) {
        run(kind, inner, capacity, fpp, load, lag, steps, changes, Long.decode(seed));
    }

    private static void run(
            String name,
            String inner,
            int capacity,
            double fpp,
            double load,
            boolean lag,
            int steps,
            boolean changes,
            long seed) {
        Kind kind = CascadeKinds.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        FilterSpec spec = FilterSpec.of(capacity, fpp).withSeed(seed);
        CascadeModel model = new CascadeModel(kind, inner.equals("-") ? spec : spec.with("inner", inner), lag, seed);
        model.run(steps, load, true);
        assertThat(model.loaded).as("loads").isPositive();
        if (capacity > 1) {
            assertThat(model.fixed).as("repairs").isPositive();
            assertThat(model.dead).as("dead").isPositive();
            assertThat(model.moved).as("moved").isPositive();
        }
        assertThat(model.forgot > 0).as("hash functions have changed").isEqualTo(changes);
        if (capacity == 2000 && fpp == 0.25) {
            assertThat(model.levels).as("levels").isGreaterThan(1);
        }
    }
}
