package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.PackedArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PairingTest {

    private static final int FINGERPRINTS = 40;

    private static final PackedArray FEW_SLOTS = new PackedArray(4, 7);
    private static final PackedArray MANY_SLOTS = new PackedArray(1 << 20, 7);
    private static final PackedArray BYTES = new PackedArray(4, 8);

    @Test
    void theOtherPlaceOfTheOtherPlaceIsThePlaceForAnyNumberOfPlaces() {
        for (long places = 1; places <= 200; places++) {
            checkInvolution(Pairing.of(places, places, FEW_SLOTS), places);
            checkInvolution(Pairing.of(places, places, MANY_SLOTS), places);
            checkInvolution(Pairing.of(places, places, BYTES), places);
            checkInvolution(Pairing.ranged(places, places, 5, 3, 2, 1), places);
            checkInvolution(Pairing.ranged(places, places, Pairing.WHOLE, 6, 1, 4), places);
        }
    }

    private static void checkInvolution(Pairing pairing, long places) {
        for (long fingerprint = 1; fingerprint <= FINGERPRINTS; fingerprint++) {
            for (long place = 0; place < places; place++) {
                long other = pairing.other(place, fingerprint);
                assertThat(other).isBetween(0L, places - 1);
                assertThat(pairing.other(other, fingerprint)).isEqualTo(place);
            }
        }
    }

    @Test
    void aTableOfOffsetsGivesThePairsThatAreComputedWithoutIt() {
        for (long places = 1; places <= 100; places++) {
            Pairing computed = Pairing.of(places, 7, FEW_SLOTS);
            Pairing tabled = Pairing.of(places, 7, MANY_SLOTS);
            assertThat(computed.sizeInBits()).isZero();
            assertThat(tabled.sizeInBits()).isEqualTo(128 * 32);
            for (long fingerprint = 1; fingerprint < 128; fingerprint++) {
                long place = fingerprint % places;
                assertThat(tabled.other(place, fingerprint)).isEqualTo(computed.other(place, fingerprint));
            }
        }
    }

    @Test
    void theShortWayOfFingerprintsOf8BitsGivesTheSamePairs() {
        for (int places : new int[] {1, 2, 3, 10, 99, 100, 250_000, 1 << 30, Integer.MAX_VALUE}) {
            Pairing pairing = Pairing.of(places, 7, BYTES);
            assertThat(pairing.sizeInBits()).isZero();
            for (int fingerprint = 1; fingerprint < 256; fingerprint++) {
                for (int place : new int[] {0, places / 3, places - 1}) {
                    assertThat(pairing.otherOfByte(place, fingerprint))
                            .isEqualTo((int) pairing.other(place, fingerprint));
                }
            }
        }
    }

    @Test
    void fingerprintsOf8BitsHaveOffsetsAllOverTheTable() {
        Pairing pairing = Pairing.of(1 << 20, 7, BYTES);
        long[] others = LongStream.range(0, 256)
                .map(fingerprint -> pairing.other(0, fingerprint))
                .distinct()
                .sorted()
                .toArray();
        assertThat(others).hasSize(256);
        // Of 256 random places the largest gap is 6 to 12 times the average one.
        assertThat(LongStream.range(1, 256)
                        .map(i -> others[(int) i] - others[(int) i - 1])
                        .max()
                        .orElseThrow())
                .isBetween(4L * (1 << 12), 14L * (1 << 12));
    }

    @Test
    void noPlaceIsItsOwnPairIfThereIsAnEvenNumberOfThem() {
        for (long places = 2; places <= 100; places += 2) {
            Pairing whole = Pairing.of(places, 3, FEW_SLOTS);
            Pairing ofBytes = Pairing.of(places, 3, BYTES);
            Pairing ranged = Pairing.ranged(places, 3, 4, 3, 2, 1);
            for (long fingerprint = 1; fingerprint <= FINGERPRINTS; fingerprint++) {
                for (long place = 0; place < places; place++) {
                    assertThat(whole.other(place, fingerprint)).isNotEqualTo(place);
                    assertThat(ofBytes.other(place, fingerprint)).isNotEqualTo(place);
                    assertThat(ranged.other(place, fingerprint)).isNotEqualTo(place);
                }
            }
        }
    }

    @Test
    void ofAnOddNumberOfPlacesOneIsItsOwnPair() {
        for (long places = 1; places <= 99; places += 2) {
            Pairing pairing = Pairing.of(places, 4, FEW_SLOTS);
            for (long fingerprint = 1; fingerprint <= FINGERPRINTS; fingerprint++) {
                int own = 0;
                for (long place = 0; place < places; place++) {
                    own += pairing.other(place, fingerprint) == place ? 1 : 0;
                }
                assertThat(own).isEqualTo(1);
            }
        }
    }

    @Test
    void pairsOfAClassStayInItsRanges() {
        int[] shifts = {5, 4, 3, 2};
        long places = 100;
        Pairing pairing = Pairing.ranged(places, 5, shifts);
        for (long fingerprint = 1; fingerprint <= FINGERPRINTS; fingerprint++) {
            int shift = shifts[(int) fingerprint & 3];
            long last = (places >>> shift) - 1;
            for (long place = 0; place < places; place++) {
                long other = pairing.other(place, fingerprint);
                assertThat(Math.min(other >>> shift, last)).isEqualTo(Math.min(place >>> shift, last));
            }
        }
    }

    @Test
    void tablesThatFitIntoACacheHaveOneRangeAndLargeOnesSmallRanges() {
        assertThat(CuckooMath.rangeShifts(1_000)).containsOnly(Pairing.WHOLE);
        assertThat(CuckooMath.rangeShifts(250_000)).containsExactly(14, 7, 5, 4);
    }
}
