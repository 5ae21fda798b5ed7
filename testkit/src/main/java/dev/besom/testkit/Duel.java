package dev.besom.testkit;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/** Two threads that try the same thing at the same moment, round after round. */
public final class Duel {

    private Duel() {}

    /**
     * How many rounds exactly one of the two has won.
     *
     * @param attempt is given the number of the round; true if it has won
     */
    public static long roundsWithOneWinner(int rounds, LongPredicate attempt) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        AtomicIntegerArray winners = new AtomicIntegerArray(rounds);
        Callable<Void> fighter = () -> {
            for (int round = 0; round < rounds; round++) {
                start.await();
                if (attempt.test(round)) {
                    winners.incrementAndGet(round);
                }
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> each : List.of(threads.submit(fighter), threads.submit(fighter))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return IntStream.range(0, rounds)
                .filter(round -> winners.get(round) == 1)
                .count();
    }
}
