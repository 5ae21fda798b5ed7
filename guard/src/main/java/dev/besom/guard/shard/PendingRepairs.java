package dev.besom.guard.shard;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** False positives of a shard whose repair found it busy, up to {@value #MOST}. Any number of threads may call. */
final class PendingRepairs<K> {

    private static final int MOST = 256;

    private final Queue<PendingRepair<K>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** A false positive: a key that is not stored, and its hash in the shard. */
    record PendingRepair<K>(K key, long localHash) {}

    /** False, and no change, if too many are pending already. */
    boolean add(K key, long localHash) {
        if (count.incrementAndGet() > MOST) {
            count.decrementAndGet();
            return false;
        }
        queue.add(new PendingRepair<>(key, localHash));
        return true;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The next one; null if there is none. */
    @Nullable
    PendingRepair<K> poll() {
        PendingRepair<K> next = queue.poll();
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }
}
