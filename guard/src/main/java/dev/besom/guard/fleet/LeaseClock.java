package dev.besom.guard.fleet;

/** The clocks of a process. */
public interface LeaseClock {

    /** The clocks of the machine. */
    LeaseClock SYSTEM = new LeaseClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };

    /** Goes forward only, and on Linux stands still while the machine is suspended. */
    long nanoTime();

    /** Goes on while the machine is suspended, and may be set to any time. */
    long wallMillis();
}
