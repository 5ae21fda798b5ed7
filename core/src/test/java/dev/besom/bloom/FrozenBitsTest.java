package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.PersistentFilter;
import dev.besom.bits.BitVector;
import dev.besom.hash.Mix;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which bits a hash sets is part of the file format. */
class FrozenBitsTest {

    private static final long SALT = 0x6A09E667F3BCC909L;
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    @ParameterizedTest
    @CsvSource({
        "enhanced-double, 7, 1188978227",
        "enhanced-double, 2, 3173659442",
        "double, 7, 2417421172",
        "triple, 7, 1054296168",
        "slices, 7, 2014104291"
    })
    void aThousandHashesSetTheSameBitsInEachVersion(String scheme, int probes, long checksum) {
        BloomFilter filter = BloomFilter.of(FilterSpec.of(1000, 0.01)
                .withSeed(42)
                .with("bits", "9600")
                .with("probes", Integer.toString(probes))
                .with("scheme", scheme));
        assertFrozen(filter, checksum);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 552979072",
        "2, 3, 478155208",
        "2, 6, 2089538310",
        "4, 1, 1012717105",
        "4, 3, 797042952",
        "4, 6, 3316420635"
    })
    void aThousandHashesSetTheSameBitsInBlocksInEachVersion(String groups, String bitsPerGroup, long checksum) {
        BlockedBloomFilter filter = BlockedBloomFilter.of(
                FilterSpec.of(1000, 0.3).withSeed(42).with("groups", groups).with("bitsPerGroup", bitsPerGroup));
        assertFrozen(filter, checksum);
    }

    @Test
    void aThousandHashesSetTheSameCountersInEachVersion() {
        CountingBloomFilter filter =
                CountingBloomFilter.of(FilterSpec.of(1000, 0.01).withSeed(42));
        assertFrozen(filter, 3841076592L);
    }

    @Test
    void aThousandHashesMakeTheSameLayersInEachVersion() {
        ScalableBloomFilter filter =
                ScalableBloomFilter.of(FilterSpec.of(100, 0.01).withSeed(42));
        assertFrozen(filter, 1355450743L);
        assertThat(filter.layerCount()).isEqualTo(4);
    }

    @Test
    void aThousandHashesAndSomeRemovalsMakeTheSameCompositeInEachVersion() {
        CompositeBloomFilter filter =
                CompositeBloomFilter.of(FilterSpec.of(1000, 0.01).withSeed(42));
        insertAll(filter);
        for (int i = 0; i < 50; i++) {
            assertThat(filter.remove(hash(i))).isTrue();
        }
        for (int i = 0; i < 20; i++) {
            filter.insert(hash(i));
        }
        assertThat(Images.checksum(filter.image())).isEqualTo(754297759L);
    }

    /** The probes from the closed forms in the comment of {@link IndexScheme}, in exact arithmetic. */
    @ParameterizedTest
    @EnumSource(IndexScheme.class)
    void eachSchemeSetsTheBitsOfItsFormula(IndexScheme scheme) {
        for (long bits : new long[] {64, 128, 9600, 1_000_000, 64L * 48_611}) {
            for (int probes : new int[] {1, 2, 3, 5, 6, 7, 9, 64}) {
                BloomFilter filter = new BloomFilter(new BitVector((bits + 63) / 64 * 64), probes, scheme, 99, 0);
                BitVector expected = new BitVector(filter.sizeInBits());
                for (int i = 0; i < 20; i++) {
                    boolean isNew = false;
                    for (int probe = 0; probe < probes; probe++) {
                        isNew |= expected.set(bitIndex(fraction(scheme, hash(i), 99, probe), filter.sizeInBits() / 64));
                    }
                    assertThat(filter.mightContain(hash(i))).isEqualTo(!isNew);
                    assertThat(filter.insert(hash(i))).isEqualTo(isNew);
                    assertThat(Arrays.equals(filter.bits.words(), expected.words()))
                            .as("%d probes in %d bits", probes, bits)
                            .isTrue();
                    assertThat(filter.mightContain(hash(i))).isTrue();
                    for (int probe = 0; probe < probes; probe++) {
                        // One bit short is a miss, whichever it is.
                        long bit = bitIndex(fraction(scheme, hash(i), 99, probe), filter.sizeInBits() / 64);
                        filter.bits.clear(bit);
                        assertThat(filter.mightContain(hash(i))).isFalse();
                        filter.bits.set(bit);
                    }
                }
            }
        }
    }

    private static long fraction(IndexScheme scheme, long hash, long seed, int probe) {
        long x = Mix.mix(hash + seed + SALT);
        if (scheme == IndexScheme.SLICES) {
            return Mix.expand(x, 0, probe) >>> 32;
        }
        BigInteger i = BigInteger.valueOf(probe / 2);
        BigInteger walk = BigInteger.valueOf(x).add(i.multiply(BigInteger.valueOf(IndexScheme.stride(x))));
        BigInteger pairs = i.multiply(i.subtract(BigInteger.ONE)).shiftRight(1);
        BigInteger cubes = i.pow(3).subtract(i).divide(BigInteger.valueOf(6));
        walk = switch (scheme) {
            case TRIPLE -> walk.add(pairs.multiply(BigInteger.valueOf(Mix.expand(x, 0, 1))));
            case ENHANCED_DOUBLE -> walk.add(cubes.multiply(BigInteger.valueOf(IndexScheme.STEP)));
            case DOUBLE, SLICES -> walk;
        };
        long step = walk.mod(TWO_TO_64).longValue();
        return probe % 2 == 0 ? step >>> 32 : step & 0xFFFFFFFFL;
    }

    private static long bitIndex(long fraction, long wordCount) {
        long word = BigInteger.valueOf(fraction)
                .multiply(BigInteger.valueOf(wordCount))
                .shiftRight(32)
                .longValueExact();
        return word * 64 + (fraction & 63);
    }

    private static void assertFrozen(PersistentFilter filter, long checksum) {
        insertAll((InsertableFilter) filter);
        assertThat(Images.checksum(filter.image())).isEqualTo(checksum);
    }

    private static void insertAll(InsertableFilter filter) {
        for (int i = 0; i < 1000; i++) {
            filter.insert(hash(i));
        }
    }

    /** Hashes that no function of the project made. */
    private static long hash(int i) {
        return i * 0x9E3779B97F4A7C15L;
    }
}
