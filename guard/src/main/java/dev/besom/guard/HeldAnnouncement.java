package dev.besom.guard;

/** An announcement that keeps its guard open until it is settled or closed. */
abstract class HeldAnnouncement implements Announcement {

    private final Gate gate;
    private final long hash;
    private final Thread owner = Thread.currentThread();
    private boolean isEnded;

    HeldAnnouncement(Gate gate, long hash) {
        this.gate = gate;
        this.hash = hash;
    }

    /** Makes the announcement; one that cannot be made does not keep the guard open. */
    final void begin(Runnable announce) {
        gate.announced(owner);
        boolean isAnnounced = false;
        try {
            announce.run();
            isAnnounced = true;
        } finally {
            if (!isAnnounced) {
                gate.settled(owner);
            }
        }
    }

    /**
     * Ends the announcement; called once.
     *
     * @param isOver whether the change has been made or given up for certain
     */
    abstract void end(boolean isOver);

    @Override
    public final long hash() {
        return hash;
    }

    @Override
    public final void settle() {
        endOnce(true);
    }

    @Override
    public final void close() {
        endOnce(false);
    }

    private synchronized void endOnce(boolean isOver) {
        if (isEnded) {
            return;
        }
        isEnded = true;
        try {
            end(isOver);
        } finally {
            gate.settled(owner);
        }
    }
}
