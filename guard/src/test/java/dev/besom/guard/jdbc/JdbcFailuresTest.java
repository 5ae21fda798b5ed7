package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Announcement;
import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that fails in each of the calls that a guard makes. */
class JdbcFailuresTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6a646263L);
    private static final long KEYS = 40;

    @TempDir
    Path folder;

    private final FailingSource failing;
    private final JdbcTable<Long, Long> table = JdbcTable.of("failing", JdbcType.longs(), JdbcType.longs());
    private long fresh = 1_000_000;

    /** Whether a slot may be left that could not be given up: that does no harm, and nobody is told of it. */
    private boolean mayLeaveASlot;

    JdbcFailuresTest() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
        failing = new FailingSource(database);
    }

    /** What somebody does with a guard. */
    @FunctionalInterface
    private interface Action {
        void run(StoreGuard<Long, Long> guard) throws IOException;
    }

    private StoreGuard<Long, Long> open() {
        return Guard.builder(JdbcStore.create(failing, table), SEEDED)
                .shards(2)
                .fpp(0.25)
                .snapshot(folder.resolve("guard.besom"))
                .open();
    }

    /** Has the action's first call of the database fail, then its second one, and so on to the last one. */
    private void failAtEachCall(int atLeast, Action action) throws IOException {
        failAtCalls(1, atLeast, action);
    }

    private void failAtCalls(int distance, int atLeast, Action action) throws IOException {
        for (boolean afterwards : new boolean[] {false, true}) {
            int call = 1;
            while (failAtCall(call, afterwards, action)) {
                call += distance;
            }
            assertThat(call).as("calls of the database").isGreaterThan(atLeast);
        }
    }

    /** Returns false if there were not so many calls. */
    private boolean failAtCall(int call, boolean afterwards, Action action) throws IOException {
        StoreGuard<Long, Long> guard = open();
        FailingSource.Outage outage;
        failing.failAt(call, afterwards);
        try {
            action.run(guard);
            outage = failing.endFailing();
            // A failed repair is counted, and all else is told.
            assertThat(mayLeaveASlot
                            || outage == null
                            || guard.statistics().repairs().dropped() > 0)
                    .as("a failure that nobody was told of")
                    .isTrue();
        } catch (StoreException e) {
            outage = failing.endFailing();
            assertThat(e).hasCause(outage);
        }
        assertHidesNothing(guard);
        GuardStatistics statistics = guard.statistics();
        assertThat(statistics.repairs().fixed()
                        + statistics.repairs().forgot()
                        + statistics.repairs().inseparable()
                        + statistics.repairs().dropped())
                .isEqualTo(statistics.lookups().falsePositives());
        assertThat(statistics.lookups().found()
                        + statistics.lookups().falsePositives()
                        + statistics.lookups().failed())
                .isEqualTo(statistics.reads().byLookups());
        guard.close();
        try (StoreGuard<Long, Long> next = open()) {
            assertHidesNothing(next);
        }
        return outage != null;
    }

    private static void assertHidesNothing(StoreGuard<Long, Long> guard) {
        guard.store().forEach((key, value) -> assertThat(guard.get(key)).isEqualTo(value));
        assertThat(guard.get(-1L)).isNull();
    }

    private void fill() {
        try (StoreGuard<Long, Long> guard = open()) {
            for (long key = 0; key < KEYS; key++) {
                guard.put(key, key);
            }
        }
    }

    @Test
    void lookupsTellTheFailure() throws IOException {
        fill();
        failAtEachCall(3, guard -> guard.get(1L));
        failAtEachCall(3, guard -> guard.containsKey(2L));
        failAtEachCall(3, guard -> guard.getAll(List.of(1L, 2L, 3L)));
    }

    @Test
    void repairsTellTheFailureAndAreMadeUpFor() throws IOException {
        fill();
        List<Long> missing = LongStream.range(100, 115).boxed().toList();
        failAtEachCall(20, guard -> missing.forEach(guard::get));
        failAtEachCall(20, guard -> guard.getAll(missing));
    }

    @Test
    void changesTellTheFailureAndTheirKeysAreInDoubt() throws IOException {
        fill();
        failAtEachCall(8, guard -> guard.put(++fresh, fresh));
        failAtEachCall(4, guard -> guard.put(3L, ++fresh));
        failAtEachCall(8, guard -> {
            long key = guard.store().hashes().count() % KEYS;
            guard.remove(key);
            guard.put(key, key);
        });
    }

    @Test
    void changesOfManyKeysTellTheFailureAndTheirKeysAreInDoubt() throws IOException {
        fill();
        failAtEachCall(8, guard -> guard.putIfAbsent(++fresh, fresh));
        failAtEachCall(4, guard -> guard.putIfAbsent(3L, ++fresh));
        failAtEachCall(3, guard -> guard.containsAll(List.of(1L, 2L, 3L)));
        failAtEachCall(20, guard -> {
            fresh += 2;
            guard.putAll(Map.of(fresh - 1, 1L, fresh, 2L, 1L, 3L, 2L, 4L));
        });
    }

    @Test
    void transactionsOfTheCallersThatFailAnywhereHideNothing() throws IOException {
        fill();
        failAtEachCall(15, guard -> changeWithin(guard, ++fresh, false));
        failAtEachCall(15, guard -> changeWithin(guard, fresh % KEYS, false));
        mayLeaveASlot = true;
        failAtEachCall(15, guard -> {
            long key = guard.store().hashes().count() % KEYS;
            changeWithin(guard, key, true);
            guard.put(key, key);
        });
    }

    private void changeWithin(StoreGuard<Long, Long> guard, long key, boolean isRemoval) {
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) guard.store();
        try (Announcement announced = guard.announce(key);
                Connection connection = failing.getConnection()) {
            connection.setAutoCommit(false);
            if (isRemoval) {
                store.remove(connection, key);
            } else {
                store.put(connection, key, announced.hash(), key);
            }
            connection.commit();
            announced.settle();
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    @Test
    void growthTellsTheFailureAndGoesOn() throws IOException {
        fill();
        long[] growths = {0};
        failAtCalls(151, 1_000, guard -> {
            for (long key = -2; key > -130; key--) {
                guard.put(key, key);
            }
            growths[0] += guard.statistics().growths();
            for (long key = -2; key > -130; key--) {
                guard.remove(key);
            }
        });
        assertThat(growths[0]).isPositive();
    }

    @Test
    void snapshotTellsTheFailureAndIsCurrentOnlyIfItIs() throws IOException {
        fill();
        failAtEachCall(3, guard -> {
            guard.snapshot(folder.resolve("guard.besom"));
            guard.put(++fresh, fresh);
        });
    }
}
