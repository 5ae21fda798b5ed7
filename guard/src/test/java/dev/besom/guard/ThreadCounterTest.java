package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadCounterTest {

    @Test
    void everyIncrementOfMoreThreadsThanThereAreCellsCountsOnce() throws InterruptedException {
        ThreadCounter counter = new ThreadCounter();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            threads.add(new Thread(() -> {
                for (int count = 0; count < 1_000; count++) {
                    counter.increment();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        counter.add(5);
        assertThat(counter.sum()).isEqualTo(200 * 1_000 + 5);
    }

    @Test
    void oneCallOfAThreadInSoManyIsATick() {
        ThreadCounter counter = new ThreadCounter();
        int ticks = 0;
        for (int i = 0; i < 1_024; i++) {
            ticks += counter.isTick(128) ? 1 : 0;
        }
        assertThat(ticks).isEqualTo(8);
        assertThat(counter.sum()).isZero();
    }

    @Test
    void countIsAMultipleOnceInSoMany() {
        ThreadCounter counter = new ThreadCounter();
        int multiples = 0;
        for (int i = 0; i < 1_024; i++) {
            multiples += counter.isMultiple(128) ? 1 : 0;
            counter.increment();
        }
        assertThat(multiples).isEqualTo(8);
    }
}
