package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.bits.BitVector;
import dev.besom.testsupport.Images;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BloomFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1000, 0.01);

    @Test
    void unlessToldOtherwiseItIsAsSmallAsItsFewProbesAllow() {
        BloomFilter filter = BloomFilter.make(FilterSpec.of(100_000, 0.01));
        assertThat(filter.probes()).isEqualTo(6);
        assertThat(filter.scheme()).isEqualTo(IndexScheme.LINES);
        assertThat(filter.sizeInBits()).isEqualTo(LinedBloomMath.bits(100_000, 0.01, 6));
        BloomFilter textbook = BloomFilter.make(FilterSpec.of(100_000, 0.01).with("scheme", "enhanced-double"));
        assertThat(textbook.probes()).isEqualTo(6);
        assertThat(textbook.sizeInBits() - BloomMath.bits(100_000, 0.01, 6)).isBetween(0L, 63L);
    }

    @ParameterizedTest
    @CsvSource({"1, 64, 512", "64, 64, 512", "65, 128, 512", "513, 576, 1024", "9600, 9600, 9728", "9601, 9664, 9728"})
    void anyNumberOfBitsIsRoundedUpToWordsOrToLines(String asked, long inWords, long inLines) {
        FilterSpec spec = SPEC.with("bits", asked);
        assertThat(BloomFilter.make(spec.with("scheme", "slices")).sizeInBits()).isEqualTo(inWords);
        assertThat(BloomFilter.make(spec).sizeInBits()).isEqualTo(inLines);
    }

    @Test
    void aSizeThatIsGivenGetsTheBestProbesForIt() {
        assertThat(BloomFilter.make(SPEC.with("bits", "9600")).probes()).isEqualTo(7);
        assertThat(BloomFilter.make(SPEC.with("bits", "64")).probes()).isEqualTo(1);
        assertThat(BloomFilter.make(SPEC.with("bits", "9600").with("probes", "3"))
                        .probes())
                .isEqualTo(3);
    }

    @Test
    void ratesBelowWhatSixtyFourProbesAreBestForAreKept() {
        BloomFilter filter = BloomFilter.make(FilterSpec.of(1000, 1e-30));
        long[] keys = new SplittableRandom(1).longs(1000).toArray();
        filter.insertHashes(keys, 0, keys.length);
        assertThat(filter.expectedFpp()).isBetween(1e-31, 1e-29);
        assertThat(filter.sizeInBits()).isLessThan(200_000);
    }

    @ParameterizedTest
    @CsvSource({
        "bits, 0, option bits must be from 1 to",
        "bits, -5, option bits must be from 1 to",
        "bits, 9223372036854775807, option bits must be from 1 to",
        "bits, 1e6, option bits must be a whole number",
        "probes, 0, option probes must be from 1 to 64",
        "probes, 65, option probes must be from 1 to 64",
        "probes, x, option probes must be a whole number",
        "scheme, quadruple, 'option scheme must be lines, enhanced-double, double, triple or slices, not ''quadruple'''"
    })
    void badOptionsAreNamed(String option, String value, String message) {
        assertThatThrownBy(() -> BloomFilter.make(SPEC.with(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void moreKeysThanAnArrayHoldsAreRefused() {
        assertThatThrownBy(() -> BloomFilter.make(FilterSpec.of(1L << 40, 0.01)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("larger than the largest, " + BitVector.MAX_SIZE_IN_BITS / 512 * 512);
        String most = Long.toString(BitVector.MAX_SIZE_IN_BITS);
        assertThatThrownBy(() -> BloomFilter.make(SPEC.with("bits", most)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("larger than the largest, " + BitVector.MAX_SIZE_IN_BITS / 512 * 512);
        assertThatThrownBy(() -> BloomFilter.make(FilterSpec.of(Long.MAX_VALUE, 1e-300)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(IndexScheme.class)
    void labelsAndNumbersOfSchemesLeadBackToThem(IndexScheme scheme) {
        assertThat(IndexScheme.ofLabel(scheme.label())).isEqualTo(scheme);
        assertThat(IndexScheme.ofId(scheme.id())).contains(scheme);
        assertThat(IndexScheme.ofId(-1)).isEmpty();
        assertThat(IndexScheme.ofId(5)).isEmpty();
        assertThat(IndexScheme.ofId(1L << 32)).isEmpty();
    }

    @Test
    void theNumbersOfSchemesInFilesAreFrozen() {
        assertThat(IndexScheme.ENHANCED_DOUBLE.id()).isEqualTo(0);
        assertThat(IndexScheme.DOUBLE.id()).isEqualTo(1);
        assertThat(IndexScheme.TRIPLE.id()).isEqualTo(2);
        assertThat(IndexScheme.SLICES.id()).isEqualTo(3);
        assertThat(IndexScheme.LINES.id()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(IndexScheme.class)
    void insertingAtOnceAndOneByOneSetsTheSameBits(IndexScheme scheme) {
        long[] keys = new SplittableRandom(2).longs(1500).toArray();
        for (int probes : new int[] {1, 2, 3, 4, 5, 6, 7, 20}) {
            FilterSpec spec = SPEC.with("scheme", scheme.label()).with("probes", Integer.toString(probes));
            BloomFilter one = BloomFilter.make(spec);
            BloomFilter all = BloomFilter.make(spec);
            for (long key : keys) {
                one.insertHash(key);
            }
            all.insertHashes(keys, 0, keys.length);
            assertThat(all.bits.words()).isEqualTo(one.bits.words());
            assertThat(all.count()).isEqualTo(one.count());
        }
    }

    @Test
    void anIntersectionKeepsTheKeysThatAreInBoth() {
        long[] keys = new SplittableRandom(3).longs(1500).toArray();
        BloomFilter left = filled(SPEC, keys, 0, 1000);
        BloomFilter right = filled(SPEC, keys, 500, 1500);
        left.intersectWith(right);
        Images.assertAllFound(left, Arrays.copyOfRange(keys, 500, 1000));
        assertThat(Images.count(Arrays.copyOfRange(keys, 0, 500), left::mightContainHash))
                .isLessThan(150);
        assertThat(Images.count(Arrays.copyOfRange(keys, 500, 1500), right::mightContainHash))
                .isEqualTo(1000);
        assertThat(left.count()).isBetween(500L, 1000L);
    }

    @Test
    void aUnionHasTheBitsOfAFilterOfAllKeys() {
        long[] keys = new SplittableRandom(4).longs(1000).toArray();
        BloomFilter left = filled(SPEC, keys, 0, 600);
        left.mergeFrom(filled(SPEC, keys, 400, 1000));
        assertThat(left.bits.words()).isEqualTo(filled(SPEC, keys, 0, 1000).bits.words());
        assertThat(left.count()).isCloseTo(1000, within(40L));
    }

    /**
     * The count from the fill has a standard deviation of about sqrt((e^(t) - 1 - t) m) / k for t = kn / m; it is below
     * 0.7 sqrt(m) / k at these fills.
     */
    @Test
    void countsOfKeysUnionsAndIntersectionsAreEstimatedFromTheFill() {
        FilterSpec spec = FilterSpec.of(100_000, 0.01);
        long[] keys = new SplittableRandom(5).longs(130_000).toArray();
        BloomFilter left = filled(spec, keys, 0, 80_000);
        BloomFilter right = filled(spec, keys, 50_000, 130_000);
        double deviation = 0.7 * Math.sqrt((double) left.sizeInBits()) / left.probes();
        assertThat(left.estimatedCount()).isCloseTo(80_000, within(6.5 * deviation));
        assertThat(right.estimatedCount()).isCloseTo(80_000, within(6.5 * deviation));
        assertThat(left.estimatedUnionCount(right)).isCloseTo(130_000, within(6.5 * deviation));
        assertThat(left.estimatedIntersectionCount(right)).isCloseTo(30_000, within(6.5 * 2 * deviation));
        assertThat(6.5 * deviation).as("bound").isLessThan(1000);
        BloomFilter empty = BloomFilter.make(spec);
        assertThat(empty.estimatedCount()).isZero();
        assertThat(empty.estimatedIntersectionCount(left)).isCloseTo(0, within(1e-6));
        assertThat(empty.estimatedUnionCount(left)).isEqualTo(left.estimatedCount());
    }

    @Test
    void aFilterWithAllBitsSetHasAFiniteCountAndSaysMaybeToEverything() {
        BloomFilter filter = BloomFilter.make(SPEC.with("bits", "512").with("probes", "4"));
        long[] keys = new SplittableRandom(6).longs(1000).toArray();
        filter.insertHashes(keys, 0, keys.length);
        assertThat(filter.expectedFpp()).isEqualTo(1);
        assertThat(filter.estimatedCount()).isFinite();
        BloomFilter other = BloomFilter.make(SPEC.with("bits", "512").with("probes", "4"));
        other.mergeFrom(filter);
        assertThat(other.mightContainHash(12345)).isTrue();
        assertThat(Images.saveAndLoad(other, BloomFilter.class).count()).isEqualTo(other.count());
    }

    @Test
    void filtersThatDoNotMatchAreRefusedByTheDifference() {
        assertMismatch(SPEC.with("bits", "9728"), SPEC.with("bits", "6144").with("probes", "7"), "bits: 9728 and 6144");
        assertMismatch(SPEC, SPEC.withSeed(5), "bloom filters differ in seed: 0 and 5");
        FilterSpec sized = SPEC.with("bits", "9600");
        assertMismatch(sized.with("probes", "3"), sized.with("probes", "4"), "bloom filters differ in probes: 3 and 4");
        assertMismatch(
                sized.with("scheme", "double"),
                sized.with("scheme", "enhanced-double"),
                "bloom filters differ in scheme: double and enhanced-double");
        BloomFilter filter = BloomFilter.make(SPEC);
        assertThatThrownBy(() -> filter.mergeFrom(CountingBloomFilter.make(SPEC)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a bloom filter does not merge with a CountingBloomFilter");
    }

    private static void assertMismatch(FilterSpec one, FilterSpec two, String message) {
        BloomFilter left = BloomFilter.make(one);
        BloomFilter right = BloomFilter.make(two);
        left.insertHash(7);
        right.insertHash(8);
        long before = Images.checksum(left.image());
        assertRefused(() -> left.mergeFrom(right), message);
        assertRefused(() -> left.intersectWith(right), message);
        assertRefused(() -> left.estimatedUnionCount(right), message);
        assertRefused(() -> left.estimatedIntersectionCount(right), message);
        assertThat(Images.checksum(left.image())).isEqualTo(before);
    }

    private static void assertRefused(Runnable action, String message) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void otherKindsThatDoNotMatchAreRefusedByTheDifference() {
        assertRefused(
                merging(BlockedBloomFilter.make(SPEC), BlockedBloomFilter.make(SPEC.withSeed(1))), "seed: 0 and 1");
        assertRefused(
                merging(BlockedBloomFilter.make(SPEC), BlockedBloomFilter.make(SPEC.withCapacity(9000))),
                "blocked-bloom filters differ in bits");
        assertRefused(
                merging(BlockedBloomFilter.make(SPEC), BloomFilter.make(SPEC)),
                "a blocked-bloom filter does not merge with a BloomFilter");
        assertRefused(
                merging(CountingBloomFilter.make(SPEC), CountingBloomFilter.make(SPEC.withSeed(1))), "seed: 0 and 1");
        assertRefused(
                merging(CountingBloomFilter.make(SPEC), CountingBloomFilter.make(SPEC.withCapacity(9000))),
                "counting-bloom filters differ in counters");
    }

    private static Runnable merging(MergeableFilter one, MergeableFilter other) {
        return () -> one.mergeFrom(other);
    }

    private static BloomFilter filled(FilterSpec spec, long[] keys, int from, int to) {
        BloomFilter filter = BloomFilter.make(spec);
        filter.insertHashes(keys, from, to - from);
        return filter;
    }
}
