package dev.besom.guard.fleet;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * That filters have every stored key they must have, until a time. A lookup reads the proof first, the filter second and the
 * clocks third:
 *
 * <pre>
 *   proof p read | filter read: "no" | clocks read: p holds --&gt; answered
 *                                                 otherwise --&gt; the store is read
 * </pre>
 *
 * The clocks are read last, so however long the process was paused before that, p held when the filter was read. The proof
 * is read first, so one that was renewed during the pause says nothing about a filter that was read before.
 *
 * <p>Both clocks have to agree: one stands still while a machine is suspended, and the other one may be set back.
 */
public final class Proof {

    /** Of filters that nobody else can make outdated. */
    public static final Proof ALWAYS = new Proof(null, 0, 0);

    private final @Nullable LeaseClock clock;
    private final long nanoDeadline;
    private final long wallDeadline;

    private Proof(@Nullable LeaseClock clock, long nanoDeadline, long wallDeadline) {
        this.clock = clock;
        this.nanoDeadline = nanoDeadline;
        this.wallDeadline = wallDeadline;
    }

    /** A moment on both clocks. */
    record Moment(long nanos, long wallMillis) {
        static Moment now(LeaseClock clock) {
            return new Moment(clock.nanoTime(), clock.wallMillis());
        }
    }

    /** That something holds for a time from a moment on. */
    static Proof from(Moment start, Duration time, LeaseClock clock) {
        return new Proof(clock, start.nanos + time.toNanos(), start.wallMillis + time.toMillis());
    }

    /** Whether it holds at the moment of this call. */
    public boolean holds() {
        LeaseClock running = clock;
        return running == null || (running.nanoTime() - nanoDeadline < 0 && running.wallMillis() - wallDeadline < 0);
    }
}
