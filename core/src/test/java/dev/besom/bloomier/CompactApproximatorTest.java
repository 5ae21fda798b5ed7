package dev.besom.bloomier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.Approximator;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.bloom.BloomKinds;
import dev.besom.hash.Mix;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompactApproximatorTest {

    private static final long SEED = 0x617070726F78L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static CompactApproximator make(String lattice, int keys, double fpp, int bits) {
        return CompactApproximator.make(FilterSpec.of(keys, fpp)
                .withSeed(3)
                .with("lattice", lattice)
                .with("elementBits", Integer.toString(bits)));
    }

    /** Up to 134 million bits a probe is half a step of the walk, beyond that a whole one. */
    @ParameterizedTest
    @CsvSource({"100, 0.1", "10000, 0.01", "5000, 0.0001", "15000000, 0.01"})
    void truthValuesAreTheBitsOfABloomFilter(int keys, double fpp) {
        Kind bloom = BloomKinds.all().get(0);
        assertThat(bloom.name()).isEqualTo("bloom");
        PersistentFilter filter =
                bloom.make(FilterSpec.of(keys, fpp).withSeed(3).with("scheme", "enhanced-double"), StoredHashes.none());
        CompactApproximator approximator = make("boolean", keys, fpp, 1);
        for (long hash : hashes(Math.min(keys, 20_000), 1)) {
            assertThat(approximator.insertHash(hash)).isEqualTo(((InsertableFilter) filter).insertHash(hash));
        }
        long[] bits = filter.image().sections().get(0);
        long[] cells = approximator.image().sections().get(0);
        assertThat(Words.count(cells)).isEqualTo(Words.count(bits) + 1);
        assertThat(Arrays.equals(cells, 0, bits.length, bits, 0, bits.length)).isTrue();
        assertThat(approximator.count()).isEqualTo(filter.count());
        assertThat(approximator.expectedFpp()).isEqualTo(filter.expectedFpp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"boolean", "max", "min", "sets"})
    void noAnswerIsBelowTheTrueValueAndFewAreAbove(String lattice) {
        int bits = lattice.equals("boolean") ? 1 : 12;
        int keys = 5_000;
        CompactApproximator approximator = make(lattice, keys, 0.01, bits);
        long[] hashes = hashes(keys, 2);
        Map<Long, Long> truth = new HashMap<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < keys; i += round + 1) {
                long element = Mix.expand(i, SEED, 100 + round) >>> (Long.SIZE - bits);
                approximator.joinHash(hashes[i], element);
                truth.merge(hashes[i], element, (one, other) -> join(approximator, one, other));
            }
        }
        Approximator again = CompactApproximator.read(approximator.image());
        int above = 0;
        for (Map.Entry<Long, Long> entry : truth.entrySet()) {
            long found = again.elementOfHash(entry.getKey());
            assertThat(join(approximator, found, entry.getValue()))
                    .as("%d, which must not be below %d", found, entry.getValue())
                    .isEqualTo(found);
            above += found == entry.getValue() ? 0 : 1;
        }
        assertThat(above).isLessThan((int) (0.02 * keys));
        long strangers = Arrays.stream(hashes(100_000, 3))
                .filter(hash -> again.elementOfHash(hash) != again.bottom())
                .count();
        assertThat(strangers).isLessThan(1_300);
    }

    private static long join(Approximator approximator, long one, long other) {
        return switch (approximator.lattice()) {
            case BOOLEAN, MAX -> Math.max(one, other);
            case MIN -> Math.min(one, other);
            case SETS -> one | other;
        };
    }

    @Test
    void whatHasNothingIsAtTheBottom() {
        assertThat(make("max", 10, 0.01, 8).elementOfHash(5)).isZero();
        assertThat(make("min", 10, 0.01, 8).elementOfHash(5)).isEqualTo(255);
        assertThat(make("sets", 10, 0.01, 8).elementOfHash(5)).isZero();
        assertThat(make("min", 10, 0.01, 8).bottom()).isEqualTo(255);
    }

    @Test
    void optionsThatCannotBeHonouredAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> make("boolean", 10, 0.01, 2))
                .withMessageContaining("elementBits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> make("median", 10, 0.01, 2))
                .withMessageContaining("median");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> make("max", 10, 0.01, 4).joinHash(1, 16));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> make("max", 10, 0.01, 4).joinHash(1, -1));
    }
}
