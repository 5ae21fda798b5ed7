package dev.besom.lab.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeyList;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {

    private static final KeySpace SPACE = new KeySpace(0x73616D706C65L);
    private static final int UNLIMITED = 1 << 20;

    @Test
    void fewKeysAreCountedExactly() {
        Sample sample =
                Sample.of(KeyList.of("keys", 'a', 'b', 'a', 'c'), KeyList.of("queries", 'a', 'x', 'x', 'y', 'b', 'x'));

        assertThat(sample.isExact()).isTrue();
        assertThat(sample.keys()).isEqualTo(3);
        assertThat(sample.queries()).isEqualTo(6);
        assertThat(sample.misses().count()).isEqualTo(4);
        assertThat(sample.misses().distinct()).isEqualTo(2);
        assertThat(sample.misses().hottest()).isEqualTo(3);
        assertThat(sample.traffic().repeats()).isEqualTo(2);
        assertThat(sample.traffic().hottestShare()).isEqualTo(0.75);
    }

    @Test
    void sourcesWithNothingInThemAreRefusedByName() {
        KeyList empty = KeyList.of("empty");
        KeyList some = KeyList.of("some", 'a');
        assertThatThrownBy(() -> Sample.of(empty, some)).hasMessage("empty: no keys");
        assertThatThrownBy(() -> Sample.of(some, empty)).hasMessage("empty: no queries");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.8, 1.1, 1.5})
    void theSkewOfZipfTrafficIsFound(double exponent) {
        Sample sample = sample("zipf:" + exponent + ":20000", 0.25, 400_000, UNLIMITED);

        assertThat(sample.isExact()).isTrue();
        assertThat(sample.misses().exponent()).isCloseTo(exponent, within(0.1));
        // Binomial: four standard deviations of the share of 400,000 queries are 0.3 %.
        assertThat(sample.misses().count()).isCloseTo(300_000, within(1100.0));
        assertThat(sample.traffic().distinctMisses())
                .isCloseTo(Traffic.zipf(400_000, 0.75, exponent, 20_000).distinctMisses(), withinPercentage(3));
    }

    @Test
    void trafficWithoutRepeatsHasNoSkew() {
        Sample sample = sample("uniform", 0, 100_000, UNLIMITED);
        assertThat(sample.misses().count()).isEqualTo(100_000);
        assertThat(sample.misses().distinct()).isEqualTo(100_000);
        assertThat(sample.misses().exponent()).isCloseTo(0, within(0.01));
    }

    @Test
    void beyondTheMemoryNumbersAreEstimated() {
        // Of 50,000 keys and some 60,000 misses at most 4,000 each are kept: a standard deviation is about 2 %.
        Sample all = sample("zipf:0.6:100000", 0.3, 200_000, UNLIMITED);
        Sample some = sample("zipf:0.6:100000", 0.3, 200_000, 4_000);

        assertThat(all.isExact()).isTrue();
        assertThat(some.isExact()).isFalse();
        assertThat(some.keys()).isCloseTo(all.keys(), withinPercentage(9));
        assertThat(some.misses().distinct()).isCloseTo(all.misses().distinct(), withinPercentage(9));
        assertThat(some.misses().count()).isCloseTo(all.misses().count(), withinPercentage(9));
        assertThat(some.queries()).isEqualTo(all.queries());
    }

    @Test
    void aKeyThatIsKeptIsCountedFromItsFirstOccurrence() {
        DistinctCounts counts = new DistinctCounts(100, 0);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10_000; i++) {
                counts.add(SPACE.stored((long) i));
            }
        }
        assertThat(counts.level()).isPositive();
        assertThat(counts.countsDescending())
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(100)
                .containsOnly(3L);
    }

    @Test
    void zeroIsAKeyLikeAnyOther() {
        DistinctCounts counts = new DistinctCounts(100, 0);
        assertThat(counts.contains(0)).isFalse();
        counts.add(0);
        assertThat(counts.contains(0)).isTrue();
        assertThat(counts.distinct()).isEqualTo(1);
    }

    private static Sample sample(String workload, double hits, int queries, int mostKeys) {
        long[] stored = SPACE.stored(50_000);
        DistinctCounts keys = Sample.count(new Cut(index -> stored[(int) index], stored.length), mostKeys);
        Workload.Stream misses = (Workload.Stream) Workloads.parse(workload);
        try (QueryStream stream = new HitMix(misses.open(SPACE, stored.length), stored, hits, SPACE.seed())) {
            return Sample.of(keys, new Cut(index -> stream.next(), queries), mostKeys);
        }
    }

    /** A stream of so many keys. */
    private static final class Cut implements QueryStream {

        private final LongUnaryOperator keys;
        private final long count;
        private long next;

        Cut(LongUnaryOperator keys, long count) {
            this.keys = keys;
            this.count = count;
        }

        @Override
        public boolean hasNext() {
            return next < count;
        }

        @Override
        public long next() {
            return keys.applyAsLong(next++);
        }
    }
}
