package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScalableBloomFilterTest {

    @Test
    void itGrowsSixtyFourfoldAndKeepsEveryKey() {
        ScalableBloomFilter filter = ScalableBloomFilter.make(FilterSpec.of(1000, 0.01));
        long[] keys = new SplittableRandom(1).longs(64_000).toArray();
        for (long key : keys) {
            filter.insertHash(key);
        }
        Images.assertAllFound(filter, keys);
        // 1 + 2 + 4 + ... + 64 thousands
        assertThat(filter.layerCount()).isEqualTo(7);
        assertThat(filter.count()).isBetween(63_000L, 64_000L);
        // The layers' plans add up to 63/64 of the rate; small layers are filled as chance will have it.
        assertThat(filter.expectedFpp()).isBetween(0.9 * 0.01, 1.1 * 0.01);
    }

    @Test
    void aLayerIsAddedByTheFirstKeyPastThePlan() {
        ScalableBloomFilter filter = ScalableBloomFilter.make(FilterSpec.of(100, 0.01));
        SplittableRandom random = new SplittableRandom(2);
        while (filter.count() < 100) {
            filter.insertHash(random.nextLong());
        }
        assertThat(filter.layerCount()).isEqualTo(1);
        assertThat(filter.insertHash(random.nextLong())).isTrue();
        assertThat(filter.layerCount()).isEqualTo(2);
        while (filter.count() < 300) {
            filter.insertHash(random.nextLong());
        }
        assertThat(filter.layerCount()).isEqualTo(2);
    }

    @Test
    void keysThatAreThereMakeItGrowNoFurther() {
        ScalableBloomFilter filter = ScalableBloomFilter.make(FilterSpec.of(10, 0.01));
        for (int i = 0; i < 10_000; i++) {
            filter.insertHash(i % 10);
        }
        assertThat(filter.layerCount()).isEqualTo(1);
        assertThat(filter.count()).isBetween(9L, 10L);
    }

    @Test
    void eachFullLayerHasHalfTheRateOfTheOneBefore() {
        ScalableBloomFilter filter = ScalableBloomFilter.make(FilterSpec.of(2000, 0.01));
        SplittableRandom random = new SplittableRandom(3);
        while (filter.layerCount() < 6) {
            filter.insertHash(random.nextLong());
        }
        List<FilterImage> layers = filter.image().parts(ScalableBloomFilter.FORM, BloomFilter.FORM);
        for (int layer = 0; layer < 5; layer++) {
            BloomFilter one = BloomFilter.read(layers.get(layer));
            assertThat(one.count()).isEqualTo(2000L << layer);
            assertThat(one.expectedFpp()).isBetween(0.85 * 0.01 / (2 << layer), 1.15 * 0.01 / (2 << layer));
        }
    }

    @Test
    void loadedItGrowsOnAsIfItHadNeverBeenSaved() {
        FilterSpec spec = FilterSpec.of(50, 0.02).withSeed(9);
        ScalableBloomFilter kept = ScalableBloomFilter.make(spec);
        ScalableBloomFilter saved = ScalableBloomFilter.make(spec);
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 5_000; i++) {
            long key = random.nextLong();
            assertThat(saved.insertHash(key)).isEqualTo(kept.insertHash(key));
            if (i % 333 == 0) {
                saved = Images.saveAndLoad(saved, ScalableBloomFilter.class);
            }
        }
        assertThat(saved.layerCount()).isEqualTo(kept.layerCount()).isGreaterThan(5);
        assertThat(Images.checksum(saved.image())).isEqualTo(Images.checksum(kept.image()));
        assertThat(Images.parameters(saved.image())).isEqualTo(Images.parameters(kept.image()));
    }

    @Test
    void tinyRatesDoNotEndItsGrowth() {
        // From layer 14 on the rates are below what 64 probes are the best choice for.
        ScalableBloomFilter filter = ScalableBloomFilter.make(FilterSpec.of(1, 1e-15));
        long[] keys = new SplittableRandom(5).longs(70_000).toArray();
        for (long key : keys) {
            assertThat(filter.insertHash(key)).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.layerCount()).isEqualTo(17);
    }

    @Test
    void whenNoLayerCanBeLargeEnoughItIsFullAndKeepsItsKeys() {
        ScalableBloomFilter small = ScalableBloomFilter.make(FilterSpec.of(100, 0.01));
        long[] keys = new SplittableRandom(6).longs(100).toArray();
        small.insertHashes(keys, 0, keys.length);
        // As if the first layer had been planned for 2^61 keys and were full.
        FilterImage huge = Images.with(Images.with(small.image(), 0, 1L << 61), 7, 1L << 61);
        ScalableBloomFilter filter = (ScalableBloomFilter) Images.read(huge);
        assertThatThrownBy(() -> {
                    for (long hash = 0; ; hash++) {
                        filter.insertHash(hash);
                    }
                })
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("1 layers");
        Images.assertAllFound(filter, keys);
    }
}
