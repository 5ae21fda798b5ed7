package dev.besom.bloomier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.bits.FastRange;
import dev.besom.compact.GolombMath;
import dev.besom.hash.Mix;
import org.junit.jupiter.api.Test;

/** Keys that crowd one block of signatures. */
class DynamicMapTest {

    private static final long SEED_SALT = 0x6A09E667F3BCC909L;
    private static final int CAPACITY = 100_000;
    private static final int ONE_IN = 256;
    private static final int VALUE_BITS = 32;
    private static final long LARGEST = (1L << VALUE_BITS) - 1;

    /** The most bits of a block. */
    private static final int BLOCK = (1 << 16) - 1;

    private static DynamicMap map() {
        return DynamicMap.make(FilterSpec.of(CAPACITY, 1.0 / ONE_IN).with("valueBits", "32"));
    }

    private static long hashOf(long signature) {
        return Mix.unmix(FastRange.start(signature, (long) CAPACITY * ONE_IN)) - SEED_SALT;
    }

    /** The bits of a remainder of a signature: those with which codes are shortest. */
    private static int remainderBits() {
        int best = 1;
        while (GolombMath.codeBits(1.0 / ONE_IN, best + 1) < GolombMath.codeBits(1.0 / ONE_IN, best)) {
            best++;
        }
        return best;
    }

    @Test
    void anotherValueInABlockWithoutABitToSpareKeepsTheKey() {
        int codeBits = remainderBits() + VALUE_BITS + 1;
        int crowd = BLOCK / codeBits - 1;
        int left = BLOCK - (crowd + 1) * codeBits;
        long last = crowd - 1 + ((left + 1L) << remainderBits());
        DynamicMap map = map();
        for (long signature = 0; signature < crowd; signature++) {
            map.putHash(hashOf(signature), LARGEST);
        }
        map.putHash(hashOf(last), LARGEST - 1);
        assertThat(map.wholeCount()).isZero();
        assertThatThrownBy(() -> map.putHash(hashOf(last + 1), 0)).isInstanceOf(FilterFullException.class);

        assertThat(map.replaceHash(hashOf(crowd - 1), 0)).isTrue();

        assertThat(map.valueOfHash(hashOf(crowd - 1))).isZero();
        assertThat(map.valueOfHash(hashOf(last))).isEqualTo(LARGEST - 1);
        for (long signature = 0; signature < crowd - 1; signature++) {
            assertThat(map.valueOfHash(hashOf(signature))).isEqualTo(LARGEST);
        }
        assertThat(map.count()).isEqualTo(crowd + 1L);
        map.checkInvariants();
        assertThat(map.removeHash(hashOf(crowd - 1))).isTrue();
        assertThat(map.count()).isEqualTo(crowd);
    }

    /** Two hashes of one signature: the first is known by it, the second is kept whole. */
    @Test
    void aKeyThatIsPutInTwiceAndRemovedTwiceLeavesItsLookAlike() {
        DynamicMap map = map();
        long first = hashOf(77);
        long second = Mix.unmix(Mix.mix(first + SEED_SALT) + 1) - SEED_SALT;
        map.putHash(first, 1);
        map.putHash(second, 2);
        assertThat(map.putHash(second, 3)).isFalse();
        assertThat(map.count()).isEqualTo(3);
        DynamicMap again = DynamicMap.read(map.image());
        for (DynamicMap each : new DynamicMap[] {map, again}) {
            assertThat(each.valueOfHash(second)).isEqualTo(3);
            assertThat(each.removeHash(second)).isTrue();
            assertThat(each.valueOfHash(second)).isEqualTo(2);
            assertThat(each.removeHash(second)).isTrue();
            assertThat(each.valueOfHash(first)).isEqualTo(1);
            assertThat(each.count()).isEqualTo(1);
        }
    }

    @Test
    void aKeyThatIsPutInAgainHasItsNewValueAlsoAfterItsLookAlikeWasRemoved() {
        DynamicMap map = map();
        long first = hashOf(77);
        long second = Mix.unmix(Mix.mix(first + SEED_SALT) + 1) - SEED_SALT;
        map.putHash(first, 1);
        map.putHash(second, 2);
        assertThat(map.removeHash(first)).isTrue();
        map.putHash(second, 3);
        assertThat(map.valueOfHash(second)).isEqualTo(3);
    }

    @Test
    void wholeKeysKeepEveryCopyWhileTheyGrow() {
        WholeKeys keys = new WholeKeys();
        for (long value = 0; value < 40; value++) {
            for (long hash = 0; hash < 7; hash++) {
                keys.add(hash, value);
            }
        }
        for (long value = 39; value >= 0; value--) {
            for (long hash = 0; hash < 7; hash++) {
                assertThat(keys.get(hash)).isEqualTo(value);
                assertThat(keys.remove(hash)).isTrue();
            }
        }
        assertThat(keys.count()).isZero();
    }
}
