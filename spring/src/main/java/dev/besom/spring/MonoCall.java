package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Mono;

/** Calls a method that returns a Mono: at each subscription, where the guard says "maybe". */
final class MonoCall implements GuardedCall {

    private final Absence absence;

    MonoCall(Absence absence) {
        this.absence = absence;
    }

    static boolean isFor(Class<?> type) {
        return type == Mono.class;
    }

    @Override
    public Object call(Guard<Object, ?> guard, Object key, MethodInvocation invocation, Executor executor) {
        return Mono.defer(() -> {
            CompletableFuture<@Nullable Object> read = new CompletableFuture<>();
            boolean[] isMaybe = {false};
            var unused = guard.async(executor).lookUp(key, asked -> {
                isMaybe[0] = true;
                return read;
            });
            return isMaybe[0]
                    ? proceed(invocation, read)
                    : Mono.justOrEmpty(absence.answer().get());
        });
    }

    /** The method's own Mono, which tells the guard how it ends. */
    private Mono<Object> proceed(MethodInvocation invocation, CompletableFuture<@Nullable Object> read) {
        Mono<?> mono;
        try {
            // An invocation is good for one call, and a Mono for any number of subscriptions.
            Object returned =
                    ((ProxyMethodInvocation) invocation).invocableClone().proceed();
            mono = returned instanceof Mono<?> own ? own : Mono.empty();
        } catch (Throwable e) {
            read.completeExceptionally(e);
            return Mono.error(e);
        }
        return mono.doOnSuccess(answer -> read.complete(absence.isAbsent().test(answer) ? null : answer))
                .doOnError(read::completeExceptionally)
                .doOnCancel(() -> read.completeExceptionally(new CancellationException("the subscriber has left")))
                .map(answer -> answer);
    }
}
