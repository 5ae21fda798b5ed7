package dev.besom.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentInsertsTest {

    private static final ImageForm FORM = new ImageForm("recent");
    private static final ImageForm.Section HASHES = FORM.section("hashes", "the oldest first");

    @Test
    void itHoldsTheLastOnesThatWereNotTakenOut() {
        SplittableRandom random = new SplittableRandom(11);
        RecentInserts recent = new RecentInserts();
        List<Long> model = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            long hash = random.nextLong(-200, 200);
            if (random.nextInt(10) < 7) {
                recent.add(hash);
                model.add(hash);
                if (model.size() > RecentInserts.MOST) {
                    model.remove(0);
                }
            } else {
                recent.remove(hash);
                int last = model.lastIndexOf(hash);
                if (last >= 0) {
                    model.remove(last);
                }
            }
            if (step % 97 == 0) {
                FilterImage image = FORM.write().set(HASHES, recent.toWords()).image();
                recent = RecentInserts.read(image, HASHES);
            }
            assertThat(recent.toArray())
                    .isEqualTo(model.stream().mapToLong(Long::longValue).toArray());
        }
        long negative = model.stream().filter(hash -> hash < 0).count();
        assertThat(recent.between(Long.MIN_VALUE, -1)).hasSize((int) negative);
        assertThat(recent.between(0, Long.MAX_VALUE)).hasSize(model.size() - (int) negative);
    }

    @Test
    void aKeyThatIsStoredAndRecentIsKnownOnce() {
        assertThat(KnownKeys.union(new long[] {1, 2, 2, 5}, new long[] {2, 7, 5, 7}))
                .containsExactlyInAnyOrder(1, 2, 2, 5, 7, 7);
        assertThat(KnownKeys.union(new long[] {2}, new long[] {2, 2})).containsExactly(2, 2);
        assertThat(KnownKeys.union(new long[] {3}, new long[0])).containsExactly(3);
        assertThat(KnownKeys.without(new long[] {1, 2, 2, 5}, 2)).containsExactlyInAnyOrder(1, 2, 5);
        assertThat(KnownKeys.without(new long[] {1}, 1)).isEmpty();
        assertThat(KnownKeys.without(new long[] {1}, 4)).containsExactly(1);
    }
}
