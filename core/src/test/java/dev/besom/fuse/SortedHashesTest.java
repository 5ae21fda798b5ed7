package dev.besom.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SortedHashesTest {

    static Stream<long[]> sortedHashes() {
        return Stream.of(
                new long[0],
                new long[] {0},
                new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE},
                LongStream.range(0, 5_000)
                        .map(i -> Mix.expand(i, 7, 0))
                        .sorted()
                        .toArray(),
                // All with the same prefix.
                LongStream.range(-2_000, 3_000).toArray());
    }

    @ParameterizedTest
    @MethodSource("sortedHashes")
    void everyHashIsFoundWhereItStandsAndNoOther(long[] hashes) {
        SortedHashes sorted = new SortedHashes(hashes);
        for (int i = 0; i < hashes.length; i++) {
            assertThat(sorted.indexOf(hashes[i])).isEqualTo(i);
        }
        LongStream.concat(
                        LongStream.of(Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE),
                        Arrays.stream(hashes).flatMap(hash -> LongStream.of(hash - 1, hash + 1)))
                .forEach(hash ->
                        assertThat(sorted.indexOf(hash) >= 0).isEqualTo(Arrays.binarySearch(hashes, hash) >= 0));
    }
}
