package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.filters.Filters;
import dev.besom.testsupport.Images;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CompositeBloomFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1000, 0.01);

    @Test
    void itSaysThatItCanHaveFalseNegativesAndIsNoDeletableFilter() {
        assertThat(Filters.kind("composite-bloom").hasFalseNegatives()).isTrue();
        assertThat(Filters.kind("composite-bloom").isDeletable()).isFalse();
        assertThat(DeletableFilter.class.isAssignableFrom(CompositeBloomFilter.class))
                .isFalse();
        assertThat(Filters.kinds().stream().filter(kind -> kind.hasFalseNegatives()))
                .hasSize(1);
    }

    @Test
    void withoutRemovalsNoKeyIsLost() {
        CompositeBloomFilter filter = CompositeBloomFilter.make(SPEC);
        long[] keys = new SplittableRandom(1).longs(5000).toArray();
        for (long key : keys) {
            filter.insertHash(key);
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.expectedFalseNegativeRate()).isZero();
        assertThat(filter.removedCount()).isZero();
    }

    @Test
    void aRemovedKeyIsGoneAndItsRemovalIsCounted() {
        CompositeBloomFilter filter = CompositeBloomFilter.make(SPEC);
        assertThat(filter.removeHash(7)).isFalse();
        filter.insertHash(7);
        assertThat(filter.count()).isEqualTo(1);
        assertThat(filter.removeHash(7)).isTrue();
        assertThat(filter.mightContainHash(7)).isFalse();
        assertThat(filter.count()).isZero();
        assertThat(filter.removedCount()).isEqualTo(1);
        assertThat(filter.expectedFalseNegativeRate()).isPositive();
        assertThat(filter.removeHash(7)).isFalse();
        assertThat(filter.removedCount()).isEqualTo(1);
    }

    @Test
    void aRemovedKeyThatIsAddedAgainIsThereAndCanBeRemovedAgainForFree() {
        CompositeBloomFilter filter = CompositeBloomFilter.make(SPEC.with("removals", "1"));
        long emptySize = filter.sizeInBits();
        for (int round = 0; round < 100; round++) {
            assertThat(filter.insertHash(7)).as("round %d", round).isTrue();
            assertThat(filter.insertHash(7)).isFalse();
            assertThat(filter.mightContainHash(7)).isTrue();
            assertThat(filter.count()).isEqualTo(1);
            assertThat(filter.removeHash(7)).isTrue();
            assertThat(filter.mightContainHash(7)).isFalse();
            assertThat(filter.count()).isZero();
            assertThat(filter.removedCount()).isEqualTo(1);
        }
        assertThat(filter.sizeInBits()).isEqualTo(emptySize);
    }

    @Test
    void keysThatAreAddedAgainAreExactlyRememberedAndPaidFor() {
        CompositeBloomFilter filter = CompositeBloomFilter.make(SPEC.with("removals", "1000"));
        long[] keys = new SplittableRandom(2).longs(1000).toArray();
        keys[0] = 0;
        for (long key : keys) {
            filter.insertHash(key);
        }
        for (long key : keys) {
            filter.removeHash(key);
        }
        long before = filter.sizeInBits();
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isFalse();
            assertThat(filter.insertHash(key)).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.sizeInBits() - before).isGreaterThanOrEqualTo(keys.length * 64L);
        CompositeBloomFilter loaded = Images.saveAndLoad(filter, CompositeBloomFilter.class);
        Images.assertAllFound(loaded, keys);
        assertThat(loaded.sizeInBits()).isEqualTo(filter.sizeInBits());
        assertThat(loaded.count()).isEqualTo(filter.count());
        assertThat(loaded.removedCount()).isEqualTo(filter.removedCount());
        for (long key : keys) {
            assertThat(loaded.removeHash(key)).isTrue();
            assertThat(loaded.mightContainHash(key)).isFalse();
        }
    }

    @Test
    void anInsertTakesEffectAlsoForAKeyThatOnlyLooksRemoved() {
        CompositeBloomFilter filter =
                CompositeBloomFilter.make(SPEC.with("removals", "500").with("falseNegativeRate", "0.5"));
        long[] gone = new SplittableRandom(3).longs(500).toArray();
        for (long key : gone) {
            filter.insertHash(key);
            filter.removeHash(key);
        }
        long[] keys = new SplittableRandom(4).longs(500).toArray();
        for (long key : keys) {
            filter.insertHash(key);
            assertThat(filter.mightContainHash(key)).isTrue();
        }
        Images.assertAllFound(filter, keys);
        assertThat(filter.expectedFalseNegativeRate()).isBetween(0.25, 0.5);
    }

    @Test
    void moreRemovalsThanPlannedAreRefusedAndChangeNothing() {
        CompositeBloomFilter filter = CompositeBloomFilter.make(SPEC.with("removals", "50"));
        long[] keys = new SplittableRandom(5).longs(1000).toArray();
        for (long key : keys) {
            filter.insertHash(key);
        }
        int next = 0;
        while (filter.removedCount() < 50) {
            filter.removeHash(keys[next++]);
        }
        while (!filter.mightContainHash(keys[next])) {
            next++;
        }
        long key = keys[next];
        long before = Images.checksum(filter.image());
        long[] parameters = Images.parameters(filter.image());
        assertThatThrownBy(() -> filter.removeHash(key))
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("all 50 removals");
        assertThat(Images.checksum(filter.image())).isEqualTo(before);
        assertThat(Images.parameters(filter.image())).isEqualTo(parameters);
        assertThat(filter.mightContainHash(key)).isTrue();
        // What is not there, and what was put back, can still be removed.
        assertThat(filter.removeHash(12345)).isFalse();
        assertThat(filter.insertHash(keys[0])).isTrue();
        assertThat(filter.removeHash(keys[0])).isTrue();
    }

    @Test
    void regeneratedItHidesNoKeyAndTakesAllRemovalsAgain() {
        CompositeBloomFilter filter =
                CompositeBloomFilter.make(SPEC.with("removals", "500").with("falseNegativeRate", "0.5"));
        long[] keys = new SplittableRandom(7).longs(1000).toArray();
        for (long key : keys) {
            filter.insertHash(key);
        }
        int next = 0;
        while (filter.removedCount() < 500) {
            filter.removeHash(keys[next++]);
        }
        long[] left = Arrays.copyOfRange(keys, next, keys.length);
        assertThat(Images.count(left, filter::mightContainHash))
                .as("keys found")
                .isLessThan(left.length);
        filter.regenerate(HashSource.of(left));
        Images.assertAllFound(filter, left);
        assertThat(filter.expectedFalseNegativeRate()).isZero();
        assertThat(filter.removedCount()).isZero();
        assertThat(filter.count()).isBetween(left.length - 5L, (long) left.length);
        long[] gone = Arrays.copyOf(keys, next);
        assertThat(Images.count(gone, filter::mightContainHash))
                .as("removed keys found")
                .isLessThan(20);
        for (long key : left) {
            if (filter.removedCount() < 500) {
                filter.removeHash(key);
            }
        }
        assertThat(filter.removedCount()).isGreaterThan(300);
    }

    @Test
    void theCountNeverFallsBelowZeroSoThatTheFilterCanAlwaysBeReadAgain() {
        // Few keys, and more removals of hashes that only look present.
        CompositeBloomFilter filter =
                CompositeBloomFilter.make(FilterSpec.of(4, 0.5).with("removals", "20"));
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < 3; i++) {
            filter.insertHash(random.nextLong());
        }
        while (filter.removedCount() < 10) {
            filter.removeHash(random.nextLong());
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
        assertThatThrownBy(() -> CompositeBloomFilter.make(SPEC.with(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
