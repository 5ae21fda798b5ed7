package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.PackedArray;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteBucketsTest {

    private static final int BUCKETS = 37;
    private static final int SLOTS = BUCKETS * Buckets.SLOTS;

    /** Neighbours of the values that are looked for lay traps for borrows between slots. */
    private static int anyValue(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 0xFF;
            case 2 -> 0x80 + random.nextInt(2);
            default -> random.nextInt(4);
        };
    }

    @Test
    void bytesAreWhatBucketsOfEightBitsAre() {
        SplittableRandom random = new SplittableRandom(8);
        PackedArray slots = new PackedArray(SLOTS, ByteBuckets.WIDTH);
        Buckets buckets = new Buckets(slots);
        ByteBuckets bytes = new ByteBuckets(slots);
        for (int round = 0; round < 20_000; round++) {
            int slot = random.nextInt(SLOTS);
            int stored = anyValue(random);
            slots.set(slot, stored);
            bytes.set(slot, stored);
            assertThat(bytes.get(slot)).isEqualTo(stored);
            int bucket = random.nextInt(BUCKETS);
            int value = anyValue(random);
            int bits = bytes.bucket(bucket);
            assertThat(bytes.find(bucket, value)).isEqualTo(buckets.find(bucket, value));
            assertThat(ByteBuckets.matches(bits, value) != 0).isEqualTo(buckets.matches(bucket, value) != 0);
            assertThat(Integer.bitCount(ByteBuckets.free(bits))).isEqualTo(buckets.freeCount(bucket));
        }
        assertThat(bytes.packed().words()).isEqualTo(slots.words());
        assertThat(new ByteBuckets(slots).packed().words()).isEqualTo(slots.words());
    }

    @Test
    void aFreeSlotOfABucketIsFilledAndNoOther() {
        for (int taken = 0; taken < Buckets.SLOTS; taken++) {
            ByteBuckets bytes = new ByteBuckets(new PackedArray(SLOTS, ByteBuckets.WIDTH));
            for (int i = 0; i < taken; i++) {
                bytes.set(4 + i, 0xF0 + i);
            }
            int free = ByteBuckets.slotOf(ByteBuckets.free(bytes.bucket(1)));
            assertThat(free).isEqualTo(taken);
            bytes.fill(1, free, 0xAB);
            assertThat(bytes.get(4 + taken)).isEqualTo(0xAB);
            for (int i = 0; i < taken; i++) {
                assertThat(bytes.get(4 + i)).isEqualTo(0xF0 + i);
            }
            assertThat(bytes.bucket(0) | bytes.bucket(2)).isZero();
        }
    }

    @Test
    void movableSlotsAreThoseWhoseOtherBucketHasAFreeSlot() {
        SplittableRandom random = new SplittableRandom(9);
        PackedArray slots = new PackedArray(SLOTS, ByteBuckets.WIDTH);
        for (int round = 0; round < 200; round++) {
            for (int slot = 0; slot < SLOTS; slot++) {
                slots.set(slot, random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(255));
            }
            ByteBuckets bytes = new ByteBuckets(slots);
            Buckets buckets = new Buckets(slots);
            Pairing pairing = Pairing.of(BUCKETS, round, slots);
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int movable = 0;
                for (int i = 0; i < Buckets.SLOTS; i++) {
                    long other = pairing.other(bucket, slots.get((long) bucket * Buckets.SLOTS + i));
                    movable |= buckets.find(other, 0) >= 0 ? 1 << i : 0;
                }
                assertThat(bytes.movable(bucket, pairing)).isEqualTo(movable);
            }
        }
    }
}
