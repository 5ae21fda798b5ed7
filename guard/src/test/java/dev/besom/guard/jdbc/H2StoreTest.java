package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2StoreTest implements JdbcPromises, SchemaPromises {

    private final JdbcDataSource source = new JdbcDataSource();

    H2StoreTest() {
        source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void anotherDatabaseNeedsOneSmallClass() {
        Set<String> used = new TreeSet<>();
        JdbcDialect small = new JdbcDialect() {
            @Override
            public String columnType(String standardType, boolean isKey) {
                used.add("type");
                return standardType.equals("VARCHAR") ? "CHARACTER VARYING(100)" : standardType;
            }

            @Override
            public String limited(String query, int rows) {
                used.add("limit");
                return query + " FETCH FIRST " + rows + " ROWS ONLY";
            }

            @Override
            public boolean isRefusal(SQLException failure) {
                used.add("refusal");
                return JdbcDialect.super.isRefusal(failure);
            }
        };
        JdbcTable<String, String> table = JdbcTable.of("small", JdbcType.text(), JdbcType.text());
        JdbcStore<String, String> store = JdbcStore.create(source, table, small);
        store.backFill(KeyHasher.utf8(), (done, total) -> {});
        try (StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8())) {
            assertThat(guard.put("besom", "broom")).isTrue();
            assertThatThrownBy(() -> guard.put("long " + "x".repeat(100), "broom"))
                    .isInstanceOf(RejectedException.class);
            assertThat(guard.get("besom")).isEqualTo("broom");
        }
        assertThat(used).containsExactly("limit", "refusal", "type");
    }

    @Test
    void batchesOfADriverThatCountsNoRowsLoseNone() {
        DataSource silent = InterceptedSource.of(source, (method, result) -> {
            if (result instanceof int[] counts) {
                Arrays.fill(counts, Statement.SUCCESS_NO_INFO);
            }
            return result;
        });
        JdbcTable<Long, Long> table = JdbcTable.of("silent", JdbcType.longs(), JdbcType.longs());
        Map<Long, Long> model = new HashMap<>();
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.create(silent, table), KeyHasher.longs())) {
            for (long round = 0; round < 3; round++) {
                Map<Long, Long> batch = new HashMap<>();
                for (long key = 100 * round; key < 100 * round + 200; key++) {
                    batch.put(key, round);
                }
                guard.putAll(batch);
                model.putAll(batch);
            }
            assertThat(guard.getAll(model.keySet())).isEqualTo(model);
            assertThat(guard.count()).isEqualTo(400);
        }
    }

    @Test
    void aBatchThatAnotherTransactionWasInTheWayOfIsTriedAgain() {
        AtomicInteger failures = new AtomicInteger();
        DataSource crowded = InterceptedSource.of(source, (method, result) -> {
            if (method.equals("executeBatch") && failures.getAndDecrement() > 0) {
                throw new SQLException("deadlock", "40001");
            }
            return result;
        });
        JdbcTable<Long, Long> table = JdbcTable.of("crowded", JdbcType.longs(), JdbcType.longs());
        JdbcStore<Long, Long> store = JdbcStore.create(crowded, table);
        failures.set(5);
        store.putAll(List.of(1L, 2L), new long[] {1, 2}, List.of(10L, 20L));
        assertThat(store.getAll(List.of(1L, 2L))).containsExactly(10L, 20L);
        assertThat(store.hashes().count()).isEqualTo(2);
        failures.set(1_000);
        assertThatThrownBy(() -> store.putAll(List.of(3L), new long[] {3}, List.of(30L)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("deadlock");
    }

    @Override
    public DataSource fromApp() {
        JdbcDataSource app = new JdbcDataSource();
        app.setURL(source.getURL() + ";LOCK_TIMEOUT=100;SCHEMA=APP;SCHEMA_SEARCH_PATH=APP,PUBLIC");
        return app;
    }

    /** Names in quotes and names of any case are one name there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tableOfADatabaseThatIgnoresCaseHasOneLeaseUnderAllItsNames(boolean isKeptInCapitals) {
        JdbcDataSource loose = new JdbcDataSource();
        loose.setURL("jdbc:h2:mem:loose" + System.identityHashCode(this)
                + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100;DATABASE_TO_UPPER=" + isKeptInCapitals
                + ";CASE_INSENSITIVE_IDENTIFIERS=TRUE");
        List<JdbcTable<Long, Long>> names = Stream.of("Users", "users", "\"USERS\"", "\"users\"")
                .map(name -> JdbcTable.of(name, JdbcType.longs(), JdbcType.longs()))
                .toList();
        JdbcStore.create(loose, names.get(0));
        for (JdbcTable<Long, Long> first : names) {
            try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.adopt(loose, first), KeyHasher.longs())) {
                for (JdbcTable<Long, Long> second : names) {
                    assertThatThrownBy(() -> Guard.over(JdbcStore.adopt(loose, second), KeyHasher.longs()))
                            .as("%s beside %s", second.table(), first.table())
                            .isInstanceOf(LeaseHeldException.class);
                }
                guard.put(1L, 1L);
            }
        }
    }

    @Override
    public int refusals() {
        return 2_000;
    }

    @Override
    public DataSource source() {
        return source;
    }

    @Override
    public String looseText() {
        return "VARCHAR_IGNORECASE(50)";
    }
}
