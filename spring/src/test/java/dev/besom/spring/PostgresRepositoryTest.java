package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.spring.app.Accounts;
import dev.besom.spring.app.User;
import dev.besom.spring.app.UserRepository;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

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

    /** Rows of plain SQL and of entities, which no guard was told of. */
    @Test
    void whatAnybodyStoresIsFoundInTimeUnderTheContractFeed() throws Exception {
        stop();
        String contract = "besom.guards.users-email.contract=feed";
        try {
            assertThatThrownBy(() -> run(contract).close())
                    .satisfies(failure -> assertThat(
                                    Objects.requireNonNull(new GuardSetupFailureAnalyzer().analyze(failure))
                                            .getAction())
                            .contains("besom.guards.users-email.create-feed=true")
                            .contains("CREATE TRIGGER"));
            try (ConfigurableApplicationContext one = run(contract, "besom.guards.users-email.create-feed=true");
                    ConfigurableApplicationContext other = run(contract)) {
                assertFeed(one, other);
            }
        } finally {
            application = run();
        }
    }

    private static void assertFeed(ConfigurableApplicationContext one, ConfigurableApplicationContext other)
            throws InterruptedException {
        UserRepository users = one.getBean(UserRepository.class);
        UserRepository far = other.getBean(UserRepository.class);
        other.getBean(Guards.class).guard("users-email").ready().join();
        for (int round = 0; round < 3; round++) {
            String plain = "plain" + round + "@example.org";
            users.save(new User(plain));
            String sql = "sql" + round + "@example.org";
            one.getBean(JdbcTemplate.class)
                    .update("INSERT INTO users (id, email, active) VALUES (?, ?, TRUE)", 1_000_000 + round, sql);
            // A "no" is at most a second old.
            Thread.sleep(1_000);
            assertThat(far.existsByEmail(plain)).isTrue();
            assertThat(far.existsByEmail(sql)).isTrue();
            assertThat(users.existsByEmail(sql)).isTrue();
            String through = "through" + round + "@example.org";
            assertThat(users.existsByEmail(through)).isFalse();
            one.getBean(Accounts.class).register(through);
            assertThat(users.existsByEmail(through)).as("here at once").isTrue();
        }
        List<String> together = List.of("feed1@example.org", "feed2@example.org");
        assertThat(one.getBean(Accounts.class).registerTogether(together, false))
                .as("found before the commit")
                .isTrue();
        assertFilterAnswers(other.getBean(Guards.class).guard("users-email"), far);
    }

    /** It does whenever the feed was followed within the last second, which may take some time on a busy machine. */
    private static void assertFilterAnswers(Guard<?, ?> guard, UserRepository users) {
        guard.resetStatistics();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        for (int i = 0; guard.statistics().answeredByFilter() == 0 && System.nanoTime() < deadline; i++) {
            assertThat(users.existsByEmail("nobody" + i + "@example.org")).isFalse();
        }
        assertThat(guard.statistics().answeredByFilter()).isPositive();
    }
}
