package dev.besom.guard.jdbc;

import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.MeetingPlace.Entry;
import dev.besom.guard.store.MeetingPlace.Peer;
import dev.besom.guard.store.MeetingPlace.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a member to the meeting place. On PostgreSQL it shares the lock of the table's lease, which a guard that wants
 * to be alone has to itself, and is woken by the database; elsewhere it looks every {@value #POLL_MILLIS} ms.
 */
final class JdbcFleetSession implements Session {

    private static final int POLL_MILLIS = 10;

    private final Connection connection;
    private final TableSql table;
    private final FleetSql sql;
    private final String name;
    private final String channel;
    private final long lock;
    private final String incarnation;
    private final boolean isPostgres;
    private @Nullable PostgresSignals signals;

    private JdbcFleetSession(DataSource source, Connection connection, TableSql table, FleetSql sql)
            throws SQLException {
        this.connection = connection;
        this.table = table;
        this.sql = sql;
        this.name = table.nameInSchema();
        this.channel = channel(table);
        this.lock = table.number(JdbcLease.PURPOSE);
        this.isPostgres = table.dialect() instanceof PostgresDialect;
        this.incarnation = isPostgres ? enterPostgres() : "";
        // A guard that was alone may not know yet that it has lost its lease.
        JdbcFence.refuseEarlier(connection, source, table);
    }

    static JdbcFleetSession open(DataSource source, TableSql table, FleetSql sql) {
        try {
            Connection connection = source.getConnection();
            try {
                return new JdbcFleetSession(source, connection, table, sql);
            } catch (SQLException | RuntimeException | Error e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    /** The channel on which members of a fleet are woken. */
    static String channel(TableSql table) {
        return "besom_" + Long.toHexString(table.number("besom.fleet "));
    }

    private String enterPostgres() throws SQLException {
        boolean isShared = JdbcCall.query(
                        connection, "SELECT pg_try_advisory_lock_shared(?)", rows -> rows.getBoolean(1), lock)
                .get(0);
        if (!isShared) {
            throw new LeaseHeldException(
                    "another guard has the table " + table.table() + " for itself; close it first");
        }
        // A renewal that a crash took back would let others take this member for dead while it trusts its lease.
        JdbcCall.update(connection, "SET synchronous_commit TO on");
        JdbcCall.update(connection, "LISTEN " + channel);
        signals = PostgresSignals.of(connection);
        // The first eight digits are the timeline, which changes when a standby is promoted.
        return JdbcCall.query(
                        connection,
                        "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)",
                        rows -> rows.getString(1))
                .get(0);
    }

    private interface Call<T> {
        T make() throws SQLException;
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.make();
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    @Override
    public void join(Peer joining) {
        call(() -> JdbcCall.update(
                connection, sql.insertMember(), name, joining.member(), joining.beat(), joining.acknowledged()));
    }

    @Override
    public void leave(long member) {
        call(() -> JdbcCall.update(connection, sql.deleteMember(), name, member));
    }

    @Override
    public boolean renew(Peer renewed) {
        return call(() ->
                JdbcCall.update(connection, sql.renew(), renewed.beat(), renewed.acknowledged(), name, renewed.member())
                        > 0);
    }

    @Override
    public boolean acknowledge(long member, long number) {
        if (!isPostgres) {
            return call(() -> JdbcCall.update(connection, sql.acknowledge(), number, name, member) > 0);
        }
        return call(() ->
                JdbcCall.query(connection, sql.acknowledge(), rows -> rows.getLong(1), number, name, member, channel)
                                .get(0)
                        > 0);
    }

    @Override
    public long head() {
        return call(() -> JdbcCall.query(connection, sql.selectFleet(), rows -> rows.getLong(2), name)
                .get(0));
    }

    @Override
    public List<Entry> read(long after, int most) {
        return call(() -> JdbcCall.query(
                connection,
                sql.readLog(),
                rows -> new Entry(rows.getLong(1), JdbcHashes.flipped(rows.getLong(2)), rows.getInt(3) != 0),
                name,
                after,
                most));
    }

    @Override
    public List<Peer> peers() {
        return call(() -> JdbcCall.query(
                connection,
                sql.selectMembers(),
                rows -> new Peer(rows.getLong(1), rows.getLong(2), rows.getLong(3)),
                name));
    }

    @Override
    public boolean evict(Peer seen) {
        return call(() ->
                JdbcCall.update(connection, sql.deleteMember() + " AND beat = ?", name, seen.member(), seen.beat())
                        > 0);
    }

    @Override
    public void await(Duration atMost) {
        PostgresSignals woken = signals;
        if (woken != null) {
            call(() -> woken.await((int) Math.max(1, atMost.toMillis())));
            return;
        }
        try {
            Thread.sleep(Math.min(POLL_MILLIS, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try (Connection closed = connection) {
            if (isPostgres) {
                JdbcCall.update(closed, "RESET synchronous_commit");
                JdbcCall.update(closed, "UNLISTEN " + channel);
                JdbcCall.query(closed, "SELECT pg_advisory_unlock_shared(?)", rows -> rows.getBoolean(1), lock);
            }
        } catch (SQLException | RuntimeException e) {
            // A connection that is broken has no lock and listens to nothing.
            return;
        }
    }
}
