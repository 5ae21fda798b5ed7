package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Threads that race for the same keys in filters so small that keys share bits, over many short rounds. */
@Isolated
class ConcurrentInsertStressTest {

    private static final int THREADS = 4;
    private static final int KEYS = 16;

    @Test
    void racersForTheSameKeysAreToldNewOnceEachInTinyBloomFilters() throws Exception {
        race(1_500, 1, () -> bloom("128", "3"));
        race(1_000, 2, () -> bloom("64", "2"));
    }

    @Test
    void racersForTheSameKeysAreToldNewOnceEachInRoomyBloomFilters() throws Exception {
        race(1_500, 3, () -> bloom("4096", "7"));
    }

    @Test
    void racersForTheSameKeysAreToldNewOnceEachInOneBlock() throws Exception {
        race(1_500, 4, oneBlock());
    }

    @Test
    @Tag("thorough")
    void racersForTheSameKeysAreToldNewOnceEachOverVeryManyRounds() throws Exception {
        race(500_000, 5, () -> bloom("128", "3"));
        race(500_000, 6, () -> bloom("4096", "7"));
        race(500_000, 7, oneBlock());
    }

    /** From one image, because finding the size of a filter takes longer than a race. */
    private static Supplier<BlockedBloomFilter> oneBlock() {
        FilterImage empty = BlockedBloomFilter.make(FilterSpec.of(1, 0.01).with("groups", "4"))
                .image();
        return () -> BlockedBloomFilter.read(Images.copy(empty));
    }

    private static BloomFilter bloom(String bits, String probes) {
        return BloomFilter.make(FilterSpec.of(KEYS, 0.01).with("bits", bits).with("probes", probes));
    }

    private static <F extends GrowingBits> void race(int rounds, long seed, Supplier<F> maker) throws Exception {
        List<Round<F>> all = new ArrayList<>();
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        SplittableRandom random = new SplittableRandom(seed);
        try {
            for (int done = 0; done < rounds; done += 500) {
                all.clear();
                for (int i = 0; i < 500; i++) {
                    all.add(new Round<>(maker.get(), random.longs(KEYS).toArray()));
                }
                List<Future<?>> racers = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    int number = thread;
                    racers.add(pool.submit(() -> {
                        for (Round<F> round : all) {
                            barrier.await(60, TimeUnit.SECONDS);
                            round.insertAll(number);
                        }
                        return null;
                    }));
                }
                for (Future<?> racer : racers) {
                    racer.get(120, TimeUnit.SECONDS);
                }
                for (Round<F> round : all) {
                    round.check(maker, seed);
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static final class Round<F extends GrowingBits> {
        private final F filter;
        private final long[] keys;
        private final AtomicIntegerArray news = new AtomicIntegerArray(KEYS);

        Round(F filter, long[] keys) {
            this.filter = filter;
            this.keys = keys;
        }

        /** Two threads in the same order and two in others, so that keys are raced for and mixed. */
        void insertAll(int thread) {
            for (int i = 0; i < KEYS; i++) {
                int key = thread < 2 ? i : (i * (2 * thread + 1) + thread) % KEYS;
                if (filter.shared().insertHash(keys[key])) {
                    news.incrementAndGet(key);
                }
                if (!filter.mightContainHash(keys[key])) {
                    throw new AssertionError("lost just after its insert");
                }
            }
        }

        void check(Supplier<F> maker, long seed) {
            F alone = maker.get();
            long[][] bitsOf = new long[KEYS][];
            for (int i = 0; i < KEYS; i++) {
                alone.insertHash(keys[i]);
                F single = maker.get();
                single.insertHash(keys[i]);
                bitsOf[i] = single.bits.words();
            }
            assertThat(filter.bits.words()).as("bits, seed %d", seed).isEqualTo(alone.bits.words());
            long told = 0;
            for (int i = 0; i < KEYS; i++) {
                assertThat(news.get(i)).as("told new, seed %d", seed).isBetween(hasBitOfItsOwn(bitsOf, i) ? 1 : 0, 1);
                told += news.get(i);
            }
            assertThat(filter.count()).as("count, seed %d", seed).isEqualTo(told);
        }

        private static boolean hasBitOfItsOwn(long[][] bitsOf, int key) {
            for (int word = Words.LEAD; word < bitsOf[key].length; word++) {
                long others = 0;
                for (int i = 0; i < KEYS; i++) {
                    others |= i == key ? 0 : bitsOf[i][word];
                }
                if ((bitsOf[key][word] & ~others) != 0) {
                    return true;
                }
            }
            return false;
        }
    }
}
