package dev.besom.daisy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import dev.besom.quotient.QuotientFilter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the filters that Daisy is compared with do well and badly, and what its fingerprint form does on overflow. */
@Tag("slow")
class BaselinesTest {

    private static final int N = 20_000;
    private static final FilterSpec SPEC = FilterSpec.of(N, 0.01).withSeed(3);

    /** One hash in ten is odd in this sense: class 1. */
    private static final HashClassifier TENTH = new HashClassifier() {
        @Override
        public String id() {
            return "one in ten";
        }

        @Override
        public int classOf(long hash) {
            return Long.remainderUnsigned(hash, 10) == 0 ? 1 : 0;
        }
    };

    private static Distribution twoClasses(KeyClass most, KeyClass tenth) {
        return Distribution.classified(TENTH, List.of(most, tenth), true);
    }

    private static double rate(InsertableFilter filter, int keyClass) {
        SplittableRandom random = new SplittableRandom(51);
        int asked = 0;
        int maybes = 0;
        while (asked < 20_000) {
            long hash = random.nextLong();
            if (TENTH.classOf(hash) == keyClass) {
                asked++;
                maybes += filter.mightContainHash(hash) ? 1 : 0;
            }
        }
        return maybes / (double) asked;
    }

    private static void fill(InsertableFilter filter) {
        SplittableRandom random = new SplittableRandom(52);
        for (int i = 0; i < N; i++) {
            filter.insertHash(random.nextLong());
        }
    }

    /** A tenth of the stored keys is next to never queried. The weighted filter is all ones, Daisy is not. */
    @Test
    void aVeryRareQueryDrivesTheWeightedFilterToAllOnes() {
        double p = 1e-12;
        Distribution rare = twoClasses(new KeyClass(p, p, 0.9, 1), new KeyClass(p, 1e-300, 0.1, 0));
        WeightedBloomFilter weighted = WeightedBloomFilter.make(SPEC, rare);
        DaisyFilter daisy = DaisyFilter.make(SPEC, rare);
        fill(weighted);
        fill(daisy);
        assertThat(rate(weighted, 0)).isEqualTo(1);
        // A query is for a stored key with a chance of N p.
        assertThat(weighted.expectedFpp()).isCloseTo(1, within(1e-6));
        assertThat(rate(daisy, 0)).isLessThan(0.013);
        assertThat(daisy.bitsWithoutDistribution() / (double) N).isLessThan(0.91 * 10.2);
    }

    /** Where no k is negative the weighted filter is what it was meant to be: better than Daisy for the hottest keys. */
    @Test
    void theWeightedFilterSpendsMoreProbesOnHotKeysThanDaisyMay() {
        double p = 1e-12;
        Distribution hot = twoClasses(new KeyClass(p, p / 8, 0.9, 0.1), new KeyClass(p, 40 * p, 0.1, 0.9));
        WeightedBloomFilter weighted = WeightedBloomFilter.make(SPEC, hot);
        fill(weighted);
        assertThat(rate(weighted, 1)).isLessThan(0.002);
        assertThat(rate(weighted, 0)).isBetween(0.05, 0.1);
    }

    @Test
    void aClassThatOverflowsGrowsAndLosesNothing() {
        double p = 1e-12;
        // Said to be one in a thousand, in truth one in ten.
        Distribution wrong = twoClasses(new KeyClass(p, p, 0.999, 0.999), new KeyClass(p, p / 8, 0.001, 0.001));
        DaisyFingerprintFilter filter = DaisyFingerprintFilter.make(SPEC, wrong);
        long[] keys = new SplittableRandom(53).longs(4 * N).toArray();
        long[] sizes = new long[2];
        for (int i = 0; i < keys.length; i++) {
            filter.insertHash(keys[i]);
            if (i == N) {
                sizes[0] = filter.overflowCount();
            }
        }
        sizes[1] = filter.overflowCount();
        assertThat(sizes[0])
                .as("overflows of the class that is larger than said")
                .isBetween(1L, 8L);
        assertThat(sizes[1]).as("overflows with four times the keys planned").isGreaterThan(sizes[0]);
        DaisyFingerprintFilter again = (DaisyFingerprintFilter) Filters.toFilter(filter.image(), StoredHashes.none());
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
            assertThat(again.mightContainHash(key)).isTrue();
        }
        assertThat(again.overflowCount()).isEqualTo(filter.overflowCount());
        assertThat(rate(filter, 0))
                .as("rate of class 0, at most twice its plan")
                .isLessThan(0.017);
        assertThat(rate(filter, 0)).isBetween(0.8 * filter.expectedFpp(), 1.25 * filter.expectedFpp());
    }

    /** Tiny, so that it overflows often, and asked for everything at every step; at the lowest rate that a table has, too. */
    @Test
    void atNoMomentOfItsGrowthIsAKeyMissing() {
        for (double fpp : new double[] {0.3, 0.01, 4e-10}) {
            for (long keys : new long[] {1, 2, 40}) {
                DaisyFingerprintFilter filter = DaisyFingerprintFilter.make(FilterSpec.of(keys, fpp));
                long[] stored = new SplittableRandom(54).longs(1_500).toArray();
                for (int i = 0; i < stored.length; i++) {
                    filter.insertHash(stored[i]);
                    if (i % 16 == 0) {
                        filter = (DaisyFingerprintFilter) Filters.toFilter(filter.image(), StoredHashes.none());
                    }
                    int found = 0;
                    for (int j = 0; j <= i; j++) {
                        found += filter.mightContainHash(stored[j]) ? 1 : 0;
                    }
                    assertThat(found)
                            .as("found, in a filter for %d at %s", keys, fpp)
                            .isEqualTo(i + 1);
                }
                assertThat(filter.overflowCount())
                        .as("overflows of a filter for %d at %s", keys, fpp)
                        .isBetween(3, 6);
            }
        }
    }

    /** A class may be any set of hashes, also a range of them: the slots of its filter are used evenly all the same. */
    @Test
    void classesThatAreRangesOfHashesCostNeitherSpaceNorRate() {
        HashClassifier sign = rule("sign", hash -> hash < 0 ? 1 : 0);
        HashClassifier top = rule("top ten bits", hash -> hash >>> 54 == 0 ? 1 : 0);
        double universe = Distribution.WHOLE_UNIVERSE;
        List<KeyClass> classes = List.of(
                new KeyClass(0.5 / universe, 0.2 / universe, 0.5, 0.2),
                new KeyClass(0.5 / universe, 0.8 / universe, 0.5, 0.8));
        int keys = 40_000;
        for (HashClassifier rule : List.of(sign, top)) {
            DaisyFingerprintFilter filter = DaisyFingerprintFilter.make(
                    FilterSpec.of(keys, 0.01), Distribution.classified(rule, classes, true));
            SplittableRandom random = new SplittableRandom(57);
            for (int i = 0; i < keys; i++) {
                filter.insertHash(ofClass(rule, i & 1, random));
            }
            int wrong = 0;
            int queries = 200_000;
            for (int i = 0; i < queries; i++) {
                wrong += filter.mightContainHash(ofClass(rule, random.nextInt(5) == 0 ? 0 : 1, random)) ? 1 : 0;
            }
            assertThat(wrong / (double) queries)
                    .as(rule.id())
                    .isLessThan(1.1 * 0.01)
                    .isCloseTo(filter.expectedFpp(), within(0.1 * filter.expectedFpp()));
            assertThat(filter.bitsWithoutDistribution() / (double) keys)
                    .as(rule.id())
                    .isLessThan(11);
        }
    }

    private static HashClassifier rule(String id, LongToIntFunction function) {
        return new HashClassifier() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public int classOf(long hash) {
                return function.applyAsInt(hash);
            }
        };
    }

    private static long ofClass(HashClassifier rule, int keyClass, SplittableRandom random) {
        while (true) {
            long hash = random.nextLong();
            long candidate = keyClass == 1 && rule.id().startsWith("top") ? hash >>> 10 : hash;
            if (rule.classOf(candidate) == keyClass) {
                return candidate;
            }
        }
    }

    /** What the worst case of queries and inserts rests on. */
    @Test
    void noFilterInsideIsFilledBeyondItsPlanAndEachHasTwiceTheRoomOfTheOneBefore() {
        DaisyFingerprintFilter filter = DaisyFingerprintFilter.make(SPEC);
        long[] keys = new SplittableRandom(55).longs(5 * N).toArray();
        filter.insertHashes(keys, 0, keys.length);
        int layers = filter.overflowCount() + 1;
        assertThat(layers).isEqualTo(3);
        List<QuotientFilter> filters = filter.layersOfGroup(0).filters();
        long room = 0;
        for (int i = 0; i < layers; i++) {
            long planned = filter.layersOfGroup(0).room(i);
            long count = filters.get(i).count();
            assertThat(count).as("keys in filter %d", i).isBetween(1L, planned);
            if (i < layers - 1) {
                assertThat(count).as("keys in filter %d, which overflowed", i).isEqualTo(planned);
            }
            if (i > 0) {
                assertThat(planned).isEqualTo(2 * room);
            }
            room = planned;
        }
    }

    @Test
    void fingerprintsAreAsLongAsTheirClassDeserves() {
        double p = 1e-12;
        Distribution known = twoClasses(new KeyClass(p, p / 16, 0.9, 0.5), new KeyClass(p, p, 0.1, 0.5));
        DaisyFingerprintFilter filter = DaisyFingerprintFilter.make(SPEC, known);
        fill(filter);
        // 3 and 7 bits.
        assertThat(rate(filter, 0)).isBetween(0.09, 0.13);
        assertThat(rate(filter, 1)).isBetween(0.004, 0.01);
        assertThat(filter.overflowCount()).isZero();
    }

    @Test
    void regionsWithoutQueriesTakeNoSpace() {
        double p = 1e-12;
        Distribution known = twoClasses(new KeyClass(p, 0, 0.9, 0), new KeyClass(p, p, 0.1, 1));
        PartitionedLearnedFilter filter = PartitionedLearnedFilter.make(SPEC, known);
        fill(filter);
        assertThat(filter.regionCount()).isEqualTo(2);
        assertThat(rate(filter, 0)).isEqualTo(1);
        assertThat(rate(filter, 1)).isBetween(0.004, 0.013);
        assertThat(filter.sizeInBits()).isLessThan(N * 11 / 10);
    }
}
