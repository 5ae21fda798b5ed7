package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllProcessorsTest {

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @Test
    void resultsComeInTheOrderOfThePartsHoweverLongEachTakes() {
        List<Integer> parts = IntStream.range(0, 50).boxed().toList();
        List<Integer> results = AllProcessors.play(parts, part -> {
            pause(part % 5 == 0 ? 4 : 0);
            return part * part;
        });
        assertThat(results).isEqualTo(parts.stream().map(part -> part * part).toList());
    }

    /** As many parts as there are processors wait for each other: with fewer at a time they would wait in vain. */
    @Test
    void asManyPartsAsProcessorsAreUnderWayAndNoMore() {
        CountDownLatch all = new CountDownLatch(PROCESSORS);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Boolean> met =
                AllProcessors.play(IntStream.range(0, 4 * PROCESSORS).boxed().toList(), part -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    all.countDown();
                    boolean isMet = await(all);
                    underWay.decrementAndGet();
                    return isMet;
                });
        assertThat(met).doesNotContain(false);
        assertThat(most).hasValue(PROCESSORS);
    }

    @Test
    void theFirstFailureIsToldAsItIs() {
        assertThatThrownBy(() -> AllProcessors.play(List.of(1, 2, 3), part -> {
                    if (part > 1) {
                        throw new IllegalArgumentException("part " + part);
                    }
                    return part;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("part 2");
    }

    @Test
    void whoeverLooksOnIsToldByOneThreadAtATime() {
        int[] told = new int[1];
        Conditions conditions = new Conditions(Scale.QUICK, 1, Optional.empty(), step -> told[0]++);
        int each = 100_000;
        AllProcessors.play(IntStream.range(0, 4).boxed().toList(), part -> {
            for (int i = 0; i < each; i++) {
                conditions.progress("step");
            }
            return part;
        });
        assertThat(told[0]).isEqualTo(4 * each);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
