package dev.besom.guard.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database of which one call fails, before it takes effect or after it. The connection is dead from then on: all its
 * further calls fail in another way, as those of a real one do.
 */
final class FailingSource implements DataSource {

    private static final String CLOSE = "close";

    /** What the failing call throws. */
    static final class Outage extends SQLException {
        private static final long serialVersionUID = 1L;
    }

    private final DataSource inner;
    private long callsUntilFailure = Long.MAX_VALUE;
    private boolean failsAfterwards;
    private @Nullable Outage outage;

    FailingSource(DataSource inner) {
        this.inner = inner;
    }

    /** Lets one of the next calls fail, of the source, its connections, statements or rows. */
    void failAt(long call, boolean afterwards) {
        callsUntilFailure = call;
        failsAfterwards = afterwards;
        outage = null;
    }

    /** Ends failing, and returns what was thrown; null if there were not so many calls. */
    @Nullable
    Outage endFailing() {
        callsUntilFailure = Long.MAX_VALUE;
        return outage;
    }

    private boolean isFailing() {
        return --callsUntilFailure == 0;
    }

    private Outage fail() {
        Outage thrown = new Outage();
        outage = thrown;
        return thrown;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (isFailing()) {
            throw fail();
        }
        return wrap(Connection.class, inner.getConnection(), new AtomicBoolean());
    }

    private <T> T wrap(Class<T> type, Object target, AtomicBoolean isDead) {
        InvocationHandler handler = (proxy, method, arguments) -> call(target, method, arguments, isDead);
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments, AtomicBoolean isDead)
            throws Throwable {
        try {
            // Called by a thread of its own, at any time.
            if (method.getName().equals(CLOSE) || method.getName().equals("isValid")) {
                return method.invoke(target, arguments);
            }
            if (isDead.get()) {
                throw new SQLException("the connection is dead");
            }
            boolean isFailing = isFailing();
            if (isFailing && !failsAfterwards) {
                isDead.set(true);
                throw fail();
            }
            Object result = method.invoke(target, arguments);
            if (isFailing) {
                isDead.set(true);
                throw fail();
            }
            Class<?> type = method.getReturnType();
            return result != null && type.isInterface() ? wrap(type, result, isDead) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return inner.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return inner.isWrapperFor(type);
    }
}
