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

    /** Every way to cut up to ten classes into up to four regions, tried. */
    @Test
    void noOtherCutsTakeLessSpace() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 500; i++) {
            double fpp = Math.pow(10, -0.5 - 2.5 * random.nextDouble());
            List<KeyClass> classes = new ArrayList<>(randomClasses(random, 6 + random.nextInt(5)));
            classes.sort((a, b) -> Double.compare(
                    a.insertShare() / (a.insertShare() + a.queryShare()),
                    b.insertShare() / (b.insertShare() + b.queryShare())));
            int regions = 2 + random.nextInt(3);
            double mine = space(PartitionedMath.partition(classes, fpp, regions));
            assertThat(mine)
                    .as("%d classes, %d regions, rate %s", classes.size(), regions, fpp)
                    .isLessThanOrEqualTo(leastSpace(classes, fpp, new ArrayList<>(), regions) + 1e-6);
        }
    }

    /** Of all ways to cut what follows the last of the ends. */
    private static double leastSpace(List<KeyClass> classes, double fpp, List<Integer> ends, int regions) {
        int start = ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
        if (start == classes.size()) {
            return spaceOf(classes, fpp, ends);
        }
        double least = Double.POSITIVE_INFINITY;
        for (int end = regions == 1 ? classes.size() : start + 1; end <= classes.size(); end++) {
            ends.add(end);
            least = Math.min(least, leastSpace(classes, fpp, ends, regions - 1));
            ends.remove(ends.size() - 1);
        }
        return least;
    }

    /** With the best rates, found by trying how many of the last regions have none. */
    private static double spaceOf(List<KeyClass> classes, double fpp, List<Integer> ends) {
        double[] inserts = new double[ends.size()];
        double[] queries = new double[ends.size()];
        for (int region = 0, c = 0; region < ends.size(); region++) {
            for (; c < ends.get(region); c++) {
                inserts[region] += classes.get(c).insertShare();
                queries[region] += classes.get(c).queryShare();
            }
        }
        double least = Double.POSITIVE_INFINITY;
        for (int filters = ends.size(); filters >= 0; filters--) {
            double insertsLeft = 0;
            double rateLeft = fpp;
            for (int region = 0; region < ends.size(); region++) {
                insertsLeft += region < filters ? inserts[region] : 0;
                rateLeft -= region < filters ? 0 : queries[region];
            }
            double space = 0;
            boolean isPossible = rateLeft > 0;
            for (int region = 0; region < filters; region++) {
                double rate = inserts[region] * rateLeft / (queries[region] * insertsLeft);
                isPossible &= rate <= 1;
                space += inserts[region] * Entropy.bitsPerKey(rate);
            }
            least = isPossible ? Math.min(least, space) : least;
        }
        return least;
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
    void keysThatAreNeverQueriedNeedNoFilter() {
        PartitionedMath.Partition partition =
                PartitionedMath.partition(List.of(new KeyClass(0, 0, 0.5, 1), new KeyClass(0, 0, 0.5, 0)), FPP, 2);
        assertThat(partition.rate().get(partition.regionOfClass().get(0))).isCloseTo(FPP, within(1e-9));
        assertThat(partition.rate().get(partition.regionOfClass().get(1))).isEqualTo(1);
    }
}
