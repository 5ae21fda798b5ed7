package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.PackedArray;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketsTest {

    private static final int BUCKETS = 37;

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 8, 9, 11, 13, 15, 16, 17, 20, 31, 32})
    void bucketsAreComparedAsIfSlotBySlot(int width) {
        SplittableRandom random = new SplittableRandom(width);
        PackedArray slots = new PackedArray(BUCKETS * Buckets.SLOTS, width);
        Buckets buckets = new Buckets(slots);
        long most = (1L << width) - 1;
        for (int round = 0; round < 3_000; round++) {
            // Neighbours of the values that are looked for lay traps for borrows between fields.
            slots.set(random.nextInt(BUCKETS * Buckets.SLOTS), anyValue(random, most));
            int bucket = random.nextInt(BUCKETS);
            long value = anyValue(random, most);
            long first = -1;
            int free = 0;
            for (int i = Buckets.SLOTS - 1; i >= 0; i--) {
                long slot = (long) bucket * Buckets.SLOTS + i;
                first = slots.get(slot) == value ? slot : first;
                free += slots.get(slot) == 0 ? 1 : 0;
            }
            assertThat(buckets.find(bucket, value)).isEqualTo(first);
            assertThat(Buckets.bit(buckets.matches(bucket, value))).isEqualTo(first < 0 ? 0 : 1);
            assertThat(buckets.freeCount(bucket)).isEqualTo(free);
        }
    }

    private static long anyValue(SplittableRandom random, long most) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> most;
            default -> random.nextLong(most + 1) & 3;
        };
    }
}
