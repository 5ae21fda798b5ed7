package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What blocks of every layout promise; a test of one has a method {@code benches}. */
abstract class BlockPromises<L extends BlockLayout> {

    /** An empty block to be united with others. */
    abstract BlockBench<L> bench();

    /** A key of few different ones, so that slots match the keys of others all the time. */
    abstract BlockKey drawAlike(SplittableRandom random, BlockBench<L> bench);

    @ParameterizedTest
    @MethodSource("benches")
    void aFullBlockRefusesOneMoreKeyAndLosesNothing(BlockBench<L> bench) {
        SplittableRandom random = new SplittableRandom(12);
        List<BlockKey> keys = new ArrayList<>();
        for (int i = 0; i < bench.layout.mostSlots(); i++) {
            keys.add(bench.draw(random));
            bench.insert(keys.get(i));
        }
        long[] before = bench.words.clone();
        assertThatThrownBy(() -> bench.insert(bench.draw(random)))
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("no bit for one more");
        assertThat(bench.words).isEqualTo(before);
        bench.check(keys.size());
        assertThat(keys).allMatch(bench::mightContain);
    }

    @ParameterizedTest
    @MethodSource("benches")
    void noOrderOfInsertsAndDeletesLosesAKey(BlockBench<L> bench) {
        SplittableRandom random = new SplittableRandom(13);
        int mostKeys = Math.min(90, bench.layout.mostSlots());
        for (int life = 0; life < 12; life++) {
            List<BlockKey> keys = new ArrayList<>();
            int slots = 0;
            for (int step = 0; step < 500; step++) {
                int target = 1 + (step / 4 + life * 7) % mostKeys;
                if (keys.size() < target && random.nextInt(4) > 0) {
                    BlockKey key = drawAlike(random, bench);
                    bench.insert(key);
                    keys.add(key);
                } else if (!keys.isEmpty()) {
                    BlockKey key = keys.remove(random.nextInt(keys.size()));
                    assertThat(bench.delete(key)).as("delete in step %d", step).isTrue();
                }
                slots = keys.isEmpty() ? 0 : Math.max(slots, keys.size());
                assertThat(bench.slots()).as("slots, free ones included").isEqualTo(slots);
                bench.check(keys.size());
                assertThat(keys).as("step %d of life %d", step, life).allMatch(bench::mightContain);
            }
            assertEmptiedBy(bench, keys);
        }
    }

    @ParameterizedTest
    @MethodSource("benches")
    void deletingWhatIsNotThereChangesNothing(BlockBench<L> bench) {
        SplittableRandom random = new SplittableRandom(14);
        for (int i = 0; i < bench.layout.mostSlots() / 2; i++) {
            bench.insert(bench.draw(random));
        }
        long[] before = bench.words.clone();
        for (int i = 0; i < 1000; i++) {
            BlockKey stranger = bench.draw(random);
            if (!bench.mightContain(stranger)) {
                assertThat(bench.delete(stranger)).isFalse();
                assertThat(bench.words).isEqualTo(before);
            }
        }
    }

    /** Also of such as keys have been deleted from. */
    @Test
    void theUnionOfBlocksHoldsTheKeysOfBoth() {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 200; round++) {
            BlockBench<L> one = bench();
            BlockBench<L> other = bench();
            List<BlockKey> keys = new ArrayList<>(fillAndThin(one, random));
            keys.addAll(fillAndThin(other, random));
            int slots = Math.max(keys.size(), Math.max(one.slots(), other.slots()));
            one.unite(other);
            one.check(keys.size());
            assertThat(one.slots()).isEqualTo(slots);
            assertThat(keys).allMatch(one::mightContain);
            assertEmptiedBy(one, keys);
        }
    }

    private List<BlockKey> fillAndThin(BlockBench<L> bench, SplittableRandom random) {
        List<BlockKey> keys = new ArrayList<>();
        for (int i = random.nextInt(bench.layout.mostSlots() / 2 - 1); i >= 0; i--) {
            BlockKey key = new BlockKey(random.nextInt(4), random.nextInt(64));
            bench.insert(key);
            keys.add(key);
        }
        for (int i = random.nextInt(keys.size()); i > 0; i--) {
            assertThat(bench.delete(keys.remove(random.nextInt(keys.size())))).isTrue();
        }
        return keys;
    }

    private void assertEmptiedBy(BlockBench<L> bench, List<BlockKey> keys) {
        for (BlockKey key : keys) {
            assertThat(bench.delete(key)).isTrue();
        }
        bench.check(0);
    }
}
