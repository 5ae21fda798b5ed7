package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.besom.guard.Guard;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Guards as properties say, and what is said of those that cannot be made. */
class GuardPropertiesTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final String GOOD =
            "besom.guards.tokens.table=tokens,besom.guards.tokens.key=token," + "besom.guards.tokens.contract=sole";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BesomAutoConfiguration.class))
            .withUserConfiguration(Database.class);

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool source() {
            JdbcConnectionPool pool =
                    JdbcConnectionPool.create("jdbc:h2:mem:guard-properties-" + DATABASES.incrementAndGet(), "", "");
            JdbcTemplate template = new JdbcTemplate(pool);
            template.execute("CREATE TABLE tokens (token VARCHAR(100) PRIMARY KEY)");
            template.update("INSERT INTO tokens VALUES ('one'), ('two')");
            template.execute("CREATE TABLE people (email VARCHAR(100) PRIMARY KEY, phone VARCHAR(100) UNIQUE)");
            template.update("INSERT INTO people VALUES ('a@example.org', '1')");
            template.execute("CREATE TABLE names (name VARCHAR_IGNORECASE(100) PRIMARY KEY)");
            template.update("INSERT INTO names VALUES ('ada')");
            template.execute("CREATE TABLE ids (id BIGINT PRIMARY KEY)");
            template.update("INSERT INTO ids VALUES (1), (2)");
            template.execute("CREATE TABLE uids (uid UUID PRIMARY KEY)");
            template.update("INSERT INTO uids VALUES ('00000000-0000-0000-0000-000000000001')");
            return pool;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondDatabase {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool other() {
            return JdbcConnectionPool.create("jdbc:h2:mem:guard-properties-" + DATABASES.incrementAndGet(), "", "");
        }
    }

    private static String[] properties(String... more) {
        return Stream.concat(Stream.of(GOOD.split(",", -1)), Stream.of(more)).toArray(String[]::new);
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(
                        List.of("besom.guards.tokens.table=tokens"),
                        "lacks besom.guards.tokens.key, besom.guards.tokens.contract (sole"),
                Arguments.of(with("kind=telescopic"), "besom.guards.tokens.kind: "),
                Arguments.of(with("kind=bloom"), "besom.guards.tokens.kind: "),
                Arguments.of(with("fpp=7"), "besom.guards.tokens.fpp: "),
                Arguments.of(with("capacity=0"), "besom.guards.tokens.capacity: capacity must be at least 1"),
                Arguments.of(with("wait-for-lease=-1s"), "besom.guards.tokens.wait-for-lease: "),
                Arguments.of(with("contract=feed"), "nothing records the changes of the table tokens"),
                Arguments.of(
                        List.of(properties("besom.guards.tokens.contract=fleet", "besom.guards.tokens.lease=1ms")),
                        "besom.guards.tokens.lease: "),
                Arguments.of(with("table=no_such"), "the table no_such with the column token cannot be guarded"),
                Arguments.of(with("key=no_such"), "the table tokens with the column no_such cannot be guarded"),
                Arguments.of(with("table=a; DROP TABLE tokens"), "besom.guards.tokens: "),
                Arguments.of(with("data-source=no_such"), "there is no data source 'no_such'"));
    }

    private static List<String> with(String property) {
        return List.of(properties("besom.guards.tokens." + property));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatIsWrongIsSaidByTheNameOfTheProperty(List<String> properties, String message) {
        runner.withPropertyValues(properties.toArray(new String[0])).run(context -> {
            assertThat(context).hasFailed();
            var analysis = Objects.requireNonNull(
                    new GuardSetupFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getDescription()).contains(message).contains("tokens");
            assertThat(analysis.getAction()).isNotBlank();
        });
    }

    @Test
    void aPropertyThatThereIsNotIsRefused() {
        runner.withPropertyValues(properties("besom.guards.tokens.tabel=tokens"))
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("besom.guards.tokens.tabel"));
    }

    @Test
    void withoutADataSourceAGuardIsRefused() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BesomAutoConfiguration.class))
                .withPropertyValues(properties())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("The guard 'tokens' has no data source"));
    }

    @Test
    void ofSeveralDataSourcesOneIsNamed() {
        runner.withUserConfiguration(SecondDatabase.class)
                .withPropertyValues(properties())
                .run(context -> assertThat(context).hasFailed());
        runner.withUserConfiguration(SecondDatabase.class)
                .withPropertyValues(properties("besom.guards.tokens.data-source=source"))
                .run(context -> assertThat(context.getBean(Guards.class).guard("tokens"))
                        .extracting(Guard::shardCount)
                        .isNotNull());
    }

    @Test
    void keysAreTextsNumbersOrUuids() {
        runner.withPropertyValues(properties(
                        "besom.guards.ids.table=ids",
                        "besom.guards.ids.key=id",
                        "besom.guards.ids.key-type=long",
                        "besom.guards.ids.hash-column=id_hash",
                        "besom.guards.ids.contract=sole",
                        "besom.guards.uids.table=uids",
                        "besom.guards.uids.key=uid",
                        "besom.guards.uids.key-type=uuid",
                        "besom.guards.uids.contract=sole"))
                .run(context -> {
                    Guards guards = context.getBean(Guards.class);
                    assertThat(guards.names()).containsExactly("ids", "tokens", "uids");
                    assertThat(guards.table("tokens", String.class).guard().containsKey("one"))
                            .isTrue();
                    assertThat(guards.table("ids", Long.class).guard().containsKey(2L))
                            .isTrue();
                    assertThat(guards.table("ids", Long.class).guard().containsKey(3L))
                            .isFalse();
                    assertThat(guards.table("uids", UUID.class).guard().containsKey(new UUID(0, 1)))
                            .isTrue();
                    assertThatIllegalArgumentException().isThrownBy(() -> guards.table("ids", String.class));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> guards.guard("none"))
                            .withMessageContaining("[ids, tokens, uids]");
                });
    }

    private static String[] people(String... more) {
        return Stream.concat(
                        Stream.of("emails", "phones")
                                .flatMap(name -> Stream.of(
                                        "besom.guards." + name + ".table=people",
                                        "besom.guards." + name + ".key=" + name.substring(0, 5),
                                        "besom.guards." + name + ".contract=fleet")),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    void twoColumnsOfATableHaveAGuardEach() {
        runner.withPropertyValues(people("besom.guards.phones.hash-column=phone_hash"))
                .run(context -> {
                    TableGuard<String> emails = context.getBean(Guards.class).table("emails", String.class);
                    TableGuard<String> phones = context.getBean(Guards.class).table("phones", String.class);
                    emails.guard().ready().join();
                    phones.guard().ready().join();
                    assertThat(phones.guard().containsKey("1")).isTrue();
                    assertThat(phones.guard().containsKey("2")).isFalse();
                    JdbcTemplate template = new JdbcTemplate(context.getBean(DataSource.class));
                    emails.write(
                            "b@example.org",
                            () -> phones.write(
                                    "2",
                                    () -> template.update(
                                            "INSERT INTO people (email, phone) VALUES ('b@example.org', '2')")));
                    assertThat(emails.guard().containsKey("b@example.org")).isTrue();
                    assertThat(phones.guard().containsKey("2")).isTrue();
                    assertThat(phones.guard().containsKey("b@example.org")).isFalse();
                });
    }

    @Test
    void guardsOfTwoColumnsWithOneColumnOfHashesAreRefused() {
        runner.withPropertyValues(people()).run(context -> {
            var analysis = Objects.requireNonNull(
                    new GuardSetupFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getDescription())
                    .contains("besom.guards.phones")
                    .contains("has the hashes of email");
            assertThat(analysis.getAction()).contains("besom.guards.phones.hash-column");
        });
    }

    private static String[] names(String... more) {
        return Stream.concat(Stream.of("table=names", "key=name", "contract=sole"), Stream.of(more))
                .map(property -> "besom.guards.names." + property)
                .toArray(String[]::new);
    }

    @Test
    void aColumnThatIgnoresCaseNeedsThePromiseThatKeysComeInOneForm() {
        runner.withPropertyValues(names()).run(context -> {
            var analysis = Objects.requireNonNull(
                    new GuardSetupFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getDescription()).contains("besom.guards.names", "'a' and 'A'");
            assertThat(analysis.getAction()).contains("besom.guards.names.keys-in-one-form=true");
        });
        runner.withPropertyValues(names("keys-in-one-form=true")).run(context -> {
            TableGuard<String> guard = context.getBean(Guards.class).table("names", String.class);
            guard.guard().ready().join();
            assertThat(guard.guard().containsKey("ada")).isTrue();
        });
    }

    static class Tokens {
        @Guarded("tokens")
        public boolean exists(Long id) {
            return true;
        }
    }

    @Test
    void aKeyOfAnotherTypeThanTheGuardsIsRefused() {
        runner.withUserConfiguration(Tokens.class)
                .withPropertyValues(properties())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Tokens.exists(Long)")
                        .hasMessageContaining("java.lang.Long")
                        .hasMessageContaining("java.lang.String"));
    }

    @Test
    void guardsTakeTheirChoicesFromTheProperties() {
        runner.withPropertyValues(properties(
                        "besom.guards.tokens.kind=extension",
                        "besom.guards.tokens.fpp=0.01",
                        "besom.guards.tokens.capacity=100000"))
                .run(context -> {
                    Guard<?, ?> guard = context.getBean(Guards.class).guard("tokens");
                    assertThat(guard.kind()).isEqualTo("extension");
                    assertThat(guard.plannedFpp()).isEqualTo(0.01);
                    guard.ready().join();
                    assertThat(guard.sizeInBits()).isGreaterThan(100_000L * 7);
                });
    }

    @Test
    void aGuardLeavesTheDataSourceToItsOwner() {
        runner.withPropertyValues(properties()).run(context -> {
            context.getBean(Guards.class).close();
            assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                            .queryForObject("SELECT COUNT(*) FROM tokens", Long.class))
                    .isEqualTo(2);
        });
    }
}
