package dev.besom.quotient.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SharedSlotsTest {

    private final SplittableRandom random = new SplittableRandom(20170515);

    private static void assertHolds(SharedSlots shared, Map<Long, Long> expected) {
        assertThat(shared.size()).isEqualTo(expected.size());
        assertThat(shared.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(shared.extra())
                .isEqualTo(expected.values().stream()
                        .mapToLong(copies -> copies - 1)
                        .sum());
        expected.forEach((key, copies) -> {
            assertThat(shared.has(key)).isTrue();
            assertThat(shared.extra(key)).isEqualTo(copies - 1);
        });
    }

    @Test
    void everyCopyThatJoinsLeavesAgain() {
        SharedSlots shared = new SharedSlots();
        Map<Long, Long> expected = new HashMap<>();
        long[] keys = random.longs(60).toArray();
        keys[0] = 0;
        keys[1] = -1;
        for (int step = 0; step < 50_000; step++) {
            // Few keys at first and last, and many in between.
            int keyCount = 1 + (step < 25_000 ? step : 50_000 - step) * keys.length / 25_001;
            long key = keys[random.nextInt(keyCount)];
            if (random.nextInt(100) < (step < 25_000 ? 55 : 45)) {
                boolean hasJoined = shared.join(key, 1);
                assertThat(hasJoined).isEqualTo(expected.containsKey(key));
                if (!hasJoined) {
                    shared.open(key);
                }
                expected.merge(key, 1L, Long::sum);
            } else {
                boolean hadNoSlot = expected.getOrDefault(key, 0L) > 1;
                assertThat(shared.leave(key)).isEqualTo(hadNoSlot);
                expected.computeIfPresent(key, (k, copies) -> copies == 1 ? null : copies - 1);
            }
            if (step % 500 == 0) {
                assertHolds(shared, expected);
                SharedSlots again = SharedSlots.read(shared.section());
                assertHolds(again, expected);
                assertThat(again.section()).isEqualTo(shared.section());
            }
        }
        for (long key : keys) {
            while (shared.has(key)) {
                shared.leave(key);
            }
        }
        assertThat(shared.isEmpty()).isTrue();
        assertThat(shared.sizeInBits()).isZero();
    }

    @Test
    void copiesOfTwoTablesAddUpToAllThatHaveNoSlot() {
        SharedSlots one = new SharedSlots();
        SharedSlots other = new SharedSlots();
        one.open(5);
        one.join(5, 9);
        one.open(6);
        other.open(5);
        other.join(5, 4);
        other.open(7);
        other.join(7, 2);
        one.addAll(other);
        assertThat(one.extra(5)).isEqualTo(13);
        assertThat(one.extra(6)).isZero();
        assertThat(one.extra(7)).isEqualTo(2);
        assertThat(one.extra()).isEqualTo(15);
        assertThat(one.size()).isEqualTo(3);
    }
}
