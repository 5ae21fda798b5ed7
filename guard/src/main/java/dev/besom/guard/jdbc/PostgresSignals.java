package dev.besom.guard.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what PostgreSQL sends to a connection that listens. Its driver has a method of its own for that, which is called by
 * its name: Besom does without the driver otherwise.
 */
final class PostgresSignals {

    private static final String DRIVER = "org.postgresql.PGConnection";

    private final Object driver;
    private final Method getNotifications;

    private PostgresSignals(Object driver, Method getNotifications) {
        this.driver = driver;
        this.getNotifications = getNotifications;
    }

    /** The signals of a connection; null if its driver is another one. */
    static @Nullable PostgresSignals of(Connection connection) {
        try {
            Class<?> type = Class.forName(DRIVER, true, loader(connection));
            Object driver = connection.unwrap(type);
            return new PostgresSignals(driver, type.getMethod("getNotifications", int.class));
        } catch (ReflectiveOperationException | SQLException | RuntimeException e) {
            return null;
        }
    }

    /** That of the driver, as far as it can be seen behind a pool. */
    private static ClassLoader loader(Connection connection) throws SQLException {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        ClassLoader ofDriver = connection.getMetaData().getClass().getClassLoader();
        return ofDriver != null ? ofDriver : ofThread != null ? ofThread : ClassLoader.getSystemClassLoader();
    }

    /** Waits for a signal; false if none came in that time. */
    boolean await(int millis) throws SQLException {
        try {
            Object[] signals = (Object[]) getNotifications.invoke(driver, millis);
            return signals != null && signals.length > 0;
        } catch (IllegalAccessException e) {
            throw new SQLException("the driver does not let in", e);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new SQLException("the driver failed", e.getCause());
        }
    }
}
