package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.testsupport.Images;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VariableIncrementFilterTest {

    private static final FilterSpec SPEC = FilterSpec.of(1_000, 0.01);

    @Test
    void deletingEveryKeyLeavesNoCounterSet() {
        VariableIncrementFilter filter = VariableIncrementFilter.make(SPEC);
        long[] keys = new SplittableRandom(61).longs(1_000).toArray();
        filter.insertHashes(keys, 0, keys.length);
        for (long key : keys) {
            assertThat(filter.deleteHash(key)).isTrue();
        }
        assertThat(Images.words(filter.image(), 0)).containsOnly(0L);
        assertThat(filter.expectedFpp()).isZero();
    }

    @Test
    void countersThatStickNeverLoseAKey() {
        VariableIncrementFilter filter = VariableIncrementFilter.make(SPEC);
        for (int i = 0; i < 100; i++) {
            filter.insertHash(7);
        }
        filter.insertHash(8);
        for (int i = 0; i < 100; i++) {
            assertThat(filter.deleteHash(7)).isTrue();
        }
        assertThat(filter.mightContainHash(7)).as("stuck").isTrue();
        assertThat(filter.mightContainHash(8)).isTrue();
        assertThat(filter.count()).isEqualTo(1);
    }

    @Test
    void theUnionOfMultisetsCountsBoth() {
        VariableIncrementFilter one = VariableIncrementFilter.make(SPEC);
        VariableIncrementFilter other = VariableIncrementFilter.make(SPEC);
        one.insertHash(7);
        other.insertHash(7);
        one.mergeFrom(other);
        assertThat(one.deleteHash(7)).isTrue();
        assertThat(one.mightContainHash(7)).isTrue();
        assertThat(one.deleteHash(7)).isTrue();
        assertThat(one.mightContainHash(7)).isFalse();
    }
}
