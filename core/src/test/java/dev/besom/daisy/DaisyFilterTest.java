package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.DaisyPlan;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.testkit.Allocation;
import dev.besom.testsupport.ChangedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class DaisyFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(5_000, 0.01).withSeed(9);

    private static Stream<Kind> kinds() {
        return DaisyKinds.all().stream();
    }

    /** Distributions that have nothing to do with the keys that come, right and wrong ones of every source. */
    private static List<Distribution> oracles(long[] keys) {
        SplittableRandom random = new SplittableRandom(41);
        double[] p = probabilities(keys.length, random);
        double[] q = probabilities(keys.length, random);
        DistributionLearner noise = new DistributionLearner(9);
        for (int i = 0; i < 30_000; i++) {
            noise.addKey(keys[random.nextInt(keys.length)]);
            noise.addMiss(keys[(int) (keys.length * Math.pow(random.nextDouble(), 4))]);
        }
        List<Distribution> oracles = new ArrayList<>();
        oracles.add(Distribution.uniform(100));
        oracles.add(Distribution.uniform(Distribution.WHOLE_UNIVERSE));
        oracles.add(Distribution.exact(keys, p, q, new KeyClass(0, 0, 0, 0)));
        oracles.add(Distribution.zipf(1.2, 0.3, 10_000_000, 3));
        oracles.add(noise.learn(1e7, 0.01));
        oracles.add(Distribution.classified(BY_FOUR, FOUR, true));
        return oracles;
    }

    /** From almost 0 up, with a sum of 1. */
    private static double[] probabilities(int count, SplittableRandom random) {
        double[] weights =
                random.doubles(count, 0, 1).map(x -> Math.pow(2, -60 * x)).toArray();
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }

    private static final List<KeyClass> FOUR = List.of(
            new KeyClass(1e-12, 1e-12, 0.25, 0.25),
            new KeyClass(1e-12, 1e-13, 0.25, 0.025),
            new KeyClass(1e-3, 1e-12, 0.25, 0),
            new KeyClass(1e-12, 2e-12, 0.25, 0.5));

    private static final HashClassifier BY_FOUR = new HashClassifier() {
        @Override
        public String id() {
            return "two lowest bits";
        }

        @Override
        public int classOf(long hash) {
            return (int) hash & 3;
        }
    };

    @Test
    void noKeyIsLostWhateverTheDistributionSaysAlsoAfterReading() {
        long[] keys = new SplittableRandom(42).longs(6_000).toArray();
        keys[5] = 0;
        keys[6] = -1;
        for (Distribution oracle : oracles(keys)) {
            kinds().forEach(kind -> {
                InsertableFilter filter = (InsertableFilter) DaisyKinds.make(kind, SPEC, oracle);
                for (long key : keys) {
                    filter.insertHash(key);
                }
                assertAllFound(filter, keys);
                PersistentFilter again = Filters.toFilter(((PersistentFilter) filter).image(), StoredHashes.none());
                assertAllFound((InsertableFilter) again, keys);
            });
        }
    }

    private static void assertAllFound(InsertableFilter filter, long[] keys) {
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
    }

    @Test
    void aQueryAllocatesNothingWhateverTheDistribution() {
        long[] keys = new SplittableRandom(43).longs(2_000).toArray();
        for (Distribution oracle : oracles(keys)) {
            kinds().forEach(kind -> {
                InsertableFilter filter = (InsertableFilter) DaisyKinds.make(kind, SPEC, oracle);
                filter.insertHashes(keys, 0, 1_000);
                assertThat(Allocation.leastBytesOf(20_000, i -> filter.mightContainHash(keys[(int) i % 2_000]) ? 1 : 0))
                        .as("%s", kind.name())
                        .isZero();
            });
        }
    }

    @Test
    void theFirstKeysAreKeptExactlyUntilTheSharesAreKnown() {
        Distribution unknown = Distribution.classified(BY_FOUR, FOUR, false);
        FilterSpec spec = FilterSpec.of(100_000, 0.01);
        DaisyFilter filter = DaisyFilter.make(spec, unknown);
        long[] keys = new SplittableRandom(44).longs(100_000).toArray();
        long limit = WarmUp.drawsFor(100_000);
        assertThat(limit).isBetween(4_000L, 5_000L);
        for (int i = 0; i < limit - 1; i++) {
            assertThat(filter.insertHash(keys[i])).isTrue();
        }
        assertThat(filter.isWarmingUp()).isTrue();
        assertThat(filter.expectedFpp()).isZero();
        assertThat(filter.mightContainHash(keys[(int) limit])).isFalse();
        assertThat(filter.count()).isEqualTo(limit - 1);
        filter = savedAndRead(filter).bind(BY_FOUR);
        assertThat(filter.isWarmingUp()).isTrue();
        for (int i = (int) limit - 1; i < keys.length; i++) {
            filter.insertHash(keys[i]);
        }
        assertThat(filter.isWarmingUp()).isFalse();
        assertAllFound(filter, keys);
        // 7, 4, 0 and 7 probes, a quarter each: as if the shares had been known.
        double known = DaisyFilter.make(spec, Distribution.classified(BY_FOUR, FOUR, true))
                .bitsWithoutDistribution();
        assertThat(filter.bitsWithoutDistribution() / known).isBetween(0.93, 1.07);
        assertThat(Stream.of(0, 1, 2, 3).map(filter::probesOf)).containsExactly(7, 4, 0, 7);
    }

    @Test
    void theFingerprintFilterFindsTheSharesOutToo() {
        FilterSpec spec = FilterSpec.of(50_000, 0.01);
        DaisyFingerprintFilter filter =
                DaisyFingerprintFilter.make(spec, Distribution.classified(BY_FOUR, FOUR, false));
        long[] keys = new SplittableRandom(53).longs(50_000).toArray();
        int limit = (int) WarmUp.drawsFor(50_000);
        filter.insertHashes(keys, 0, limit - 1);
        assertThat(filter.isWarmingUp()).isTrue();
        assertThat(filter.expectedFpp()).isZero();
        filter = ((DaisyFingerprintFilter) Filters.toFilter(filter.image(), StoredHashes.none())).bind(BY_FOUR);
        assertThat(filter.isWarmingUp()).isTrue();
        filter.insertHashes(keys, limit - 1, keys.length - limit + 1);
        assertThat(filter.isWarmingUp()).isFalse();
        assertAllFound(filter, keys);
        DaisyFingerprintFilter known = DaisyFingerprintFilter.make(spec, Distribution.classified(BY_FOUR, FOUR, true));
        known.insertHashes(keys, 0, keys.length);
        assertThat(filter.bitsWithoutDistribution() / (double) known.bitsWithoutDistribution())
                .isBetween(0.93, 1.07);
        assertThat(filter.expectedFpp()).isCloseTo(known.expectedFpp(), withinPercentage(15));
    }

    @Test
    void keptKeysThatNobodyKeptAreRefusedOrDoNoHarm() {
        DaisyFilter filter =
                DaisyFilter.make(FilterSpec.of(100_000, 0.01), Distribution.classified(BY_FOUR, FOUR, false));
        filter.insertHashes(new SplittableRandom(47).longs(30).toArray(), 0, 30);
        FilterImage image = filter.image();
        List<ImageForm.Section> kept = DaisyFilter.FORM.sections().stream()
                .filter(section -> section.name().startsWith("warmUp"))
                .toList();
        assertThat(kept).hasSize(2);
        for (ImageForm.Section section : kept) {
            for (int word = Words.LEAD; word < image.get(section).length; word++) {
                for (long hostile : new long[] {0, -2, 5, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    long[] words = image.get(section).clone();
                    words[word] = hostile;
                    try {
                        DaisyFilter read = (DaisyFilter) Filters.toFilter(
                                ChangedImage.with(DaisyFilter.FORM, image, section.name(), words), StoredHashes.none());
                        read.insertHash(word);
                        assertThat(read.mightContainHash(word)).isTrue();
                    } catch (MalformedFilterException e) {
                        assertThat(e.getMessage()).startsWith("daisy: ");
                    }
                }
            }
        }
    }

    @Test
    void repeatedDrawsCountForTheSharesButAreKeptOnce() {
        DaisyFilter filter =
                DaisyFilter.make(FilterSpec.of(1_000, 0.01), Distribution.classified(BY_FOUR, FOUR, false));
        for (int i = 0; i < 500; i++) {
            assertThat(filter.insertHash(3)).isEqualTo(i == 0);
        }
        assertThat(filter.isWarmingUp()).isTrue();
        assertThat(filter.count()).isEqualTo(1);
        for (int i = 0; i < 500; i++) {
            filter.insertHash(3);
        }
        assertThat(filter.isWarmingUp()).isFalse();
        // All draws were of a class with 7 probes: 10 bits a draw.
        assertThat(filter.bitsWithoutDistribution()).isBetween(9_000L, 10_500L);
    }

    @Test
    void aFilterReadWithoutItsClassifierLosesNothingAndTakesOnlyTheRightOne() {
        List<KeyClass> classes = List.of(FOUR.get(0), FOUR.get(1), FOUR.get(1), FOUR.get(3));
        DaisyFilter filter = DaisyFilter.make(SPEC, Distribution.classified(BY_FOUR, classes, true));
        long[] keys = new SplittableRandom(45).longs(5_000).toArray();
        filter.insertHashes(keys, 0, 5_000);
        DaisyFilter unbound = savedAndRead(filter);
        assertAllFound(unbound, keys);
        assertThat(unbound.mightContainHash(12345)).isIn(true, false);
        // Hashes put in meanwhile are found by class later.
        for (long more = 0; more < 100; more++) {
            unbound.insertHash(Mix.mix(more));
        }
        DaisyFilter bound = unbound.bind(BY_FOUR);
        assertAllFound(bound, keys);
        for (long more = 0; more < 100; more++) {
            assertThat(bound.mightContainHash(Mix.mix(more))).isTrue();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> unbound.bind(new HashClassifier() {
                    @Override
                    public String id() {
                        return BY_FOUR.id();
                    }

                    @Override
                    public int classOf(long hash) {
                        return (int) (hash >>> 62);
                    }
                }));
    }

    private static DaisyFilter savedAndRead(DaisyFilter filter) {
        FilterImage image = filter.image();
        return (DaisyFilter) Filters.toFilter(image, StoredHashes.none());
    }

    @Test
    void filtersThatKnowDifferentDistributionsDoNotMerge() {
        Distribution one = Distribution.classified(BY_FOUR, FOUR, true);
        Distribution other = one.withClasses(keys -> new KeyClass(
                keys.insertProbability(), keys.queryProbability() / 2, keys.insertShare(), keys.queryShare()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DaisyFilter.make(SPEC, one).mergeFrom(DaisyFilter.make(SPEC, other)))
                .withMessageContaining("differ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WeightedBloomFilter.make(SPEC, one).mergeFrom(WeightedBloomFilter.make(SPEC, other)));
    }

    @Test
    void filtersThatWarmUpMergeKeyByKey() {
        FilterSpec spec = FilterSpec.of(100_000, 0.01);
        DaisyFilter one = DaisyFilter.make(spec, Distribution.classified(BY_FOUR, FOUR, false));
        DaisyFilter other = DaisyFilter.make(spec, Distribution.classified(BY_FOUR, FOUR, false));
        long[] keys = new SplittableRandom(46).longs(6_000).toArray();
        one.insertHashes(keys, 0, 3_000);
        other.insertHashes(keys, 3_000, 3_000);
        one.mergeFrom(other);
        assertThat(one.isWarmingUp()).isFalse();
        assertAllFound(one, keys);
        assertThat(other.isWarmingUp()).isTrue();
    }

    /** Each key is drawn six times: merging must not forget how often. */
    @Test
    void filtersThatWarmUpMergeWithAllTheirDraws() {
        FilterSpec spec = FilterSpec.of(100_000, 0.01);
        Distribution unknown = Distribution.classified(BY_FOUR, FOUR, false);
        DaisyFilter one = DaisyFilter.make(spec, unknown);
        DaisyFilter other = DaisyFilter.make(spec, unknown);
        DaisyFilter whole = DaisyFilter.make(spec, unknown);
        SplittableRandom random = new SplittableRandom(48);
        for (int i = 0; i < 6_000; i++) {
            long key = Mix.mix(random.nextInt(1_000));
            (i < 3_000 ? one : other).insertHash(key);
            whole.insertHash(key);
        }
        assertThat(whole.isWarmingUp()).isFalse();
        one.mergeFrom(other);
        assertThat(one.isWarmingUp()).isFalse();
        assertThat(one.count()).isCloseTo(whole.count(), withinPercentage(1));
        assertThat(one.bitsWithoutDistribution()).isCloseTo(whole.bitsWithoutDistribution(), withinPercentage(3));
    }

    @Test
    void filtersOfOneSpecMergeWheneverTheyAreAlsoAfterWarmUp() {
        FilterSpec spec = FilterSpec.of(20_000, 0.01);
        Distribution unknown = Distribution.classified(BY_FOUR, FOUR, false);
        int[] sizes = {100, 15_000};
        for (int mine : sizes) {
            for (int others : sizes) {
                long[] keys = new SplittableRandom(49).longs(mine + others).toArray();
                DaisyFilter one = DaisyFilter.make(spec, unknown);
                DaisyFilter other = DaisyFilter.make(spec, unknown);
                one.insertHashes(keys, 0, mine);
                other.insertHashes(keys, mine, others);
                one.mergeFrom(other);
                assertAllFound(one, keys);
                assertThat(one.isWarmingUp()).isEqualTo(mine + others < 1_000);
                DaisyFilter again = savedAndRead(one).bind(BY_FOUR);
                assertAllFound(again, keys);
                assertThat(again.expectedFpp()).isEqualTo(one.expectedFpp());
                assertThat(one.count()).isBetween((long) (0.7 * keys.length), (long) keys.length);
                // A filter that was merged takes more keys, and merges again.
                one.insertHash(7);
                again.mergeFrom(one);
                assertThat(again.mightContainHash(7)).isTrue();
                assertThat(again.bitsWithoutDistribution()).isEqualTo(one.bitsWithoutDistribution());
            }
        }
    }

    /** A file does not hold the caller's classifier: with it again, every kind is as good as before. */
    @Test
    void everyKindCanBeBoundToItsClassifierAfterReading() {
        double universe = Distribution.WHOLE_UNIVERSE;
        List<KeyClass> classes = List.of(
                new KeyClass(0.25 / universe, 0.001 / universe, 0.25, 0.001),
                new KeyClass(0.25 / universe, 0.333 / universe, 0.25, 0.333),
                new KeyClass(0.25 / universe, 0.333 / universe, 0.25, 0.333),
                new KeyClass(0.25 / universe, 0.333 / universe, 0.25, 0.333));
        long[] keys = new SplittableRandom(50).longs(5_000).toArray();
        long[] queries = new SplittableRandom(51).longs(20_000).toArray();
        kinds().forEach(kind -> {
            ClassifiedFilter filter =
                    (ClassifiedFilter) DaisyKinds.make(kind, SPEC, Distribution.classified(BY_FOUR, classes, true));
            filter.insertHashes(keys, 0, keys.length);
            ClassifiedFilter read =
                    (ClassifiedFilter) Filters.toFilter(((PersistentFilter) filter).image(), StoredHashes.none());
            ClassifiedFilter bound = read.bind(BY_FOUR);
            assertThat(bound.getClass()).isEqualTo(filter.getClass());
            for (long query : queries) {
                assertThat(bound.mightContainHash(query)).isEqualTo(filter.mightContainHash(query));
            }
            assertAllFound(bound, keys);
            assertThat(bound.expectedFpp()).isEqualTo(filter.expectedFpp());
        });
    }

    /** Keys come with repetitions: how likely a query is for a stored one depends on all draws, not on how many differ. */
    @Test
    void theExpectedRateIsTheOneMeasuredAlsoWhereDrawsRepeat() {
        int universe = 200_000;
        int draws = 50_000;
        double[] sums = new double[universe];
        double sum = 0;
        for (int rank = 1; rank <= universe; rank++) {
            sum += Math.pow(rank, -1.1);
            sums[rank - 1] = sum;
        }
        Distribution zipf = Distribution.zipf(1.1, 1.1, universe, 5);
        // The weighted filter's rate is too low here to be measured.
        kinds().filter(kind -> kind.type() != WeightedBloomFilter.class).forEach(kind -> {
            ClassifiedFilter filter = (ClassifiedFilter) DaisyKinds.make(kind, FilterSpec.of(draws, 0.05), zipf);
            boolean[] isStored = new boolean[universe + 1];
            SplittableRandom random = new SplittableRandom(52);
            for (int i = 0; i < draws; i++) {
                int rank = rank(sums, random);
                isStored[rank] = true;
                filter.insertHash(Distribution.hashOfRank(rank, 5));
            }
            int wrong = 0;
            int queries = 400_000;
            for (int i = 0; i < queries; i++) {
                int rank = rank(sums, random);
                wrong += !isStored[rank] && filter.mightContainHash(Distribution.hashOfRank(rank, 5)) ? 1 : 0;
            }
            assertThat(wrong / (double) queries)
                    .as("%s", kind.name())
                    .isCloseTo(filter.expectedFpp(), withinPercentage(8));
        });
    }

    private static int rank(double[] sums, SplittableRandom random) {
        int place = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
        return Math.min(sums.length, 1 + (place < 0 ? -place - 1 : place));
    }

    @Test
    void theConditionOfAFilterSizedByTheFormulaNamesItsOwnRate() {
        Distribution zipf = Distribution.zipf(0.8, 0.3, 20_000_000, 1);
        FilterSpec spec = FilterSpec.of(200_000, 0.01);
        double planned = DaisyPlan.byFormula(zipf.classes(), 200_000, 0.01).rate(zipf.classes(), 200_000);
        assertThat(planned).isGreaterThan(0.015);
        assertThat(DaisyFilter.make(spec.with("sizing", "formula"), zipf)
                        .condition()
                        .rate())
                .isEqualTo(planned);
    }

    @Test
    void theConditionIsToldOfTheFilter() {
        assertThat(DaisyFilter.make(SPEC).condition().holds()).isTrue();
        DaisyFilter small = DaisyFilter.make(SPEC.with("universe", "10000"));
        assertThat(small.condition().holds()).isFalse();
        assertThat(small.condition().warning()).isNotBlank();
    }

    @Test
    void theOthersNeedToKnowTheShares() {
        Distribution unknown = Distribution.classified(BY_FOUR, FOUR, false);
        assertThatIllegalArgumentException().isThrownBy(() -> WeightedBloomFilter.make(SPEC, unknown));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionedLearnedFilter.make(SPEC, unknown))
                .withMessageContaining("only daisy");
    }

    @Test
    void aDistributionAndAUniverseExcludeEachOther() {
        kinds().forEach(kind -> assertThatIllegalArgumentException()
                .isThrownBy(() -> DaisyKinds.make(kind, SPEC.with("universe", "1e9"), Distribution.uniform(1e9)))
                .withMessageContaining("option universe"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.makeHashFilter(Filters.kind("bloom"), SPEC, Distribution.uniform(1e9)))
                .withMessageContaining("bloom");
    }
}
