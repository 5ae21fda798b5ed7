package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of a store whose calls are numbered, and of the guards that stand before it one after the other. A failure is
 * followed by a look at everything that the store holds after each of the next steps.
 *
 * @param <G> the guards
 */
public abstract class FailingLife<G extends Guard<Long, Long>> {

    /** So many steps after its failure a late change takes effect, and so long everything is looked at after each step. */
    private static final int STEPS_LATE = 5;

    /** So many steps where several calls have failed: enough for a filter to grow meanwhile. */
    private static final int STEPS_VERY_LATE = 60;

    private final NumberedCalls calls;
    private final int keys;
    private @Nullable G guard;
    private long missing = -1;
    private long failuresSeen;
    private int stepsSinceFailure;

    /**
     * A life that has not begun.
     *
     * @param keys how many keys the filters are planned for
     */
    protected FailingLife(NumberedCalls calls, int keys) {
        this.calls = calls;
        this.keys = keys;
    }

    /** Lives, from the first guard's beginning to the last one's end. */
    public final void live() {
        guard = opened();
        unfold();
        step(guard()::close);
        assertThat(calls.count()).isGreaterThan(keys);
    }

    /** What happens in between. */
    protected abstract void unfold();

    /** Opens a guard; again, if that fails. */
    protected abstract G opened();

    /** Stores a key. */
    protected abstract void put(long key, long value);

    /** Removes a key. */
    protected abstract void remove(long key);

    /** Everything that the store holds. */
    protected abstract void forEachStored(BiConsumer<Long, Long> action);

    /** The guard of the moment. */
    protected final G guard() {
        return Objects.requireNonNull(guard);
    }

    /** Looks keys up that are not stored. */
    protected final void misses(int count) {
        for (int i = 0; i < count; i++) {
            long key = missing--;
            step(() -> guard().get(key));
        }
    }

    /** Puts so many keys that the filters grow; removes some of them meanwhile, and some that are not there. */
    protected final void grow() {
        for (long key = 1_000; key < 1_000 + 2L * keys; key++) {
            put(key, key);
            if (key % 5 == 0) {
                remove(key % 2 == 0 ? key / 3 : key - 20);
            }
            if (key % 7 == 0) {
                misses(2);
            }
        }
    }

    /** Puts some keys in the place of others. As there are not more of them, a snapshot from before looks as good as it was. */
    protected final void swapSome() {
        for (long key = 30; key < 36; key++) {
            put(20_000 + key, key);
            remove(key);
        }
    }

    /** Removes keys so soon that a put that has failed may bring them back. */
    protected final void comeAndGo() {
        for (long key = 30_000; key < 30_012; key += 2) {
            put(key, 1);
            put(key, 2);
            remove(key);
        }
    }

    /** Removes some of the keys by which the filters have grown. */
    protected final void removeSome() {
        for (long key = 1_000; key < 1_030; key++) {
            remove(key);
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
        step(guard()::close);
        guard = opened();
        checkAll();
    }

    /** Makes a step; false if it failed. */
    protected final boolean step(Runnable step) {
        boolean isMade = true;
        try {
            step.run();
        } catch (Outage | StoreException | UncheckedIOException e) {
            // The caller has been told. What the store holds counts.
            isMade = false;
        }
        if (calls.failures() > failuresSeen) {
            failuresSeen = calls.failures();
            stepsSinceFailure = 0;
        } else {
            stepsSinceFailure++;
        }
        boolean isDelivered = stepsSinceFailure == (failuresSeen > 1 ? STEPS_VERY_LATE : STEPS_LATE);
        if (isDelivered) {
            calls.deliver();
        }
        boolean isLookedAt = isDelivered || stepsSinceFailure <= STEPS_LATE;
        if (failuresSeen > 0 && isLookedAt && guard().state() != GuardState.CLOSED) {
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
