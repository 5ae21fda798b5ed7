package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every kind at rates from high to low: the rate that is asked for is the rate at capacity, or it is refused. Only an option that
 * says "whatever the rate" decides it instead.
 */
@Tag("slow")
final class EveryRateTest {

    /** The usual grid of a kind has low rates, of which enough false positives take long to find. */
    private static final double[] RATES = Seeds.isThorough()
            ? new double[] {0.7, 0.5, 0.3, 0.1, 0.03, 1 / 256.0, 1 / 512.0, 0.001}
            : new double[] {0.7, 0.5, 0.3, 0.1, 0.03};

    private static final int KEYS = 6_000;
    private static final int MOST_DRAWS = Seeds.isThorough() ? 400 : 40;
    private static final int SHAPES = Seeds.isThorough() ? 40 : 4;

    private static final String SETS_THE_RATE = "whatever the rate";

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> theRateAskedForIsTheRateThatIsKept() {
        return Filters.kinds().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
                    int kept = 0;
                    for (double rate : RATES) {
                        kept += isKept(kind, FilterSpec.of(KEYS, rate).withSeed(kept)) ? 1 : 0;
                    }
                    assertThat(kept).as("rates that are not refused").isPositive();
                }));
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> noOptionRaisesTheRateThatDoesNotSaySo() {
        return Filters.kinds().stream()
                .filter(kind -> !kind.options().isEmpty())
                .map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
                    OptionDraws draws = new OptionDraws(kind, 915);
                    int kept = 0;
                    for (int i = 0; i < MOST_DRAWS && kept < SHAPES; i++) {
                        FilterSpec spec = withoutThoseThatSetTheRate(kind, draws.next(KEYS))
                                .withFpp(RATES[i % RATES.length]);
                        kept += isKept(kind, spec) ? 1 : 0;
                    }
                }));
    }

    private static FilterSpec withoutThoseThatSetTheRate(Kind kind, FilterSpec drawn) {
        FilterSpec spec = FilterSpec.of(drawn.capacity(), drawn.fpp()).withSeed(drawn.seed());
        for (Map.Entry<String, String> option : drawn.options().entrySet()) {
            // Where there are only so many keys, fresh hashes are none of them.
            if (!option.getKey().equals("universe")
                    && !kind.options().getOrDefault(option.getKey(), "").contains(SETS_THE_RATE)) {
                spec = spec.with(option.getKey(), option.getValue());
            }
        }
        return spec;
    }

    /** Whether there is such a filter, whose rate then is the one it expects and not above the one asked for. */
    private static boolean isKept(Kind kind, FilterSpec spec) {
        Subject subject = Subject.of(kind, spec);
        Filled full;
        try {
            full = subject.full(subject.seed(914));
        } catch (IllegalArgumentException e) {
            return false;
        }
        try {
            MembershipPromises.assertRateExpected(subject, full, subject.seed(914));
            MembershipPromises.assertNotAboveAsked(subject, full);
        } catch (AssertionError e) {
            throw new AssertionError(subject + ": " + e.getMessage(), e);
        }
        return true;
    }
}
