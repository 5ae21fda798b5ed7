package dev.besom.guard;

import dev.besom.guard.store.RejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Numbers the calls of a store, the first is 0, and lets those fail that a plan says. */
public final class NumberedCalls {

    /** How a call fails. */
    public enum Manner {
        /** Before it has any effect. */
        BEFORE,
        /** After its effect: the acknowledgement is lost. */
        AFTER,
        /** Before its effect, which a change has some time later. */
        LATE,
        /** A change has had no effect and will have none, and says so. */
        REFUSED
    }

    /** Which calls fail, from the first to the last of them. */
    public record Plan(Manner manner, long first, long last) {

        /** No call fails. */
        public static final Plan NONE = new Plan(Manner.BEFORE, -1, -1);
    }

    /** What a call that fails throws. */
    public static final class Outage extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Plan plan;
    private final List<Runnable> late = new ArrayList<>();
    private long count;
    private long failures;
    private boolean isPaused;

    /** No call yet. */
    public NumberedCalls(Plan plan) {
        this.plan = plan;
    }

    /** How many calls there were. */
    public long count() {
        return count;
    }

    /** How many of them have failed. */
    public long failures() {
        return failures;
    }

    /** Makes something whose calls have no number and do not fail. */
    public <T> T aside(Supplier<T> action) {
        boolean wasPaused = isPaused;
        isPaused = true;
        try {
            return action.get();
        } finally {
            isPaused = wasPaused;
        }
    }

    private boolean fails() {
        if (isPaused) {
            return false;
        }
        long number = count++;
        boolean fails = plan.first() <= number && number <= plan.last();
        failures += fails ? 1 : 0;
        return fails;
    }

    /** A call that changes nothing. */
    public <T> T read(Supplier<T> call) {
        if (fails()) {
            throw new Outage();
        }
        return call.get();
    }

    /** A call that changes something. */
    public <T> T change(Supplier<T> call) {
        if (!fails()) {
            return call.get();
        }
        switch (plan.manner()) {
            case AFTER -> make(call);
            case LATE -> late.add(() -> make(call));
            case REFUSED -> throw new RejectedException("refused", new Outage());
            default -> {}
        }
        throw new Outage();
    }

    /** Lets the changes take effect that are late. */
    public void deliver() {
        late.forEach(Runnable::run);
        late.clear();
    }

    /** Nobody is told what the call returns. */
    private static void make(Supplier<?> call) {
        Object unused = call.get();
    }
}
