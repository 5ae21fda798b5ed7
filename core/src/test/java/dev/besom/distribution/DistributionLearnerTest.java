package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DistributionLearnerTest {

    private static final double N = 1_000_000;
    private static final double FPP = 0.01;

    private static long hot(int index) {
        return Mix.mix(index + 1);
    }

    /** Keys are all alike; nine of ten misses are for a thousand hot keys that are hardly ever stored. */
    private static DistributionLearner hotMisses() {
        SplittableRandom random = new SplittableRandom(31);
        DistributionLearner learner = new DistributionLearner();
        for (int i = 0; i < 40_000; i++) {
            learner.addKey(random.nextLong());
            learner.addMiss(random.nextInt(10) > 0 ? hot(random.nextInt(1000)) : random.nextLong());
        }
        return learner;
    }

    @Test
    void hotMissesAreToldFromOthersInASmallSketch() {
        Distribution learned = hotMisses().learn(N, FPP);
        assertThat(learned.sizeInBits()).isLessThan(200_000);
        int hot = 0;
        for (int i = 0; i < 1000; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(hot(i)));
            hot += DaisyMath.wholeProbes(keys, N, FPP) == 7 ? 1 : 0;
        }
        assertThat(hot).isGreaterThan(990);
        SplittableRandom random = new SplittableRandom(32);
        int spared = 0;
        for (int i = 0; i < 1000; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(random.nextLong()));
            spared += DaisyMath.wholeProbes(keys, N, FPP) < 7 ? 1 : 0;
        }
        assertThat(spared).isGreaterThan(900);
        double uniform = DaisyPlan.of(
                        Distribution.uniform(Distribution.WHOLE_UNIVERSE).classes(), N, FPP)
                .bits();
        assertThat(DaisyPlan.of(learned.classes(), N, FPP).bits() + learned.sizeInBits())
                .isLessThan(0.7 * uniform);
    }

    @Test
    void whereKnowledgeDoesNotPayNothingIsKept() {
        SplittableRandom random = new SplittableRandom(33);
        DistributionLearner alike = new DistributionLearner();
        for (int i = 0; i < 40_000; i++) {
            alike.addKey(random.nextLong());
            alike.addMiss(random.nextLong());
        }
        assertThat(alike.learn(N, FPP).isSameAs(Distribution.uniform(Distribution.WHOLE_UNIVERSE)))
                .isTrue();
        // The same hot misses before a filter of a thousand keys, which is smaller than any sketch.
        assertThat(hotMisses().learn(1000, FPP).sketch()).isNull();
        assertThat(new DistributionLearner().learn(N, FPP).classCount()).isEqualTo(1);
    }

    /** One miss in the sample, or a few hundred, say nothing of what part of all misses each class is. */
    @Test
    void nothingIsLearnedFromAFewMissesOrKeys() {
        int least = DistributionLearner.LEAST_SAMPLE;
        assertThat(ofHot(40_000, 1).classCount()).isEqualTo(1);
        assertThat(ofHot(40_000, least - 1).classCount()).isEqualTo(1);
        assertThat(ofHot(least - 1, 40_000).classCount()).isEqualTo(1);
        assertThat(ofHot(least, least).classCount()).isGreaterThan(1);
    }

    private static Distribution ofHot(int keys, int misses) {
        SplittableRandom random = new SplittableRandom(35);
        DistributionLearner learner = new DistributionLearner();
        random.longs(keys).forEach(learner::addKey);
        random.ints(misses, 0, 10).forEach(index -> learner.addMiss(hot(index)));
        return learner.learn(N, FPP);
    }

    /** Half of all inserts are of ten keys over and over: those are surely stored and need no bits. */
    @Test
    void keysThatAreSurelyStoredAreFoundOut() {
        SplittableRandom random = new SplittableRandom(34);
        DistributionLearner learner = new DistributionLearner();
        for (int i = 0; i < 20_000; i++) {
            learner.addKey(random.nextBoolean() ? hot(random.nextInt(10)) : random.nextLong());
            learner.addMiss(random.nextLong());
        }
        Distribution learned = learner.learn(N, FPP);
        for (int i = 0; i < 10; i++) {
            KeyClass keys = learned.classes().get(learned.classOf(hot(i)));
            assertThat(DaisyMath.wholeProbes(keys, N, FPP)).isZero();
        }
        assertThat(DaisyPlan.of(learned.classes(), N, FPP).bits() / N).isLessThan(5.2);
    }

    /** Stored keys that are looked up all the time are hits, and a filter is not planned for them. */
    @Test
    void aLogFullOfHitsDoesNotRaiseTheRateOverMisses() {
        int stored = 100_000;
        long[] keys = new SplittableRandom(36).longs(stored).toArray();
        MembershipFilter exact = new LongSet(keys);
        for (double hitShare : new double[] {0.5, 0.9, 0.99}) {
            SplittableRandom random = new SplittableRandom(37);
            DistributionLearner learner = new DistributionLearner();
            for (long key : keys) {
                learner.addKey(key);
            }
            int log = 400_000;
            for (int i = 0; i < log; i++) {
                boolean isHit = random.nextDouble() < hitShare;
                // The hottest hit is a third of all hits.
                learner.addQuery(
                        isHit ? keys[(int) (stored * Math.pow(random.nextDouble(), 12))] : random.nextLong(), exact);
            }
            assertThat(learner.queryCount()).isEqualTo(log);
            assertThat(learner.missShare()).isCloseTo(1 - hitShare, within(0.01));
            Distribution learned = learner.learn(stored, FPP);
            for (String kind : List.of("daisy", "daisy-fingerprint", "partitioned-learned")) {
                InsertableFilter filter = (InsertableFilter)
                        Filters.makeHashFilter(Filters.kind(kind), FilterSpec.of(stored, FPP), learned);
                filter.insertHashes(keys, 0, stored);
                int wrong = 0;
                int misses = 200_000;
                for (int i = 0; i < misses; i++) {
                    wrong += filter.mightContainHash(random.nextLong()) ? 1 : 0;
                }
                assertThat(wrong / (double) misses)
                        .as("%s, %s of the log are hits", kind, hitShare)
                        .isLessThan(1.12 * FPP);
            }
        }
    }

    /** A log in which every fourth query is for no hot key teaches as much as one that is mixed at random. */
    @Test
    void whatALogRepeatsByTurnsIsLearnedToo() {
        for (int place = 0; place < 4; place++) {
            SplittableRandom random = new SplittableRandom(38);
            DistributionLearner learner = new DistributionLearner();
            for (int i = 0; i < 80_000; i++) {
                learner.addKey(random.nextLong());
                learner.addMiss(i % 4 == place ? random.nextLong() : hot(random.nextInt(100)));
            }
            Distribution learned = learner.learn(N, FPP);
            double hotShare = IntStream.range(0, 100)
                    .map(i -> learned.classOf(hot(i)))
                    .distinct()
                    .mapToDouble(keyClass -> learned.classes().get(keyClass).queryShare())
                    .sum();
            assertThat(hotShare).as("place %d", place).isBetween(0.72, 0.78);
        }
    }

    private record LongSet(Set<Long> keys) implements MembershipFilter {

        LongSet(long[] keys) {
            this(Arrays.stream(keys).boxed().collect(Collectors.toSet()));
        }

        @Override
        public boolean mightContainHash(long hash) {
            return keys.contains(hash);
        }

        @Override
        public long count() {
            return keys.size();
        }

        @Override
        public long sizeInBits() {
            return 0;
        }

        @Override
        public double expectedFpp() {
            return 0;
        }
    }

    @Test
    void theSameSamplesGiveTheSameDistribution() {
        assertThat(hotMisses().learn(N, FPP).isSameAs(hotMisses().learn(N, FPP)))
                .isTrue();
    }

    @Test
    void rowsHaveLimits() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DistributionLearner(4));
        assertThatIllegalArgumentException().isThrownBy(() -> new DistributionLearner(25));
    }
}
