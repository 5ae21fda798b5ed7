package dev.besom.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections to the database of a URL. A connection that is closed is kept for the next one who wants one. */
final class UrlSource implements DataSource, AutoCloseable {

    private final String url;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final List<Connection> all = new ArrayList<>();

    UrlSource(String url) {
        this.url = url;
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection connection = idle.isEmpty() ? connect() : idle.pop();
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                giveBack(connection);
                return null;
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Connection)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Connection.class}, handler);
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        all.add(connection);
        return connection;
    }

    private synchronized void giveBack(Connection connection) {
        idle.push(connection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    /** Closes all connections, also those that somebody has. */
    @Override
    public synchronized void close() throws IOException {
        idle.clear();
        try {
            for (Connection connection : all) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
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
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
