package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Misses of which few are asked for very often: one of them in a filter raises its rate many times over. */
class HotMissesTest {

    private static final int N = 400;
    private static final double FPP = 1 / 16.0;
    private static final int HOT = 100;
    private static final double HOT_SHARE = 0.8;
    private static final int FILTERS = 1_000;

    /** The chance of a false alarm of one assertion is below 10^-9. */
    private static final double DEVIATIONS = 6.5;

    static List<Kind> kinds() {
        return DaisyKinds.all();
    }

    /** In one filter the hottest miss is a false positive or it is not: the expected rate is that of many filters. */
    @ParameterizedTest
    @MethodSource("kinds")
    void theExpectedRateIsTheMeanOverFiltersOfDifferentSeeds(Kind kind) {
        SplittableRandom random = new SplittableRandom(1611);
        long[] hot = random.longs(HOT).toArray();
        double[] queried = zipf();
        Distribution known = Distribution.exact(
                hot, new double[HOT], queried, new KeyClass(0x1p-64, (1 - HOT_SHARE) * 0x1p-64, 1, 1 - HOT_SHARE));
        double[] rates = new double[FILTERS];
        double expected = 0;
        for (int seed = 0; seed < FILTERS; seed++) {
            InsertableFilter filter = (InsertableFilter)
                    Filters.makeHashFilter(kind, FilterSpec.of(N, FPP).withSeed(seed), known);
            random.longs(N).forEach(filter::insertHash);
            expected += filter.expectedFpp() / FILTERS;
            rates[seed] = rate(filter, hot, queried, random);
        }
        double mean = Arrays.stream(rates).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(rates).map(rate -> (rate - mean) * (rate - mean)).sum() / FILTERS / FILTERS);
        assertThat(mean).as("mean rate").isCloseTo(expected, within(DEVIATIONS * deviation));
        assertThat(expected).as("expected rate").isLessThanOrEqualTo(FPP + DEVIATIONS * deviation);
    }

    /** The shares of the hot misses among all misses. */
    private static double[] zipf() {
        double[] shares = new double[HOT];
        Arrays.setAll(shares, i -> 1.0 / (i + 1));
        double sum = Arrays.stream(shares).sum();
        Arrays.setAll(shares, i -> shares[i] / sum * HOT_SHARE);
        return shares;
    }

    /** What part of all misses is wrong: of the hot ones all are asked, of the others some. */
    private static double rate(InsertableFilter filter, long[] hot, double[] queried, SplittableRandom random) {
        double rate = 0;
        for (int i = 0; i < hot.length; i++) {
            rate += filter.mightContainHash(hot[i]) ? queried[i] : 0;
        }
        return rate
                + (1 - HOT_SHARE)
                        * random.longs(N).filter(filter::mightContainHash).count()
                        / N;
    }
}
