package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.LongKeyFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Allocation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("counts what this thread allocates")
class BulkAllocationTest {

    @ParameterizedTest
    @ValueSource(strings = {"bloom", "blocked-bloom", "cuckoo"})
    void bulkQueriesOfLongsAllocateNothing(String kind) {
        LongKeyFilter.Insertable filter = Filters.make(kind, FilterSpec.of(10_000, 0.01), KeyHasher.longs())
                .asInsertable();
        long[] keys = LongStream.range(0, 5_000).toArray();
        long[] result = Bitmaps.allocate(keys.length);
        filter.addAll(keys, 0, keys.length);
        assertThat(Allocation.leastBytesOf(() -> filter.mightContainEach(keys, 0, 100, result)))
                .isZero();
        assertThat(Allocation.leastBytesOf(() -> filter.mightContainEach(keys, 0, keys.length, result)))
                .isZero();
        assertThat(Bitmaps.cardinality(result)).isEqualTo(keys.length);
    }
}
