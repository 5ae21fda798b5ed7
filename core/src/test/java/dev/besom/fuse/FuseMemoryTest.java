package dev.besom.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.HashSource;
import dev.besom.hash.Mix;
import dev.besom.testkit.Allocation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What building a filter takes beyond the source and the filter, counted by all bytes that it ever allocates. */
@Isolated
class FuseMemoryTest {

    private static final int KEYS = 1_000_000;

    @ParameterizedTest
    @CsvSource({"3, 8, 1", "4, 8, 1", "3, 32, 1", "3, 8, 4", "3, 8, 16"})
    void buildingTakesAtMost16BytesAKey(int arity, int width, int shards) {
        long[] keys = LongStream.range(0, KEYS).map(i -> Mix.expand(i, 16, 0)).toArray();
        FuseFilter.Scheme scheme = new FuseFilter.Scheme(arity, width, 3, shards, false);
        FuseFilter[] filter = new FuseFilter[1];
        long bytes = Allocation.bytesOf(() -> filter[0] = FuseBuilder.build(scheme, HashSource.of(keys), KEYS));
        long beyond = bytes - filter[0].sizeInBits() / Byte.SIZE;
        assertThat((double) beyond / KEYS).isBetween(4.0, 16.0);
    }
}
