package dev.besom.guard.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database whose calls somebody else sees the results of, and may change. */
final class InterceptedSource {

    private static final Set<Class<?>> WRAPPED = Set.of(Connection.class, PreparedStatement.class);

    private InterceptedSource() {}

    /** Takes the result of a call, and gives another one. */
    @FunctionalInterface
    interface Interceptor {
        @Nullable
        Object result(String method, @Nullable Object result) throws SQLException;
    }

    static DataSource of(DataSource inner, Interceptor interceptor) {
        return wrap(DataSource.class, inner, interceptor);
    }

    private static <T> T wrap(Class<T> type, Object target, Interceptor interceptor) {
        return type.cast(Proxy.newProxyInstance(
                InterceptedSource.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments, interceptor)));
    }

    private static @Nullable Object call(
            Object target, Method method, Object @Nullable [] arguments, Interceptor interceptor) throws Throwable {
        try {
            Object result = interceptor.result(method.getName(), method.invoke(target, arguments));
            return result != null && WRAPPED.contains(method.getReturnType())
                    ? wrap(method.getReturnType(), result, interceptor)
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
