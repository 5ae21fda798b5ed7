package dev.besom.bloomier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.fuse.PerfectHash;
import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the comments of the maps say of their sizes, and the minimal perfect hash function. */
@Tag("slow")
class MapSizesTest {

    private static final long SEED = 0x6D617073L;

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static EntrySource entries(int count, int valueBits) {
        return EntrySource.of(
                hashes(count, 1),
                Arrays.stream(hashes(count, 2))
                        .map(hash -> hash >>> (Long.SIZE - valueBits))
                        .toArray());
    }

    @Test
    void aMillionEntriesTakeWhatTheCommentsSay() {
        FilterSpec spec = FilterSpec.of(1, 1 / 256.0);
        int keys = 1_000_000;
        double fuse = FuseMap.build(spec, entries(keys, 8)).sizeInBits() / (double) keys;
        double fuse4 = FuseMap.build(spec.with("arity", "4"), entries(keys, 8)).sizeInBits() / (double) keys;
        double perfect = PerfectHashMap.build(spec, entries(keys, 8)).sizeInBits() / (double) keys;
        double dynamic =
                DynamicMap.build(spec.withCapacity(keys), entries(keys, 8)).sizeInBits() / (double) keys;
        assertThat(fuse).isBetween(16.0, 16 * 1.14);
        assertThat(fuse4).isBetween(16.0, 16 * 1.09);
        assertThat(perfect).isBetween(18.2, 18.45);
        assertThat(dynamic).isBetween(17.4, 18.9);
    }

    @Test
    void thePerfectHashMapIsTheSmallerOneOfWideValues() {
        FilterSpec spec = FilterSpec.of(1, 1 / 256.0);
        assertThat(PerfectHashMap.build(spec, entries(200_000, 24)).sizeInBits())
                .isLessThan(FuseMap.build(spec, entries(200_000, 24)).sizeInBits());
        assertThat(PerfectHashMap.build(spec, entries(200_000, 1)).sizeInBits())
                .isGreaterThan(FuseMap.build(spec, entries(200_000, 1)).sizeInBits());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000, 11_500, 300_000})
    void aPerfectHashGivesEachKeyANumberOfItsOwn(int count) {
        long[] keys = hashes(count, 3);
        Arrays.sort(keys);
        PerfectHash function = PerfectHash.build(keys, 7);
        BitSet taken = new BitSet(count);
        for (long key : keys) {
            int number = (int) function.indexOf(key);
            assertThat(taken.get(number)).isFalse();
            taken.set(number);
        }
        assertThat(taken.length()).isEqualTo(count);
        assertThat(Arrays.stream(hashes(1_000, 4)).map(function::indexOf)).allMatch(i -> i >= 0 && i < count);
        if (count >= 100_000) {
            assertThat(function.sizeInBits() / (double) count).isBetween(2.2, 2.5);
        }
    }

    /** Nearly all space is that of the first pair, and hardly any query goes further. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.001})
    void theFirstPairTakesNearlyAllSpaceAndTellsNearlyAll(double fpp) {
        int count = 100_000;
        PairedBloomMap map = PairedBloomMap.build(FilterSpec.of(1, fpp), entries(count, 1));
        BloomPairs pairs = map.pairs(0);
        assertThat((double) pairs.sizeOfLevelInBits(0)).isGreaterThan(0.985 * pairs.sizeInBits());
        assertThat(pairs.levels()).isBetween(1, 3);
        double bound = 1.4427 * Math.log(2 / fpp) / Math.log(2);
        assertThat((double) map.sizeInBits() / count).isBetween(bound, 1.04 * bound);
    }

    @Test
    void fewKeysOfADynamicMapAreKeptWhole() {
        int count = 100_000;
        DynamicMap map = DynamicMap.build(FilterSpec.of(count, 0.01), entries(count, 4));
        double expected = count * 0.01 / 2;
        assertThat((double) map.wholeCount())
                .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
    }

    /** Keys with one signature: whichever goes first, the others keep their values. */
    @Test
    void keysWithOneSignatureDoNotDisturbEachOther() {
        long[] keys = hashes(40, 9);
        // With four signatures for 40 keys nearly all keys are whole.
        for (int removed : IntStream.range(0, keys.length).toArray()) {
            DynamicMap map = DynamicMap.make(FilterSpec.of(40, 0.99).with("valueBits", "6"));
            for (int i = 0; i < keys.length; i++) {
                map.putHash(keys[i], i);
            }
            assertThat(map.removeHash(keys[removed])).isTrue();
            for (int i = 0; i < keys.length; i++) {
                if (i != removed) {
                    assertThat(map.valueOfHash(keys[i])).isEqualTo(i);
                }
            }
        }
    }
}
