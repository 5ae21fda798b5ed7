package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Contract;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.hash.KeyHasher;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a store promises where a table without a schema is looked for in several. */
interface SchemaPromises extends JdbcDatabase {

    /** The same database, where new tables are made in the schema {@code app} and names are looked for there and in public. */
    DataSource fromApp();

    private static JdbcTable<Long, Long> users(String name) {
        return JdbcTable.of(name, JdbcType.longs(), JdbcType.longs());
    }

    private StoreGuard<Long, Long> guard(DataSource from, String name) {
        return Guard.over(JdbcStore.adopt(from, users(name)), KeyHasher.longs());
    }

    @Test
    default void tableOfAnotherSchemaHasOneLeaseUnderAllItsNames() {
        execute("CREATE SCHEMA app");
        JdbcStore.create(source(), users("users"));
        DataSource from = fromApp();
        List<String> names = List.of("users", "public.users", "Public.USERS");
        long key = 0;
        for (String first : names) {
            try (StoreGuard<Long, Long> holder = guard(from, first)) {
                for (String second : names) {
                    assertThatThrownBy(() -> guard(from, second))
                            .as("%s beside %s", second, first)
                            .isInstanceOf(LeaseHeldException.class);
                }
                holder.put(++key, key);
            }
        }
        try (StoreGuard<Long, Long> reader = guard(source(), "users")) {
            for (long stored = 1; stored <= key; stored++) {
                assertThat(reader.containsKey(stored)).isTrue();
            }
        }
    }

    @Test
    default void tableOfAnotherSchemaHasOneFleetAndOneFeedUnderAllItsNames() {
        execute("CREATE SCHEMA app");
        JdbcStore<Long, Long> plain = JdbcStore.create(source(), users("users"));
        JdbcStore<Long, Long> found = JdbcStore.adopt(fromApp(), users("users"));
        try (StoreGuard<Long, Long> one = Guard.builder(plain, KeyHasher.longs())
                        .contract(Contract.fleet())
                        .open();
                StoreGuard<Long, Long> two = Guard.builder(found, KeyHasher.longs())
                        .contract(Contract.fleet())
                        .open()) {
            for (long key = 0; key < 10; key++) {
                (key % 2 == 0 ? one : two).put(key, key);
                assertThat(one.containsKey(key) && two.containsKey(key)).isTrue();
            }
        }
        found.createFeed();
        assertThat(plain.isFeedThere()).isTrue();
    }

    /** Each with notes of its own: the nearer one is found first, and those of the other are not taken for its. */
    @Test
    default void tablesOfOneNameInTwoSchemasHaveALeaseAndNotesEach() {
        execute("CREATE SCHEMA app");
        JdbcStore<Long, Long> far = JdbcStore.create(source(), users("users"));
        execute("CREATE TABLE app.users (besom_key BIGINT PRIMARY KEY, besom_value BIGINT)");
        far.notes().write("mine", new byte[] {1});
        JdbcStore<Long, Long> found = JdbcStore.adopt(fromApp(), users("users"));
        assertThat(found.notes().read("mine")).isNull();
        JdbcStore.adopt(source(), users("app.users")).notes().write("mine", new byte[] {2});
        assertThat(found.notes().read("mine")).containsExactly(2);
        try (StoreGuard<Long, Long> one = Guard.over(far, KeyHasher.longs());
                StoreGuard<Long, Long> two = Guard.over(found, KeyHasher.longs())) {
            one.put(1L, 1L);
            two.put(2L, 2L);
            assertThat(count("public.users")).isEqualTo(1);
            assertThat(count("app.users")).isEqualTo(1);
        }
    }

    @Test
    default void schemasThatDifferInCaseHaveALeaseEach() {
        execute("CREATE SCHEMA app");
        execute("CREATE SCHEMA \"App\"");
        try (StoreGuard<Long, Long> one =
                        Guard.over(JdbcStore.create(source(), users("app.users")), KeyHasher.longs());
                StoreGuard<Long, Long> two =
                        Guard.over(JdbcStore.create(source(), users("\"App\".users")), KeyHasher.longs())) {
            assertThat(one.put(1L, 1L) && two.put(1L, 1L)).isTrue();
        }
    }
}
