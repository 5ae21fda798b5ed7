package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.spring.app.Accounts;
import dev.besom.spring.app.Application;
import dev.besom.spring.app.Reads;
import dev.besom.spring.app.User;
import dev.besom.spring.app.UserRepository;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application with a guarded repository is promised, on each database. The tests share one application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GuardedRepositoryPromises {

    private static final int OLD_USERS = 100;

    private @Nullable ConfigurableApplicationContext application;

    /** Called before anything else. */
    void startDatabase() {}

    /** The properties of the data source. */
    abstract Map<String, String> database();

    @BeforeAll
    void start() throws Exception {
        startDatabase();
        prepare();
        application = run();
        guards().guard("users-email").ready().get(60, TimeUnit.SECONDS);
    }

    /** A table that was there before the guard, without a column of hashes. */
    private void prepare() {
        try (ConfigurableApplicationContext before = run(
                "besom.enabled=false",
                "spring.jpa.hibernate.ddl-auto=create",
                "spring.main.lazy-initialization=true")) {
            before.getBean(JdbcTemplate.class).execute("DROP TABLE IF EXISTS besom_notes");
            UserRepository users = before.getBean(UserRepository.class);
            users.saveAll(IntStream.range(0, OLD_USERS)
                    .mapToObj(i -> new User("old" + i + "@example.org"))
                    .toList());
        }
    }

    @AfterAll
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private ConfigurableApplicationContext run(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.jpa.hibernate.ddl-auto=none",
                "spring.jpa.open-in-view=false",
                "spring.main.banner-mode=off",
                "logging.level.root=WARN",
                "besom.guards.users-email.table=users",
                "besom.guards.users-email.key=email",
                "besom.guards.users-email.contract=sole"));
        database().forEach((name, value) -> properties.add(name + "=" + value));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties.toArray(new String[0]))
                .run();
    }

    private <T> T bean(Class<T> type) {
        return Objects.requireNonNull(application).getBean(type);
    }

    private Guards guards() {
        return bean(Guards.class);
    }

    private UserRepository users() {
        return bean(UserRepository.class);
    }

    private Accounts accounts() {
        return bean(Accounts.class);
    }

    private void assertFound(String email) {
        assertThat(users().findByEmail(email)).map(User::getEmail).hasValue(email);
        assertThat(users().existsByEmail(email)).isTrue();
        assertThat(Objects.requireNonNull(users().getByEmail(email)).getEmail()).isEqualTo(email);
        assertThat(users().findAllByActiveAndEmail(true, email)).hasSize(1);
    }

    private void assertMissing(String email) {
        assertThat(users().findByEmail(email)).isEmpty();
        assertThat(users().existsByEmail(email)).isFalse();
        assertThat(users().getByEmail(email)).isNull();
        assertThat(users().findAllByActiveAndEmail(true, email)).isEmpty();
    }

    @Test
    void rowsThatWereThereBeforeTheGuardAreFound() {
        for (int i = 0; i < OLD_USERS; i++) {
            assertFound("old" + i + "@example.org");
        }
        assertThat(guards().guard("users-email").count()).isGreaterThanOrEqualTo(OLD_USERS);
    }

    @Test
    void aNoAnswersWithoutTheCall() {
        bean(Reads.class).take();
        guards().guard("users-email").resetStatistics();
        for (int i = 0; i < 500; i++) {
            assertMissing("nobody" + i + "@example.org");
        }
        int wasted = bean(Reads.class).take();
        assertThat(wasted).isLessThan(20);
        assertThat(guards().guard("users-email").statistics().lookups().falsePositives())
                .isEqualTo(wasted);
        assertThat(guards().guard("users-email").statistics().lookups().total()).isEqualTo(2_000);
        users().readByEmail("nobody@example.org");
        assertThat(bean(Reads.class).take()).as("what is not guarded is read").isEqualTo(1);
    }

    @Test
    void aNoTakesNoTransaction() {
        assertThat(accounts().sawTransaction("nobody@example.org")).isNull();
        assertThat(accounts().sawTransaction("old1@example.org")).isEqualTo("true");
    }

    @Test
    void whatIsWrittenThroughTheGuardIsFoundAtOnce() {
        for (int i = 0; i < 100; i++) {
            assertMissing("new" + i + "@example.org");
            accounts().register("new" + i + "@example.org");
            assertFound("new" + i + "@example.org");
        }
        assertThat(rowsWithoutHash()).isZero();
        accounts().delete("new1@example.org");
        assertMissing("new1@example.org");
        accounts().move("new2@example.org", "moved@example.org");
        assertMissing("new2@example.org");
        assertFound("moved@example.org");
        accounts().register("new1@example.org");
        accounts().register("new2@example.org");
        assertFound("new1@example.org");
        assertFound("new2@example.org");
    }

    private long rowsWithoutHash() {
        return Objects.requireNonNull(bean(JdbcTemplate.class)
                .queryForObject("SELECT COUNT(*) FROM users WHERE besom_hash IS NULL", Long.class));
    }

    @Test
    void aTransactionOfTheCallersFindsWhatItHasWritten() {
        List<String> emails =
                IntStream.range(0, 20).mapToObj(i -> "t" + i + "@example.org").toList();
        assertThat(accounts().registerTogether(emails, false)).isTrue();
        emails.forEach(this::assertFound);
        assertThat(rowsWithoutHash()).isZero();
    }

    @Test
    void whatIsRolledBackIsNotFoundAndCanBeWrittenAgain() {
        List<String> emails =
                IntStream.range(0, 20).mapToObj(i -> "r" + i + "@example.org").toList();
        assertThatIllegalStateException().isThrownBy(() -> accounts().registerTogether(emails, true));
        emails.forEach(this::assertMissing);
        emails.forEach(accounts()::register);
        emails.forEach(this::assertFound);
    }

    @Test
    void aWriteThatTheDatabaseRefusesHidesNothing() {
        accounts().register("twice@example.org");
        assertThatThrownBy(() -> accounts().register("twice@example.org")).isInstanceOf(RuntimeException.class);
        assertFound("twice@example.org");
    }

    @Test
    void aSecondInstanceIsRefusedWithAMessageThatNamesTheGuard() {
        assertThatThrownBy(() -> run().close())
                .hasRootCauseInstanceOf(dev.besom.guard.store.LeaseHeldException.class)
                .satisfies(
                        failure -> assertThat(Objects.requireNonNull(new GuardSetupFailureAnalyzer().analyze(failure))
                                        .getDescription())
                                .isEqualTo("besom.guards.users-email: another guard has the table users."));
        assertFound("old1@example.org");
    }

    @Test
    void metersAndHealthAreThere() {
        guards().guard("users-email").resetStatistics();
        users().existsByEmail("old1@example.org");
        users().existsByEmail("nobody@example.org");
        MeterRegistry meters = bean(MeterRegistry.class);
        assertThat(meters.get("besom.guard.lookups")
                        .tag("guard", "users-email")
                        .tag("result", "found")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        HealthIndicator health =
                Objects.requireNonNull(application).getBean("besomHealthIndicator", HealthIndicator.class);
        assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.UP);
        assertThat(Objects.requireNonNull(health.health()).getDetails()).containsEntry("users-email", "serving");
    }

    @Test
    void theNextStartFindsWhatThisOneHasWritten() {
        accounts().register("kept@example.org");
        stop();
        application = run();
        assertFound("kept@example.org");
        assertMissing("nobody@example.org");
    }

    @Test
    void whatOneInstanceOfAFleetWritesTheOthersFindAtOnce() {
        stop();
        String fleet = "besom.guards.users-email.contract=fleet";
        try (ConfigurableApplicationContext one = run(fleet);
                ConfigurableApplicationContext other = run(fleet)) {
            one.getBean(Guards.class).guard("users-email").ready().join();
            other.getBean(Guards.class).guard("users-email").ready().join();
            UserRepository far = other.getBean(UserRepository.class);
            for (int i = 0; i < 20; i++) {
                String email = "fleet" + i + "@example.org";
                assertThat(far.existsByEmail(email)).isFalse();
                one.getBean(Accounts.class).register(email);
                assertThat(far.existsByEmail(email)).isTrue();
            }
            List<String> together = List.of("both1@example.org", "both2@example.org");
            other.getBean(Accounts.class).registerTogether(together, false);
            assertThat(together).allMatch(one.getBean(UserRepository.class)::existsByEmail);
            other.getBean(Reads.class).take();
            for (int i = 0; i < 500; i++) {
                assertThat(far.existsByEmail("nobody" + i + "@example.org")).isFalse();
            }
            assertThat(other.getBean(Reads.class).take()).isLessThan(30);
            other.getBean(Accounts.class).delete("fleet1@example.org");
            assertThat(one.getBean(UserRepository.class).existsByEmail("fleet1@example.org"))
                    .isFalse();
            one.getBean(Accounts.class).register("fleet1@example.org");
            assertThat(far.existsByEmail("fleet1@example.org")).isTrue();
        } finally {
            application = run();
        }
        assertThat(rowsWithoutHash()).isZero();
        assertFound("fleet7@example.org");
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
        for (int i = 0; guard.statistics().lookups().answeredByFilter() == 0 && System.nanoTime() < deadline; i++) {
            assertThat(users.existsByEmail("nobody" + i + "@example.org")).isFalse();
        }
        assertThat(guard.statistics().lookups().answeredByFilter()).isPositive();
    }
}
