package dev.besom.guard.fleet;

import dev.besom.StoredHashes;
import dev.besom.guard.store.ChangeFeed.Changes;
import dev.besom.guard.store.ChangeFeed.Follower;
import dev.besom.guard.store.FeedStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.ToLongFunction;

/**
 * Follows a store that anybody may change.
 *
 * <pre>
 *   poll      sent at t | all that was committed before t is told | slots in the filters | "no" proven until t + staleness
 *   upkeep    keys that came without a hash get it in the store, and the slots of removed keys go
 * </pre>
 *
 * Two threads: one polls and waits for nothing but its polls. The other one gives rows their hashes, for which it may have to wait
 * for the transactions of others. Until that is done, the hashes are {@linkplain UnfilledHashes known here}.
 *
 * @param <K> the keys
 */
public final class FeedFollower<K> implements AutoCloseable {

    /** So many polls within the staleness: one may fail or take long. */
    private static final int POLLS = 4;

    private static final long RETRY_MILLIS = 50;
    private static final long TRIM_EVERY_MILLIS = 10_000;
    private static final int FILL_AT_ONCE = 500;

    private final FeedStore<K, ?> store;
    private final ToLongFunction<? super K> hasher;
    private final Following filters;
    private final Setting setting;
    private final UnfilledHashes unfilled;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final Thread polling = new Thread(this::run, "besom-feed");
    private final Thread filling = new Thread(this::fill, "besom-feed-upkeep");

    // Guarded by this.
    private final Deque<Task<K>> tasks = new ArrayDeque<>();
    private long pollsSent;
    private long pollsDone;
    private long pollsWanted;
    private boolean isClosed;

    /** A key that was told, and what is left to do about it. */
    private record Task<K>(K key, boolean isGone) {}

    /**
     * The choices of a follower.
     *
     * @param staleness how old a "no" may be
     * @param clock the clocks of this process
     */
    public record Setting(Duration staleness, LeaseClock clock) {}

    /**
     * A follower that has not begun.
     *
     * @param hasher the hash of a key
     */
    public FeedFollower(FeedStore<K, ?> store, ToLongFunction<? super K> hasher, Following filters, Setting setting) {
        this.store = store;
        this.hasher = hasher;
        this.filters = filters;
        this.setting = setting;
        this.unfilled = new UnfilledHashes(store.hashes());
        this.polling.setDaemon(true);
        this.filling.setDaemon(true);
    }

    /** The hashes that filters are to be built and repaired from. */
    public StoredHashes hashes() {
        return unfilled;
    }

    /**
     * Begins to follow, and gives all rows their hashes. Filters may be built when this returns.
     *
     * @throws RuntimeException what the store threw
     */
    public void start() {
        polling.start();
        try {
            started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        filling.start();
    }

    /** Waits until what is committed by now is in the filters, or for the staleness. */
    public synchronized void catchUp() {
        long wanted = pollsSent + 1;
        pollsWanted = Math.max(pollsWanted, wanted);
        notifyAll();
        long start = System.nanoTime();
        long left = setting.staleness().toMillis();
        boolean isInterrupted = false;
        while (pollsDone < wanted && !isClosed && left > 0) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
            left = setting.staleness().toMillis() - (System.nanoTime() - start) / 1_000_000;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!isClosed()) {
            try (Follower<K> follower = store.feed().follow()) {
                // Whatever came before is in the store, with a hash when this has ended.
                store.fillMissingHashes(hasher);
                filters.startAnew();
                started.complete(null);
                while (isFollowed(follower)) {
                    pause(setting.staleness().toMillis() / POLLS, true);
                }
            } catch (RuntimeException e) {
                if (started.completeExceptionally(e) || started.isCompletedExceptionally()) {
                    return;
                }
                filters.proven(null);
                pause(RETRY_MILLIS, false);
            }
        }
    }

    /** Polls and applies; false if it is to begin anew, or to end. A poll that fails is made again. */
    private boolean isFollowed(Follower<K> follower) {
        if (isClosed()) {
            return false;
        }
        long poll = beginPoll();
        Proof.Moment sent = Proof.Moment.now(setting.clock());
        Changes<K> changes;
        try {
            changes = follower.poll();
        } catch (RuntimeException e) {
            pause(RETRY_MILLIS, false);
            return true;
        }
        if (changes.isBroken()) {
            filters.proven(null);
            return false;
        }
        apply(changes);
        if (changes.isComplete()) {
            filters.proven(Proof.from(sent, setting.staleness(), setting.clock()));
        }
        endPoll(poll);
        return true;
    }

    private void apply(Changes<K> changes) {
        for (K key : changes.stored()) {
            long hash = hasher.applyAsLong(key);
            filters.announced(hash, () -> unfilled.add(hash));
        }
        synchronized (this) {
            changes.stored().forEach(key -> tasks.add(new Task<>(key, false)));
            changes.removed().forEach(key -> tasks.add(new Task<>(key, true)));
            notifyAll();
        }
    }

    private synchronized long beginPoll() {
        return ++pollsSent;
    }

    private synchronized void endPoll(long poll) {
        pollsDone = poll;
        notifyAll();
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /** Waits for a while. */
    private synchronized void pause(long millis, boolean untilWanted) {
        long start = System.nanoTime();
        long left = millis;
        while (!isClosed && left > 0 && !(untilWanted && pollsWanted > pollsSent)) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                return;
            }
            left = millis - (System.nanoTime() - start) / 1_000_000;
        }
    }

    private void fill() {
        long trimmed = System.nanoTime();
        while (!isClosed()) {
            List<Task<K>> next = nextTasks();
            try {
                if (!next.isEmpty()) {
                    work(next);
                }
                if (System.nanoTime() - trimmed > TRIM_EVERY_MILLIS * 1_000_000) {
                    trimmed = System.nanoTime();
                    store.feed().trim();
                }
            } catch (RuntimeException e) {
                // The store failed. What is left is done in a later turn; hashes stay known here.
                pause(RETRY_MILLIS, false);
            }
        }
    }

    /** The next tasks of one sort. They stay until they are done: slots go after earlier keys have got their hashes. */
    private synchronized List<Task<K>> nextTasks() {
        long start = System.nanoTime();
        while (tasks.isEmpty() && !isClosed && System.nanoTime() - start < TRIM_EVERY_MILLIS * 1_000_000) {
            try {
                wait(TRIM_EVERY_MILLIS);
            } catch (InterruptedException e) {
                return List.of();
            }
        }
        List<Task<K>> next = new ArrayList<>();
        for (Task<K> task : tasks) {
            if (next.size() == FILL_AT_ONCE || task.isGone() != tasks.element().isGone()) {
                break;
            }
            next.add(task);
        }
        return next;
    }

    private void work(List<Task<K>> done) {
        List<K> keys = done.stream().map(Task::key).toList();
        long[] hashes = keys.stream().mapToLong(hasher).toArray();
        if (done.get(0).isGone()) {
            for (long hash : hashes) {
                filters.gone(hash);
            }
        } else {
            store.fillHashes(keys, hashes);
            unfilled.removeAll(hashes);
        }
        synchronized (this) {
            done.forEach(task -> tasks.remove());
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        boolean isInterrupted = false;
        while (polling.isAlive() || filling.isAlive()) {
            try {
                polling.join();
                filling.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
