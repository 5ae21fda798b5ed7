package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.PackedArray;
import org.junit.jupiter.api.Test;

class PairingTest {

    private static final int FINGERPRINTS = 40;

    private static final PackedArray FEW_SLOTS = new PackedArray(4, 8);
    private static final PackedArray MANY_SLOTS = new PackedArray(1 << 20, 8);

    @Test
    void theOtherPlaceOfTheOtherPlaceIsThePlaceForAnyNumberOfPlaces() {
        for (long places = 1; places <= 200; places++) {
            checkInvolution(Pairing.of(places, places, FEW_SLOTS), places);
            checkInvolution(Pairing.of(places, places, MANY_SLOTS), places);
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
            assertThat(computed.isTabled()).isFalse();
            assertThat(tabled.isTabled()).isTrue();
            assertThat(computed.sizeInBits()).isZero();
            assertThat(tabled.sizeInBits()).isEqualTo(256 * 32);
            for (long fingerprint = 1; fingerprint < 256; fingerprint++) {
                long place = fingerprint % places;
                assertThat(tabled.other(place, fingerprint)).isEqualTo(computed.other(place, fingerprint));
                assertThat(tabled.tabledOther((int) place, (int) fingerprint))
                        .isEqualTo((int) computed.other(place, fingerprint));
            }
        }
    }

    @Test
    void noPlaceIsItsOwnPairIfThereIsAnEvenNumberOfThem() {
        for (long places = 2; places <= 100; places += 2) {
            Pairing whole = Pairing.of(places, 3, FEW_SLOTS);
            Pairing ranged = Pairing.ranged(places, 3, 4, 3, 2, 1);
            for (long fingerprint = 1; fingerprint <= FINGERPRINTS; fingerprint++) {
                for (long place = 0; place < places; place++) {
                    assertThat(whole.other(place, fingerprint)).isNotEqualTo(place);
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
