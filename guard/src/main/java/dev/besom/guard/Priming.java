package dev.besom.guard;

import dev.besom.guard.shard.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Fills the filters of all shards from the store, one after the other. */
final class Priming<K> {

    /** A pause doubles with each failure, up to so many times its length. */
    private static final int MOST_PAUSES = 64;

    private final List<Shard<K>> shards;
    private final Gate gate;
    private final GuardBuilder.Progress progress;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    Priming(List<Shard<K>> shards, Gate gate, GuardBuilder.Progress progress) {
        this.shards = shards;
        this.gate = gate;
        this.progress = progress;
    }

    /** Completed when all shards have their filters, or when it is certain that they will not have. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Ends without work: the filters are there. */
    void skip() {
        progress.shardsPrimed(shards.size(), shards.size());
        ready.complete(null);
    }

    /** Primes now; where the store fails, its exception goes to the caller. */
    void run() {
        for (int i = 0; i < shards.size(); i++) {
            prime(i);
        }
        ready.complete(null);
    }

    /** Primes until that is done or the guard is closed; where the store fails, tries again after a pause. */
    void runPatiently(Duration pause) {
        int pauses = 1;
        for (int i = 0; i < shards.size() && !ready.isDone(); ) {
            try {
                prime(i);
                i++;
                pauses = 1;
            } catch (RuntimeException e) {
                progress.failed(i, e);
                if (gate.isClosed() || !isPaused(pause.multipliedBy(pauses))) {
                    ready.completeExceptionally(e);
                }
                pauses = Math.min(MOST_PAUSES, 2 * pauses);
            }
        }
        ready.complete(null);
    }

    private void prime(int shard) {
        gate.enter();
        try {
            shards.get(shard).prime();
        } finally {
            gate.leave();
        }
        progress.shardsPrimed(shard + 1, shards.size());
    }

    private static boolean isPaused(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
