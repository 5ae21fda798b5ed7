package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.bits.BitVector;
import dev.besom.hash.Mix;
import dev.besom.spi.PersistentFilter;
import dev.besom.testsupport.Images;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
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
        "enhanced-double, 7, 2865452378",
        "enhanced-double, 2, 3237645527",
        "double, 7, 1169082420",
        "triple, 7, 4193746715",
        "slices, 7, 3899718747",
        "lines, 7, 4256118215",
        "lines, 6, 2184697915",
        "lines, 2, 2099451729"
    })
    void aThousandHashesSetTheSameBitsInEachVersion(String scheme, int probes, long checksum) {
        BloomFilter filter = BloomFilter.make(FilterSpec.of(1000, 0.01)
                .withSeed(42)
                .with("bits", "9600")
                .with("probes", Integer.toString(probes))
                .with("scheme", scheme));
        assertFrozen(filter, checksum);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 494300100",
        "2, 3, 20521936",
        "2, 6, 1947930301",
        "4, 1, 468035936",
        "4, 3, 11148602",
        "4, 6, 2509943618"
    })
    void aThousandHashesSetTheSameBitsInBlocksInEachVersion(String groups, String bitsPerGroup, long checksum) {
        BlockedBloomFilter filter = BlockedBloomFilter.make(
                FilterSpec.of(1000, 0.3).withSeed(42).with("groups", groups).with("bitsPerGroup", bitsPerGroup));
        assertFrozen(filter, checksum);
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 3158384863", "4, 3, 2007966239"})
    void aThousandHashesSetTheSameBitsInHalfLinesInEachVersion(String groups, String bitsPerGroup, long checksum) {
        BlockedBloomFilter filter = BlockedBloomFilter.make(FilterSpec.of(1000, 0.3)
                .withSeed(42)
                .with("blockBits", "256")
                .with("groups", groups)
                .with("bitsPerGroup", bitsPerGroup));
        assertFrozen(filter, checksum);
    }

    @Test
    void aThousandHashesSetTheSameCountersInEachVersion() {
        CountingBloomFilter filter =
                CountingBloomFilter.make(FilterSpec.of(1000, 0.01).withSeed(42));
        assertFrozen(filter, 4251578173L);
    }

    @Test
    void aThousandHashesMakeTheSameLayersInEachVersion() {
        ScalableBloomFilter filter =
                ScalableBloomFilter.make(FilterSpec.of(100, 0.01).withSeed(42));
        assertFrozen(filter, 1007793298L);
        assertThat(filter.layerCount()).isEqualTo(4);
    }

    @Test
    void aThousandHashesAndSomeRemovalsMakeTheSameCompositeInEachVersion() {
        CompositeBloomFilter filter =
                CompositeBloomFilter.make(FilterSpec.of(1000, 0.01).withSeed(42));
        insertAll(filter);
        for (int i = 0; i < 50; i++) {
            assertThat(filter.removeHash(hash(i))).isTrue();
        }
        for (int i = 0; i < 20; i++) {
            filter.insertHash(hash(i));
        }
        assertThat(Images.checksum(filter.image())).isEqualTo(2869341695L);
    }

    /** The probes from the closed forms in the comment of {@link IndexScheme}, in exact arithmetic. */
    @ParameterizedTest
    @EnumSource(IndexScheme.class)
    void eachSchemeSetsTheBitsOfItsFormula(IndexScheme scheme) {
        for (long bits : new long[] {64, 128, 9600, 1_000_000, 64L * 48_611}) {
            for (int probes : new int[] {1, 2, 3, 5, 6, 7, 9, 64}) {
                BloomFilter filter = new BloomFilter(new BitVector(scheme.roundedUp(bits)), probes, scheme, 99, 0);
                BitVector expected = new BitVector(filter.sizeInBits());
                for (int i = 0; i < 20; i++) {
                    boolean isNew = false;
                    for (int probe = 0; probe < probes; probe++) {
                        isNew |= expected.set(bitIndex(scheme, hash(i), probe, filter.sizeInBits() / 64));
                    }
                    assertThat(filter.mightContainHash(hash(i))).isEqualTo(!isNew);
                    assertThat(filter.insertHash(hash(i))).isEqualTo(isNew);
                    assertThat(Arrays.equals(filter.bits.words(), expected.words()))
                            .as("%d probes in %d bits", probes, bits)
                            .isTrue();
                    assertThat(filter.mightContainHash(hash(i))).isTrue();
                    for (int probe = 0; probe < probes; probe++) {
                        // One bit short is a miss, whichever it is.
                        long bit = bitIndex(scheme, hash(i), probe, filter.sizeInBits() / 64);
                        filter.bits.clear(bit);
                        assertThat(filter.mightContainHash(hash(i))).isFalse();
                        filter.bits.set(bit);
                    }
                }
            }
        }
    }

    /** In a filter of more than 2^21 words each step of a walk is one probe of 64 bits. */
    @ParameterizedTest
    @EnumSource(IndexScheme.class)
    void eachSchemeSetsTheBitsOfItsFormulaInWideFilters(IndexScheme scheme) {
        BloomFilter filter = new BloomFilter(new BitVector(scheme.roundedUp((1L << 27) + 1)), 7, scheme, 99, 0);
        long wordCount = filter.sizeInBits() / 64;
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            filter.insertHash(hash(i));
            for (int probe = 0; probe < 7; probe++) {
                expected.add(wideBitIndex(scheme, hash(i), probe, wordCount));
            }
            assertThat(filter.mightContainHash(hash(i))).isTrue();
        }
        assertThat(expected).allMatch(filter.bits::get).hasSize((int) filter.bits.cardinality());
    }

    /** The bit of a probe where a step, or a slice, is one probe of 64 bits. */
    private static long wideBitIndex(IndexScheme scheme, long hash, int probe, long wordCount) {
        if (scheme == IndexScheme.LINES) {
            return linedBitIndex(hash, probe, wordCount);
        }
        long fraction = step(scheme, hash, probe);
        BigInteger unsigned = BigInteger.valueOf(fraction).mod(TWO_TO_64);
        long word =
                unsigned.multiply(BigInteger.valueOf(wordCount)).shiftRight(64).longValueExact();
        return word * 64 + (fraction & 63);
    }

    /** The bit of a probe in a filter of at most 2^21 words, where a step is two probes of 32 bits. */
    private static long bitIndex(IndexScheme scheme, long hash, int probe, long wordCount) {
        if (scheme == IndexScheme.SLICES || scheme == IndexScheme.LINES) {
            return wideBitIndex(scheme, hash, probe, wordCount);
        }
        long step = step(scheme, hash, probe / 2);
        long fraction = probe % 2 == 0 ? step >>> 32 : step & 0xFFFFFFFFL;
        long word = BigInteger.valueOf(fraction)
                .multiply(BigInteger.valueOf(wordCount))
                .shiftRight(32)
                .longValueExact();
        return word * 64 + (fraction & 63);
    }

    /** The bit of a probe where three of them lie in a line: as docs/format.md has it. */
    private static long linedBitIndex(long hash, int probe, long wordCount) {
        long step = hash * Mix.factor(99 + SALT);
        for (int group = 0; group < probe / 3; group++) {
            step = nextStep(step);
        }
        long draws = nextStep(step);
        long word = BigInteger.valueOf(step)
                .mod(TWO_TO_64)
                .clearBit(0)
                .multiply(BigInteger.valueOf(wordCount))
                .shiftRight(64)
                .longValueExact();
        return switch (probe % 3) {
            case 0 -> word * 64 + (draws >>> 43 & 63);
            case 1 -> word * 64 + (draws >>> 49 & 63);
            default -> (word ^ draws >>> 61) * 64 + (draws >>> 55 & 63);
        };
    }

    private static long nextStep(long step) {
        return (step >>> 32 | step << 32) * 0x3C6EF372FE94F82BL;
    }

    /** Step j of a walk, or slice j, of a filter with the seed 99. */
    private static long step(IndexScheme scheme, long hash, int j) {
        long x = IndexScheme.start(hash, Mix.factor(99 + SALT));
        BigInteger strides = BigInteger.valueOf(j);
        BigInteger pairs = BigInteger.valueOf(j * (j - 1L) / 2);
        BigInteger triples = BigInteger.valueOf(j * (j - 1L) * (j - 2L) / 6);
        BigInteger walk = BigInteger.valueOf(x).add(strides.multiply(BigInteger.valueOf(IndexScheme.stride(x))));
        return switch (scheme) {
            case DOUBLE -> walk.longValue();
            case TRIPLE ->
                walk.add(pairs.multiply(BigInteger.valueOf(Mix.expand(x, 0, 1))))
                        .longValue();
            case ENHANCED_DOUBLE ->
                walk.add(pairs.add(triples).multiply(BigInteger.valueOf(IndexScheme.STEP)))
                        .longValue();
            case SLICES -> Mix.expand(x, 0, j);
            case LINES -> throw new AssertionError("lines have other steps");
        };
    }

    @Test
    void theStepOfTheOneSchemeIsThatOfTheGeneralOne() {
        for (int j = 0; j < 100; j++) {
            long x = hash(j + 1);
            assertThat(IndexScheme.step(x, j))
                    .isEqualTo(IndexScheme.step(x, IndexScheme.stride(x), IndexScheme.STEP, IndexScheme.STEP, j));
        }
    }

    private static void assertFrozen(PersistentFilter filter, long checksum) {
        insertAll((InsertableFilter) filter);
        assertThat(Images.checksum(filter.image())).isEqualTo(checksum);
    }

    private static void insertAll(InsertableFilter filter) {
        for (int i = 0; i < 1000; i++) {
            filter.insertHash(hash(i));
        }
    }

    /** Hashes that no function of the project made. */
    private static long hash(int i) {
        return i * 0x9E3779B97F4A7C15L;
    }
}
