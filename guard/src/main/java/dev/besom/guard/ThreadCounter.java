package dev.besom.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * An exact count that most threads add to without an atomic operation, which would make all reads behind it wait.
 *
 * <pre>
 *   a cell    | owner: a thread's number, 0 for none | count | ticks | ... two cache lines
 * </pre>
 *
 * A thread has one cell to go to, by its number. If nobody owns it, the thread does, for ever: no two threads that live have
 * one number. Only the owner writes its count. All others add to a {@link LongAdder}.
 */
final class ThreadCounter {

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int CELLS = 64;

    /** Two cache lines, so that threads do not take them from each other. */
    private static final int CELL_LENGTH = 16;

    private static final int COUNT = 1;
    private static final int TICKS = 2;

    /** The first cell begins a cell's length behind the array's header. */
    private final long[] cells = new long[(CELLS + 1) * CELL_LENGTH];

    private final LongAdder others = new LongAdder();

    private static int cellOf(long thread) {
        return ((int) thread & CELLS - 1) * CELL_LENGTH + CELL_LENGTH;
    }

    /** Adds one. */
    void increment() {
        long thread = Thread.currentThread().getId();
        int cell = cellOf(thread);
        long owner = cells[cell];
        if (owner == thread || (owner == 0 && LONGS.compareAndSet(cells, cell, 0L, thread))) {
            LONGS.setOpaque(cells, cell + COUNT, cells[cell + COUNT] + 1);
        } else {
            others.increment();
        }
    }

    /** Adds a number. */
    void add(long number) {
        others.add(number);
    }

    /** True where the count of a thread is a multiple of a power of two; writes nothing. Of threads that share a cell, about. */
    boolean isMultiple(int of) {
        return (cells[cellOf(Thread.currentThread().getId()) + COUNT] & of - 1) == 0;
    }

    /** True once in so many calls of a thread, about. Threads that share a cell lose ticks to each other, which does no harm. */
    boolean isTick(int every) {
        return (cells[cellOf(Thread.currentThread().getId()) + TICKS]++ & every - 1) == 0;
    }

    /** The sum of all that was added before. */
    long sum() {
        long sum = others.sum();
        for (int cell = CELL_LENGTH; cell < cells.length; cell += CELL_LENGTH) {
            sum += (long) LONGS.getOpaque(cells, cell + COUNT);
        }
        return sum;
    }
}
