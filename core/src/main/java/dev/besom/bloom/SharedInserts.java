package dev.besom.bloom;

import dev.besom.ConcurrentFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lock-free inserts for filters that only ever set bits, with "new" told to exactly one of several racing callers.
 *
 * <p>Atomic or alone cannot tell who was first: of two callers with the same new key one may set the first bit and the
 * other the second, and each sees just what it would see if the other bit had been set long ago by some other key. So
 * whoever finds a key missing publishes a <em>claim</em> on it in a small table, at a place that follows from the hash.
 *
 * <ul>
 *   <li>A claim is open until someone, its owner or a helper, has looked at the bits and fixed the verdict once: new if
 *       a bit was missing, old otherwise. Then the bits are set, and only then the claim leaves the table.
 *   <li>Who finds a claim in its place completes it first, so nobody ever waits for a stopped thread.
 *   <li>Claims on one key have one place, hence follow each other. When the second is published all bits are set: its
 *       verdict is old. A caller that finds a claim on its own key completes that one and is told "not new".
 * </ul>
 *
 * Bits are set only after the verdict on the claim that sets them, and other keys' bits can only turn a later verdict
 * to old, which is the ordinary false positive.
 */
final class SharedInserts implements ConcurrentFilter, PersistentFilter {

    /** Enough places that a few dozen threads seldom meet in one; must be a power of two. */
    private static final int PLACES = 256;

    private final AtomicReferenceArray<Claim> claims = new AtomicReferenceArray<>(PLACES);
    private final LongAdder added = new LongAdder();
    private final GrowingBits filter;

    SharedInserts(GrowingBits filter) {
        this.filter = filter;
    }

    @Override
    public boolean insertHash(long hash) {
        if (filter.areAllBitsSet(hash)) {
            // The bits were read plainly: no later query may be answered from an earlier read.
            VarHandle.acquireFence();
            return false;
        }
        Claim own = new Claim(hash);
        int place = (int) (hash ^ hash >>> 32) & (PLACES - 1);
        while (true) {
            Claim found = claims.get(place);
            if (found != null) {
                complete(found, place);
                if (found.hash == hash) {
                    return false;
                }
            } else if (claims.compareAndSet(place, null, own)) {
                complete(own, place);
                if (own.get() != Claim.NEW) {
                    return false;
                }
                added.increment();
                return true;
            }
        }
    }

    private void complete(Claim claim, int place) {
        if (claim.get() == Claim.OPEN) {
            claim.compareAndSet(Claim.OPEN, filter.areAllBitsSet(claim.hash) ? Claim.OLD : Claim.NEW);
        }
        if (claim.get() == Claim.NEW) {
            filter.setAtomically(claim.hash);
        }
        claims.compareAndSet(place, claim, null);
    }

    /** How many keys were new here. */
    long added() {
        return added.sum();
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainHash(hash);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        filter.mightContainHashes(hashes, from, count, result);
    }

    @Override
    public long count() {
        return filter.count();
    }

    @Override
    public long sizeInBits() {
        return filter.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }

    @Override
    public FilterImage image() {
        return filter.image();
    }

    /** An insert in flight; its value is the verdict. */
    private static final class Claim extends AtomicInteger {
        static final int OPEN = 0;
        static final int NEW = 1;
        static final int OLD = 2;

        final long hash;

        Claim(long hash) {
            this.hash = hash;
        }
    }
}
