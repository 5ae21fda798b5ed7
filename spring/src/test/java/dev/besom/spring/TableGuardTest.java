package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Writes by plain SQL, without entities and with few connections. */
class TableGuardTest {

    private static final int CONNECTIONS = 4;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BesomAutoConfiguration.class))
            .withUserConfiguration(Database.class)
            .withPropertyValues(
                    "besom.guards.tokens.table=tokens",
                    "besom.guards.tokens.key=token",
                    "besom.guards.tokens.contract=sole");

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool source() {
            JdbcConnectionPool pool =
                    JdbcConnectionPool.create("jdbc:h2:mem:table-guard-" + DATABASES.incrementAndGet(), "", "");
            pool.setMaxConnections(CONNECTIONS);
            pool.setLoginTimeout(20);
            new JdbcTemplate(pool).execute("CREATE TABLE tokens (token VARCHAR(100) PRIMARY KEY)");
            return pool;
        }

        @Bean
        JdbcTransactionManager manager(JdbcConnectionPool source) {
            return new JdbcTransactionManager(source);
        }

        @Bean
        JdbcTemplate template(JdbcConnectionPool source) {
            return new JdbcTemplate(source);
        }
    }

    @Test
    void aThreadThatHasWrittenInATransactionOfItsOwnCanCloseTheGuards() {
        runner.run(context -> {
            Guards guards = context.getBean(Guards.class);
            TableGuard<String> tokens = guards.table("tokens", String.class);
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            List<String> keys = IntStream.range(0, 300).mapToObj(i -> "t" + i).toList();
            new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                    .executeWithoutResult(status -> tokens.writeAll(keys, () -> {
                        keys.forEach(key -> template.update("INSERT INTO tokens (token) VALUES (?)", key));
                        return keys.size();
                    }));
            guards.close();
            assertThatThrownBy(() -> tokens.guard().containsKey("t1")).isInstanceOf(IllegalStateException.class);
        });
    }

    /** Each writer has a connection and needs no second one before it has given that back. */
    @Test
    void asManyWritersAsConnectionsDoNotWaitForEachOther() {
        runner.run(context -> {
            TableGuard<String> tokens = context.getBean(Guards.class).table("tokens", String.class);
            tokens.guard().ready().join();
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            // The guard has one connection for its lease.
            int writers = CONNECTIONS - 1;
            CountDownLatch together = new CountDownLatch(writers);
            ExecutorService threads = Executors.newFixedThreadPool(writers);
            try {
                List<Future<Integer>> results = IntStream.range(0, writers)
                        .mapToObj(i -> threads.submit(() -> tokens.write("w" + i, () -> {
                            int count = template.update("INSERT INTO tokens (token) VALUES (?)", "w" + i);
                            together.countDown();
                            try {
                                assertThat(together.await(30, TimeUnit.SECONDS)).isTrue();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return count;
                        })))
                        .toList();
                for (Future<Integer> each : results) {
                    assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(1);
                }
            } finally {
                threads.shutdown();
            }
            for (int i = 0; i < writers; i++) {
                assertThat(tokens.guard().containsKey("w" + i)).isTrue();
            }
        });
    }

    @Test
    void aChangeThatFailsRollsBackAndItsExceptionGoesToTheCaller() {
        runner.run(context -> {
            TableGuard<String> tokens = context.getBean(Guards.class).table("tokens", String.class);
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            assertThatThrownBy(() -> tokens.write("lost", () -> {
                        template.update("INSERT INTO tokens (token) VALUES ('lost')");
                        throw new IllegalArgumentException("of the change");
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("of the change");
            assertThat(tokens.guard().containsKey("lost")).isFalse();
            assertThat(template.queryForObject("SELECT COUNT(*) FROM tokens", Long.class))
                    .isZero();
            tokens.write("lost", () -> template.update("INSERT INTO tokens (token) VALUES ('lost')"));
            assertThat(tokens.guard().containsKey("lost")).isTrue();
        });
    }

    static class Lookups {
        @Guarded("tokens")
        public boolean exists(String token) {
            return true;
        }
    }

    @Test
    void methodsAreCalledWithoutAGuardWhenTheApplicationEnds() {
        runner.withUserConfiguration(Lookups.class).run(context -> {
            Lookups lookups = context.getBean(Lookups.class);
            context.getBean(Guards.class).guard("tokens").ready().join();
            assertThat(lookups.exists("none")).isFalse();
            context.getBean(Guards.class).close();
            assertThat(lookups.exists("none")).isTrue();
        });
    }
}
