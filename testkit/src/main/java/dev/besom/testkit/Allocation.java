package dev.besom.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;

/** How many bytes of garbage the present thread makes, by the JVM's own count. */
public final class Allocation {

    private static final int MOST_ROUNDS = 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Enough calls for the compiler to have done its work. */
    private static final int WARM_UP = 30_000;

    private static volatile long sink;

    private Allocation() {}

    /** The bytes that this thread has allocated in its life. */
    public static long bytesSoFar() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** The bytes that one run of the action allocates. */
    public static long bytesOf(Runnable action) {
        long before = bytesSoFar();
        action.run();
        return bytesSoFar() - before;
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

    /**
     * The bytes that {@code calls} calls of the action allocate, after a warm-up. The action gets the number of the call;
     * what it returns is used, so that it is not compiled away.
     */
    public static long leastBytesOf(int calls, LongUnaryOperator action) {
        run(WARM_UP, action);
        return leastBytesOf(() -> run(calls, action));
    }

    private static void run(int calls, LongUnaryOperator action) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += action.applyAsLong(i);
        }
        sink = sum;
    }

    /** What the last calls came to; only there to be read by nobody. */
    static long sink() {
        return sink;
    }
}
