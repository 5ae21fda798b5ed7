package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;

import dev.besom.FilterFullException;
import dev.besom.bits.Words;

/**
 * Fills an empty table from remainders that come in the order of their quotients: one pass, in which nothing moves.
 * {@link #finish()} ends it; before that the table must not be queried.
 */
public final class RunAppender {

    private final Runs runs;
    private final Slots slots;
    private final long totalSlots;
    private long lastQuotient = -1;
    private long next;
    private int offsetsStored;

    public RunAppender(Runs runs) {
        this.runs = runs;
        this.slots = runs.slots;
        this.totalSlots = slots.layout.totalSlots();
    }

    /**
     * Puts a remainder behind all earlier ones.
     *
     * @param quotient not below the last one
     * @return its slot
     * @throws FilterFullException if the table has no slot left for it
     */
    public long append(long quotient, long remainder) {
        long at = next;
        if (quotient != lastQuotient) {
            storeOffsets(SlotLayout.block(quotient) + 1);
            at = Math.max(quotient, next);
        }
        if (at >= totalSlots) {
            throw new FilterFullException("no slot is left behind quotient " + quotient + " of "
                    + slots.layout.slotCount() + ", spare ones included");
        }
        if (quotient == lastQuotient) {
            slots.setRunEnd(at - 1, false);
        } else {
            slots.words[Words.LEAD + SlotLayout.block(quotient) * slots.stride + SlotLayout.OCCUPIED] |= 1L << quotient;
            lastQuotient = quotient;
        }
        slots.setRemainder(at, remainder);
        slots.setRunEnd(at, true);
        next = at + 1;
        return at;
    }

    public void finish() {
        storeOffsets(slots.layout.blockCount());
    }

    /** Stores the offsets of the blocks before {@code end}: every quotient of a block before them is in. */
    private void storeOffsets(int end) {
        for (; offsetsStored < end; offsetsStored++) {
            runs.storeOffset(offsetsStored, Math.max(0, next - ((long) offsetsStored << BLOCK_SHIFT)));
        }
    }
}
