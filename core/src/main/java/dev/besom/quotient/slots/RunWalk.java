package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.RUN_ENDS;

/** Goes through the runs of a table in the order of their quotients. The table must not change meanwhile. */
public final class RunWalk {

    private final Runs runs;
    private final Slots slots;
    private long quotient = -1;
    private long start;
    private long end = -1;

    /** A walk that stands before the first run. */
    public RunWalk(Runs runs) {
        this.runs = runs;
        this.slots = runs.slots;
    }

    /** Steps to the next run; false if there is none. */
    public boolean next() {
        quotient = runs.occupiedFrom(quotient + 1);
        if (quotient >= slots.layout.totalSlots()) {
            return false;
        }
        start = Math.max(quotient, end + 1);
        end = runEndFrom(start);
        return true;
    }

    /** The quotient of the run. */
    public long quotient() {
        return quotient;
    }

    /** The run's first slot. */
    public long start() {
        return start;
    }

    /** The run's last slot. */
    public long end() {
        return end;
    }

    private long runEndFrom(long slot) {
        int block = SlotLayout.block(slot);
        long ends = slots.words[slots.base(slot) + RUN_ENDS] & -1L << slot;
        while (ends == 0) {
            block++;
            ends = slots.words[slots.layout.base(block) + RUN_ENDS];
        }
        return ((long) block << BLOCK_SHIFT) + Long.numberOfTrailingZeros(ends);
    }
}
