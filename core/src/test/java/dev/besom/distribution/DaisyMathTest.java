package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.bloom.BloomMath;
import dev.besom.distribution.DaisyMath.Region;
import dev.besom.math.Entropy;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DaisyMathTest {

    private static final double N = 1e6;
    private static final double FPP = 0.01;

    private static KeyClass keys(double p, double q) {
        return new KeyClass(p, q, 1, 1);
    }

    private static void assertProbes(double p, double q, Region region, double probes) {
        assertThat(DaisyMath.region(keys(p, q), N, FPP)).as("p %s, q %s", p, q).isEqualTo(region);
        assertThat(DaisyMath.probes(keys(p, q), N, FPP)).as("p %s, q %s", p, q).isCloseTo(probes, within(1e-9));
    }

    @Test
    void eachRegionHasItsFormula() {
        assertProbes(1e-7, 1e-9, Region.U0, 0);
        assertProbes(1e-7, 0, Region.U0, 0);
        assertProbes(1e-5, 1e-3, Region.U1, 0);
        assertProbes(1e-9, 0.5e-9, Region.U2, Math.log(50) / Math.log(2));
        assertProbes(1e-9, 1e-9, Region.U2, Math.log(100) / Math.log(2));
        assertProbes(1e-9, 1e-3, Region.U3, Math.log(100) / Math.log(2));
        assertProbes(0, 1e-30, Region.U3, Math.log(100) / Math.log(2));
        assertProbes(0.5e-6, 1e-6, Region.U4, 1);
        assertProbes(0.5e-6, 0.2e-7, Region.U4, 1);
    }

    @Test
    void theFormulasMeetWhereRegionsTouch() {
        double limit = Math.log(100) / Math.log(2);
        // U2 and U3 along q = p; U2 and U0 along q = fpp p; U3 and U4 along p = fpp / n; U4 and U1 along p = 1 / n.
        assertThat(DaisyMath.probes(keys(1e-9, 0.9999999e-9), N, FPP)).isCloseTo(limit, within(1e-5));
        assertThat(DaisyMath.probes(keys(1e-9, 1.0000001e-11), N, FPP)).isCloseTo(0, within(1e-5));
        assertThat(DaisyMath.probes(keys(1.0000001e-8, 1e-3), N, FPP)).isCloseTo(limit, within(1e-5));
        assertThat(DaisyMath.probes(keys(0.9999999e-6, 1e-3), N, FPP)).isCloseTo(0, within(1e-5));
        // U2 and U4 along q = fpp / n: log2(q / (p fpp)) is log2(1 / (n p)) there.
        assertThat(DaisyMath.probes(keys(1e-7, 0.9999999e-8), N, FPP))
                .isCloseTo(DaisyMath.probes(keys(1e-7, 1.0000001e-8), N, FPP), within(1e-5));
    }

    @Test
    void noKeyDeservesLessThanNothingOrMoreThanInAPlainFilter() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            KeyClass keys = keys(Math.pow(2, -40 * random.nextDouble()), Math.pow(2, -60 * random.nextDouble()));
            assertThat(DaisyMath.probes(keys, N, FPP)).isBetween(0.0, Math.log(100) / Math.log(2) + 1e-9);
            assertThat(DaisyMath.wholeProbes(keys, N, FPP)).isBetween(0, 7);
        }
    }

    @Test
    void keysThatAreAllAlikeNeedWhatAnyFilterNeeds() {
        List<KeyClass> all = List.of(keys(1e-15, 1e-15));
        assertThat(DaisyMath.lowerBound(all, N, FPP) / N).isCloseTo(Entropy.bitsPerKey(FPP), within(1e-9));
        assertThat(DaisyMath.formulaBits(all, N, FPP) / N)
                .isCloseTo(Entropy.bitsPerKey(FPP) / Math.log(2), within(1e-9));
        assertThat(DaisyPlan.of(all, N, FPP).bits() / N).isCloseTo(BloomMath.bitsPerKey(FPP, 7), within(1e-6));
    }

    @Test
    void drawsRepeatAndStoredKeysAreNoFalsePositives() {
        // A thousand keys, a thousand draws.
        KeyClass keys = keys(0.001, 0.001);
        double distinct = 1000 * (1 - Math.pow(0.999, 1000));
        assertThat(DaisyMath.distinctKeys(keys, 1000)).isCloseTo(distinct, within(0.5));
        assertThat(DaisyMath.rate(List.of(keys), 1000, new int[] {1}, 0.5))
                .isCloseTo((1000 - distinct) / 1000 / 2, within(0.0005));
        assertThat(DaisyMath.distinctKeys(new KeyClass(0, 0, 0.25, 0), 1000)).isEqualTo(250);
    }

    @Test
    void uniformQueriesMeetTheConditionAsLongAsTheUniverseIsLarge() {
        double universe = N / FPP;
        List<KeyClass> enough = List.of(keys(1 / universe, 1 / universe));
        DaisyMath.Condition holds = DaisyMath.condition(enough, N, FPP);
        assertThat(holds.holds()).isTrue();
        assertThat(holds.warning()).isEmpty();
        assertThat(holds.overlap()).isCloseTo(FPP, within(1e-12));
        assertThat(holds.bound()).isCloseTo(6 * FPP, within(1e-12));
    }

    @Test
    void aConditionThatDoesNotHoldIsSaidWithWhatTheRateBecomes() {
        double universe = 2 * N;
        List<KeyClass> tooSmall = List.of(keys(1 / universe, 1 / universe));
        DaisyMath.Condition condition = DaisyMath.condition(tooSmall, N, FPP);
        assertThat(condition.holds()).isFalse();
        assertThat(condition.overlap()).isCloseTo(0.5, within(1e-12));
        // n p = 1/2: one probe, for the part of the universe that is not stored.
        assertThat(condition.rate()).isCloseTo(0.5 * Math.exp(-0.5), within(1e-12));
        assertThat(condition.warning()).contains("0.500").contains("0.0100").contains("rate becomes");
    }
}
