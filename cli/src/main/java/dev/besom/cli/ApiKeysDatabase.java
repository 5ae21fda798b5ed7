package dev.besom.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * The database of a scenario: the user's own, or a PostgreSQL that is started for it and goes with it. The launcher fetches
 * that one when it is needed first, so nothing here names its types.
 */
final class ApiKeysDatabase implements AutoCloseable {

    private static final String EMBEDDED = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";

    private final String url;
    private final @Nullable AutoCloseable started;

    private ApiKeysDatabase(String url, @Nullable AutoCloseable started) {
        this.url = url;
        this.started = started;
    }

    static ApiKeysDatabase of(String url) {
        return new ApiKeysDatabase(url, null);
    }

    /**
     * Starts a PostgreSQL.
     *
     * @throws InputException if it was not fetched
     */
    static ApiKeysDatabase start() throws IOException {
        try {
            Class<?> type = Class.forName(EMBEDDED);
            AutoCloseable server = (AutoCloseable) type.getMethod("start").invoke(null);
            String url = (String)
                    type.getMethod("getJdbcUrl", String.class, String.class).invoke(server, "postgres", "postgres");
            return new ApiKeysDatabase(url, server);
        } catch (ClassNotFoundException e) {
            throw new InputException(
                    "--scenario: there is no PostgreSQL on the class path, which the launcher fetches; name a database of"
                            + " your own by --store jdbc:URL",
                    e);
        } catch (InvocationTargetException e) {
            throw new IOException("PostgreSQL does not start: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IOException("PostgreSQL does not start: " + e, e);
        }
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws IOException {
        if (started != null) {
            try {
                started.close();
            } catch (Exception e) {
                throw new IOException("PostgreSQL does not stop: " + e.getMessage(), e);
            }
        }
    }
}
