package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.distribution.KeyClass;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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

    /** Few keys share a filter whose rate is not the one that they deserve by the formula. */
    @Test
    void theFiltersOfAPlanTogetherHaveTheRateThatWasAskedFor() {
        SplittableRandom random = new SplittableRandom(1612);
        for (int i = 0; i < 5_000; i++) {
            double n = Math.pow(10, random.nextDouble(2, 6));
            double fpp = Math.pow(10, random.nextDouble(-3.5, -0.5));
            double[] inserts = shares(random);
            double[] queries = shares(random);
            List<KeyClass> classes = IntStream.range(0, inserts.length)
                    .mapToObj(c -> new KeyClass(inserts[c] * 0x1p-64, queries[c] * 0x1p-64, inserts[c], queries[c]))
                    .toList();
            FingerprintPlan plan = FingerprintPlan.of(classes, n, fpp);
            double rate = IntStream.range(0, inserts.length)
                    .mapToDouble(c -> {
                        int group = plan.groupOfClass().get(c);
                        return queries[c] * (group == 0 ? 1 : plan.rates().get(group - 1));
                    })
                    .sum();
            // No filter is full when all n keys are in: that tenth is never reached.
            assertThat(rate).as("%s keys at %s of %s", n, fpp, classes).isLessThanOrEqualTo(1.1 * fpp * (1 + 1e-9));
        }
    }

    /** Shares of five classes, some of them next to nothing. */
    private static double[] shares(SplittableRandom random) {
        double skew = random.nextDouble(1, 9);
        double[] shares = random.doubles(5).map(x -> Math.pow(x, skew)).toArray();
        double sum = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }

    @Test
    void keysThatDeserveNothingNeedNoFilter() {
        FingerprintPlan plan = FingerprintPlan.of(List.of(new KeyClass(1e-3, 0, 1, 1)), 1e6, 0.01);
        assertThat(plan.groupOfClass()).containsExactly(0);
        assertThat(plan.rates()).isEmpty();
    }
}
