package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class BroomFilterModelTest {

    @ParameterizedTest
    @CsvSource({
        "1, 0.01, 150, 0.07, 0, false, 20000, 0x1",
        "40, 0.25, 1, 0, 0, false, 15000, 0x2",
        "40, 0.25, 4, 0.5, 3, true, 15000, 0x3",
        "300, 0.25, 1.3, 0.5, 0, false, 20000, 0x4",
        "300, 0.004, 1.5, 0.5, 0, true, 20000, 0x5",
        "1000, 0.1, 1.2, 0.07, 0, false, 20000, 0x6",
        "2000, 0.02, 1.1, 0.5, 0, true, 20000, 0x7",
        "3000, 0.001, 1.15, 0.2, 0, false, 20000, 0x8",
        "500, 0.000001, 1.2, 0.5, 0, true, 15000, 0x9",
        "1, 0.002, 150, 0, 0, false, 10000, 0x21",
        "60, 0.0024, 4, 0.5, 3, true, 15000, 0x22",
        "300, 0.0001, 1.3, 0.5, 24, false, 20000, 0x23",
        "3000, 0.001, 1.15, 0.2, 24, true, 20000, 0x24",
        "500, 1e-10, 1.2, 0.5, 2, false, 15000, 0x25",
        "1, 0.01, 150, 0.06, 5, false, 10000, 0xa",
        "40, 0.25, 1, 0, 2, false, 15000, 0xb",
        "300, 0.25, 1.3, 0.5, 24, false, 20000, 0xc",
        "1000, 0.1, 1.2, 0.06, 1, false, 20000, 0xd",
        "2000, 0.02, 1.1, 0.5, 24, true, 20000, 0xe",
        "3000, 0.001, 1.15, 0.2, 200, false, 20000, 0xf"
    })
    void everyKeyIsFoundWhateverHappens(
            int capacity, double fpp, double load, double spill, int moves, boolean lag, int steps, String seed) {
        run(capacity, fpp, load, spill, moves, lag, steps, Long.decode(seed));
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "40, 0.25, 4, 0, 0, false, 10000000, 0x12",
        "300, 0.25, 1.3, 0.5, 4, true, 10000000, 0x14",
        "300, 0.004, 1.5, 0.5, 24, false, 10000000, 0x15",
        "1000, 0.1, 1.2, 0.06, 0, true, 10000000, 0x16"
    })
    void everyKeyIsFoundWhateverHappensInALongLife(
            int capacity, double fpp, double load, double spill, int moves, boolean lag, int steps, String seed) {
        run(capacity, fpp, load, spill, moves, lag, steps, Long.decode(seed));
    }

    private static void run(
            int capacity, double fpp, double load, double spill, int moves, boolean lag, int steps, long seed) {
        FilterSpec spec = FilterSpec.of(capacity, fpp)
                .withSeed(seed)
                .with("spill", Double.toString(spill))
                .with("moves", Integer.toString(moves));
        BroomModel model = new BroomModel(spec, lag, seed);
        model.run(steps, load, capacity < 100 ? 5 : 100);
        assertThat(model.fixed()).as("repairs").isPositive();
        assertThat(model.forgot() > 0 || moves > 0)
                .as("repairs that gave others up, or changed to another hash function")
                .isTrue();
        assertThat(model.overflowed > 0).as("overflow bins were used").isEqualTo(load > 1);
        assertThat(model.generations > 0).as("hash functions changed").isEqualTo(moves > 0);
        if (moves == 0) {
            assertThat(model.spilled > 0).as("the spill was used").isEqualTo(spill > 0);
        }
    }
}
