package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.testsupport.Images;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountingBloomFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1000, 0.01);

    @Test
    void aKeyInsertedTwiceIsThereUntilItIsDeletedTwice() {
        CountingBloomFilter filter = CountingBloomFilter.make(SPEC);
        assertThat(filter.insertHash(7)).isTrue();
        assertThat(filter.insertHash(7)).isFalse();
        assertThat(filter.countOfHash(7)).isEqualTo(2);
        assertThat(filter.count()).isEqualTo(2);
        assertThat(filter.deleteHash(7)).isTrue();
        assertThat(filter.mightContainHash(7)).isTrue();
        assertThat(filter.deleteHash(7)).isTrue();
        assertThat(filter.mightContainHash(7)).isFalse();
        assertThat(filter.deleteHash(7)).isFalse();
        assertThat(filter.count()).isZero();
    }

    @Test
    void deletingEveryKeyLeavesNoCounterSet() {
        CountingBloomFilter filter = CountingBloomFilter.make(SPEC);
        long[] keys = new SplittableRandom(1).longs(1000).toArray();
        for (long key : keys) {
            filter.insertHash(key);
        }
        assertThat(filter.stuckCounters()).isZero();
        for (long key : keys) {
            assertThat(filter.deleteHash(key)).isTrue();
        }
        assertThat(Images.words(filter.image(), 0)).containsOnly(0L);
        assertThat(filter.expectedFpp()).isZero();
        assertThat(filter.count()).isZero();
    }

    @Test
    void countersStickAtFifteenAndTheKeyIsNeverLost() {
        CountingBloomFilter filter = CountingBloomFilter.make(SPEC);
        for (int i = 1; i <= 14; i++) {
            filter.insertHash(7);
            assertThat(filter.countOfHash(7)).isEqualTo(i);
        }
        assertThat(filter.stuckCounters()).isZero();
        filter.insertHash(7);
        assertThat(filter.countOfHash(7)).isEqualTo(15);
        assertThat(filter.stuckCounters()).isBetween(1L, 64L);
        for (int i = 0; i < 40; i++) {
            assertThat(filter.deleteHash(7)).isTrue();
        }
        assertThat(filter.countOfHash(7)).isEqualTo(15);
        assertThat(filter.count()).isZero();
        CountingBloomFilter loaded = Images.saveAndLoad(filter, CountingBloomFilter.class);
        assertThat(loaded.countOfHash(7)).isEqualTo(15);
        assertThat(loaded.stuckCounters()).isEqualTo(filter.stuckCounters());
    }

    @Test
    void aKeyThatSharesAStuckCounterIsKeptWhenItsNeighboursGo() {
        // One word of counters: every key shares some.
        CountingBloomFilter filter =
                CountingBloomFilter.make(FilterSpec.of(1, 0.5).with("probes", "2"));
        SplittableRandom random = new SplittableRandom(3);
        Map<Long, Integer> model = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            long key = random.nextInt(12);
            if (random.nextInt(2) == 0) {
                filter.insertHash(key);
                model.merge(key, 1, Integer::sum);
            } else if (model.getOrDefault(key, 0) > 0) {
                assertThat(filter.deleteHash(key)).isTrue();
                model.merge(key, -1, Integer::sum);
            }
            for (Map.Entry<Long, Integer> entry : model.entrySet()) {
                assertThat(filter.countOfHash(entry.getKey())).isGreaterThanOrEqualTo(Math.min(15, entry.getValue()));
                assertThat(filter.mightContainHash(entry.getKey()) || entry.getValue() == 0)
                        .isTrue();
            }
        }
        assertThat(filter.stuckCounters()).isPositive();
    }

    @Test
    void countOfIsNeverBelowTheTrueNumberAndSeldomAbove() {
        CountingBloomFilter filter = CountingBloomFilter.make(SPEC);
        long[] keys = new SplittableRandom(4).longs(500).toArray();
        for (int i = 0; i < keys.length; i++) {
            for (int times = 0; times <= i % 5; times++) {
                filter.insertHash(keys[i]);
            }
        }
        int above = 0;
        for (int i = 0; i < keys.length; i++) {
            assertThat(filter.countOfHash(keys[i])).isGreaterThanOrEqualTo(i % 5 + 1);
            above += filter.countOfHash(keys[i]) > i % 5 + 1 ? 1 : 0;
        }
        assertThat(above).isLessThan(30);
    }

    @Test
    void mergingAddsCountersAndStopsAtFifteen() {
        CountingBloomFilter one = CountingBloomFilter.make(SPEC);
        CountingBloomFilter two = CountingBloomFilter.make(SPEC);
        for (int i = 0; i < 9; i++) {
            one.insertHash(7);
            two.insertHash(7);
        }
        one.insertHash(8);
        two.insertHash(9);
        one.mergeFrom(two);
        assertThat(one.countOfHash(7)).isEqualTo(15);
        assertThat(one.mightContainHash(8) && one.mightContainHash(9)).isTrue();
        assertThat(one.count()).isEqualTo(20);
        assertThat(two.countOfHash(7)).isEqualTo(9);
        assertThat(one.deleteHash(9)).isTrue();
        assertThat(one.mightContainHash(9)).isFalse();
        for (int i = 0; i < 18; i++) {
            one.deleteHash(7);
        }
        assertThat(one.mightContainHash(7)).isTrue();
    }

    @Test
    void badOptionsAreNamed() {
        assertThatThrownBy(() -> CountingBloomFilter.make(SPEC.with("probes", "0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option probes must be from 1 to 64, not 0");
        assertThatThrownBy(() -> CountingBloomFilter.make(FilterSpec.of(Long.MAX_VALUE, 0.01)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than the largest filter has");
    }

    /** The chance that a counter of 3 bits gets 7 of the increments or more, which are Poisson at the planned load. */
    @Test
    void narrowCountersStickAsOftenAsPredicted() {
        int keys = 1_000_000;
        CountingBloomFilter filter =
                CountingBloomFilter.make(FilterSpec.of(keys, 0.01).with("counterBits", "3"));
        filter.insertHashes(new SplittableRandom(8).longs(keys).toArray(), 0, keys);
        double counters = filter.sizeInBits() / 3.0;
        double mean = keys * BloomMath.fewProbes(0.01) / counters;
        double tail = 0;
        double term = Math.exp(-mean);
        for (int i = 1; i < 30; i++) {
            term *= mean / i;
            tail += i >= 7 ? term : 0;
        }
        assertThat(tail).isBetween(2e-6, 1e-5);
        double expected = tail * counters;
        assertThat((double) filter.stuckCounters())
                .isBetween(expected - 6 * Math.sqrt(expected) - 3, expected + 6 * Math.sqrt(expected) + 3);
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "3, 7", "8, 255", "16, 65535"})
    void aCounterCountsAsFarAsItsWidthAllows(String bits, int most) {
        CountingBloomFilter filter = CountingBloomFilter.make(SPEC.with("counterBits", bits));
        for (int i = 1; i <= most + 2; i++) {
            filter.insertHash(7);
            assertThat(filter.countOfHash(7)).isEqualTo(Math.min(i, most));
        }
        assertThat(filter.stuckCounters()).isPositive();
    }

    @Test
    void countersOfAnotherWidthAreRefused() {
        assertThatThrownBy(() -> CountingBloomFilter.make(SPEC.with("counterBits", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option counterBits must be from 2 to 16, not 1");
        CountingBloomFilter narrow = CountingBloomFilter.make(SPEC.with("counterBits", "3"));
        assertThatThrownBy(() -> narrow.mergeFrom(CountingBloomFilter.make(SPEC)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counting-bloom filters differ in bits of a counter: 3 and 4");
    }
}
