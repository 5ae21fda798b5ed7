package dev.besom.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The database of a scenario: the user's own, or a PostgreSQL that is started for it and goes with it. */
final class ApiKeysDatabase implements AutoCloseable {

    private final String url;
    private final @Nullable EmbeddedPostgres started;

    private ApiKeysDatabase(String url, @Nullable EmbeddedPostgres started) {
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
        EmbeddedPostgres server = EmbeddedPostgres.start("--scenario");
        return new ApiKeysDatabase(server.url(), server);
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws IOException {
        if (started != null) {
            started.close();
        }
    }
}
