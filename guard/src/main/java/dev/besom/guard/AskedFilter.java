package dev.besom.guard;

import dev.besom.AdaptiveFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.bloom.BloomFilter;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is asked without a lock while somebody may change it.
 *
 * <p>{@code memory} is held to write for the moments in which the filter's words change. A question reads them without a
 * lock and asks afterwards whether anybody wrote; if so, it asks again with the lock. A question among words that change
 * ends, with any answer or an exception, as {@link AdaptiveFilter} promises.
 *
 * <p>Beside the filter there may be a <i>sieve</i>: hashes of keys of which nothing else is kept, so that no filter that is
 * built anew would hold them. A question is answered "maybe" if either says so.
 */
abstract class AskedFilter {

    final StampedLock memory = new StampedLock();

    /** Null as long as there is none: then every answer is "maybe". Read with the lock, or checked afterwards. */
    @Nullable
    AdaptiveFilter filter;

    @Nullable
    BloomFilter sieve;

    /** False: the key of this hash is not stored. */
    final boolean mightContain(long local) {
        long stamp = memory.tryOptimisticRead();
        if (stamp != 0) {
            try {
                boolean maybe = ask(local);
                if (memory.validate(stamp)) {
                    return maybe;
                }
            } catch (RuntimeException e) {
                // The words changed meanwhile. Where they did not, the next question throws it again.
                return mightContainLocked(local);
            }
        }
        return mightContainLocked(local);
    }

    private boolean mightContainLocked(long local) {
        long stamp = memory.readLock();
        try {
            return ask(local);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** The answer, for a caller who holds a lock or checks afterwards. */
    final boolean ask(long local) {
        AdaptiveFilter asked = filter;
        return asked == null || asked.mightContainHash(local) || isInSieve(local);
    }

    final boolean isInSieve(long local) {
        BloomFilter hashes = sieve;
        return hashes != null && hashes.mightContainHash(local);
    }

    /** The bulk form of {@link #mightContain(long)}, as in {@link dev.besom.MembershipFilter}. */
    final void mightContain(long[] locals, int from, int count, long[] result) {
        long stamp = memory.tryOptimisticRead();
        if (stamp != 0) {
            try {
                ask(locals, from, count, result);
                if (memory.validate(stamp)) {
                    return;
                }
            } catch (RuntimeException e) {
                // As for a single question.
                stamp = 0;
            }
        }
        stamp = memory.readLock();
        try {
            ask(locals, from, count, result);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    private void ask(long[] locals, int from, int count, long[] result) {
        AdaptiveFilter asked = filter;
        if (asked == null) {
            Bitmaps.checkBulk(locals, from, count, result);
            for (int base = 0; base < count; base += Long.SIZE) {
                int lanes = Math.min(Long.SIZE, count - base);
                result[base >>> 6] = -1L >>> (Long.SIZE - lanes);
            }
            return;
        }
        asked.mightContainHashes(locals, from, count, result);
        if (sieve != null) {
            for (int i = 0; i < count; i++) {
                result[i >>> 6] |= isInSieve(locals[from + i]) ? 1L << i : 0;
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

    /** How many keys the filter holds and how many bits it takes. */
    final long[] countAndSizeInBits() {
        long stamp = memory.readLock();
        try {
            long[] numbers = new long[2];
            if (filter != null) {
                numbers[0] = filter.count();
                numbers[1] = filter.sizeInBits();
            }
            if (sieve != null) {
                numbers[1] += sieve.sizeInBits();
            }
            return numbers;
        } finally {
            memory.unlockRead(stamp);
        }
    }
}
