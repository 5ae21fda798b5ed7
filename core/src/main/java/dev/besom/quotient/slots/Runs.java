package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.OCCUPIED;
import static dev.besom.quotient.slots.SlotLayout.OFFSET_SATURATED;
import static dev.besom.quotient.slots.SlotLayout.RUN_ENDS;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.bits.Select;
import dev.besom.bits.Words;

/**
 * Runs in a table of slots: finds the run of a quotient, opens a slot in it and closes one. Runs lie in the order of
 * their quotients, none before its quotient's own slot, and with no gap that could be closed.
 *
 * <p>The n-th occupied quotient has the n-th run end. So the end of a quotient's run is found by counting occupied bits
 * up to the quotient (rank) and going to the run end of that number (select); the offset of the quotient's block lets
 * both counts start at the block instead of at the table's first slot.
 *
 * <pre>
 *   slot       0   1   2   3   4   5   6   7
 *   occupied   .   1   .   1   1   .   .   .       quotients 1, 3 and 4 have runs
 *   remainder  .   a   b   c   d   e   .   .       a b c belong to 1, d to 3, e to 4
 *   run end    .   .   .   1   1   1   .   .
 * </pre>
 *
 * <p>To open a slot, a filter finds out where it goes ({@link #runStart}, {@link #runEnd}, {@link #newRunAt}), then for the
 * {@linkplain #firstFree(long) first free slot} behind it, moves whatever it keeps beside the slots, and calls
 * {@link #open}. To close one it finds the {@linkplain #lastMoving(long) last slot that moves}, and calls
 * {@link #close}.
 *
 * <p>Offsets above what 8 bits hold are found by walking from the nearest earlier block that has a smaller one, so no
 * cluster is too long; only time is lost.
 *
 * <p>A query that runs while a writer changes the table may get a wrong answer or an
 * {@link ArrayIndexOutOfBoundsException}; it always ends.
 *
 * <p>P. Pandey, M. A. Bender, R. Johnson and R. Patro: A general-purpose counting filter: making every bit count.
 * SIGMOD 2017. There the offset is counted to the run's end and an overflow goes unnoticed.
 */
public final class Runs {

    final Slots slots;
    private final long[] words;
    private final long[] offsets;
    private final int stride;
    private final int blockCount;

    public Runs(Slots slots) {
        this.slots = slots;
        this.words = slots.words;
        this.offsets = slots.offsets;
        this.stride = slots.stride;
        this.blockCount = slots.layout.blockCount();
    }

    /** The table. */
    public Slots slots() {
        return slots;
    }

    /** Whether the quotient has a run. */
    public boolean isOccupied(long quotient) {
        return (words[Words.LEAD + (int) (quotient >>> BLOCK_SHIFT) * stride + OCCUPIED] >>> quotient & 1) != 0;
    }

    /** The last slot of the run of an occupied quotient. */
    public long runEnd(long quotient) {
        int block = (int) (quotient >>> BLOCK_SHIFT);
        int base = Words.LEAD + block * stride;
        int rank = Long.bitCount(words[base + OCCUPIED] << ~quotient);
        int offset = storedOffset(block);
        if (offset < Long.SIZE) {
            int position = Select.select(words[base + RUN_ENDS] & -1L << offset, (rank - 1) & SLOT_MASK);
            if (position < Long.SIZE) {
                return ((long) block << BLOCK_SHIFT) + position;
            }
        }
        return nthRunEnd(((long) block << BLOCK_SHIFT) + offset(block), rank);
    }

    /** The first slot of the run of a quotient, given its last one. */
    public long runStart(long quotient, long end) {
        // Each run end between the quotient's own slot and its run's end belongs to an earlier run.
        long slot = end & ~(long) SLOT_MASK;
        int base = slots.base(end);
        long ends = words[base + RUN_ENDS] & ~(-1L << end);
        while (ends == 0) {
            if (slot <= quotient) {
                return quotient;
            }
            slot -= SlotLayout.SLOTS_PER_BLOCK;
            base -= stride;
            ends = words[base + RUN_ENDS];
        }
        return Math.max(quotient, slot + Long.SIZE - Long.numberOfLeadingZeros(ends));
    }

    /** Where the first slot of the run of a quotient goes that has none yet. */
    public long newRunAt(long quotient) {
        int block = SlotLayout.block(quotient);
        long first = ((long) block << BLOCK_SHIFT) + offset(block);
        int rank = Select.rank(words[slots.base(quotient) + OCCUPIED], SlotLayout.inBlock(quotient));
        return Math.max(quotient, rank == 0 ? first : nthRunEnd(first, rank) + 1);
    }

    /** The first slot from {@code slot} on that holds nothing; {@link SlotLayout#totalSlots()} if there is none. */
    public long firstFree(long slot) {
        return firstUncovered(slot, 1);
    }

    /** Whether the slot that a quotient would like to have holds nothing. */
    public boolean isHomeFree(long quotient) {
        int block = (int) (quotient >>> BLOCK_SHIFT);
        int base = Words.LEAD + block * stride;
        int position = SlotLayout.inBlock(quotient);
        int offset = storedOffset(block);
        long occupied = words[base + OCCUPIED];
        long ends = words[base + RUN_ENDS] & -1L << offset;
        // Free if it follows the offset and there are as many run ends before it as runs up to it.
        return offset <= position && Long.bitCount(occupied << ~position) <= Select.rank(ends, position);
    }

    /** Makes the first run of a quotient whose {@linkplain #isHomeFree(long) home is free}: nothing moves. */
    public void openAtHome(long quotient, long remainder) {
        slots.setRemainder(quotient, remainder);
        int base = slots.base(quotient);
        words[base + OCCUPIED] |= 1L << quotient;
        words[base + RUN_ENDS] |= 1L << quotient;
    }

    /** The last of the slots that move down by one when the slot {@code at} is closed: {@code at} itself if none does. */
    public long lastMoving(long at) {
        return firstUncovered(at + 1, 0) - 1;
    }

    /**
     * Opens the slot {@code at} in the run of a quotient: the slots from it to the one before {@code free} move up.
     *
     * @param at within the run, or one past its end; {@link #newRunAt(long)} where there is no run yet
     * @param free {@link #firstFree(long)} of {@code at}
     * @param endsRun whether the slot becomes the last of its run; true for a run's only slot
     */
    public void open(long quotient, long at, long free, long remainder, boolean endsRun) {
        slots.shiftUp(at, free);
        slots.setRemainder(at, remainder);
        if (!isOccupied(quotient)) {
            words[slots.base(quotient) + OCCUPIED] |= 1L << quotient;
        } else if (endsRun) {
            slots.setRunEnd(at - 1, false);
        }
        slots.setRunEnd(at, endsRun);
        for (int block = SlotLayout.block(quotient) + 1; block <= SlotLayout.block(free); block++) {
            int stored = storedOffset(block);
            if (stored < OFFSET_SATURATED) {
                storeOffset(block, stored + 1);
            }
        }
    }

    /**
     * Closes the slot {@code at} in the run of a quotient: the slots from the next one to {@code last} move down.
     *
     * @param last {@link #lastMoving(long)} of {@code at}
     */
    public void close(long quotient, long at, long last) {
        long end = runEnd(quotient);
        if (runStart(quotient, end) == end) {
            words[slots.base(quotient) + OCCUPIED] &= ~(1L << quotient);
        } else if (at == end) {
            slots.setRunEnd(at - 1, true);
        }
        slots.shiftDown(at, last);
        for (int block = SlotLayout.block(quotient) + 1; block <= SlotLayout.block(last); block++) {
            int stored = storedOffset(block);
            storeOffset(block, stored < OFFSET_SATURATED ? stored - 1 : walkOffset(block));
        }
    }

    /** The nearest occupied quotient below one; -1 if there is none. */
    public long occupiedBefore(long quotient) {
        int block = SlotLayout.block(quotient);
        long occupied = words[slots.base(quotient) + OCCUPIED] & ~(-1L << quotient);
        while (occupied == 0) {
            if (--block < 0) {
                return -1;
            }
            occupied = words[slots.layout.base(block) + OCCUPIED];
        }
        return ((long) block << BLOCK_SHIFT) + Long.SIZE - 1 - Long.numberOfLeadingZeros(occupied);
    }

    /** The nearest occupied quotient from one on; {@link SlotLayout#totalSlots()} if there is none. */
    public long occupiedFrom(long quotient) {
        int block = SlotLayout.block(quotient);
        if (block >= blockCount) {
            return slots.layout.totalSlots();
        }
        long occupied = words[slots.base(quotient) + OCCUPIED] & -1L << quotient;
        while (occupied == 0) {
            if (++block >= blockCount) {
                return slots.layout.totalSlots();
            }
            occupied = words[slots.layout.base(block) + OCCUPIED];
        }
        return ((long) block << BLOCK_SHIFT) + Long.numberOfTrailingZeros(occupied);
    }

    /** How many slots from a block's first one on belong to quotients of earlier blocks. */
    long offset(int block) {
        int stored = storedOffset(block);
        return stored < OFFSET_SATURATED ? stored : walkOffset(block);
    }

    int storedOffset(int block) {
        return (int) (offsets[Words.LEAD + (block >>> 3)] >>> (block << 3)) & OFFSET_SATURATED;
    }

    /** Stores an offset, or the mark of one that is too large. */
    void storeOffset(int block, long offset) {
        int at = Words.LEAD + (block >>> 3);
        int shift = block << 3;
        long kept = offsets[at] & ~((long) OFFSET_SATURATED << shift);
        offsets[at] = kept | (Math.min(offset, OFFSET_SATURATED) << shift);
    }

    /** The offset by counting from the nearest earlier block whose stored offset is exact. */
    private long walkOffset(int block) {
        int from = block - 1;
        while (storedOffset(from) == OFFSET_SATURATED) {
            from--;
        }
        long next = ((long) from << BLOCK_SHIFT) + storedOffset(from);
        for (int each = from; each < block; each++) {
            int runs = Long.bitCount(words[slots.layout.base(each) + OCCUPIED]);
            if (runs > 0) {
                next = nthRunEnd(Math.max(next, (long) each << BLOCK_SHIFT), runs) + 1;
            }
        }
        return Math.max(0, next - ((long) block << BLOCK_SHIFT));
    }

    /** The n-th run end, counted from 1, from a slot on. */
    private long nthRunEnd(long slot, int n) {
        int block = SlotLayout.block(slot);
        if (block >= blockCount) {
            return slots.layout.totalSlots() - 1;
        }
        long ends = words[slots.base(slot) + RUN_ENDS] & -1L << slot;
        int missing = n;
        int here = Long.bitCount(ends);
        while (here < missing) {
            missing -= here;
            if (++block >= blockCount) {
                return slots.layout.totalSlots() - 1;
            }
            ends = words[slots.layout.base(block) + RUN_ENDS];
            here = Long.bitCount(ends);
        }
        return ((long) block << BLOCK_SHIFT) + Select.select(ends, missing - 1);
    }

    /**
     * The first slot from {@code slot} on that no run covers of a quotient below {@code slot + own}: a free slot for
     * {@code own} 1; for 0, one that is free or whose run is at home.
     */
    private long firstUncovered(long slot, long own) {
        for (int block = SlotLayout.block(slot); block < blockCount; block = SlotLayout.block(slot)) {
            long blockStart = (long) block << BLOCK_SHIFT;
            long first = blockStart + offset(block);
            slot = Math.max(slot, first);
            if (SlotLayout.block(slot) != block) {
                continue;
            }
            int base = slots.layout.base(block);
            int position = SlotLayout.inBlock(slot);
            long occupied = words[base + OCCUPIED];
            long ends = words[base + RUN_ENDS] & -1L << first;
            // Such a slot is the first one looked at or follows a run end; a free one has neither bit.
            long candidates = (ends << 1 | 1L << position) & -1L << position & ~((occupied | ends) & -own);
            while (candidates != 0) {
                int candidate = Long.numberOfTrailingZeros(candidates);
                int openRuns = Select.rank(occupied, candidate) - Select.rank(ends, candidate);
                if (openRuns <= 0) {
                    return blockStart + candidate;
                }
                // Each of them takes at least one slot more.
                candidates &= -2L << Math.min(SLOT_MASK, candidate + openRuns - 1);
            }
            slot = blockStart + SlotLayout.SLOTS_PER_BLOCK;
        }
        return slots.layout.totalSlots();
    }
}
