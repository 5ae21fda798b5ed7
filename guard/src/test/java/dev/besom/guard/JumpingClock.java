package dev.besom.guard;

import dev.besom.guard.fleet.LeaseClock;
import java.util.concurrent.atomic.AtomicLong;

/** The clocks of a machine whose wall clock somebody sets. The monotonic one goes on as it does. */
final class JumpingClock implements LeaseClock {

    private final AtomicLong setMillis = new AtomicLong();

    void jump(long millis) {
        setMillis.addAndGet(millis);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis() + setMillis.get();
    }
}
