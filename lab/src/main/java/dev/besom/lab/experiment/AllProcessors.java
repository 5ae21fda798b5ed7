package dev.besom.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Plays the independent parts of an experiment that only counts on all processors: as many at a time as there are
 * processors, so that memory is bounded, and with the same results in the same order as one by one. Nothing that takes
 * times may be played so.
 */
final class AllProcessors {

    private AllProcessors() {}

    /**
     * What becomes of each part, in their order.
     *
     * @throws RuntimeException the first failure in that order; parts that were not begun are left out
     */
    static <P, R> List<R> play(List<P> parts, Function<P, R> game) {
        ExecutorService players =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<R>> playing = new ArrayList<>();
            for (P part : parts) {
                playing.add(players.submit(() -> game.apply(part)));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> future : playing) {
                results.add(resultOf(future));
            }
            return results;
        } finally {
            players.shutdownNow();
        }
    }

    /** About how many minutes it takes here what takes so many on one processor. */
    static int minutes(int onOne) {
        return (int) Math.ceil(onOne / (double) Runtime.getRuntime().availableProcessors());
    }

    private static <R> R resultOf(Future<R> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an experiment was played", e);
        }
    }
}
