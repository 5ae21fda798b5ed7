package dev.besom.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;

class PostgresRepositoryTest extends GuardedRepositoryPromises {

    private @Nullable EmbeddedPostgres postgres;

    @Override
    void startDatabase() {
        try {
            postgres = EmbeddedPostgres.start();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
    }

    @AfterAll
    void stopDatabase() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    Map<String, String> database() {
        return Map.of(
                "spring.datasource.url",
                Objects.requireNonNull(postgres).getJdbcUrl("postgres", "postgres"),
                "spring.datasource.username",
                "postgres");
    }
}
