package dev.besom.spark.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import org.junit.jupiter.api.Test;

class AggregateBufferTest {

    private static final LongHasher HASHER = KeyHasher.longs(5);

    private static AggregateBuffer buffer(long expectedKeys, int mostHashes) {
        return new AggregateBuffer(0.01, expectedKeys, HASHER.stamp(), mostHashes);
    }

    private static AggregateBuffer filled(long expectedKeys, long from, long to) {
        AggregateBuffer buffer = buffer(expectedKeys, 1 << 20);
        for (long key = from; key < to; key++) {
            buffer.addHash(HASHER.hash(key));
        }
        return buffer;
    }

    @Test
    void moreDifferentKeysThanThereIsRoomForAskForTheirNumber() {
        AggregateBuffer buffer = buffer(0, 1000);
        for (int round = 0; round < 10; round++) {
            for (long key = 0; key < 1000; key++) {
                buffer.addHash(HASHER.hash(key));
            }
        }
        assertThat(buffer.toFilterBytes()).isNotEmpty();
        buffer.addHash(HASHER.hash(1000));
        assertThatThrownBy(buffer::toFilterBytes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("besom_agg: there are more than 1000 different keys")
                .hasMessageContaining("third argument");
    }

    @Test
    void keysWithoutEndAreNotKept() {
        AggregateBuffer buffer = buffer(0, 1000);
        assertThatThrownBy(() -> {
                    for (long key = 0; key < 2000; key++) {
                        buffer.addHash(HASHER.hash(key));
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("third argument");
    }

    @Test
    void howKeysAreDividedDoesNotShow() {
        for (long expected : new long[] {0, 3000}) {
            byte[] whole = filled(expected, 0, 3000).toFilterBytes();
            AggregateBuffer merged = filled(expected, 2000, 3000);
            merged.merge(filled(expected, 0, 2500));
            AggregateBuffer sent = buffer(expected, 1 << 20);
            sent.deserialize(merged.serialize());
            assertThat(sent.toFilterBytes()).isEqualTo(whole);
        }
    }
}
