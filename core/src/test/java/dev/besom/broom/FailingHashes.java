package dev.besom.broom;

import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.function.LongConsumer;

/** A store of which one call fails: before it has done anything, or, where it changes something, after that. */
final class FailingHashes implements RehashableHashes {

    /** What a call of the store throws. */
    static final class StoreAwayException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    final RehashableMemoryHashes inner = new RehashableMemoryHashes();

    private long callsLeft = Long.MAX_VALUE;
    private boolean isDoneAllTheSame;
    private boolean hasFailed;

    /** Lets a call after so many others fail; a write that fails is made all the same if so wanted. */
    void failAfter(long calls, boolean isDone) {
        callsLeft = calls;
        isDoneAllTheSame = isDone;
        hasFailed = false;
    }

    boolean hasFailed() {
        return hasFailed;
    }

    private void call(Runnable write) {
        boolean fails = callsLeft-- == 0;
        hasFailed |= fails;
        if (!fails || isDoneAllTheSame) {
            write.run();
        }
        if (fails) {
            throw new StoreAwayException();
        }
    }

    @Override
    public Rehash rehash() {
        call(() -> {});
        return inner.rehash();
    }

    @Override
    public void begin(Rehash begun) {
        call(() -> inner.begin(begun));
    }

    @Override
    public long[] oldBetween(long lo, long hi) {
        call(() -> {});
        return inner.oldBetween(lo, hi);
    }

    @Override
    public void moveCell() {
        call(inner::moveCell);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        call(() -> {});
        inner.forEachBetween(lo, hi, action);
    }

    @Override
    public long[] between(long lo, long hi) {
        call(() -> {});
        return inner.between(lo, hi);
    }

    @Override
    public long count() {
        call(() -> {});
        return inner.count();
    }
}
