package dev.besom.stored;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Stored hashes in memory that can change to another hash function: two {@link MemoryHashes} and the frontier between
 * them. As little synchronised as those.
 */
public final class RehashableMemoryHashes implements RehashableHashes {

    private MemoryHashes old = new MemoryHashes();
    private MemoryHashes fresh = new MemoryHashes();
    private Rehash rehash = Rehash.NONE;

    /** No hashes. */
    public RehashableMemoryHashes() {}

    /** The given hashes, in any order. */
    public static RehashableMemoryHashes of(long... hashes) {
        RehashableMemoryHashes result = new RehashableMemoryHashes();
        result.old = MemoryHashes.of(hashes);
        return result;
    }

    /** Puts a hash in, also where it is there already. */
    public void add(long hash) {
        setOf(hash).add(rehash.position(hash));
    }

    /** Takes one occurrence of the hash out; false, and no change, if there is none. */
    public boolean remove(long hash) {
        return setOf(hash).remove(rehash.position(hash));
    }

    /** Whether a hash is there. */
    public boolean contains(long hash) {
        return setOf(hash).contains(rehash.position(hash));
    }

    private MemoryHashes setOf(long hash) {
        return rehash.isMoved(rehash.oldPosition(hash)) ? fresh : old;
    }

    @Override
    public long count() {
        return old.count() + fresh.count();
    }

    @Override
    public Rehash rehash() {
        return rehash;
    }

    @Override
    public void begin(Rehash begun) {
        rehash = begun;
    }

    @Override
    public long[] oldBetween(long lo, long hi) {
        return old.between(lo, hi);
    }

    @Override
    public void moveCell() {
        for (long position : old.between(rehash.firstOfCell(), rehash.lastOfCell())) {
            old.remove(position);
            fresh.add(rehash.newPosition(rehash.hashOfOld(position)));
        }
        rehash = rehash.advanced();
        if (rehash.isIdle()) {
            old = fresh;
            fresh = new MemoryHashes();
        }
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        for (long position : between(lo, hi)) {
            action.accept(position);
        }
    }

    @Override
    public long[] between(long lo, long hi) {
        long[] ours = old.between(lo, hi);
        if (fresh.count() == 0) {
            return ours;
        }
        long[] others = fresh.between(lo, hi);
        if (others.length == 0) {
            return ours;
        }
        long[] both = Arrays.copyOf(ours, ours.length + others.length);
        System.arraycopy(others, 0, both, ours.length, others.length);
        // In unsigned order, which is the signed order of numbers with the other sign bit.
        for (int i = 0; i < both.length; i++) {
            both[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(both);
        for (int i = 0; i < both.length; i++) {
            both[i] ^= Long.MIN_VALUE;
        }
        return both;
    }
}
