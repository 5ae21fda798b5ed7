package dev.besom.guard.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections that belong to nobody else and commit each statement by themselves.
 *
 * <p>A connection that does not commit by itself is one of two. Either its pool has it so by habit; then a change would be
 * rolled back with no word about it when the connection goes back. Or a source that knows transactions gave out the one that
 * the caller's thread has a transaction on; then committing would end that transaction, and a removal that is rolled back
 * later would leave a stored key without its hash in the filter. JDBC does not tell the two apart. But transactions are bound to
 * threads: so a connection that another thread opens and first uses is in no transaction, and is made to commit by itself
 * until it is given back as it was.
 */
final class OwnConnections implements DataSource {

    private static final int IDLE_SECONDS = 10;

    private static final ExecutorService OTHER_THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "besom-connection");
                thread.setDaemon(true);
                return thread;
            });

    private final DataSource source;

    /** Whether the source's connections do not commit by themselves, transaction or not. */
    private volatile boolean isOffByHabit;

    private OwnConnections(DataSource source) {
        this.source = source;
    }

    /** The connections of a source; a source of own connections as it is. */
    static DataSource of(DataSource source) {
        return source instanceof OwnConnections ? source : new OwnConnections(source);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!isOffByHabit) {
            Connection connection = source.getConnection();
            if (isCommitting(connection)) {
                return connection;
            }
            connection.close();
        }
        return openedElsewhere();
    }

    private static boolean isCommitting(Connection connection) throws SQLException {
        try {
            return connection.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            closeAfter(e, connection);
            throw e;
        }
    }

    private Connection openedElsewhere() throws SQLException {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        OTHER_THREADS.execute(() -> {
            try {
                Connection connection = open();
                if (!opened.complete(connection)) {
                    connection.close();
                }
            } catch (SQLException | RuntimeException | Error e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            return opened.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            SQLException failure = new SQLException("interrupted while a connection was opened", e);
            if (!opened.completeExceptionally(failure) && !opened.isCompletedExceptionally()) {
                closeAfter(failure, opened.join());
            }
            throw failure;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new SQLException("no connection could be opened", e.getCause());
        }
    }

    /** A connection of a thread that has no transaction. */
    private Connection open() throws SQLException {
        Connection connection = source.getConnection();
        if (isCommitting(connection)) {
            return connection;
        }
        try {
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException e) {
            closeAfter(e, connection);
            throw e;
        }
        isOffByHabit = true;
        return restoredOnClose(connection);
    }

    private static Connection restoredOnClose(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                OwnConnections.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("close") && !connection.isClosed()) {
                            restore(connection);
                        }
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void restore(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            // A connection that is broken goes as it is.
            if (connection.isValid(1)) {
                throw e;
            }
        }
    }

    private static void closeAfter(Exception failure, Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the source has its user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(source) || source.isWrapperFor(type);
    }
}
