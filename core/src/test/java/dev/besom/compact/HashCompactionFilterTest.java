package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashCompactionFilterTest {

    private static final long SEED = 0x6861736863L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static HashCompactionFilter filled(FilterSpec spec, long... hashes) {
        HashCompactionFilter filter = HashCompactionFilter.make(spec);
        Arrays.stream(hashes).forEach(filter::insertHash);
        return filter;
    }

    /** A Bloom filter of n keys has a rate of 0.6185^(bits a key) at best. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.001, 0.0001})
    void atTheSameSizeAKnownNumberOfKeysHasFewerFalsePositivesThanInABloomFilter(double fpp) {
        int keys = 50_000;
        HashCompactionFilter filter = filled(FilterSpec.of(keys, fpp), hashes(keys, 1));
        double ofBloom = Math.pow(0.6185, (double) filter.sizeInBits() / keys);
        int queries = 2_000_000;
        long falsePositives = Arrays.stream(hashes(queries, 2))
                .filter(filter::mightContainHash)
                .count();
        assertThat((double) falsePositives / queries).isLessThan(0.98 * ofBloom);
    }

    @ParameterizedTest
    @CsvSource({"0.01, 9, 9.5", "0.001, 12, 13.15"})
    void sizesAreThoseOfTheComment(double fpp, int bits, double mostBitsPerKey) {
        assertThat(HashCompactionMath.signatureBits(fpp)).isEqualTo(bits);
        HashCompactionFilter filter = HashCompactionFilter.make(FilterSpec.of(100_000, fpp));
        assertThat(filter.sizeInBits() / 100_000.0).isLessThan(mostBitsPerKey);
    }

    /** More keys than planned, which a Bloom filter would take at a higher rate, are refused for good. */
    @Test
    void aFullTableTakesNoMoreKeysAndKeepsThoseItHas() {
        HashCompactionFilter filter = HashCompactionFilter.make(FilterSpec.of(1_000, 0.001));
        long[] keys = hashes(3_000, 3);
        assertThatThrownBy(() -> Arrays.stream(keys).forEach(filter::insertHash))
                .isInstanceOf(FilterFullException.class);
        long in = Arrays.stream(keys).filter(filter::mightContainHash).count();
        assertThat(filter.count()).isLessThanOrEqualTo(in);
        assertThat(Arrays.stream(keys, 0, 1_000)).allMatch(filter::mightContainHash);
        assertThat(HashCompactionFilter.read(filter.image()).count()).isEqualTo(filter.count());
    }

    /** The worst case of the table, where a Bloom filter looks at as many bits as ever. */
    @Test
    void theLongestSearchOfAFullTableLooksAtALargePartOfIt() {
        HashCompactionFilter filter = HashCompactionFilter.make(FilterSpec.of(1_000, 0.001));
        try {
            Arrays.stream(hashes(3_000, 3)).forEach(filter::insertHash);
        } catch (FilterFullException e) {
            assertThat(filter.count()).isGreaterThan(1_000);
        }
        int longest = Arrays.stream(hashes(100_000, 4))
                .mapToInt(filter::slotsSearched)
                .max()
                .orElseThrow();
        assertThat((long) longest).isGreaterThan(filter.count() / 4);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.9, 0.95, 0.99})
    void missesLookAtAsManySlotsAsTheFormulaSays(double load) {
        HashCompactionFilter filter =
                HashCompactionFilter.make(FilterSpec.of(100_000, 0.9).with("signatureBits", "16"));
        long slots = filter.image().get(HashCompactionFilter.SLOTS);
        Arrays.stream(hashes((int) (slots * load), 5)).forEach(filter::insertHash);
        double searched = Arrays.stream(hashes(200_000, 6))
                .mapToInt(filter::slotsSearched)
                .average()
                .orElseThrow();
        double expected = HashCompactionMath.slotsSearched((double) filter.count() / slots);
        assertThat(searched).isCloseTo(expected, Offset.offset(0.06 * expected));
    }

    @Test
    void theOrderOfInsertsDoesNotMatter() {
        long[] keys = hashes(20_000, 7);
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        // With signatures of 32 bits no key is taken for another.
        FilterSpec spec = FilterSpec.of(20_000, 0.01).with("signatureBits", "32");
        assertThat(filled(spec, sorted).image().sections().get(0))
                .isEqualTo(filled(spec, keys).image().sections().get(0));
    }
}
