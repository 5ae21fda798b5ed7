package dev.besom.guard;

import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * The life of a store whose calls are numbered, and of the guards that stand before it one after the other. A failure is
 * followed by a look at everything that the store holds after each of the next steps.
 */
public abstract class FailingLife {

    /** Calls that fail in a row in every second round. */
    private static final int SEVERAL = 4;

    /** So many steps after its failure a late change takes effect. */
    private static final int STEPS_LATE = 5;

    private final NumberedCalls calls;
    private long missing = -1;
    private long failuresSeen;
    private int stepsSinceFailure;

    /** A life that has not begun. */
    protected FailingLife(NumberedCalls calls) {
        this.calls = calls;
    }

    /**
     * Lives one and the same life again and again: each time other calls fail, until each has failed in every manner.
     *
     * @param life lives as a plan says, and returns how many calls there were
     * @param stride in one manner only the calls of one remainder by this number fail, in the next those of the next
     */
    public static void failEach(List<Manner> manners, int stride, ToLongFunction<Plan> life) {
        long calls = life.applyAsLong(Plan.NONE);
        int round = 0;
        for (Manner manner : manners) {
            for (int length : new int[] {1, SEVERAL}) {
                for (long first = round++ % stride; first < calls; first += stride) {
                    Plan plan = new Plan(manner, first, first + length - 1);
                    try {
                        long unused = life.applyAsLong(plan);
                    } catch (RuntimeException | Error e) {
                        throw new AssertionError(plan + " of " + calls, e);
                    }
                }
            }
        }
    }

    /** The guard of the moment. */
    protected abstract Guard<Long, Long> guard();

    /** Opens the next guard. */
    protected abstract void open();

    /** Everything that the store holds. */
    protected abstract void forEachStored(BiConsumer<Long, Long> action);

    /** Looks keys up that are not stored. */
    protected final void misses(int count) {
        for (int i = 0; i < count; i++) {
            long key = missing--;
            step(() -> guard().get(key));
        }
    }

    /** Makes a step; if it fails and the key is even, once more. */
    protected final void persistently(long key, Runnable step) {
        if (!step(step) && key % 2 == 0) {
            step(step);
        }
    }

    /** Takes a snapshot, unless puts are uncertain. */
    protected final void snapshot(Path file) {
        step(() -> {
            try {
                guard().snapshot(file);
            } catch (IllegalStateException e) {
                // Puts are uncertain.
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Ends one guard and opens the next. */
    protected final void reopen() {
        calls.deliver();
        step(() -> guard().close());
        open();
        checkAll();
    }

    /** Makes a step; false if it failed. */
    protected final boolean step(Runnable step) {
        boolean isMade = true;
        try {
            step.run();
        } catch (Outage | StoreException e) {
            // The caller has been told. What the store holds counts.
            isMade = false;
        }
        if (calls.failures() > failuresSeen) {
            failuresSeen = calls.failures();
            stepsSinceFailure = 0;
        } else if (++stepsSinceFailure == STEPS_LATE) {
            calls.deliver();
        }
        if (failuresSeen > 0 && stepsSinceFailure <= STEPS_LATE && guard().state() != GuardState.CLOSED) {
            checkAll();
        }
        return isMade;
    }

    private void checkAll() {
        calls.aside(() -> {
            forEachStored((key, value) -> {
                if (!value.equals(guard().get(key))) {
                    throw new AssertionError("key " + key + " is hidden");
                }
            });
            return true;
        });
    }
}
