package dev.besom.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.testkit.Allocation;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Isolated
class MemoryHashesTest {

    private static final long[] EDGES = {
        0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 1L << 62, -(1L << 62)
    };

    /** Where hashes come from: evenly spread as a hasher's, or crowded. */
    enum Source {
        EVEN {
            @Override
            long next(SplittableRandom random) {
                return random.nextLong();
            }
        },
        FEW {
            @Override
            long next(SplittableRandom random) {
                return random.nextLong(40) * 0x0666666666666666L;
            }
        },
        SMALL {
            @Override
            long next(SplittableRandom random) {
                return random.nextLong(3000);
            }
        },
        AROUND_THE_MIDDLE {
            @Override
            long next(SplittableRandom random) {
                return Long.MIN_VALUE + random.nextLong(-500, 500);
            }
        },
        EDGY {
            @Override
            long next(SplittableRandom random) {
                return EDGES[random.nextInt(EDGES.length)];
            }
        };

        abstract long next(SplittableRandom random);
    }

    @ParameterizedTest
    @EnumSource
    void behavesAsASortedList(Source source) {
        SplittableRandom random = new SplittableRandom(source.name().hashCode() + 100);
        MemoryHashes hashes = new MemoryHashes();
        SortedList model = new SortedList();
        // Grows to some thousands, shrinks to nothing, grows again.
        for (int step = 0; step < 30_000; step++) {
            boolean growing = step % 20_000 < 8_000;
            if (random.nextInt(10) < (growing ? 9 : 1)) {
                long hash = random.nextInt(50) == 0 ? EDGES[random.nextInt(EDGES.length)] : source.next(random);
                hashes.add(hash);
                model.add(hash);
            } else {
                long hash = model.size > 0 && random.nextInt(4) > 0
                        ? model.values[random.nextInt(model.size)]
                        : source.next(random);
                assertThat(hashes.remove(hash)).isEqualTo(model.remove(hash));
            }
            assertThat(hashes.count()).isEqualTo(model.size);
            if (step % 10 == 0) {
                long lo = random.nextBoolean() ? random.nextLong() : source.next(random);
                long hi = random.nextBoolean() ? source.next(random) : lo + random.nextInt(1000);
                assertThat(hashes.between(lo, hi)).isEqualTo(model.between(lo, hi));
                assertThat(hashes.between(lo, lo)).isEqualTo(model.between(lo, lo));
                assertThat(hashes.contains(lo)).isEqualTo(model.between(lo, lo).length > 0);
            }
            if (step % 1000 == 0) {
                assertThat(hashes.between(0, -1)).isEqualTo(model.all());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void bulkConstructionGivesWhatAddingGives(Source source) {
        SplittableRandom random = new SplittableRandom(source.name().hashCode() + 200);
        for (int size : new int[] {0, 1, 2, 3, 191, 192, 193, 384, 385, 575, 576, 577, 768, 5000, 12_345}) {
            long[] given = new long[size];
            SortedList model = new SortedList();
            for (int i = 0; i < size; i++) {
                given[i] = source.next(random);
            }
            long[] before = given.clone();
            MemoryHashes hashes = MemoryHashes.of(given);
            assertThat(given).isEqualTo(before);
            model.values = sortedUnsigned(given);
            model.size = size;
            assertThat(hashes.count()).isEqualTo(size);
            assertThat(hashes.between(0, -1)).isEqualTo(model.all());
            for (int i = 0; i < 1000; i++) {
                long hash = source.next(random);
                hashes.add(hash);
                model.add(hash);
            }
            assertThat(hashes.between(0, -1)).isEqualTo(model.all());
            for (long hash : given) {
                assertThat(hashes.remove(hash)).isTrue();
            }
            assertThat(hashes.count()).isEqualTo(1000);
        }
    }

    @Test
    void bulkConstructionTakesARange() {
        assertThat(MemoryHashes.of(new long[] {9, -1, 3, 0, 7}, 1, 3).between(0, -1))
                .containsExactly(0, 3, -1);
        assertThatThrownBy(() -> MemoryHashes.of(new long[3], 1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void rangesAreInclusiveAndUnsigned() {
        MemoryHashes hashes = MemoryHashes.of(-1, 0, Long.MIN_VALUE, Long.MAX_VALUE, 0, 5);
        assertThat(hashes.between(0, -1)).containsExactly(0, 0, 5, Long.MAX_VALUE, Long.MIN_VALUE, -1);
        assertThat(hashes.between(Long.MAX_VALUE, Long.MIN_VALUE)).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(hashes.between(-1, -1)).containsExactly(-1);
        assertThat(hashes.between(0, 0)).containsExactly(0, 0);
        assertThat(hashes.between(1, 4)).isEmpty();
        assertThat(hashes.between(-1, 0)).as("from the last down to the first").isEmpty();
        assertThat(hashes.between(5, 4)).isEmpty();
        assertThat(new MemoryHashes().between(0, -1)).isEmpty();
    }

    @Test
    void anEqualHashCountsTwiceAndLeavesOnceAtATime() {
        MemoryHashes hashes = new MemoryHashes();
        hashes.add(7);
        hashes.add(7);
        assertThat(hashes.remove(7)).isTrue();
        assertThat(hashes.contains(7)).isTrue();
        assertThat(hashes.count()).isEqualTo(1);
        assertThat(hashes.remove(7)).isTrue();
        assertThat(hashes.contains(7)).isFalse();
        assertThat(hashes.remove(7)).isFalse();
    }

    @Test
    void aHashTakesLittleMoreThanEightBytes() {
        SplittableRandom random = new SplittableRandom(3);
        MemoryHashes hashes = new MemoryHashes();
        for (int i = 1; i <= 300_000; i++) {
            hashes.add(random.nextLong());
            if (i >= 100_000 && i % 10_000 == 0) {
                assertThat(hashes.sizeInBits() / 8.0 / i).isBetween(8.0, 8.6);
            }
        }
        MemoryHashes bulk = MemoryHashes.of(hashes.between(0, -1));
        assertThat(bulk.sizeInBits() / 8.0 / bulk.count()).isBetween(8.0, 8.6);
    }

    @Test
    void memoryIsGivenBackWhenHashesLeave() {
        long[] given = new SplittableRandom(4).longs(100_000).toArray();
        MemoryHashes hashes = MemoryHashes.of(given);
        for (int i = 0; i < given.length; i++) {
            if (i % 100 != 0) {
                hashes.remove(given[i]);
            }
        }
        assertThat(hashes.count()).isEqualTo(1000);
        assertThat(hashes.sizeInBits()).isLessThan(100_000 * 20);
    }

    @Test
    void rangeReadsMakeNoGarbage() {
        MemoryHashes hashes =
                MemoryHashes.of(new SplittableRandom(5).longs(100_000).toArray());
        long[] sum = new long[1];
        LongConsumer add = hash -> sum[0] += hash;
        assertThat(Allocation.leastBytesOf(100_000, i -> {
                    long lo = i * 0x9E3779B97F4A7C15L;
                    hashes.forEachBetween(lo, lo | 0xFFFFFFFFFFFFL, add);
                    return sum[0] + (hashes.contains(lo) ? 1 : 0);
                }))
                .isLessThan(10_000);
    }

    private static long[] sortedUnsigned(long[] values) {
        return Arrays.stream(values)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
    }

    /** The same in the plainest way. */
    private static final class SortedList {

        private long[] values = new long[16];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2 + 1);
            }
            int at = firstFrom(value);
            System.arraycopy(values, at, values, at + 1, size - at);
            values[at] = value;
            size++;
        }

        boolean remove(long value) {
            int at = firstFrom(value);
            if (at == size || values[at] != value) {
                return false;
            }
            System.arraycopy(values, at + 1, values, at, size - at - 1);
            size--;
            return true;
        }

        long[] between(long lo, long hi) {
            return Arrays.stream(values, 0, size)
                    .filter(value -> Long.compareUnsigned(lo, value) <= 0 && Long.compareUnsigned(value, hi) <= 0)
                    .toArray();
        }

        long[] all() {
            return Arrays.copyOf(values, size);
        }

        private int firstFrom(long value) {
            int at = 0;
            while (at < size && Long.compareUnsigned(values[at], value) < 0) {
                at++;
            }
            return at;
        }
    }
}
