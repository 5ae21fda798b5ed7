package dev.besom.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How many bytes of garbage the present thread makes, by the JVM's own count. */
public final class Allocation {

    private static final int MOST_ROUNDS = 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** The bytes that one run of the action allocates. */
    public static long bytesOf(Runnable action) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        action.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * The bytes that a run of the action allocates once it is warm: the least of several runs, for class loading and the
     * like happen once.
     */
    public static long leastBytesOf(Runnable action) {
        long least = bytesOf(action);
        for (int round = 1; round < MOST_ROUNDS && least > 0; round++) {
            least = Math.min(least, bytesOf(action));
        }
        return least;
    }
}
