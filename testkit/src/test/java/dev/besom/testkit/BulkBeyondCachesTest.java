package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.filters.Filters;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters that are larger than caches answer in bulk by loops of their own. */
class BulkBeyondCachesTest {

    /** No whole number of words, nor of batches. */
    private static final int QUERIES = 20_037;

    private static final int FROM = 5;
    private static final int STORED = 10_000;

    @ParameterizedTest
    @CsvSource({
        "bloom, 0.01",
        "blocked-bloom, 0.01",
        "blocked-bloom, 0.001",
        "cuckoo, 0.03125",
        "cuckoo, 0.001",
        "vacuum, 0.03125"
    })
    void answersInBulkAreThoseOfSingleQueries(String kind, double fpp) {
        InsertableFilter filter = Filters.makeHashFilter(
                kind, FilterSpec.of(2_200_000, fpp), StoredHashes.none(), InsertableFilter.class);
        long[] stored = HashStream.stored(1).next(STORED);
        for (long hash : stored) {
            filter.insertHash(hash);
        }
        assertBulk(filter, stored);
    }

    /** In one shard, and in several. */
    @ParameterizedTest
    @CsvSource({"0.00390625, 134217728", "0.00390625, 1000000", "0.001, 134217728", "0.001, 1000000"})
    void answersInBulkOfBuiltFiltersAreThoseOfSingleQueries(double fpp, String shardKeys) {
        long[] keys = HashStream.stored(2).next(2_200_000);
        FilterSpec spec = FilterSpec.of(keys.length, fpp).with("shardKeys", shardKeys);
        MembershipFilter filter = Filters.buildHashFilter("fuse", spec, HashSource.of(keys));
        assertBulk(filter, Arrays.copyOf(keys, STORED));
    }

    private static void assertBulk(MembershipFilter filter, long[] stored) {
        assertThat(Bitmaps.isFar(filter.sizeInBits())).isTrue();
        long[] queries = HashStream.fresh(3).next(FROM + QUERIES);
        for (int i = 0; i < stored.length; i++) {
            queries[FROM + 2 * i] = stored[i];
        }
        long[] answers = new long[(QUERIES + 63) / 64];
        filter.mightContainHashes(queries, FROM, QUERIES, answers);
        for (int i = 0; i < QUERIES; i++) {
            boolean isMaybe = (answers[i / 64] >>> i & 1) != 0;
            assertThat(isMaybe).as("query %d", i).isEqualTo(filter.mightContainHash(queries[FROM + i]));
            assertThat(isMaybe || i % 2 == 1 || i / 2 >= stored.length).isTrue();
        }
    }
}
