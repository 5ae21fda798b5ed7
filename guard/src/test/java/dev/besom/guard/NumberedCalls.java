package dev.besom.guard;

import dev.besom.guard.store.RejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Numbers the calls of a store or of its files, the first is 0, and lets those fail that a plan says. */
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

    /**
     * A call that was made.
     *
     * @param way the lines that led to it, the innermost first: what the call is for. A change of the store that fails may take
     *     effect later, so what comes next counts as well: its way has the lines of the life
     * @param manners in which it can fail
     */
    public record Call(String way, Set<Manner> manners) {}

    private static final Set<Manner> OF_READS = EnumSet.of(Manner.BEFORE);
    private static final Set<Manner> OF_FILES = EnumSet.of(Manner.BEFORE, Manner.AFTER);
    private static final Set<Manner> OF_CHANGES = EnumSet.allOf(Manner.class);

    /** What a call that fails throws. */
    public static final class Outage extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Plan plan;
    private final boolean isRecorded;
    private final List<Call> made = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private long count;
    private long failures;
    private boolean isPaused;

    /** No call yet. */
    public NumberedCalls(Plan plan) {
        this(plan, false);
    }

    private NumberedCalls(Plan plan, boolean isRecorded) {
        this.plan = plan;
        this.isRecorded = isRecorded;
    }

    /** Calls of which none fails, and of which it is known which they were. */
    public static NumberedCalls recorded() {
        return new NumberedCalls(Plan.NONE, true);
    }

    /** The calls that were made, if they are recorded. */
    public List<Call> made() {
        return made;
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

    private boolean fails(Set<Manner> manners) {
        if (isPaused) {
            return false;
        }
        if (isRecorded) {
            made.add(new Call(way(manners.equals(OF_CHANGES)), manners));
        }
        long number = count++;
        boolean fails = plan.first() <= number && number <= plan.last();
        failures += fails ? 1 : 0;
        return fails;
    }

    /** Up to the step of a life, or the opening, that a call belongs to; for a change of the store up to the life's beginning. */
    private static String way(boolean isChange) {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().startsWith("dev.besom.guard."))
                        .takeWhile(frame -> !frame.getMethodName().equals("opened")
                                && (isChange || !frame.getClassName().equals(FailingLife.class.getName())))
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .collect(Collectors.joining(" ")));
    }

    /** A call that changes nothing. */
    public <T> T read(Supplier<T> call) {
        if (fails(OF_READS)) {
            throw new Outage();
        }
        return call.get();
    }

    /** A call that changes something. */
    public <T> T change(Supplier<T> call) {
        if (!fails(OF_CHANGES)) {
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

    /** A call that reads a file. */
    public void readFile(FailingDisk.FileCall call) throws IOException {
        makeFileCall(call, OF_READS);
    }

    /** A call that changes a file. */
    public void changeFile(FailingDisk.FileCall call) throws IOException {
        makeFileCall(call, OF_FILES);
    }

    private void makeFileCall(FailingDisk.FileCall call, Set<Manner> manners) throws IOException {
        boolean fails = fails(manners);
        if (!fails || (plan.manner() == Manner.AFTER && manners.contains(Manner.AFTER))) {
            call.make();
        }
        if (fails) {
            throw new IOException("the disk fails");
        }
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
