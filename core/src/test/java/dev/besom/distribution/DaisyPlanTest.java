package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DaisyPlanTest {

    private static final double N = 1e6;
    private static final double FPP = 0.01;

    /** Nine of ten queries are for keys that are hardly ever stored: the paper's k have a rate of 1.33 % there. */
    private static final List<KeyClass> HOT =
            List.of(new KeyClass(1e-15, 1e-10, 1e-5, 0.9), new KeyClass(1e-12, 1e-13, 1 - 1e-5, 0.1));

    /** Two classes whose probabilities are in the ratio of their shares, and small: no key is likely stored. */
    private static List<KeyClass> twoClasses(SplittableRandom random) {
        double stored = random.nextDouble();
        double asked = random.nextDouble();
        return List.of(
                new KeyClass(stored * 1e-12, asked * 1e-12, stored, asked),
                new KeyClass((1 - stored) * 1e-12, (1 - asked) * 1e-12, 1 - stored, 1 - asked));
    }

    @Test
    void theRateIsKeptWithNoMoreProbesThanAPlainFilterHas() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 1_000; i++) {
            List<KeyClass> classes = twoClasses(random);
            double fpp = Math.pow(2, -1 - 12 * random.nextDouble());
            DaisyPlan plan = DaisyPlan.of(classes, N, fpp);
            assertThat(plan.rate(classes, N)).isLessThanOrEqualTo(fpp * (1 + 1e-9));
            int most = (int) Math.ceil(Math.log(1 / fpp) / Math.log(2));
            for (int j = 0; j < 2; j++) {
                assertThat(plan.probes().get(j)).isBetween(DaisyMath.wholeProbes(classes.get(j), N, fpp), most);
            }
        }
    }

    @Test
    void theBitsAreThoseThatTheFillAsksFor() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 1_000; i++) {
            List<KeyClass> classes = twoClasses(random);
            DaisyPlan plan = DaisyPlan.of(classes, N, FPP);
            double set = 0;
            for (int j = 0; j < 2; j++) {
                set += plan.probes().get(j) * DaisyMath.distinctKeys(classes.get(j), N);
            }
            assertThat(plan.fill()).isBetween(0.4, 0.556);
            assertThat(-Math.expm1(-set / plan.bits())).isCloseTo(plan.fill(), within(1e-9));
        }
    }

    @Test
    void fewerBitsAreSetWhereThePapersProbesWouldMissTheRate() {
        assertThat(DaisyMath.rate(HOT, N, new int[] {7, 4}, 0.5)).isCloseTo(0.0133, within(0.0001));
        DaisyPlan plan = DaisyPlan.of(HOT, N, FPP);
        assertThat(plan.probes()).containsExactly(7, 4);
        assertThat(plan.fill()).isCloseTo(0.475, within(0.001));
        assertThat(plan.rate(HOT, N)).isCloseTo(FPP, within(1e-9));
        // 5.77 bits a key with half of the bits set, 7.21 with one probe more.
        assertThat(plan.bits() / N).isCloseTo(6.21, within(0.01));
    }

    @Test
    void thePapersSizeMissesTheRateByItsRounding() {
        DaisyPlan paper = DaisyPlan.byFormula(HOT, N, FPP);
        assertThat(paper.probes()).containsExactly(7, 4);
        assertThat(paper.bits()).isEqualTo(DaisyMath.formulaBits(HOT, N, FPP));
        assertThat(paper.rate(HOT, N)).isBetween(0.0133, 0.03);
    }

    @Test
    void whatNoProbesCanMendIsLeftAsInThePaper() {
        // Queries are for keys that are likely stored, half of which are not.
        double universe = 2 * N;
        List<KeyClass> likely = List.of(new KeyClass(1 / universe, 1 / universe, 1, 1));
        DaisyPlan plan = DaisyPlan.of(likely, N, FPP);
        assertThat(plan.probes()).containsExactly(1);
        assertThat(plan.fill()).isEqualTo(0.5);
        assertThat(plan.rate(likely, N)).isCloseTo(0.5 * Math.exp(-0.5), within(1e-12));
    }

    @Test
    void keysThatDeserveNothingTakeNoBits() {
        List<KeyClass> stored = List.of(new KeyClass(1e-3, 1e-9, 1, 0));
        assertThat(DaisyPlan.of(stored, N, FPP).bits()).isZero();
        assertThat(DaisyPlan.byFormula(stored, N, FPP).bits()).isZero();
        assertThat(DaisyPlan.byFormula(stored, N, FPP).fill()).isZero();
    }
}
