package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.bits.Words;
import dev.besom.spi.ImageForm;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExactHashesTest {

    private static final ImageForm FORM = new ImageForm("set");
    private static final ImageForm.Section HASHES = FORM.section("hashes", "in ascending order");

    @Test
    void itHoldsWhatAHashSetHoldsAfterEveryStep() {
        for (int range : new int[] {3, 8, 40, 1000, 5000}) {
            SplittableRandom random = new SplittableRandom(range);
            long[] universe = random.longs(range).toArray();
            universe[0] = 0;
            universe[1] = -1;
            universe[2] = Long.MIN_VALUE;
            ExactHashes exact = new ExactHashes();
            Set<Long> model = new HashSet<>();
            for (int step = 0; step < 30_000; step++) {
                long hash = universe[random.nextInt(range)];
                boolean mostlyAdds = (step / (3 * range) & 1) == 0;
                if (random.nextInt(10) < (mostlyAdds ? 7 : 2)) {
                    exact.add(hash);
                    model.add(hash);
                } else {
                    assertThat(exact.remove(hash)).isEqualTo(model.remove(hash));
                }
                if (step % 397 == 0) {
                    check(exact, model, universe);
                }
                if (step % 1009 == 0) {
                    exact = read(exact.toWords());
                    check(exact, model, universe);
                }
            }
            check(exact, model, universe);
        }
    }

    private static void check(ExactHashes exact, Set<Long> model, long[] universe) {
        for (long hash : universe) {
            if (exact.contains(hash) != model.contains(hash)) {
                throw new AssertionError("hash " + hash);
            }
        }
        assertThat(exact.size()).isEqualTo(model.size());
        long[] words = exact.toWords();
        assertThat(Arrays.copyOfRange(words, Words.LEAD, words.length))
                .isEqualTo(model.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    @Test
    void emptyItHoldsNothingNotEvenZero() {
        ExactHashes exact = new ExactHashes();
        assertThat(exact.contains(0)).isFalse();
        assertThat(exact.remove(0)).isFalse();
        assertThat(exact.size()).isZero();
        assertThat(Words.count(exact.toWords())).isZero();
    }

    @Test
    void removingManyTakesTimeInProportion() {
        ExactHashes exact = new ExactHashes();
        long[] hashes = new SplittableRandom(5).longs(200_000).toArray();
        for (long hash : hashes) {
            exact.add(hash);
        }
        for (long hash : hashes) {
            assertThat(exact.remove(hash)).isTrue();
        }
        assertThat(exact.size()).isZero();
    }

    private static ExactHashes read(long[] words) {
        return ExactHashes.read(FORM.write().set(HASHES, words).image(), HASHES);
    }
}
