package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountingGolombFilterTest {

    private static final long SEED = 0x67636F756E74L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    /** Keys come and go, some of them many times; after each step the codes must be whole. */
    @ParameterizedTest
    @CsvSource({"40, 0.3", "40, 0.01", "300, 0.001", "3000, 0.000001"})
    void aRandomLifeIsThatOfAMultiset(int capacity, double fpp) {
        SplittableRandom random = new SplittableRandom(SEED + capacity);
        CountingGolombFilter filter = CountingGolombFilter.make(FilterSpec.of(capacity, fpp));
        long[] universe = hashes(capacity, 1);
        int[] copies = new int[capacity];
        int total = 0;
        for (int step = 0; step < 4_000; step++) {
            int key = random.nextInt(capacity);
            if (random.nextInt(100) < 55) {
                filter.insertHash(universe[key]);
                copies[key]++;
                total++;
            } else if (copies[key] > 0) {
                assertThat(filter.deleteHash(universe[key])).isTrue();
                copies[key]--;
                total--;
            }
            filter.checkInvariants();
            assertThat(filter.count()).isEqualTo(total);
            if (step % 50 == 0) {
                filter = CountingGolombFilter.read(filter.image());
                for (int i = 0; i < capacity; i++) {
                    assertThat(copies[i] == 0 || filter.mightContainHash(universe[i]))
                            .isTrue();
                }
            }
        }
        for (int i = 0; i < capacity; i++) {
            for (; copies[i] > 0; copies[i]--) {
                assertThat(filter.deleteHash(universe[i])).isTrue();
            }
        }
        assertThat(filter.count()).isZero();
        assertThat(filter.expectedFpp()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0.01, 8.75", "0.001, 12.1"})
    void aFullFilterIsFarSmallerThanCounters(double fpp, double mostBitsPerKey) {
        CountingGolombFilter filter = CountingGolombFilter.make(FilterSpec.of(100_000, fpp));
        Arrays.stream(hashes(100_000, 2)).forEach(filter::insertHash);
        assertThat(filter.sizeInBits() / 100_000.0).isBetween(GolombMath.boundBitsPerKey(fpp), mostBitsPerKey);
    }

    @Test
    void oneKeyTooManyIsRefusedAndRepeatedOnesAreNot() {
        CountingGolombFilter filter = CountingGolombFilter.make(FilterSpec.of(100, 1e-6));
        long[] keys = hashes(101, 3);
        Arrays.stream(keys, 0, 100).forEach(filter::insertHash);
        assertThatThrownBy(() -> filter.insertHash(keys[100])).isInstanceOf(FilterFullException.class);
        assertThat(filter.insertHash(keys[7])).isFalse();
        assertThat(filter.count()).isEqualTo(101);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.0001})
    void aKeyThatComesTooOftenIsRefusedWithNoChange(double fpp) {
        CountingGolombFilter filter = CountingGolombFilter.make(FilterSpec.of(100, fpp));
        long inserts = 0;
        try {
            while (inserts < 100_000) {
                filter.insertHash(5);
                inserts++;
            }
        } catch (FilterFullException e) {
            assertThat(e).hasMessageContaining("equal keys");
        }
        assertThat(inserts).isBetween(3_000L, 99_999L);
        assertThat(filter.count()).isEqualTo(inserts);
        filter.checkInvariants();
        for (long i = 0; i < inserts; i++) {
            assertThat(filter.deleteHash(5)).isTrue();
        }
        assertThat(filter.deleteHash(5)).isFalse();
    }

    @Test
    void aDamagedImageIsRefusedOrWorks() {
        CountingGolombFilter filter = CountingGolombFilter.make(FilterSpec.of(2_000, 0.01));
        Arrays.stream(hashes(2_000, 4)).forEach(filter::insertHash);
        FilterImage image = filter.image();
        int refused = 0;
        for (int section = 0; section < 2; section++) {
            long[] words = image.sections().get(section);
            for (int bit = 0; bit < Words.count(words) * Long.SIZE; bit += 5) {
                words[Words.LEAD + (bit >>> 6)] ^= 1L << bit;
                try {
                    CountingGolombFilter forged = CountingGolombFilter.read(image);
                    Arrays.stream(hashes(100, 5)).forEach(forged::mightContainHash);
                } catch (MalformedFilterException e) {
                    refused++;
                }
                words[Words.LEAD + (bit >>> 6)] ^= 1L << bit;
            }
        }
        assertThat(refused).isGreaterThan(300);
    }
}
