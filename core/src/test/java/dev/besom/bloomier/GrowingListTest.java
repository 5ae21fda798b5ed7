package dev.besom.bloomier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.hash.Mix;
import dev.besom.stored.MemoryHashes;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowingListTest {

    private static final long SEED = 0x67726F77L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static GrowingList build(double fpp, long[] yes, long[] no) {
        return GrowingList.build(FilterSpec.of(1, fpp), HashSource.of(yes), HashSource.of(no));
    }

    private static MemoryHashes stored(long[] hashes) {
        MemoryHashes stored = new MemoryHashes();
        Arrays.stream(hashes).forEach(stored::add);
        return stored;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "1, 1", "100, 1000", "3000, 3000", "20000, 100"})
    void whatBecomesKnownLaterIsAnsweredNoAndNoKeyIsLost(int listed, int known) {
        long[] yes = hashes(listed, 1);
        long[] no = hashes(known, 2);
        MemoryHashes stored = stored(yes);
        for (double fpp : new double[] {0.99, 0.3}) {
            GrowingList list = build(fpp, yes, no);
            long[] later = hashes(5_000, 3);
            assertThat(Arrays.stream(later).mapToObj(hash -> list.excludeHash(hash, stored)))
                    .containsOnly(Adaptation.FIXED);
            GrowingList read = GrowingList.read(list.image());
            for (GrowingList each : new GrowingList[] {list, read}) {
                assertThat(Arrays.stream(yes)).allMatch(each::mightContainHash);
                assertThat(Arrays.stream(no)).noneMatch(each::mightContainHash);
                assertThat(Arrays.stream(later)).noneMatch(each::mightContainHash);
                assertThat(each.excludedCount()).isEqualTo(list.excludedCount());
                assertThat(each.sizeInBits()).isEqualTo(list.sizeInBits());
            }
        }
    }

    /** Hashes that differ from a key in the lowest bits only have its number, so they are kept whole. */
    @Test
    void neighboursOfKeysAreExcludedWhole() {
        long[] yes = hashes(1_000, 1);
        MemoryHashes stored = stored(yes);
        GrowingList list = build(0.99, yes, new long[0]);
        for (long key : yes) {
            for (long neighbour = 1; neighbour <= 3; neighbour++) {
                assertThat(list.excludeHash(key ^ neighbour, stored)).isEqualTo(Adaptation.FIXED);
            }
        }
        for (long key : yes) {
            assertThat(list.mightContainHash(key)).isTrue();
            assertThat(list.mightContainHash(key ^ 1)).isFalse();
            assertThat(list.mightContainHash(key ^ 3)).isFalse();
        }
    }

    @Test
    void aKeyOfTheListCannotBeExcluded() {
        long[] yes = hashes(500, 1);
        GrowingList list = build(0.99, yes, hashes(500, 2));
        MemoryHashes stored = stored(yes);
        for (long key : yes) {
            assertThat(list.excludeHash(key, stored)).isEqualTo(Adaptation.INSEPARABLE);
            assertThat(list.mightContainHash(key)).isTrue();
        }
        assertThat(list.excludedCount()).isZero();
    }

    @Test
    void nothingIsExcludedWhereHashesOfTheListAreMissing() {
        long[] yes = hashes(500, 1);
        GrowingList list = build(0.99, yes, new long[0]);
        StoredHashes some = stored(Arrays.copyOf(yes, 499));
        long[] falsePositives =
                Arrays.stream(hashes(100, 3)).filter(list::mightContainHash).toArray();
        assertThat(falsePositives).isNotEmpty();
        for (long hash : falsePositives) {
            assertThat(list.excludeHash(hash, some)).isEqualTo(Adaptation.INSEPARABLE);
            assertThat(list.excludeHash(hash, StoredHashes.none())).isEqualTo(Adaptation.INSEPARABLE);
        }
        assertThat(Arrays.stream(yes)).allMatch(list::mightContainHash);
    }

    /** A hash takes the logarithm of the numbers that there are for it, and at most five bits. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"100000, 1000", "100000, 20000", "20000, 100000"})
    void anExcludedHashTakesFewBits(int listed, int later) {
        long[] yes = hashes(listed, 1);
        MemoryHashes stored = stored(yes);
        GrowingList list = build(0.99, yes, hashes(listed, 2));
        long before = list.sizeInBits();
        Arrays.stream(hashes(later, 3)).forEach(hash -> list.excludeHash(hash, stored));
        double bits = (double) (list.sizeInBits() - before) / list.excludedCount();
        double code = Math.log(64.0 * Math.E * listed / list.excludedCount()) / Math.log(2);
        assertThat(bits).isBetween(code - 0.5, code + 5);
    }

    /** Six standard deviations around what is predicted, on both sides. */
    @Test
    void unknownKeysAreFalsePositivesAtTheRate() {
        long[] yes = hashes(2_000, 1);
        GrowingList list = build(0.25, yes, hashes(2_000, 2));
        MemoryHashes stored = stored(yes);
        Arrays.stream(hashes(100_000, 3)).forEach(hash -> list.excludeHash(hash, stored));
        double rate = list.expectedFpp();
        assertThat(rate).isBetween(0.1, 0.24);
        int queries = 300_000;
        long falsePositives =
                Arrays.stream(hashes(queries, 4)).filter(list::mightContainHash).count();
        double sigma = Math.sqrt(queries * rate * (1 - rate));
        assertThat((double) falsePositives).isBetween(queries * rate - 6 * sigma, queries * rate + 6 * sigma);
    }
}
