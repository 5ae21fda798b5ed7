package dev.besom.lab.race;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The clock of measurements: a thread that waits for its turn on a busy machine is not charged for that. */
public final class ProcessorClock {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProcessorClock() {}

    /** Processor time of this thread so far; the time on the wall where the system does not tell. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
