package dev.besom.guard.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A source that gives out the connection on which the caller's thread has a transaction, as those of frameworks do; other
 * threads get one of their own. Connections commit by themselves, or do not by habit; then what nobody has committed is rolled
 * back when they are closed.
 */
final class TransactionalSource {

    private final DataSource inner;
    private final boolean isCommitting;
    private final Map<Thread, Connection> transactions = new ConcurrentHashMap<>();

    /** How many connections came back otherwise than they were given out. */
    final AtomicInteger changed = new AtomicInteger();

    TransactionalSource(DataSource inner, boolean isCommitting) {
        this.inner = inner;
        this.isCommitting = isCommitting;
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    Connection bound = transactions.get(Thread.currentThread());
                    return bound == null ? pooled() : withClose(bound, () -> {});
                });
    }

    /** Begins a transaction of this thread, and returns its connection. */
    Connection begin() throws SQLException {
        Connection connection = inner.getConnection();
        connection.setAutoCommit(false);
        transactions.put(Thread.currentThread(), connection);
        return connection;
    }

    /** Ends the transaction of this thread with nothing done. */
    void rollBack() throws SQLException {
        try (Connection connection = Objects.requireNonNull(transactions.remove(Thread.currentThread()))) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private Connection pooled() throws SQLException {
        Connection connection = inner.getConnection();
        connection.setAutoCommit(isCommitting);
        return withClose(connection, () -> {
            if (connection.getAutoCommit() != isCommitting) {
                changed.incrementAndGet();
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            connection.close();
        });
    }

    /** How a connection is given back. */
    @FunctionalInterface
    private interface Closing {
        void run() throws SQLException;
    }

    private static Connection withClose(Connection connection, Closing closing) {
        return (Connection) Proxy.newProxyInstance(
                TransactionalSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closing.run();
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
