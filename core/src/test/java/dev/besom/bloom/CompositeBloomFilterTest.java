package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.testsupport.Images;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CompositeBloomFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1000, 0.01);

    @Test
    void itSaysThatItCanHaveFalseNegativesAndIsNoDeletableFilter() {
        assertThat(Filters.kind("composite-bloom").traits().falseNegatives()).isTrue();
        assertThat(Filters.kind("composite-bloom").isDeletable()).isFalse();
        assertThat(DeletableFilter.class.isAssignableFrom(CompositeBloomFilter.class))
                .isFalse();
        assertThat(Filters.kinds().stream().filter(kind -> kind.traits().falseNegatives()))
                .hasSize(1);
    }

    @Test
    void withoutRemovalsNoKeyIsLost() {
        CompositeBloomFilter filter = CompositeBloomFilter.of(SPEC);
        long[] keys = new SplittableRandom(1).longs(5000).toArray();
        for (long key : keys) {
            filter.insert(key);
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.expectedFalseNegativeRate()).isZero();
        assertThat(filter.removedCount()).isZero();
    }

    @Test
    void aRemovedKeyIsGoneAndItsRemovalIsCounted() {
        CompositeBloomFilter filter = CompositeBloomFilter.of(SPEC);
        assertThat(filter.remove(7)).isFalse();
        filter.insert(7);
        assertThat(filter.count()).isEqualTo(1);
        assertThat(filter.remove(7)).isTrue();
        assertThat(filter.mightContain(7)).isFalse();
        assertThat(filter.count()).isZero();
        assertThat(filter.removedCount()).isEqualTo(1);
        assertThat(filter.expectedFalseNegativeRate()).isPositive();
        assertThat(filter.remove(7)).isFalse();
        assertThat(filter.removedCount()).isEqualTo(1);
    }

    @Test
    void aRemovedKeyThatIsAddedAgainIsThereAndCanBeRemovedAgainForFree() {
        CompositeBloomFilter filter = CompositeBloomFilter.of(SPEC.with("removals", "1"));
        long emptySize = filter.sizeInBits();
        for (int round = 0; round < 100; round++) {
            assertThat(filter.insert(7)).as("round %d", round).isTrue();
            assertThat(filter.insert(7)).isFalse();
            assertThat(filter.mightContain(7)).isTrue();
            assertThat(filter.count()).isEqualTo(1);
            assertThat(filter.remove(7)).isTrue();
            assertThat(filter.mightContain(7)).isFalse();
            assertThat(filter.count()).isZero();
            assertThat(filter.removedCount()).isEqualTo(1);
        }
        assertThat(filter.sizeInBits()).isEqualTo(emptySize);
    }

    @Test
    void keysThatAreAddedAgainAreExactlyRememberedAndPaidFor() {
        CompositeBloomFilter filter = CompositeBloomFilter.of(SPEC.with("removals", "1000"));
        long[] keys = new SplittableRandom(2).longs(1000).toArray();
        keys[0] = 0;
        for (long key : keys) {
            filter.insert(key);
        }
        for (long key : keys) {
            filter.remove(key);
        }
        long before = filter.sizeInBits();
        for (long key : keys) {
            assertThat(filter.mightContain(key)).isFalse();
            assertThat(filter.insert(key)).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.sizeInBits() - before).isGreaterThanOrEqualTo(keys.length * 64L);
        CompositeBloomFilter loaded = Images.saveAndLoad(filter, CompositeBloomFilter.class);
        Images.assertAllFound(loaded, keys);
        assertThat(loaded.sizeInBits()).isEqualTo(filter.sizeInBits());
        assertThat(loaded.count()).isEqualTo(filter.count());
        assertThat(loaded.removedCount()).isEqualTo(filter.removedCount());
        for (long key : keys) {
            assertThat(loaded.remove(key)).isTrue();
            assertThat(loaded.mightContain(key)).isFalse();
        }
    }

    @Test
    void anInsertTakesEffectAlsoForAKeyThatOnlyLooksRemoved() {
        CompositeBloomFilter filter =
                CompositeBloomFilter.of(SPEC.with("removals", "500").with("falseNegativeRate", "0.5"));
        long[] gone = new SplittableRandom(3).longs(500).toArray();
        for (long key : gone) {
            filter.insert(key);
            filter.remove(key);
        }
        long[] keys = new SplittableRandom(4).longs(500).toArray();
        for (long key : keys) {
            filter.insert(key);
            assertThat(filter.mightContain(key)).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.expectedFalseNegativeRate()).isBetween(0.25, 0.5);
    }

    @Test
    void moreRemovalsThanPlannedAreRefusedAndChangeNothing() {
        CompositeBloomFilter filter = CompositeBloomFilter.of(SPEC.with("removals", "50"));
        long[] keys = new SplittableRandom(5).longs(1000).toArray();
        for (long key : keys) {
            filter.insert(key);
        }
        int next = 0;
        while (filter.removedCount() < 50) {
            filter.remove(keys[next++]);
        }
        while (!filter.mightContain(keys[next])) {
            next++;
        }
        long key = keys[next];
        long before = Images.checksum(filter.image());
        long[] parameters = Images.parameters(filter.image());
        assertThatThrownBy(() -> filter.remove(key))
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("all 50 removals");
        assertThat(Images.checksum(filter.image())).isEqualTo(before);
        assertThat(Images.parameters(filter.image())).isEqualTo(parameters);
        assertThat(filter.mightContain(key)).isTrue();
        // What is not there, and what was put back, can still be removed.
        assertThat(filter.remove(12345)).isFalse();
        assertThat(filter.insert(keys[0])).isTrue();
        assertThat(filter.remove(keys[0])).isTrue();
    }

    @Test
    void theCountNeverFallsBelowZeroSoThatTheFilterCanAlwaysBeReadAgain() {
        // So small that most keys look present when they are inserted, and are not counted.
        CompositeBloomFilter filter =
                CompositeBloomFilter.of(FilterSpec.of(4, 0.5).with("removals", "100"));
        long[] keys = new SplittableRandom(6).longs(300).toArray();
        Arrays.stream(keys).forEach(filter::insert);
        for (long key : keys) {
            if (filter.removedCount() < 100) {
                filter.remove(key);
            }
            assertThat(filter.count()).isNotNegative();
        }
        assertThat(filter.count()).isZero();
        assertThat(Images.saveAndLoad(filter, CompositeBloomFilter.class).count())
                .isZero();
    }

    @Test
    void badOptionsAreNamed() {
        assertRefused("removals", "0", "option removals must be from 1 to");
        assertRefused("removals", "many", "option removals must be a whole number, not 'many'");
        assertRefused("falseNegativeRate", "0", "option falseNegativeRate must be from");
        assertRefused("falseNegativeRate", "0.6", "option falseNegativeRate must be from");
        assertRefused("falseNegativeRate", "NaN", "option falseNegativeRate must be from");
        assertRefused("falseNegativeRate", "few", "option falseNegativeRate must be a number, not 'few'");
    }

    private static void assertRefused(String option, String value, String message) {
        assertThatThrownBy(() -> CompositeBloomFilter.of(SPEC.with(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
