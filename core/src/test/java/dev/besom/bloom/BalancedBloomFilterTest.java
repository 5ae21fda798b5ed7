package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.testsupport.Images;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BalancedBloomFilterTest {

    @Test
    void aboutOneKeyInTwoHundredIsListed() {
        long[] keys = new SplittableRandom(51).longs(100_000).toArray();
        for (double fpp : new double[] {0.1, 0.01, 0.001}) {
            BalancedBloomFilter filter = BalancedBloomFilter.make(FilterSpec.of(keys.length, fpp));
            filter.insertHashes(keys, 0, keys.length);
            assertThat((double) filter.listedCount()).isBetween(0.001 * keys.length, 0.0055 * keys.length);
            assertThat(filter.expectedFpp()).isCloseTo(fpp, within(0.05 * fpp));
            for (long key : keys) {
                assertThat(filter.mightContainHash(key)).isTrue();
            }
        }
    }

    @Test
    void beyondThePlanTheBlocksKeepTheirRateAndTheListGrows() {
        long[] keys = new SplittableRandom(52).longs(30_000).toArray();
        BalancedBloomFilter filter = BalancedBloomFilter.make(FilterSpec.of(10_000, 0.01));
        filter.insertHashes(keys, 0, keys.length);
        assertThat(filter.listedCount()).isGreaterThan(10_000);
        assertThat(filter.expectedFpp()).isLessThan(0.05);
        BalancedBloomFilter again = Images.saveAndLoad(filter, BalancedBloomFilter.class);
        for (long key : keys) {
            assertThat(again.mightContainHash(key)).isTrue();
        }
    }
}
