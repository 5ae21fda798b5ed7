package dev.besom.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.besom.bits.Words;
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
                copies = Copies.read(copies.section());
                assertThat(copies.section()).hasSize(2 * model.size() + Words.LEAD);
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
    void sectionsThatAreNotInOrderAreRefused() {
        assertRefused(1);
        assertRefused(1, 0);
        assertRefused(1, -1);
        assertRefused(1, 1, 1, 1);
        assertRefused(2, 1, 1, 1);
        assertRefused(1, Long.MAX_VALUE, 2, Long.MAX_VALUE);
    }

    private static void assertRefused(long... words) {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        assertThatIllegalStateException().isThrownBy(() -> Copies.read(section));
    }
}
