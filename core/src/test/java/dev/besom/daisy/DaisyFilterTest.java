package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
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
        double[] p =
                random.doubles(keys.length, 0, 1).map(x -> Math.pow(2, -60 * x)).toArray();
        double[] q =
                random.doubles(keys.length, 0, 1).map(x -> Math.pow(2, -60 * x)).toArray();
        DistributionLearner noise = new DistributionLearner(9);
        for (int i = 0; i < 30_000; i++) {
            noise.addKey(keys[random.nextInt(keys.length)]);
            noise.addQuery(keys[(int) (keys.length * Math.pow(random.nextDouble(), 4))]);
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
        Distribution other = one.withClasses(keys -> keys.withShares(keys.insertShare(), keys.queryShare() / 2));
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

    @Test
    void theConditionIsToldOfTheFilter() {
        assertThat(DaisyFilter.make(SPEC).condition().holds()).isTrue();
        DaisyFilter small = DaisyFilter.make(SPEC.with("universe", "10000"));
        assertThat(small.condition().holds()).isFalse();
        assertThat(small.condition().warning()).isNotBlank();
    }

    @Test
    void onlyDaisyFindsSharesOutByItself() {
        Distribution unknown = Distribution.classified(BY_FOUR, FOUR, false);
        assertThatIllegalArgumentException().isThrownBy(() -> WeightedBloomFilter.make(SPEC, unknown));
        assertThatIllegalArgumentException().isThrownBy(() -> DaisyFingerprintFilter.make(SPEC, unknown));
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
