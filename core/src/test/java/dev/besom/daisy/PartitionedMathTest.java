package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.distribution.KeyClass;
import dev.besom.math.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartitionedMathTest {

    private static final double FPP = 0.01;

    private static List<KeyClass> randomClasses(SplittableRandom random, int count) {
        double[] inserts = random.doubles(count).toArray();
        double[] queries = random.doubles(count, 0, 1).map(x -> x * x * x).toArray();
        double insertSum = 0;
        double querySum = 0;
        for (int i = 0; i < count; i++) {
            insertSum += inserts[i];
            querySum += queries[i];
        }
        List<KeyClass> classes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            classes.add(new KeyClass(0, 0, inserts[i] / insertSum, queries[i] / querySum));
        }
        return classes;
    }

    private static double space(PartitionedMath.Partition partition) {
        double space = 0;
        for (int region = 0; region < partition.rate().size(); region++) {
            space += partition.insertShare().get(region)
                    * Entropy.bitsPerKey(partition.rate().get(region));
        }
        return space;
    }

    @Test
    void theRatesOfTheRegionsAddUpToTheRateAskedFor() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 300; i++) {
            PartitionedMath.Partition partition =
                    PartitionedMath.partition(randomClasses(random, 12), FPP, 1 + random.nextInt(8));
            double rate = 0;
            for (int region = 0; region < partition.rate().size(); region++) {
                assertThat(partition.rate().get(region)).isGreaterThan(0).isLessThanOrEqualTo(1);
                rate += partition.queryShare().get(region) * partition.rate().get(region);
            }
            assertThat(rate).isCloseTo(FPP, within(1e-6));
        }
    }

    /** Every way to cut six classes into three regions, tried. */
    @Test
    void noOtherCutsDivergeMore() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 100; i++) {
            List<KeyClass> classes = new ArrayList<>(randomClasses(random, 6));
            classes.sort((a, b) -> Double.compare(
                    a.insertShare() / (a.insertShare() + a.queryShare()),
                    b.insertShare() / (b.insertShare() + b.queryShare())));
            PartitionedMath.Partition partition = PartitionedMath.partition(classes, FPP, 3);
            double best = divergence(array(partition.insertShare()), array(partition.queryShare()));
            for (int first = 1; first < 5; first++) {
                for (int second = first + 1; second < 6; second++) {
                    double[] inserts = new double[3];
                    double[] queries = new double[3];
                    for (int c = 0; c < 6; c++) {
                        int region = c < first ? 0 : c < second ? 1 : 2;
                        inserts[region] += classes.get(c).insertShare();
                        queries[region] += classes.get(c).queryShare();
                    }
                    assertThat(divergence(inserts, queries)).isLessThanOrEqualTo(best + 1e-9);
                }
            }
        }
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double divergence(double[] inserts, double[] queries) {
        double sum = 0;
        for (int i = 0; i < inserts.length; i++) {
            sum += inserts[i] * Math.log(inserts[i] / queries[i]);
        }
        return sum;
    }

    @Test
    void moreRegionsNeverTakeMoreSpace() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 100; i++) {
            List<KeyClass> classes = randomClasses(random, 30);
            double one = space(PartitionedMath.partition(classes, FPP, 1));
            double four = space(PartitionedMath.partition(classes, FPP, 4));
            double eight = space(PartitionedMath.partition(classes, FPP, 8));
            assertThat(one).isCloseTo(Entropy.bitsPerKey(FPP), within(1e-9));
            assertThat(four).isLessThanOrEqualTo(one + 1e-9);
            assertThat(eight).isLessThanOrEqualTo(four + 1e-9);
        }
    }

    @Test
    void keysThatAreNeverAskedForNeedNoFilter() {
        PartitionedMath.Partition partition =
                PartitionedMath.partition(List.of(new KeyClass(0, 0, 0.5, 1), new KeyClass(0, 0, 0.5, 0)), FPP, 2);
        assertThat(partition.rate().get(partition.regionOfClass().get(0))).isCloseTo(FPP, within(1e-9));
        assertThat(partition.rate().get(partition.regionOfClass().get(1))).isEqualTo(1);
    }
}
