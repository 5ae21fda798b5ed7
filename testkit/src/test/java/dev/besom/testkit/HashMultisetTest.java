package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HashMultisetTest {

    @Test
    void rangesAreInUnsignedOrderWithBothEndsAndAllOccurrences() {
        HashMultiset stored = HashMultiset.of(-1, 5, 0, 5, Long.MIN_VALUE, 7);
        assertThat(stored.between(0, -1)).containsExactly(0, 5, 5, 7, Long.MIN_VALUE, -1);
        assertThat(stored.between(5, 7)).containsExactly(5, 5, 7);
        assertThat(stored.between(8, Long.MAX_VALUE)).isEmpty();
        assertThat(stored.between(-1, 0)).isEmpty();
        assertThat(stored.rangeReads()).isEqualTo(4);
    }

    @Test
    void removingTakesOneOccurrence() {
        HashMultiset stored = HashMultiset.of(5, 5);
        assertThat(stored.toArray()).containsExactly(5, 5);
        assertThat(stored.remove(5)).isTrue();
        assertThat(stored.contains(5)).isTrue();
        assertThat(stored.count()).isEqualTo(1);
        assertThat(stored.remove(5)).isTrue();
        assertThat(stored.remove(5)).isFalse();
        assertThat(stored.contains(5)).isFalse();
        assertThat(stored.count()).isZero();
        stored.add(-2);
        stored.add(3);
        assertThat(stored.toArray()).containsExactly(3, -2);
    }
}
