package dev.besom.guard.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database as a role sees it that must not change the schema. */
final class SourceWithoutDdl {

    private SourceWithoutDdl() {}

    static DataSource of(DataSource inner) {
        return wrap(DataSource.class, inner);
    }

    private static <T> T wrap(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                SourceWithoutDdl.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("execute")
                && arguments != null
                && !String.valueOf(arguments[0]).startsWith("SELECT")) {
            throw new SQLException("permission denied", "42501");
        }
        try {
            Object result = method.invoke(target, arguments);
            boolean isWrapped = method.getReturnType() == Connection.class || method.getReturnType() == Statement.class;
            return result != null && isWrapped ? wrap(method.getReturnType(), result) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
