package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.stored.MemoryHashes;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What cuckoo filters promise beyond the contract, and where others went wrong. */
class PartialKeyFilterTest {

    /** A kind with its options. */
    private record Variant(String kind, String slots) {

        FilterSpec spec(long capacity, double fpp) {
            FilterSpec spec = FilterSpec.of(capacity, fpp);
            return slots.isEmpty() ? spec : spec.with("slots", slots);
        }

        PartialKeyFilter make(FilterSpec spec) {
            return (PartialKeyFilter) Filters.makeHashFilter(kind, spec, StoredHashes.none());
        }
    }

    static Stream<Variant> variants() {
        return Stream.of(
                new Variant("cuckoo", ""),
                new Variant("cuckoo", "1"),
                new Variant("vacuum", ""),
                new Variant("cuckoo-windowed", ""));
    }

    private static long hash(long seed, long index) {
        return Mix.expand(index, seed, 0);
    }

    /** Filters of the shape that a number of places has, whatever sizing would say. */
    private static Stream<PartialKeyFilter> filtersOf(int places, int width) {
        PackedArray slots = slots(Placement.BUCKETS, places, width);
        return Stream.of(
                new CuckooFilter(slots, Pairing.of(places, 1, slots), 1),
                new CuckooFilter(slots(Placement.BUCKETS, places, width), Pairing.ranged(places, 1, 4, 3, 2, 1), 1),
                new SingleSlotCuckooFilter(slots(Placement.SINGLE_SLOTS, places, width), 1),
                new WindowedCuckooFilter(slots(Placement.WINDOWS, places, width), 1));
    }

    private static PackedArray slots(Placement placement, int places, int width) {
        return new PackedArray(placement.slotCount(places), width);
    }

    @Test
    void anyNumberOfPlacesWorksUpToTheKeyThatDoesNotFit() {
        for (int width : new int[] {4, 8, 13, 17, 32}) {
            for (int places = 1; places <= 60; places++) {
                filtersOf(places, width).forEach(PartialKeyFilterTest::fillAndCheck);
            }
        }
    }

    /** Puts keys in until one is refused; then all are there, the refused one has changed nothing, and all can go. */
    private static void fillAndCheck(PartialKeyFilter filter) {
        List<Long> in = new ArrayList<>();
        boolean isFull = false;
        while (!isFull) {
            long hash = hash(filter.slotCount, in.size());
            FilterImage before = Images.copy(filter.image());
            try {
                assertThat(filter.mightContainHash(hash)).isNotEqualTo(filter.insertHash(hash));
                in.add(hash);
            } catch (FilterFullException e) {
                assertSame(before, filter.image());
                isFull = true;
            }
            isFull |= in.size() > 2 * filter.slotCount;
        }
        filter.checkInvariants();
        long[] hashes = in.stream().mapToLong(hash -> hash).toArray();
        Images.assertAllFound(filter, hashes);
        long[] answers = Bitmaps.allocate(hashes.length);
        filter.mightContainHashes(hashes, 0, hashes.length, answers);
        assertThat(Bitmaps.cardinality(answers)).isEqualTo(hashes.length);
        for (int i = 0; i < hashes.length; i++) {
            assertThat(filter.deleteHash(hashes[i])).isTrue();
            Images.assertAllFound(filter, Arrays.copyOfRange(hashes, i + 1, hashes.length));
        }
        assertThat(filter.count()).isZero();
        filter.checkInvariants();
    }

    private static void assertSame(FilterImage expected, FilterImage actual) {
        assertThat(Images.parameters(actual)).isEqualTo(Images.parameters(expected));
        for (int i = 0; i < expected.sections().size(); i++) {
            assertThat(Images.words(actual, i)).isEqualTo(Images.words(expected, i));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("variants")
    void oneKeyPutInAMillionTimesIsCounted(Variant variant) {
        PartialKeyFilter filter = variant.make(variant.spec(1_000, 0.01));
        long size = filter.sizeInBits();
        for (int i = 0; i < 1_000_000; i++) {
            filter.insertHash(42);
        }
        assertThat(filter.count()).isEqualTo(1_000_000);
        assertThat(filter.sizeInBits()).isLessThan(size + 2_000);
        PartialKeyFilter again = (PartialKeyFilter) Images.read(Images.copy(filter.image()));
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(again.mightContainHash(42)).isTrue();
            assertThat(again.deleteHash(42)).isTrue();
        }
        assertThat(again.mightContainHash(42)).isFalse();
        assertThat(again.deleteHash(42)).isFalse();
        assertThat(again.sizeInBits()).isEqualTo(size);
    }

    @ParameterizedTest
    @MethodSource("variants")
    void keysPutInTwiceOrThriceFitBesideOthersAndLeaveOneByOne(Variant variant) {
        PartialKeyFilter filter = variant.make(variant.spec(3_000, 0.02));
        for (int i = 0; i < 3_000; i++) {
            filter.insertHash(hash(7, i % 1_000));
        }
        assertThat(filter.count()).isEqualTo(3_000);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(filter.mightContainHash(hash(7, i))).isTrue();
                assertThat(filter.deleteHash(hash(7, i))).isTrue();
            }
        }
        assertThat(filter.count()).isZero();
        filter.checkInvariants();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void aRandomLifeAtTheEdgeOfFullLosesNothing(Variant variant) {
        for (long seed = 1; seed <= 3; seed++) {
            live(variant, seed);
        }
    }

    private static void live(Variant variant, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PartialKeyFilter filter = variant.make(variant.spec(60, 0.3).withSeed(seed));
        List<Long> in = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < 55) {
                long hash = hash(seed, random.nextInt(300));
                FilterImage before = Images.copy(filter.image());
                try {
                    filter.insertHash(hash);
                    in.add(hash);
                } catch (FilterFullException e) {
                    assertSame(before, filter.image());
                }
            } else if (!in.isEmpty()) {
                assertThat(filter.deleteHash(in.remove(random.nextInt(in.size()))))
                        .isTrue();
            }
            if (random.nextInt(200) == 0) {
                filter = (PartialKeyFilter) Images.read(Images.copy(filter.image()));
            }
            assertThat(filter.count()).isEqualTo(in.size());
            if (step % 20 == 0) {
                filter.checkInvariants();
                Images.assertAllFound(
                        filter, in.stream().mapToLong(hash -> hash).toArray());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void aGrownFilterHoldsTheStoredHashesAtTheSameRate(Variant variant) {
        long[] hashes = LongStream.range(0, 5_000).map(i -> hash(9, i)).toArray();
        PartialKeyFilter small = variant.make(variant.spec(1_000, 0.01));
        PartialKeyFilter grown = small.grown(5_000, MemoryHashes.of(hashes));
        Images.assertAllFound(grown, hashes);
        assertThat(grown.count()).isEqualTo(5_000);
        assertThat(grown.expectedFpp()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void windowsTakeAtMostTenPointNineBitsAKeyAtOneIn256AndLoad95() {
        for (long capacity : new long[] {100_000, 1_000_000, 10_000_000, 100_000_000}) {
            int bits = Placement.WINDOWS.slotBits(capacity, 1 / 256.0);
            long slots = Placement.WINDOWS.slotCount(Placement.WINDOWS.placeCount(capacity));
            assertThat((double) bits * slots / capacity).isLessThan(10.6);
            assertThat((double) capacity / slots).isGreaterThan(0.9499);
        }
    }

    @Test
    void singleSlotsAndWindowsTakeABitAKeyLessThanBuckets() {
        int buckets = Placement.BUCKETS.slotBits(1_000_000, 1 / 256.0);
        assertThat(buckets).isEqualTo(11);
        assertThat(Placement.SINGLE_SLOTS.slotBits(1_000_000, 1 / 256.0)).isEqualTo(10);
        assertThat(Placement.WINDOWS.slotBits(1_000_000, 1 / 256.0)).isEqualTo(10);
    }

    @Test
    void optionsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.makeHashFilter(
                        "cuckoo", FilterSpec.of(10, 0.1).with("slots", "3"), StoredHashes.none()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.makeHashFilter(
                        "vacuum", FilterSpec.of(10, 0.1).with("fingerprint", "33"), StoredHashes.none()));
        // Two tables in a hundred would not hold the keys that they are made for.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.makeHashFilter(
                        "cuckoo-windowed", FilterSpec.of(3_000, 0.3).with("fingerprint", "4"), StoredHashes.none()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.makeHashFilter("cuckoo", FilterSpec.of(1_000, 1e-11), StoredHashes.none()));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Filters.makeHashFilter("cuckoo", FilterSpec.of(Long.MAX_VALUE, 0.01), StoredHashes.none()));
    }

    @Test
    void aRefusalSaysHowFullTheTableIs() {
        PackedArray slots = slots(Placement.BUCKETS, 2, 8);
        InsertableFilter filter = new CuckooFilter(slots, Pairing.of(2, 1, slots), 1);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 9; i++) {
                        filter.insertHash(hash(3, i));
                    }
                })
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("8 fingerprints are in 8 slots");
    }
}
