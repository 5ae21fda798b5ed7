package dev.besom.guard;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** False positives of a shard whose repair found it busy, up to {@value #MOST}. Any number of threads may call. */
final class WaitingRepairs<K> {

    private static final int MOST = 256;

    private final Queue<Waiting<K>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    record Waiting<K>(K key, long local) {}

    /** False, and no change, if too many wait already. */
    boolean add(K key, long local) {
        if (count.incrementAndGet() > MOST) {
            count.decrementAndGet();
            return false;
        }
        queue.add(new Waiting<>(key, local));
        return true;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The next one; null if there is none. */
    @Nullable
    Waiting<K> poll() {
        Waiting<K> next = queue.poll();
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }
}
