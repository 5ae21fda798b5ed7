package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Stands before guarded methods. */
final class GuardedInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;
    private final Supplier<Guards> guards;
    private final Executor executor = ForkJoinPool.commonPool();

    GuardedInterceptor(GuardedMethods methods, Supplier<Guards> guards) {
        this.methods = methods;
        this.guards = guards;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target != null
                ? AopUtils.getTargetClass(target)
                : invocation.getMethod().getDeclaringClass();
        Optional<GuardedMethod> found = methods.find(invocation.getMethod(), type);
        if (found.isEmpty()) {
            return invocation.proceed();
        }
        GuardedMethod method = found.get();
        Object argument = invocation.getArguments()[method.keyIndex()];
        Guards open = guards.get();
        if (argument == null || open.isClosed()) {
            return invocation.proceed();
        }
        OpenTableGuard<?> table = open.tableOrNull(method.guard());
        if (table != null && table.isPassedBy()) {
            return invocation.proceed();
        }
        Object key = table != null ? table.form().ofArgument().apply(argument) : argument;
        return method.call().call(ofAnyKeys(open.guard(method.guard())), key, invocation, executor);
    }

    /** The type of the parameter was compared with that of the guard's keys, where it is known. */
    @SuppressWarnings("unchecked")
    private static Guard<Object, ?> ofAnyKeys(Guard<?, ?> guard) {
        return (Guard<Object, ?>) guard;
    }
}
