package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.filters.Filters;
import dev.besom.guard.jdbc.JdbcColumns;
import dev.besom.guard.jdbc.JdbcKeys;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.guard.store.AnnouncementSweptException;
import dev.besom.guard.store.SharedKeys;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import dev.besom.testkit.Seeds;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What guards of one fleet promise each other, in one process; each of them has a store of its own. */
abstract class FleetPromises {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final List<Guard<?, ?>> opened = new ArrayList<>();

    @TempDir
    Path folder;

    abstract DataSource source();

    @AfterEach
    void closeAll() {
        opened.forEach(Guard::close);
    }

    GuardBuilder<Long, StoreGuard<Long, Long>> builder(String table) {
        return Guard.builder(
                        JdbcStore.create(source(), JdbcTable.of(table, JdbcType.longs(), JdbcType.longs())),
                        KeyHasher.longs())
                .shards(2)
                .contract(Contract.fleet(LEASE));
    }

    StoreGuard<Long, Long> join(String table) {
        return opened(builder(table).open());
    }

    <G extends Guard<?, ?>> G opened(G guard) {
        opened.add(guard);
        return guard;
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    static void execute(DataSource source, String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keyThatOneMemberPutsIsFoundByTheOthersAtOnce() {
        StoreGuard<Long, Long> one = join("at_once");
        StoreGuard<Long, Long> two = join("at_once");
        for (long key = 0; key < 40; key++) {
            assertThat(two.containsKey(key)).isFalse();
            assertThat(one.put(key, key + 1)).isTrue();
            assertThat(two.get(key)).isEqualTo(key + 1);
            assertThat(two.put(key, -key)).isFalse();
            assertThat(one.get(key)).isEqualTo(-key);
        }
        assertThat(two.state()).isEqualTo(GuardState.SERVING);
        assertThat(two.statistics().lookups().answeredByFilter()).isGreaterThan(30);
    }

    @Test
    void memberThatJoinsKnowsWhatIsStoredAndPending() {
        StoreGuard<Long, Long> one = join("joined");
        LongStream.range(0, 100).forEach(key -> one.put(key, key));
        try (Announcement announced = one.announce(1000L)) {
            StoreGuard<Long, Long> two = join("joined");
            LongStream.range(0, 100)
                    .forEach(key -> assertThat(two.containsKey(key)).isTrue());
            assertThat(two.count()).isEqualTo(101);
            announced.settle();
        }
    }

    @Test
    void removedKeyLeavesAllFiltersInTheEnd() {
        StoreGuard<Long, Long> one = join("removed");
        StoreGuard<Long, Long> two = join("removed");
        LongStream.range(0, 50).forEach(key -> one.put(key, key));
        LongStream.range(0, 50).forEach(key -> assertThat(two.remove(key)).isTrue());
        LongStream.range(0, 50).forEach(key -> assertThat(one.remove(key)).isFalse());
        await(() -> one.count() == 0 && two.count() == 0);
        LongStream.range(0, 50).forEach(key -> assertThat(one.put(key, key)).isTrue());
        LongStream.range(0, 50).forEach(key -> assertThat(two.containsKey(key)).isTrue());
    }

    @Test
    void putInTheCallersTransactionIsFoundByTheOthersWhenItIsCommitted() throws SQLException {
        StoreGuard<Long, Long> one = join("announced");
        StoreGuard<Long, Long> two = join("announced");
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) one.store();
        try (Announcement announced = one.announce(7L);
                Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store.put(connection, 7L, announced.hash(), 70L)).isTrue();
            assertThat(store.put(connection, 7L, announced.hash(), 71L)).isFalse();
            assertThat(two.get(7L)).isNull();
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(two.get(7L)).isEqualTo(71);
            announced.settle();
        }
        try (Announcement announced = one.announce(8L);
                Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            store.put(connection, 8L, announced.hash(), 80L);
            connection.rollback();
            connection.setAutoCommit(true);
            announced.settle();
        }
        await(() -> one.count() == 1 && two.count() == 1);
        try (Connection connection = source().getConnection()) {
            assertThatThrownBy(() -> store.put(connection, 9L, one.hasher().hash(9L), 90L))
                    .as("a key that was not announced")
                    .isInstanceOf(AnnouncementSweptException.class);
        }
        assertThat(store.contains(9L)).isFalse();
    }

    @Test
    void manyPutsShareARoundTrip() {
        StoreGuard<Long, Long> one = join("batched");
        StoreGuard<Long, Long> two = join("batched");
        Map<Long, Long> values = new HashMap<>();
        LongStream.range(0, 1200).forEach(key -> values.put(key, key));
        one.putAll(values);
        values.forEach((key, value) -> assertThat(two.get(key)).isEqualTo(value));
        values.replaceAll((key, value) -> value + 1);
        LongStream.range(1200, 1300).forEach(key -> values.put(key, key));
        two.putAll(values);
        assertThat(one.getAll(values.keySet())).isEqualTo(values);
        assertThat(one.count()).isEqualTo(1300);
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            long first = 10_000 + thread * 100L;
            puts.add(CompletableFuture.runAsync(() ->
                    LongStream.range(first, first + 20).forEach(key -> (key % 2 == 0 ? one : two).put(key, key))));
        }
        puts.forEach(CompletableFuture::join);
        for (long first = 10_000; first < 10_800; first += 100) {
            LongStream.range(first, first + 20).forEach(key -> {
                assertThat(one.containsKey(key)).isTrue();
                assertThat(two.containsKey(key)).isTrue();
            });
        }
    }

    @Test
    void ofMembersThatPutOneNewKeyAtOnceExactlyOneIsTold() {
        StoreGuard<Long, Long> one = join("raced");
        StoreGuard<Long, Long> two = join("raced");
        for (long key = 0; key < 30; key++) {
            long each = key;
            CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> one.put(each, 1L));
            boolean second = two.put(each, 2L);
            assertThat(first.join()).isNotEqualTo(second);
            CompletableFuture<Boolean> absent =
                    CompletableFuture.supplyAsync(() -> one.putIfAbsent(-1 - each, 1L) == null);
            boolean isStored = two.putIfAbsent(-1 - each, 2L) == null;
            assertThat(absent.join()).isNotEqualTo(isStored);
        }
        // A key that both put may have a slot too many, in one of them or in both.
        await(() -> one.count() >= 60 && two.count() >= 60);
        LongStream.range(-30, 30)
                .forEach(key -> assertThat(one.containsKey(key) && two.containsKey(key))
                        .as("key %d", key)
                        .isTrue());
    }

    @Test
    void memberStartsFromItsSnapshotAndWhatCameSince() throws Exception {
        Path file = folder.resolve("member.besom");
        StoreGuard<Long, Long> one = join("restarted");
        StoreGuard<Long, Long> two = builder("restarted").snapshot(file).open();
        LongStream.range(0, 100).forEach(key -> one.put(key, key));
        assertThat(two.snapshot(file)).isTrue();
        two.close();
        LongStream.range(100, 150).forEach(key -> one.put(key, key));
        LongStream.range(0, 50).forEach(one::remove);
        List<Integer> primed = new ArrayList<>();
        StoreGuard<Long, Long> again = opened(builder("restarted")
                .snapshot(file)
                .progress((done, total) -> primed.add(done))
                .open());
        assertThat(primed).as("from the snapshot, in one step").containsExactly(2);
        LongStream.range(50, 150)
                .forEach(key -> assertThat(again.containsKey(key)).isTrue());
        assertThat(again.count()).isGreaterThanOrEqualTo(100);
        again.close();
        // A part of the log is lost.
        execute(source(), "DELETE FROM besom_log");
        one.put(1000L, 1000L);
        primed.clear();
        StoreGuard<Long, Long> primedAnew = opened(builder("restarted")
                .snapshot(file)
                .progress((done, total) -> primed.add(done))
                .open());
        assertThat(primed).containsExactly(1, 2);
        assertThat(primedAnew.containsKey(1000L)).isTrue();
        assertThat(primedAnew.containsKey(149L)).isTrue();
    }

    @Test
    void bulkLoadWhileNoGuardIsThereMakesSnapshotsOfMembersOutdated() throws Exception {
        Path file = folder.resolve("loaded.besom");
        StoreGuard<Long, Long> one = builder("loaded").snapshot(file).open();
        LongStream.range(0, 20).forEach(key -> one.put(key, key));
        assertThat(one.snapshot(file)).isTrue();
        KeyHasher<? super Long> hasher = one.hasher();
        one.close();
        List<Long> keys = LongStream.range(100, 120).boxed().toList();
        JdbcStore.create(source(), JdbcTable.of("loaded", JdbcType.longs(), JdbcType.longs()))
                .putAll(keys, keys.stream().mapToLong(hasher::hash).toArray(), keys);
        StoreGuard<Long, Long> next = opened(builder("loaded").snapshot(file).open());
        keys.forEach(key -> assertThat(next.containsKey(key)).isTrue());
    }

    /** As an instance of an application does at its start while others serve. */
    @Test
    void backFillThatFindsEveryHashThereKeepsSnapshotsOfMembers() throws Exception {
        Path file = folder.resolve("filled.besom");
        StoreGuard<Long, Long> one = builder("filled").snapshot(file).open();
        LongStream.range(0, 20).forEach(key -> one.put(key, key));
        assertThat(one.snapshot(file)).isTrue();
        one.close();
        JdbcStore.create(source(), JdbcTable.of("filled", JdbcType.longs(), JdbcType.longs()))
                .backFill(KeyHasher.longs(), (done, total) -> {});
        List<Integer> primed = new ArrayList<>();
        StoreGuard<Long, Long> next = opened(builder("filled")
                .snapshot(file)
                .progress((done, total) -> primed.add(done))
                .open());
        assertThat(primed).as("from the snapshot, in one step").containsExactly(2);
        assertThat(next.containsKey(7L)).isTrue();
    }

    /** Members build their filters anew, as there are keys now that nobody has announced, and stand by what they have. */
    @Test
    void keyThatIsAnnouncedAfterABackFillBesideTheFleetIsStored() throws SQLException {
        StoreGuard<Long, Long> one = join("besides");
        StoreGuard<Long, Long> two = join("besides");
        one.put(1L, 1L);
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) one.store();
        execute(source(), "UPDATE besides SET besom_hash = NULL");
        JdbcStore.create(source(), JdbcTable.of("besides", JdbcType.longs(), JdbcType.longs()))
                .backFill(KeyHasher.longs(), (done, total) -> {});
        try (Announcement announced = one.announce(7L);
                Connection connection = source().getConnection()) {
            assertThat(count(pendingOf("besides")
                            + " AND NOT EXISTS (SELECT 1 FROM besom_members m WHERE m.member = besom_pending.member)"))
                    .as("announcements that a sweep would take")
                    .isZero();
            assertThat(store.put(connection, 7L, announced.hash(), 70L)).isTrue();
            announced.settle();
        }
        assertThat(one.containsKey(1L) && two.containsKey(1L)).isTrue();
        assertThat(one.get(7L)).isEqualTo(70);
        assertThat(two.get(7L)).isEqualTo(70);
    }

    /** A failover that loses commits gives numbers twice. */
    @Test
    void keyIsNotStoredByTheAnnouncementOfAnotherOne() throws SQLException {
        StoreGuard<Long, Long> one = join("twice");
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) one.store();
        Announcement announced = one.announce(1L);
        execute(source(), "UPDATE besom_pending SET hash = hash + 1");
        try (Connection connection = source().getConnection()) {
            assertThatThrownBy(() -> store.put(connection, 1L, announced.hash(), 1L))
                    .isInstanceOf(AnnouncementSweptException.class);
        }
        announced.close();
        assertThat(count(pendingOf("twice"))).isEqualTo(1);
        assertThat(one.put(1L, 1L)).as("announced again").isTrue();
        assertThat(one.putIfAbsent(2L, 2L)).isNull();
        one.putAll(Map.of(3L, 3L));
        assertThat(one.getAll(List.of(1L, 2L, 3L))).hasSize(3);
        assertThat(count(pendingOf("twice"))).isEqualTo(1);
    }

    @Test
    void soleGuardAfterAFleetHasEverythingAndEndsWhatWasPending() throws Exception {
        StoreGuard<Long, Long> one = builder("ended").open();
        LongStream.range(0, 20).forEach(key -> one.put(key, key));
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) one.store();
        Announcement announced = one.announce(100L);
        // The member is gone, and its announcement is not.
        execute(source(), "DELETE FROM besom_members");
        announced.close();
        one.close();
        StoreGuard<Long, Long> sole = builder("ended").contract(Contract.sole()).open();
        try (Connection connection = source().getConnection()) {
            assertThatThrownBy(() -> store.put(connection, 100L, announced.hash(), 1L))
                    .isInstanceOf(AnnouncementSweptException.class);
        }
        assertThat(sole.count()).isEqualTo(20);
        sole.put(200L, 200L);
        sole.close();
        StoreGuard<Long, Long> next = join("ended");
        assertThat(next.containsKey(200L)).isTrue();
    }

    /** Trap: a joiner that reads before it is in the list misses what is announced meanwhile. */
    @Test
    void keysThatArePutWhileAMemberJoinsAreKnownToIt() {
        StoreGuard<Long, Long> one = join("joining");
        LongStream.range(0, 50).forEach(key -> one.put(key, key));
        StoreGuard<Long, Long> two = opened(builder("joining")
                .progress((done, total) ->
                        LongStream.range(100L * done, 100L * done + 30).forEach(key -> one.put(key, key)))
                .open());
        LongStream.range(0, 50).forEach(key -> assertThat(two.containsKey(key)).isTrue());
        for (long first = 100; first <= 200; first += 100) {
            LongStream.range(first, first + 30)
                    .forEach(key -> assertThat(two.containsKey(key)).isTrue());
        }
    }

    /** Trap: a writer sleeps between announcing and storing, is taken for dead, and wakes when others have joined. */
    @Test
    void writerThatSleepsUntilItsAnnouncementIsSweptStoresNothing() throws SQLException {
        StoreGuard<Long, Long> sleeper = join("sleeping");
        StoreGuard<Long, Long> other = join("sleeping");
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) sleeper.store();
        Announcement announced = sleeper.announce(1L);
        // As another member does it after the sleeper's lease; it comes back under another number.
        execute(source(), "UPDATE besom_pending SET member = -1");
        await(() -> count(pendingOf("sleeping")) == 0);
        StoreGuard<Long, Long> joiner = join("sleeping");
        try (Connection connection = source().getConnection()) {
            assertThatThrownBy(() -> store.put(connection, 1L, announced.hash(), 1L))
                    .isInstanceOf(AnnouncementSweptException.class);
            assertThatThrownBy(() -> store.confirm(connection, announced.hash()))
                    .isInstanceOf(AnnouncementSweptException.class);
        }
        announced.close();
        assertThat(store.contains(1L)).isFalse();
        assertThat(sleeper.put(1L, 1L)).as("announced again").isTrue();
        assertThat(joiner.containsKey(1L) && other.containsKey(1L)).isTrue();
    }

    /** Somebody else's statement has stored the row already, such as that of a mapper of objects. */
    @Test
    void rowGetsNoHashByAnAnnouncementThatWasSwept() throws SQLException {
        StoreGuard<Long, Long> sleeper = join("row_first");
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) sleeper.store();
        Announcement swept = sleeper.announce(1L);
        execute(source(), "UPDATE besom_pending SET member = -1");
        await(() -> count(pendingOf("row_first")) == 0);
        StoreGuard<Long, Long> joiner = join("row_first");
        execute(source(), "INSERT INTO row_first (besom_key, besom_value) VALUES (1, 1)");
        try (Connection connection = source().getConnection()) {
            assertThatThrownBy(() -> store.put(connection, 1L, swept.hash(), 10L))
                    .isInstanceOf(AnnouncementSweptException.class);
            assertThatThrownBy(() -> store.putHash(connection, 1L, swept.hash()))
                    .isInstanceOf(AnnouncementSweptException.class);
        }
        swept.close();
        assertThat(count("row_first WHERE besom_hash IS NOT NULL")).isZero();
        try (Announcement announced = sleeper.announce(1L);
                Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store.put(connection, 1L, announced.hash(), 10L)).isFalse();
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(count(pendingOf("row_first")))
                    .as("the announcement ended with the transaction")
                    .isZero();
            announced.settle();
        }
        assertThat(joiner.get(1L)).isEqualTo(10);
    }

    private static String pendingOf(String table) {
        return "besom_pending WHERE LOWER(besom_table) LIKE '%" + table + "'";
    }

    long count(String table) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Trap: a process is paused between the look at its lease and the answer. */
    @Test
    void leaseThatRunsOutWhileTheFilterIsReadSendsTheLookupToTheStore() {
        ClockOfThread clock = new ClockOfThread();
        StoreGuard<Long, Long> guard = opened(builder("paused").clock(clock).open());
        guard.put(1L, 1L);
        assertThat(guard.containsKey(2L)).isFalse();
        assertThat(guard.statistics().reads().byLookups()).isZero();
        clock.passed = LEASE.toNanos();
        // Past the check by the guard, behind its back: such a row is found only by a lookup that reads the store.
        execute(source(), "INSERT INTO paused (besom_key, besom_value) VALUES (2, 20)");
        assertThat(guard.get(2L)).isEqualTo(20);
        assertThat(guard.getAll(List.of(1L, 2L, 3L))).containsOnlyKeys(1L, 2L);
        assertThat(guard.async(Runnable::run).get(2L).toCompletableFuture().join())
                .isEqualTo(20);
        clock.passed = 0;
        assertThat(guard.get(2L))
                .as("the lease holds, and nobody has announced it")
                .isNull();
        clock.passedMillis = LEASE.toMillis();
        assertThat(guard.get(2L)).as("the machine was suspended").isEqualTo(20);
        clock.passedMillis = -LEASE.toMillis();
        clock.passed = LEASE.toNanos();
        assertThat(guard.get(2L)).as("the wall clock was set back").isEqualTo(20);
    }

    /** Trap: remove and put again by different members arrive in any order. */
    @Test
    void removalsAndPutsOfFewKeysByDifferentMembersHideNothing() {
        List<StoreGuard<Long, Long>> members = List.of(join("again"), join("again"), join("again"));
        List<CompletableFuture<Void>> lives = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            StoreGuard<Long, Long> member = members.get(i);
            SplittableRandom random = new SplittableRandom(Seeds.of(0x616761696eL, i));
            lives.add(CompletableFuture.runAsync(() -> {
                for (int step = 0; step < 200; step++) {
                    long key = random.nextInt(6);
                    if (random.nextInt(3) == 0) {
                        member.remove(key);
                    } else {
                        member.put(key, key);
                    }
                    member.containsKey(random.nextLong());
                }
            }));
        }
        lives.forEach(CompletableFuture::join);
        for (long key = 0; key < 6; key++) {
            boolean isStored = members.get(0).store().contains(key);
            for (StoreGuard<Long, Long> member : members) {
                assertThat(member.containsKey(key)).isEqualTo(isStored);
            }
        }
        LongStream.range(0, 6).forEach(key -> members.get(0).remove(key));
        LongStream.range(0, 6).forEach(key -> members.get(1).put(key, key));
        for (StoreGuard<Long, Long> member : members) {
            LongStream.range(0, 6)
                    .forEach(key -> assertThat(member.containsKey(key)).isTrue());
        }
    }

    @Test
    void evictedMemberCatchesUpFromTheLogOrIsPrimedAnew() {
        StoreGuard<Long, Long> one = join("evicted");
        List<Integer> primed = new CopyOnWriteArrayList<>();
        StoreGuard<Long, Long> two = opened(
                builder("evicted").progress((done, total) -> primed.add(done)).open());
        LongStream.range(0, 20).forEach(key -> one.put(key, key));
        primed.clear();
        execute(source(), "DELETE FROM besom_members");
        LongStream.range(20, 40).forEach(key -> one.put(key, key));
        await(() -> count("besom_members") == 2 && two.state() == GuardState.SERVING);
        LongStream.range(0, 40).forEach(key -> assertThat(two.containsKey(key)).isTrue());
        assertThat(primed).isEmpty();
        // A gap in the log, as a guard that was alone leaves it.
        execute(source(), "UPDATE besom_fleet SET head = head + 1");
        LongStream.range(40, 60).forEach(key -> one.put(key, key));
        await(() -> primed.contains(2) && two.state() == GuardState.SERVING);
        LongStream.range(0, 60).forEach(key -> {
            assertThat(one.containsKey(key)).isTrue();
            assertThat(two.containsKey(key)).isTrue();
        });
    }

    @Test
    void everyKindKeepsItsPromiseInAFleet() {
        for (Kind kind : Filters.kinds()) {
            if (!kind.isAdaptive() || !kind.isGrowable()) {
                continue;
            }
            String table = "kind_" + kind.name().replace('-', '_');
            StoreGuard<Long, Long> one = builder(table).kind(kind.name()).open();
            StoreGuard<Long, Long> two =
                    builder(table).kind(kind.name()).fpp(0.25).open();
            SplittableRandom random =
                    new SplittableRandom(Seeds.of(0x6b696e64L, kind.name().hashCode()));
            Map<Long, Long> stored = new HashMap<>();
            for (int round = 0; round < 2; round++) {
                Map<Long, Long> more = new HashMap<>();
                random.longs(100, 0, 1000).forEach(key -> more.put(key, key));
                (round % 2 == 0 ? one : two).putAll(more);
                stored.putAll(more);
                // False positives, which are repaired among slots of keys that come and go.
                random.longs(200, 1000, 2000).forEach(two::containsKey);
                stored.keySet().stream().limit(20).toList().forEach(key -> {
                    assertThat(one.remove(key)).isTrue();
                    stored.remove(key);
                });
                stored.keySet().forEach(key -> {
                    assertThat(one.containsKey(key)).as(kind.name()).isTrue();
                    assertThat(two.containsKey(key)).as(kind.name()).isTrue();
                });
            }
            one.close();
            two.close();
        }
    }

    private LoaderGuard<Long, Long> joinBeforeLoader(Map<Long, Long> stored, String table) {
        return opened(Guard.builder(
                        (Long key) -> stored.get(key),
                        JdbcKeys.open(source(), table, JdbcColumns.of("id", JdbcType.longs()), KeyHasher.longs()))
                .shards(2)
                .contract(Contract.fleet(LEASE))
                .open());
    }

    @Test
    void guardsOverALoaderFindEachOthersKeys() {
        Map<Long, Long> stored = new ConcurrentHashMap<>();
        LoaderGuard<Long, Long> one = joinBeforeLoader(stored, "elsewhere");
        LoaderGuard<Long, Long> two = joinBeforeLoader(stored, "elsewhere");
        for (long key = 0; key < 20; key++) {
            long each = key;
            assertThat(two.get(key)).isNull();
            assertThat(one.put(key, () -> stored.put(each, each))).isTrue();
            assertThat(two.get(key)).isEqualTo(key);
            assertThat(two.put(key, () -> stored.put(each, -each))).isFalse();
            assertThat(two.putIfAbsent(key, () -> stored.put(each, 0L))).isFalse();
        }
        assertThat(two.putIfAbsent(100L, () -> stored.put(100L, 100L))).isTrue();
        assertThat(one.get(100L)).isEqualTo(100);
        assertThat(one.remove(100L, () -> stored.remove(100L))).isTrue();
        await(() -> one.count() == 20 && two.count() == 20);
        assertThat(one.add(200L)).isTrue();
        stored.put(200L, 200L);
        assertThat(two.get(200L)).isEqualTo(200);
        assertThatThrownBy(() -> one.put(300L, () -> {
                    throw new IllegalStateException("in the midst of the write");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(two.remove(300L, () -> {})).isFalse();
        // It arrives late.
        stored.put(300L, 300L);
        assertThat(two.get(300L)).isEqualTo(300);
    }

    /** Two members write and remove one key of a store that knows nothing of them. */
    @Test
    void writesAndRemovalsOfAKeyBehindALoaderHideNothing() {
        Map<Long, Long> stored = new ConcurrentHashMap<>();
        List<LoaderGuard<Long, Long>> members =
                List.of(joinBeforeLoader(stored, "contended"), joinBeforeLoader(stored, "contended"));
        for (int round = 0; round < 40; round++) {
            long key = round % 3;
            CompletableFuture<Boolean> put =
                    CompletableFuture.supplyAsync(() -> members.get(0).put(key, () -> stored.put(key, key)));
            members.get(1).remove(key, () -> stored.remove(key));
            put.join();
            for (LoaderGuard<Long, Long> member : members) {
                assertThat(member.containsKey(key)).isEqualTo(stored.containsKey(key));
            }
        }
    }

    /** The write of a put lands between the last look of a removal and its end. */
    @Test
    void putThatEndsWithinARemovalKeepsItsKey() {
        Map<Long, Long> stored = new ConcurrentHashMap<>();
        LoaderGuard<Long, Long> one = joinBeforeLoader(stored, "within");
        one.put(1L, () -> stored.put(1L, 1L));
        JdbcKeys<Long> keys =
                JdbcKeys.open(source(), "within", JdbcColumns.of("id", JdbcType.longs()), KeyHasher.longs());
        assertThat(keys.beginPut(1L)).isTrue();
        long puts = keys.puts(1L);
        assertThat(keys.remove(1L, puts)).as("a put is in flight").isFalse();
        keys.endPut(1L);
        assertThat(keys.remove(1L, puts)).as("a put has ended").isFalse();
        assertThat(keys.remove(1L, keys.puts(1L))).isTrue();
        assertThat(keys.puts(1L)).isEqualTo(SharedKeys.NONE);
    }

    /** Two columns of one table, each with a fleet of its own; a row is stored through both. */
    @Test
    void twoColumnsOfATableHaveAFleetEach() throws SQLException {
        execute(source(), "CREATE TABLE members_of_club (email BIGINT PRIMARY KEY, phone BIGINT UNIQUE)");
        JdbcColumns<Long> emails = JdbcColumns.of("email", JdbcType.longs());
        JdbcColumns<Long> phones = JdbcColumns.of("phone", JdbcType.longs());
        List<StoreGuard<Long, Long>> byEmail = new ArrayList<>();
        List<StoreGuard<Long, Long>> byPhone = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            byEmail.add(joinColumn(JdbcTable.of("members_of_club", emails, phones)));
            byPhone.add(
                    joinColumn(JdbcTable.of("members_of_club", phones, emails).withHashColumn("phone_hash")));
        }
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) byEmail.get(0).store();
        JdbcStore<Long, Long> other = (JdbcStore<Long, Long>) byPhone.get(0).store();
        for (long key = 0; key < 10; key++) {
            try (Announcement email = byEmail.get(0).announce(key);
                    Announcement phone = byPhone.get(0).announce(key + 100);
                    Connection connection = source().getConnection()) {
                connection.setAutoCommit(false);
                assertThat(store.put(connection, key, email.hash(), key + 100)).isTrue();
                assertThat(other.putHash(connection, key + 100, phone.hash())).isTrue();
                connection.commit();
                connection.setAutoCommit(true);
                email.settle();
                phone.settle();
            }
            assertThat(byEmail.get(1).get(key)).isEqualTo(key + 100);
            assertThat(byPhone.get(1).get(key + 100)).isEqualTo(key);
        }
        assertThat(byEmail.get(1).containsKey(100L)).isFalse();
        assertThat(byPhone.get(1).containsKey(0L)).isFalse();
        assertThat(byEmail.get(1).count()).isEqualTo(10);
        assertThat(byPhone.get(1).count()).isEqualTo(10);
    }

    private StoreGuard<Long, Long> joinColumn(JdbcTable<Long, Long> table) {
        return opened(Guard.builder(JdbcStore.adopt(source(), table), KeyHasher.longs())
                .shards(2)
                .contract(Contract.fleet(LEASE))
                .open());
    }

    /** Somebody sets the wall clocks of members, to later and to earlier, while they put and look up each other's keys. */
    @Test
    void clocksThatJumpHideNothing() {
        SplittableRandom random = new SplittableRandom(Seeds.of(0x6a756d70L, 1));
        List<JumpingClock> clocks = new ArrayList<>();
        List<StoreGuard<Long, Long>> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JumpingClock clock = new JumpingClock();
            clocks.add(clock);
            members.add(opened(builder("jumping").clock(clock).open()));
        }
        long most = LEASE.toMillis() * 3;
        for (long key = 0; key < 60; key++) {
            clocks.get(random.nextInt(3)).jump(random.nextLong(2 * most) - most);
            members.get(random.nextInt(3)).put(key, key);
            for (StoreGuard<Long, Long> member : members) {
                assertThat(member.get(key)).isEqualTo(key);
            }
        }
        members.forEach(member -> LongStream.range(0, 60)
                .forEach(key -> assertThat(member.containsKey(key)).isTrue()));
    }
}
