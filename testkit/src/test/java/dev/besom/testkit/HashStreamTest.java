package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class HashStreamTest {

    private static final int COUNT = 200_000;

    @Test
    void storedAndFreshHashesOfOneSeedAreAllDistinct() {
        for (long seed : new long[] {0, -1, 12_345}) {
            LongStream both = LongStream.concat(
                    Arrays.stream(HashStream.stored(seed).next(COUNT)),
                    Arrays.stream(HashStream.fresh(seed).next(COUNT)));
            assertThat(both.distinct().count()).isEqualTo(2L * COUNT);
        }
    }

    @Test
    void seedsGiveDifferentStreamsAndTheSameSeedTheSame() {
        assertThat(HashStream.stored(1).next(100))
                .isEqualTo(HashStream.stored(1).next(100));
        assertThat(HashStream.stored(1).next(100))
                .isNotEqualTo(HashStream.stored(2).next(100));
    }

    /** Every bit is set about half of the time, in either stream. */
    @Test
    void bitsAreBalanced() {
        for (HashStream stream : new HashStream[] {HashStream.stored(3), HashStream.fresh(3)}) {
            long[] set = new long[Long.SIZE];
            for (int i = 0; i < COUNT; i++) {
                long hash = stream.next();
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    set[bit] += hash >>> bit & 1;
                }
            }
            for (long count : set) {
                Rates.assertRate(3, count, COUNT, 0.5);
            }
        }
    }
}
