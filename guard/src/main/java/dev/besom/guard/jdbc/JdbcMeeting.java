package dev.besom.guard.jdbc;

import dev.besom.StoredHashes;
import dev.besom.guard.store.AnnouncementSweptException;
import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.StoreException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/** The meeting place of a fleet in tables beside the store's table, as {@link FleetSql} shows them. */
final class JdbcMeeting implements MeetingPlace {

    /** An announcement may be locked by whoever is about to store its key. */
    private static final int LONGEST_WAIT_SECONDS = 5;

    private final DataSource source;
    private final TableSql table;
    private final FleetSql sql;
    private final long fleet;
    private final boolean isPostgres;

    /** The announcements of callers who store in transactions of their own, by hash. */
    private final Map<Long, Collection<Long>> announced = new ConcurrentHashMap<>();

    private JdbcMeeting(DataSource source, TableSql table) {
        this.source = source;
        this.table = table;
        this.sql = new FleetSql(table);
        this.isPostgres = table.dialect() instanceof PostgresDialect;
        JdbcSchema schema = new JdbcSchema(source, table);
        sql.makings().forEach(making -> schema.makeUnlessThere(making.probe(), making.statements()));
        this.fleet = JdbcCall.on(source, this::findFleet);
    }

    /** Opens the meeting place, and makes its tables unless they are there. */
    static JdbcMeeting open(DataSource source, TableSql table) {
        return new JdbcMeeting(source, table);
    }

    private long findFleet(Connection connection) throws SQLException {
        while (true) {
            List<Long> there =
                    JdbcCall.query(connection, sql.selectFleet(), rows -> rows.getLong(1), table.nameInSchema());
            if (!there.isEmpty()) {
                return there.get(0);
            }
            try {
                JdbcCall.update(connection, sql.insertFleet(), table.nameInSchema(), new SecureRandom().nextLong());
            } catch (SQLException e) {
                // Somebody else makes it at the same time.
                if (!table.dialect().isViolation(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public long fleet() {
        return fleet;
    }

    @Override
    public Session connect() {
        return JdbcFleetSession.open(source, table, sql);
    }

    @Override
    public long append(long member, long[] hashes, long[] gone) {
        return isPostgres
                ? JdbcCall.on(source, connection -> appendAtOnce(connection, member, hashes, gone))
                : appendPlainly(member, hashes, gone);
    }

    private long appendAtOnce(Connection connection, long member, long[] hashes, long[] gone) throws SQLException {
        int count = hashes.length + gone.length;
        Long[] all = LongStream.concat(Arrays.stream(hashes), Arrays.stream(gone))
                .map(JdbcHashes::flipped)
                .boxed()
                .toArray(Long[]::new);
        Integer[] kinds = new Integer[count];
        Arrays.setAll(kinds, i -> i < hashes.length ? 0 : 1);
        String name = table.nameInSchema();
        return JdbcCall.query(
                        connection,
                        sql.append(),
                        rows -> rows.getLong(1),
                        count,
                        name,
                        count,
                        connection.createArrayOf("bigint", all),
                        connection.createArrayOf("smallint", kinds),
                        name,
                        name,
                        member,
                        JdbcFleetSession.channel(table))
                .get(0);
    }

    private long appendPlainly(long member, long[] hashes, long[] gone) {
        String name = table.nameInSchema();
        long[] head = new long[1];
        JdbcTransaction.run(source, connection -> {
            int count = hashes.length + gone.length;
            JdbcCall.update(connection, sql.advanceHead(), count, name);
            head[0] = JdbcCall.query(connection, sql.selectFleet(), rows -> rows.getLong(2), name)
                    .get(0);
            long number = head[0] - count;
            try (PreparedStatement entries = connection.prepareStatement(sql.insertEntry());
                    PreparedStatement waiting = connection.prepareStatement(sql.insertPending())) {
                for (long hash : hashes) {
                    number++;
                    addRow(entries, name, number, JdbcHashes.flipped(hash), 0L);
                    addRow(waiting, name, number, JdbcHashes.flipped(hash), member);
                }
                for (long hash : gone) {
                    number++;
                    addRow(entries, name, number, JdbcHashes.flipped(hash), 1L);
                }
                entries.executeBatch();
                waiting.executeBatch();
            }
        });
        return head[0];
    }

    private static void addRow(PreparedStatement statement, Object... values) throws SQLException {
        JdbcCall.set(statement, values);
        statement.addBatch();
    }

    /** Ends an announcement within the transaction that stores its key. */
    void confirm(Connection connection, long number, long hash) throws SQLException {
        if (!isConfirmed(connection, number, hash)) {
            throw new AnnouncementSweptException();
        }
    }

    private boolean isConfirmed(Connection connection, long number, long hash) throws SQLException {
        return JdbcCall.update(connection, sql.confirmPending(), table.nameInSchema(), number, JdbcHashes.flipped(hash))
                > 0;
    }

    /** Notes an announcement of a caller who will store the key in a transaction of the caller's. */
    void noteAnnounced(long hash, long number) {
        announced.computeIfAbsent(hash, each -> new ConcurrentLinkedQueue<>()).add(number);
    }

    void noteSettled(long hash, long number) {
        announced.computeIfPresent(hash, (each, numbers) -> {
            numbers.remove(number);
            return numbers.isEmpty() ? null : numbers;
        });
    }

    /** Ends one of the announcements of a hash within the caller's transaction. */
    void confirmHash(Connection connection, long hash) throws SQLException {
        for (long number : announced.getOrDefault(hash, List.of())) {
            if (isConfirmed(connection, number, hash)) {
                return;
            }
        }
        throw new AnnouncementSweptException();
    }

    @Override
    public boolean giveUp(long number) {
        return JdbcCall.on(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.deletePending())) {
                statement.setQueryTimeout(LONGEST_WAIT_SECONDS);
                JdbcCall.set(statement, table.nameInSchema(), number);
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
    public List<Entry> abandoned() {
        return JdbcCall.on(
                source,
                connection -> JdbcCall.query(
                        connection,
                        sql.selectAbandoned(),
                        rows -> new Entry(rows.getLong(1), JdbcHashes.flipped(rows.getLong(2)), false),
                        table.nameInSchema()));
    }

    @Override
    public void trim(long keep) {
        String name = table.nameInSchema();
        JdbcCall.on(source, connection -> JdbcCall.update(connection, sql.trim(), name, keep, name, name));
    }

    /**
     * Ends every membership and announcement, because somebody who does not follow the log is about to change the table. Leaves a
     * gap in the log, by which whoever follows it later sees that something is missing. Nothing where there never was a fleet.
     */
    static void endFleet(DataSource source, TableSql table) {
        FleetSql sql = new FleetSql(table);
        String name = table.nameInSchema();
        isDoneIfThere(
                table,
                () -> JdbcTransaction.run(source, connection -> {
                    JdbcCall.update(connection, sql.advanceHead(), 1, name);
                    JdbcCall.update(connection, "DELETE FROM " + sql.members + " WHERE besom_table = ?", name);
                    JdbcCall.update(connection, "DELETE FROM " + sql.pending + " WHERE besom_table = ?", name);
                }));
    }

    /** Does something to the tables of fleets; false if there are none. */
    private static boolean isDoneIfThere(TableSql table, Runnable change) {
        if (!table.dialect().locksRows()) {
            return false;
        }
        try {
            change.run();
            return true;
        } catch (StoreException e) {
            if (JdbcStore.isOfNoTable(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Leaves a gap in the log, because somebody changes the table who does not follow it.
     *
     * @return false if there never was a fleet
     */
    static boolean isGapLeft(DataSource source, TableSql table) {
        FleetSql sql = new FleetSql(table);
        return isDoneIfThere(
                table,
                () -> JdbcCall.on(
                        source, connection -> JdbcCall.update(connection, sql.advanceHead(), 1, table.nameInSchema())));
    }

    @Override
    public StoredHashes hashes(LongSupplier applied) {
        return new JdbcHashes(source, table) {
            @Override
            String rangeQuery() {
                return sql.selectHashes();
            }

            @Override
            void setRange(PreparedStatement statement, long lo, long hi) throws SQLException {
                JdbcCall.set(statement, lo, hi, table.nameInSchema(), lo, hi, applied.getAsLong());
            }
        };
    }
}
