package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** How a guarded method is called, or not called. */
interface GuardedCall {

    /**
     * Calls the method where the guard says "maybe".
     *
     * @param executor where repairs are made for callers that do not wait
     * @return what the method has returned, or its absence
     */
    @Nullable
    Object call(Guard<Object, ?> guard, Object key, MethodInvocation invocation, Executor executor) throws Throwable;

    /** The call of a method of that return type that is neither a stage nor a Mono. */
    static GuardedCall waiting(Absence absence) {
        return (guard, key, invocation, executor) -> {
            Proceeding proceeding = new Proceeding(invocation);
            try {
                guard.lookUp(key, asked -> {
                    Object answer = proceeding.run();
                    return absence.isAbsent().test(answer) ? null : answer;
                });
            } catch (CheckedFailure e) {
                throw e.getCause();
            }
            return proceeding.wasCalled
                    ? proceeding.outcome()
                    : absence.answer().get();
        };
    }

    /** The call of a method that returns a stage. */
    static GuardedCall staged(Absence absence) {
        return (guard, key, invocation, executor) -> {
            Proceeding proceeding = new Proceeding(invocation);
            var unused = guard.async(executor).lookUp(key, asked -> {
                if (proceeding.run() instanceof CompletionStage<?> stage) {
                    return stage.thenApply(answer -> absence.isAbsent().test(answer) ? null : answer);
                }
                return CompletableFuture.completedFuture(null);
            });
            return proceeding.wasCalled
                    ? proceeding.outcome()
                    : CompletableFuture.completedFuture(absence.answer().get());
        };
    }

    /** The way to call a method that returns something of a type that may be waited for, or null if it is none. */
    static @Nullable GuardedCall ofWrapper(ResolvableType type) {
        Class<?> returned = type.resolve(Object.class);
        if (returned == CompletionStage.class || returned == CompletableFuture.class) {
            return staged(Absence.within(type));
        }
        if (isReactorThere() && MonoCall.isFor(returned)) {
            return new MonoCall(Absence.within(type));
        }
        return null;
    }

    private static boolean isReactorThere() {
        return ClassUtils.isPresent("reactor.core.publisher.Mono", GuardedCall.class.getClassLoader());
    }

    /** The method's own call, whose exceptions go through a guard that knows only unchecked ones. */
    final class Proceeding {

        private final MethodInvocation invocation;
        private boolean wasCalled;
        private @Nullable Object answer;
        private @Nullable Throwable failure;

        Proceeding(MethodInvocation invocation) {
            this.invocation = invocation;
        }

        @Nullable
        Object run() {
            wasCalled = true;
            try {
                answer = invocation.proceed();
                return answer;
            } catch (RuntimeException | Error e) {
                failure = e;
                throw e;
            } catch (Throwable e) {
                failure = e;
                throw new CheckedFailure(e);
            }
        }

        /** What the method has returned or thrown. */
        @Nullable
        Object outcome() throws Throwable {
            if (failure != null) {
                throw failure;
            }
            return answer;
        }
    }

    /** Carries a checked exception. */
    final class CheckedFailure extends RuntimeException {
        CheckedFailure(Throwable cause) {
            super(cause);
        }

        @Override
        public synchronized Throwable getCause() {
            return Objects.requireNonNull(super.getCause());
        }
    }
}
