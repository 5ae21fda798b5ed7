package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.besom.bits.Words;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CopiesTest {

    @Test
    void countsLikeAMap() {
        SplittableRandom random = new SplittableRandom(1);
        Copies copies = new Copies();
        TreeMap<Long, Long> model = new TreeMap<>();
        for (int step = 0; step < 100_000; step++) {
            long look = random.nextLong(-100, 100);
            if (random.nextInt(1_000) < (step / 10_000 % 2 == 0 ? 600 : 400)) {
                copies.add(look);
                model.merge(look, 1L, Long::sum);
            } else {
                assertThat(copies.remove(look)).isEqualTo(model.containsKey(look));
                model.computeIfPresent(look, (key, times) -> times == 1 ? null : Long.valueOf(times - 1));
            }
            assertThat(copies.total())
                    .isEqualTo(model.values().stream().mapToLong(times -> times).sum());
            if (step % 1_000 == 0) {
                long size = copies.sizeInBits();
                copies = Copies.read(copies.section());
                assertThat(copies.sizeInBits()).isEqualTo(size);
            }
        }
        for (long look = -100; look < 100; look++) {
            while (model.containsKey(look)) {
                assertThat(copies.remove(look)).isTrue();
                model.computeIfPresent(look, (key, times) -> times == 1 ? null : Long.valueOf(times - 1));
            }
            assertThat(copies.remove(look)).isFalse();
        }
        assertThat(copies.sizeInBits()).isZero();
    }

    @Test
    void sectionsThatAreNoTableAreRefused() {
        Copies copies = new Copies();
        copies.add(7);
        copies.add(8);
        long[] right = copies.section();
        assertThat(Copies.read(right).total()).isEqualTo(2);
        assertRefused(new long[Words.LEAD + 1]);
        assertRefused(new long[Words.LEAD + 8]);
        assertRefused(new long[Words.LEAD + 16]);
        assertRefused(Arrays.copyOf(right, right.length - 2));
        long[] full = right.clone();
        Arrays.fill(full, Words.LEAD, full.length, 1);
        assertRefused(full);
        for (int i = Words.LEAD; i < right.length; i += 2) {
            for (long[] pair : new long[][] {{right[i], -1}, {right[i] + 1_000, 0}, {right[i], Long.MAX_VALUE}}) {
                long[] wrong = right.clone();
                wrong[i] = pair[0];
                wrong[i + 1] = pair[1];
                assertRefused(wrong);
            }
        }
        long[] rotated = right.clone();
        System.arraycopy(right, Words.LEAD, rotated, Words.LEAD + 2, right.length - Words.LEAD - 2);
        rotated[Words.LEAD] = right[right.length - 2];
        rotated[Words.LEAD + 1] = right[right.length - 1];
        assertRefused(rotated);
    }

    private static void assertRefused(long... section) {
        assertThatIllegalStateException().isThrownBy(() -> Copies.read(section));
    }
}
