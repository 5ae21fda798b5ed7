package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedHashesTest {

    /** Few different hashes have many copies; hashes of few bits crowd both ends of the order. */
    @ParameterizedTest
    @ValueSource(longs = {3, 0x8000_0000_0000_0003L, 0xFFFL, 0xFFFF_0000_0000_000FL, -1L})
    void itHoldsWhatWasAddedAndNotTakenOut(long mask) {
        SplittableRandom random = new SplittableRandom(mask);
        OrderedHashes hashes = new OrderedHashes();
        NavigableMap<Long, Integer> model = new TreeMap<>(Long::compareUnsigned);
        int size = 0;
        for (int step = 0; step < 30_000; step++) {
            long hash = random.nextLong() & mask;
            boolean isGrowing = step / 5_000 % 2 == 0;
            if (random.nextInt(10) < (isGrowing ? 8 : 3)) {
                hashes.add(hash);
                model.merge(hash, 1, Integer::sum);
                size++;
            } else {
                Long ceiling = model.ceilingKey(hash);
                long out = ceiling == null || random.nextInt(4) == 0 ? hash : ceiling;
                hashes.remove(out);
                size -= model.containsKey(out) ? 1 : 0;
                model.computeIfPresent(out, (same, copies) -> copies == 1 ? null : copies - 1);
            }
            assertThat(hashes.count()).isEqualTo(size);
            assertThat(hashes.contains(hash)).isEqualTo(model.containsKey(hash));
            if (step % 499 == 0) {
                long other = random.nextLong() & mask;
                long first = Long.compareUnsigned(hash, other) < 0 ? hash : other;
                long last = first == hash ? other : hash;
                assertRange(hashes, model, first, last);
                assertRange(hashes, model, first, first);
                assertRange(hashes, model, 0, -1L);
            }
        }
    }

    private static void assertRange(OrderedHashes hashes, NavigableMap<Long, Integer> model, long first, long last) {
        long[] expected = model.subMap(first, true, last, true).entrySet().stream()
                .flatMapToLong(entry -> LongStream.generate(entry::getKey).limit(entry.getValue()))
                .toArray();
        assertThat(hashes.between(first, last)).isEqualTo(expected);
        assertThat(hashes.from(first, last, 100)).isEqualTo(Arrays.copyOf(expected, Math.min(100, expected.length)));
    }

    @Test
    void nothingIsBetweenAnythingWhereThereIsNothing() {
        OrderedHashes hashes = new OrderedHashes();
        hashes.remove(7);
        assertThat(hashes.between(0, -1L)).isEmpty();
        hashes.add(7);
        hashes.remove(7);
        assertThat(hashes.between(0, -1L)).isEmpty();
        assertThat(hashes.contains(7)).isFalse();
    }
}
