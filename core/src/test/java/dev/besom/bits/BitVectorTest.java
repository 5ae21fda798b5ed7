package dev.besom.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class BitVectorTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 127, 128, 1000})
    void behavesAsASetOfBits(int size) {
        SplittableRandom random = new SplittableRandom(size);
        BitVector vector = new BitVector(size);
        BitSet model = new BitSet();
        for (int step = 0; step < 20 * size; step++) {
            int index = random.nextInt(size);
            switch (random.nextInt(3)) {
                case 0 -> assertThat(vector.set(index)).isEqualTo(!model.get(index));
                case 1 -> assertThat(vector.setAtomically(index)).isEqualTo(!model.get(index));
                default -> vector.clear(index);
            }
            model.set(index, vector.get(index));
            assertThat(vector.cardinality()).isEqualTo(model.cardinality());
        }
        for (int i = 0; i < size; i++) {
            assertThat(vector.get(i)).isEqualTo(model.get(i));
            assertThat(vector.bit(i)).isEqualTo(model.get(i) ? 1 : 0);
        }
        assertThat(vector.sizeInBits()).isEqualTo(size);
    }

    @Test
    void settingAndClearingTouchOneBitOnly() {
        BitVector vector = new BitVector(200);
        for (int i = 0; i < 200; i++) {
            vector.set(i);
            assertThat(vector.get(i)).isTrue();
            assertThat(vector.cardinality()).isEqualTo(1);
            vector.clear(i);
            assertThat(vector.get(i)).isFalse();
            assertThat(vector.cardinality()).isZero();
        }
    }

    @Test
    void unionAndIntersectionAreBitByBit() {
        for (int size : new int[] {64, 130}) {
            BitVector threes = multiples(size, 3);
            BitVector fives = multiples(size, 5);
            BitVector union = threes.copy();
            union.or(fives);
            BitVector intersection = threes.copy();
            intersection.and(fives);
            for (int i = 0; i < size; i++) {
                assertThat(union.get(i)).isEqualTo(i % 3 == 0 || i % 5 == 0);
                assertThat(intersection.get(i)).isEqualTo(i % 15 == 0);
                assertThat(threes.get(i)).isEqualTo(i % 3 == 0);
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(64).or(new BitVector(63)));
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(64).and(new BitVector(63)));
    }

    @Test
    void wordsThatDoNotFitAreRefused() {
        long[] words = Words.allocate(2);
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(words, 129));
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(words, 64));
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(-1));
        words[Words.LEAD + 1] = 1L << 36;
        assertThat(new BitVector(words, 101).get(100)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> new BitVector(words, 100));
        assertThat(new BitVector(words, 128).words()).isSameAs(words);
    }

    @Test
    void ofThreadsThatSetOneBitExactlyOneIsToldSo() throws Exception {
        int size = 100_000;
        BitVector vector = new BitVector(size);
        Callable<Integer> work = () -> {
            int first = 0;
            for (int i = 0; i < size; i++) {
                first += vector.setAtomically(i) ? 1 : 0;
            }
            return first;
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            int told = 0;
            for (Future<Integer> result : threads.invokeAll(List.of(work, work, work))) {
                told += result.get();
            }
            assertThat(told).isEqualTo(size);
            assertThat(vector.cardinality()).isEqualTo(size);
        } finally {
            threads.shutdown();
        }
    }

    private static BitVector multiples(int size, int of) {
        BitVector vector = new BitVector(size);
        for (int i = 0; i < size; i += of) {
            vector.set(i);
        }
        return vector;
    }
}
