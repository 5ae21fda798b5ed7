package dev.besom.testsupport;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;

/** Counts the bytes that this thread allocates. */
public final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Enough calls for the compiler to have done its work. */
    private static final int WARM_UP = 30_000;

    private static volatile long sink;

    private Allocation() {}

    /**
     * The bytes that {@code calls} calls of the action allocate, after a warm-up. The action gets the number of the call;
     * what it returns is used, so that it is not compiled away. The least of several rounds counts: other rounds may
     * hold allocations of the JVM on this thread's account.
     */
    public static long bytesOf(int calls, LongUnaryOperator action) {
        run(WARM_UP, action);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3 && least > 0; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            run(calls, action);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void run(int calls, LongUnaryOperator action) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += action.applyAsLong(i);
        }
        sink = sum;
    }

    /** What the last round's calls came to; only there to be read by nobody. */
    static long sink() {
        return sink;
    }
}
