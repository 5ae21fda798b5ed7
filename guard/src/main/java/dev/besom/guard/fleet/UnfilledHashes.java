package dev.besom.guard.fleet;

import dev.besom.StoredHashes;
import dev.besom.stored.MemoryHashes;
import java.util.function.LongConsumer;

/**
 * The stored hashes together with those whose keys are stored and that the store itself has not got yet. Every key that has a
 * slot is among them, so that no repair takes its slot for one that is left over. A hash that the store has just got may be
 * there twice, which does no harm.
 */
final class UnfilledHashes implements StoredHashes {

    private final StoredHashes stored;
    private final MemoryHashes unfilled = new MemoryHashes();

    UnfilledHashes(StoredHashes stored) {
        this.stored = stored;
    }

    void add(long hash) {
        synchronized (unfilled) {
            unfilled.add(hash);
        }
    }

    void removeAll(long[] hashes) {
        synchronized (unfilled) {
            for (long hash : hashes) {
                unfilled.remove(hash);
            }
        }
    }

    private long[] unfilledBetween(long lo, long hi) {
        synchronized (unfilled) {
            return unfilled.between(lo, hi);
        }
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        // In this order: one that the store gets in between is there twice, and not missing.
        long[] here = unfilledBetween(lo, hi);
        int[] next = {0};
        stored.forEachBetween(lo, hi, hash -> {
            while (next[0] < here.length && Long.compareUnsigned(here[next[0]], hash) <= 0) {
                action.accept(here[next[0]++]);
            }
            action.accept(hash);
        });
        while (next[0] < here.length) {
            action.accept(here[next[0]++]);
        }
    }

    @Override
    public long count() {
        return stored.count() + unfilledBetween(0, -1L).length;
    }

    @Override
    public long countIfKnown() {
        return -1;
    }
}
