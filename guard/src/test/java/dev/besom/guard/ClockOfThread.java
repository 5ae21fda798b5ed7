package dev.besom.guard;

import dev.besom.guard.fleet.LeaseClock;

/** For the thread that made it time has passed that has not for others. */
final class ClockOfThread implements LeaseClock {

    private final Thread thread = Thread.currentThread();
    volatile long passed;
    volatile long passedMillis;

    private boolean isOfThread() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime() + (isOfThread() ? passed : 0);
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis() + (isOfThread() ? passedMillis : 0);
    }
}
