package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.ConcurrentFilter;
import dev.besom.InsertableFilter;
import dev.besom.ShareableFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/** What {@link ConcurrentFilter} promises, of a filter that can be {@linkplain ShareableFilter#shared() shared}. */
final class ConcurrencyPromises {

    static final List<Promise> ALL = List.of(
            Promise.ofThreads("racing inserts of one key: exactly one is new", ConcurrencyPromises::oneIsNew),
            Promise.ofThreads("inserts of many threads are all kept", ConcurrencyPromises::nothingIsLost),
            Promise.ofThreads(
                    "a reader finds every key whose insert has returned", ConcurrencyPromises::readersSeeInserts));

    private static final int THREADS = 4;
    private static final int RACERS = 2;
    private static final int ROUNDS = 3;
    private static final int MOST_RACES = 4_000;
    private static final int SPINS_BEFORE_PAUSE = 200;
    private static final long TIME_LIMIT_SECONDS = 60;

    private ConcurrencyPromises() {}

    @FunctionalInterface
    private interface Work {
        void run(int thread);
    }

    private static ConcurrentFilter shared(Subject subject) {
        return ((ShareableFilter) subject.empty().insertable()).shared();
    }

    private static void inThreads(int threads, Work work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                futures.add(pool.submit(() -> work.run(thread)));
            }
            for (Future<?> future : futures) {
                future.get(TIME_LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            throw new AssertionError("in a thread: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * Two threads insert the same keys in the same order and wait for each other before each key, so that each key is
     * raced for. A key may be new to nobody only where it looked present already.
     */
    private static void oneIsNew(Subject subject) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = Seeds.of(subject.seed(601), round);
            ConcurrentFilter filter = shared(subject);
            long[] keys = HashStream.stored(seed).next(Math.min(MOST_RACES, subject.capacity()));
            AtomicIntegerArray news = new AtomicIntegerArray(keys.length);
            AtomicInteger arrived = new AtomicInteger();
            inThreads(RACERS, thread -> {
                for (int i = 0; i < keys.length; i++) {
                    arrived.incrementAndGet();
                    await(arrived, (i + 1) * RACERS);
                    if (filter.insertHash(keys[i])) {
                        news.incrementAndGet(i);
                    }
                }
            });
            long told = 0;
            for (int i = 0; i < keys.length; i++) {
                assertThat(news.get(i)).as("threads that key %d was new to", i).isLessThanOrEqualTo(1);
                told += news.get(i);
            }
            assertNewsPlausible(subject, filter, seed, told, keys.length);
            Filled.assertAllFound(filter, keys);
        }
    }

    /** Spins, so that all go on at the same moment; pauses where the machine has fewer processors than threads. */
    private static void await(AtomicInteger counter, int target) {
        for (int spins = 0; counter.get() < target; spins++) {
            if (spins < SPINS_BEFORE_PAUSE) {
                Thread.onSpinWait();
            } else if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("given up");
            } else {
                LockSupport.parkNanos(1_000);
            }
        }
    }

    /** Threads insert sets that overlap by half, in different orders. */
    private static void nothingIsLost(Subject subject) throws Exception {
        long seed = subject.seed(602);
        ConcurrentFilter filter = shared(subject);
        long[] keys = HashStream.stored(seed).next(subject.capacity());
        AtomicIntegerArray news = new AtomicIntegerArray(keys.length);
        inThreads(THREADS, thread -> {
            int start = (int) ((long) keys.length * thread / THREADS);
            for (int i = 0; i < (keys.length + 1) / 2; i++) {
                int index = (start + i) % keys.length;
                if (filter.insertHash(keys[index])) {
                    news.incrementAndGet(index);
                }
            }
        });
        Filled.assertAllFound(filter, keys);
        long told = 0;
        for (int i = 0; i < keys.length; i++) {
            assertThat(news.get(i)).as("threads that key %d was new to", i).isLessThanOrEqualTo(1);
            told += news.get(i);
        }
        assertNewsPlausible(subject, filter, seed, told, keys.length);
        long[] probes = HashStream.fresh(seed).next(20_000);
        assertThat(State.answers(filter, probes))
                .as("answers, against those after the same inserts by one thread")
                .isEqualTo(State.answers(subject.filledWith(keys).filter(), probes));
    }

    private static void assertNewsPlausible(
            Subject subject, InsertableFilter filter, long seed, long told, int keyCount) {
        assertThat(told).as("keys told to be new").isPositive();
        if (subject.hasRates()) {
            Rates.assertRateAtMost(
                    seed, keyCount - told, keyCount, filter.expectedFpp() * (1 + subject.predictionSlack()));
        }
        if (filter.count() != told) {
            assertThat(filter.count()).as("count, where %d keys were new", told).isGreaterThanOrEqualTo(keyCount);
        }
    }

    private static void readersSeeInserts(Subject subject) throws Exception {
        ConcurrentFilter filter = shared(subject);
        long[] keys = HashStream.stored(subject.seed(603)).next(subject.capacity());
        AtomicInteger published = new AtomicInteger();
        inThreads(THREADS, thread -> {
            if (thread == 0) {
                for (int i = 0; i < keys.length; i++) {
                    filter.insertHash(keys[i]);
                    published.set(i + 1);
                }
                return;
            }
            int done;
            do {
                done = published.get();
                for (int i = Math.max(0, done - 100); i < done; i++) {
                    assertThat(filter.mightContainHash(keys[i]))
                            .as("key %d of %d published", i, done)
                            .isTrue();
                }
            } while (done < keys.length && !Thread.currentThread().isInterrupted());
        });
        Filled.assertAllFound(filter, keys);
    }
}
