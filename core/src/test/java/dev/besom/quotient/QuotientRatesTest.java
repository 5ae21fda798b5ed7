package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class QuotientRatesTest {

    /** Six standard deviations of the binomial distribution: a false alarm in 10^9. */
    private static final double SIGMAS = 6;

    private static final StoredHashes NOTHING_STORED = StoredHashes.none();

    @ParameterizedTest
    @CsvSource({"8, 0.95", "2, 0.95", "5, 0.5", "13, 0.9"})
    void freshQueriesMeetTheExpectedRateFromBothSides(int bits, double load) {
        FilterSpec spec = FilterSpec.of(100_000, 0.01)
                .with("remainderBits", Integer.toString(bits))
                .with("load", Double.toString(load));
        long[] hashes = new SplittableRandom(bits).longs(100_000).toArray();
        long[] queries = new SplittableRandom(-bits).longs(2_000_000).toArray();
        for (DeletableFilter filter : all(spec)) {
            filter.insertHashes(hashes, 0, hashes.length);
            long positives = 0;
            for (long query : queries) {
                positives += filter.mightContainHash(query) ? 1 : 0;
            }
            double expected = filter.expectedFpp() * queries.length;
            // The keys are as random as the queries: how many distinct fingerprints they make varies too.
            double deviation =
                    Math.sqrt(expected * (1 + (double) queries.length / hashes.length * (1.0 / (1 << bits))));
            assertThat((double) positives).isBetween(expected - SIGMAS * deviation, expected + SIGMAS * deviation);
        }
    }

    @Test
    void thePlannedRateIsKeptAtCapacity() {
        for (double fpp : new double[] {0.3, 0.05, 0.01, 1 / 256.0, 1e-4, 1e-6}) {
            for (DeletableFilter filter : all(FilterSpec.of(50_000, fpp))) {
                long[] hashes = new SplittableRandom(3).longs(50_000).toArray();
                filter.insertHashes(hashes, 0, hashes.length);
                assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp).isGreaterThan(fpp / 2.1);
            }
        }
    }

    @Test
    void bitsAKeyFollowTheNumberOfKeysAndNotTheNextPowerOfTwo() {
        for (long capacity : new long[] {100_000, 131_072, 140_000, 1_000_000}) {
            FilterSpec spec = FilterSpec.of(capacity, 1 / 256.0);
            double quotient = (double) QuotientFilter.make(spec).sizeInBits() / capacity;
            double telescoping =
                    (double) TelescopingFilter.make(spec, NOTHING_STORED).sizeInBits() / capacity;
            assertThat(quotient).isBetween(10.6, 10.75);
            assertThat(telescoping).isBetween(12.7, 12.85);
        }
    }

    @Test
    void bulkAnswersEqualSingleOnes() {
        for (DeletableFilter filter : all(FilterSpec.of(5_000, 0.05))) {
            long[] hashes = new SplittableRandom(8).longs(5_000).toArray();
            filter.insertHashes(hashes, 0, hashes.length);
            long[] queries = new SplittableRandom(9).longs(1_000).toArray();
            System.arraycopy(hashes, 0, queries, 100, 300);
            for (int count : new int[] {0, 1, 63, 64, 65, 990}) {
                long[] result = Bitmaps.allocate(count + 128);
                Arrays.fill(result, -1L);
                filter.mightContainHashes(queries, 7, count, result);
                for (int i = 0; i < count; i++) {
                    assertThat(Bitmaps.get(result, i)).isEqualTo(filter.mightContainHash(queries[7 + i]));
                }
                assertThat(count % 64 == 0 || result[count >>> 6] >>> count == 0)
                        .isTrue();
                assertThat(result[(count + 63) >>> 6]).isEqualTo(-1L);
            }
        }
    }

    private static List<DeletableFilter> all(FilterSpec spec) {
        return List.of(
                QuotientFilter.make(spec),
                TelescopingFilter.make(spec, NOTHING_STORED),
                TelescopingFilter.makePlain(spec, NOTHING_STORED));
    }
}
