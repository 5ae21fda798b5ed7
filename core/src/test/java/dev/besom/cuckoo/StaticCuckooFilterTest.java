package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.spi.PersistentFilter;
import dev.besom.testsupport.Images;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticCuckooFilterTest {

    private static long[] hashes(int count) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, 5, 0)).toArray();
    }

    private static StaticCuckooFilter build(double fpp, long... hashes) {
        return (StaticCuckooFilter)
                Filters.kind("cuckoo-static").build(FilterSpec.of(1, fpp), HashSource.of(hashes), StoredHashes.none());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 10, 100, 1_000, 10_000, 1_000_000})
    void aFilterHoldsAllItsHashes(int count) {
        long[] hashes = hashes(count);
        StaticCuckooFilter filter = build(0.01, hashes);
        Images.assertAllFound(filter, hashes);
        assertThat(filter.count()).isEqualTo(count);
        filter.checkInvariants();
    }

    @Test
    void equalHashesCountOnce() {
        StaticCuckooFilter filter = build(0.01, 0, 0, -1, 7, -1, 0, 7, 7, 7, 7, 7, 7);
        assertThat(filter.count()).isEqualTo(3);
        Images.assertAllFound(filter, new long[] {0, -1, 7});
    }

    @Tag("slow")
    @Test
    void aMillionHashesTakeLessThanTenPointFiveBitsEachAtOneIn256() {
        StaticCuckooFilter filter = build(1 / 256.0, hashes(1_000_000));
        assertThat(filter.sizeInBits() / 1e6).isLessThan(10.45);
        assertThat(filter.expectedFpp()).isBetween(0.0035, 1 / 256.0);
    }

    @Test
    void aFilterIsReadBackAsItWas() {
        StaticCuckooFilter filter = build(0.01, hashes(1_000));
        PersistentFilter again = Images.read(Images.copy(filter.image()));
        Images.assertAllFound(again, hashes(1_000));
        assertThat(Images.checksum(again.image())).isEqualTo(Images.checksum(filter.image()));
    }

    @Test
    void ratesThatCannotBeKeptAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> build(1e-12, hashes(10)));
    }
}
