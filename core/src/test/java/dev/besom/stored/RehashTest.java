package dev.besom.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.hash.Permutation;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RehashTest {

    private final SplittableRandom random = new SplittableRandom(4);

    @Test
    void aPermutationIsUndoneAndKeepsTheHighestBits() {
        for (int i = 0; i < 100_000; i++) {
            long hash = i < 4 ? new long[] {0, -1, 1, Long.MIN_VALUE}[i] : random.nextLong();
            long key = random.nextLong();
            long image = Permutation.apply(hash, key);
            assertThat(Permutation.invert(image, key)).isEqualTo(hash);
            assertThat(image >>> 58).isEqualTo(hash >>> 58);
        }
    }

    @Test
    void aPermutationMovesAboutHalfOfTheOtherBits() {
        long[] flips = new long[64];
        int rounds = 4_000;
        for (int round = 0; round < rounds; round++) {
            long hash = random.nextLong();
            int bit = round % 58;
            long change = Permutation.apply(hash, 9) ^ Permutation.apply(hash ^ 1L << bit, 9);
            for (int i = 0; i < 64; i++) {
                flips[i] += change >>> i & 1;
            }
        }
        for (int i = 0; i < 58; i++) {
            assertThat(flips[i]).isBetween(rounds / 2 - 220L, rounds / 2 + 220L);
        }
    }

    @Test
    void aPermutationIsFrozen() {
        assertThat(Permutation.apply(0x0123456789ABCDEFL, Permutation.key(42, 3)))
                .isEqualTo(FROZEN);
    }

    private static final long FROZEN = 0x036A11CE72FB6920L;

    @Test
    void theCellsOfAChangeAreAllHashesOnce() {
        Rehash rehash = Rehash.NONE.begun(7, 2, 3);
        Set<Long> starts = new HashSet<>();
        long size = rehash.lastOfCell() - rehash.firstOfCell() + 1;
        int cells = 0;
        for (; !rehash.isIdle(); rehash = rehash.advanced(), cells++) {
            long first = rehash.firstOfCell();
            assertThat(Long.remainderUnsigned(first, size)).isZero();
            assertThat(starts.add(first)).isTrue();
            assertThat(rehash.isMoved(first)).isFalse();
            assertThat(rehash.isMoved(rehash.lastOfCell())).isFalse();
            Rehash after = rehash.advanced();
            if (!after.isIdle()) {
                assertThat(after.isMoved(first)).isTrue();
                assertThat(after.isMoved(first + size - 1)).isTrue();
            }
        }
        assertThat(cells).isEqualTo(64 * 4 * 8);
        assertThat(rehash.generation()).isEqualTo(1);
    }

    @Test
    void aHashIsWhereTheFunctionOfItsCellPutsIt() {
        for (long generation : new long[] {0, 1, 5}) {
            for (long frontier : new long[] {0, 1, 31, 32, 33, 777, 64 * 32 - 1}) {
                assertPositions(new Rehash(11, generation, 3, 2, frontier));
            }
            assertPositions(new Rehash(11, generation, 0, 0, 0));
        }
    }

    private void assertPositions(Rehash rehash) {
        for (int i = 0; i < 2_000; i++) {
            long hash = random.nextLong();
            long old = rehash.oldPosition(hash);
            assertThat(rehash.position(hash)).isEqualTo(rehash.isMoved(old) ? rehash.newPosition(hash) : old);
        }
    }

    @Test
    void nonsenseIsNoChange() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehash(0, -1, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehash(0, 0, 1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehash(0, 0, 0, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehash(0, 0, 1, 1, 256));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehash(0, 0, 40, 40, 0));
    }

    @Test
    void storedHashesAreFoundInWhicheverSetTheyAre() {
        long[] hashes = random.longs(5_000).toArray();
        RehashableMemoryHashes stored = RehashableMemoryHashes.of(hashes);
        Set<Long> truth = new HashSet<>();
        Arrays.stream(hashes).forEach(truth::add);
        for (int generation = 0; generation < 3; generation++) {
            stored.begin(stored.rehash().begun(11, 3, 2));
            while (!stored.rehash().isIdle()) {
                stored.moveCell();
                long added = random.nextLong();
                stored.add(added);
                truth.add(added);
                long removed = hashes[random.nextInt(hashes.length)];
                assertThat(stored.remove(removed)).isEqualTo(truth.remove(removed));
                assertThat(stored.count()).isEqualTo(truth.size());
                long position = stored.rehash().position(added);
                assertThat(stored.between(position, position)).containsExactly(position);
            }
            assertThat(truth).allMatch(stored::contains);
            long[] all = stored.between(0, -1L);
            assertThat(all).hasSize(truth.size());
            for (int i = 1; i < all.length; i++) {
                assertThat(Long.compareUnsigned(all[i - 1], all[i])).isNotPositive();
            }
            for (long position : all) {
                assertThat(truth).contains(stored.rehash().hashOfOld(position));
            }
        }
    }
}
