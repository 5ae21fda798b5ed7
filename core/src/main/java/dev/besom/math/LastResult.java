package dev.besom.math;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pure function that remembers its last result, for sizes that take long to find and are mostly wanted again: the shards of a guard
 * and the filters of a program have one rate. Any number of threads may ask.
 */
public final class LastResult<A, R> {

    private final Function<A, R> function;
    private final AtomicReference<@Nullable Pair<A, R>> last = new AtomicReference<>();

    public LastResult(Function<A, R> function) {
        this.function = function;
    }

    private record Pair<A, R>(A argument, R result) {}

    /** What the function makes of an argument; what it throws is not remembered. */
    public R of(A argument) {
        Pair<A, R> known = last.get();
        if (known != null && known.argument.equals(argument)) {
            return known.result;
        }
        R result = function.apply(argument);
        last.set(new Pair<>(argument, result));
        return result;
    }
}
