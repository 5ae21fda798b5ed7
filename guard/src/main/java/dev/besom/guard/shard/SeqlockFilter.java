package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.bits.Bitmaps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is queried without a lock while somebody may change it: a seqlock.
 *
 * <p>{@code memory} is held to write for the moments in which the filter's words change, and {@code version} is odd meanwhile. A
 * query reads the words without a lock, and the version before and after; if that has changed, it is made again with the lock. A
 * query among words that change ends, with any answer or an exception, as {@link AdaptiveFilter} promises. The lock's own
 * version would do, but is one object further away.
 *
 * <p>Where a filter reads the store in the midst of a change, it has every key that it is to have, as {@link AdaptiveFilter}
 * promises too. So the lock is given back for that time, and no query waits for the store.
 *
 * <p>A change that ends with an {@link Error}, such as for want of memory, leaves a filter of which nothing is known. It is
 * dropped, and every answer is "maybe" until there is another one.
 *
 * <p>Beside the filter there is an {@linkplain Overflow overflow} of hashes that are kept nowhere else, so that no filter that
 * is built anew would hold them. A query is answered "maybe" if either says so.
 */
public abstract class SeqlockFilter {

    private static final VarHandle VERSION;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(SeqlockFilter.class, "version", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StampedLock memory = new StampedLock();

    /** Written by whoever holds the lock to write. */
    private long version;

    /** Of whoever writes; 0 while nobody does. One thread at a time calls what begins and ends writing. */
    private long writeStamp;

    /** Null as long as there is none: then every answer is "maybe". Read with the lock, or checked afterwards. */
    @Nullable
    AdaptiveFilter filter;

    private final Overflow overflow;

    /** Whether there is anything in it. Read as the filter is. */
    private boolean hasOverflow;

    SeqlockFilter(Overflow overflow) {
        this.overflow = overflow;
    }

    /** Adds a hash to the overflow. */
    final void insertIntoOverflow(long localHash) {
        write(() -> {
            overflow.insertHash(localHash);
            hasOverflow = true;
            return true;
        });
    }

    /** Makes a change of the filter or of what is beside it. */
    final <T> T write(Supplier<T> change) {
        beginWriting();
        try {
            return change.get();
        } catch (Error e) {
            filter = null;
            throw e;
        } finally {
            endWriting();
        }
    }

    private void beginWriting() {
        writeStamp = memory.writeLock();
        // Whoever sees a word that is written from here on sees this.
        VERSION.setOpaque(this, version + 1);
        VarHandle.storeStoreFence();
    }

    private void endWriting() {
        long stamp = writeStamp;
        writeStamp = 0;
        VERSION.setRelease(this, version + 1);
        memory.unlockWrite(stamp);
    }

    /** Reads the store, perhaps in the midst of a change; queries go on meanwhile. */
    final long[] readStore(Supplier<long[]> read) {
        if (writeStamp == 0) {
            return read.get();
        }
        endWriting();
        try {
            return read.get();
        } finally {
            beginWriting();
        }
    }

    /** False: the key of this {@linkplain Shard#toLocalHash local} hash is not stored. */
    public final boolean mightContainLocalHash(long localHash) {
        long before = (long) VERSION.getAcquire(this);
        if ((before & 1) == 0) {
            try {
                boolean maybe = query(localHash);
                if (isStill(before)) {
                    return maybe;
                }
            } catch (RuntimeException e) {
                // The words changed meanwhile. Where they did not, the next query throws it again.
                return queryLocked(localHash);
            }
        }
        return queryLocked(localHash);
    }

    /** Whether no word has changed since the version was read. */
    private boolean isStill(long before) {
        VarHandle.acquireFence();
        return (long) VERSION.getOpaque(this) == before;
    }

    private boolean queryLocked(long localHash) {
        long stamp = memory.readLock();
        try {
            return query(localHash);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** The answer, for a caller who holds a lock or checks afterwards. */
    final boolean query(long localHash) {
        AdaptiveFilter current = filter;
        return current == null
                || current.mightContainHash(localHash)
                || (hasOverflow && overflow.mightContainHash(localHash));
    }

    /** The bulk form, as in {@link dev.besom.MembershipFilter}. */
    final void mightContainLocalHashes(long[] localHashes, int from, int count, long[] result) {
        long before = (long) VERSION.getAcquire(this);
        if ((before & 1) == 0) {
            try {
                query(localHashes, from, count, result);
                if (isStill(before)) {
                    return;
                }
            } catch (RuntimeException e) {
                // As for a single query.
                queryLocked(localHashes, from, count, result);
                return;
            }
        }
        queryLocked(localHashes, from, count, result);
    }

    private void queryLocked(long[] localHashes, int from, int count, long[] result) {
        long stamp = memory.readLock();
        try {
            query(localHashes, from, count, result);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    private void query(long[] localHashes, int from, int count, long[] result) {
        AdaptiveFilter current = filter;
        if (current == null) {
            Bitmaps.checkBulk(localHashes, from, count, result);
            for (int base = 0; base < count; base += Long.SIZE) {
                int lanes = Math.min(Long.SIZE, count - base);
                result[base >>> 6] = -1L >>> (Long.SIZE - lanes);
            }
            return;
        }
        current.mightContainHashes(localHashes, from, count, result);
        if (hasOverflow) {
            for (int i = 0; i < count; i++) {
                result[i >>> 6] |= overflow.mightContainHash(localHashes[from + i]) ? 1L << i : 0;
            }
        }
    }

    /** Whether there is a filter. */
    final boolean isPrimed() {
        long stamp = memory.readLock();
        try {
            return filter != null;
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** How many keys the filter holds. */
    final long count() {
        long stamp = memory.readLock();
        try {
            return filter == null ? 0 : filter.count();
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** How many bits the filter takes. */
    final long sizeInBits() {
        long stamp = memory.readLock();
        try {
            return (filter == null ? 0 : filter.sizeInBits()) + (hasOverflow ? overflow.sizeInBits() : 0);
        } finally {
            memory.unlockRead(stamp);
        }
    }
}
