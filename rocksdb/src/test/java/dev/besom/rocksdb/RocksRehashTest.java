package dev.besom.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.broom.BroomFilter;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.FilterImage;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broom filter that changes hash functions together with a store in RocksDB. */
class RocksRehashTest {

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(11);

    private RocksStore<Long, Long> open() {
        return RocksStore.open(folder.resolve("db"), ByteForm.longs(), ByteForm.longs());
    }

    @Test
    void aFilterAndItsStoreChangeHashFunctionsTogetherAndLoseNothing() {
        long[] keys = random.longs(400).toArray();
        FilterImage image;
        try (RocksStore<Long, Long> store = open()) {
            BroomFilter filter =
                    Filters.makeHashFilter("broom", FilterSpec.of(400, 1 / 16.0), store.hashes(), BroomFilter.class);
            for (long key : keys) {
                filter.insertHash(key);
                store.put(key, key, 0L);
            }
            int changed = 0;
            while (store.hashes().rehash().generation() < 2
                    || store.hashes().rehash().isIdle()) {
                repairOne(filter);
                int index = random.nextInt(keys.length);
                store.remove(keys[index], keys[index]);
                assertThat(filter.deleteHash(keys[index])).isTrue();
                keys[index] = random.nextLong();
                filter.insertHash(keys[index]);
                store.put(keys[index], keys[index], 0L);
                changed++;
            }
            assertThat(changed).isGreaterThan(10);
            assertAllFound(filter, keys);
            filter.checkInvariants();
            image = filter.image();
        }
        try (RocksStore<Long, Long> store = open()) {
            BroomFilter filter = (BroomFilter) Filters.toFilter(image, store.hashes());
            assertAllFound(filter, keys);
            for (int i = 0; i < 20; i++) {
                repairOne(filter);
            }
            assertAllFound(filter, keys);
            assertAllFound(filter.grown(800, store.hashes()), keys);
            assertThat(store.hashes().between(0, -1L)).hasSize(keys.length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Guard.over(store, KeyHasher.longs()))
                    .withMessageContaining("hash function");
        }
    }

    private void repairOne(BroomFilter filter) {
        long query = random.nextLong();
        while (!filter.mightContainHash(query)) {
            query = random.nextLong();
        }
        filter.repairHash(query);
        assertThat(filter.mightContainHash(query)).isFalse();
    }

    private static void assertAllFound(BroomFilter filter, long[] keys) {
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
    }
}
