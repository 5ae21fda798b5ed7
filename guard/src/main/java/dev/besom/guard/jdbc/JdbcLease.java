package dev.besom.guard.jdbc;

import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A lease that goes with a connection, which it keeps: a lock that the database gives up when the connection ends, however
 * that happens.
 *
 * <pre>
 *   PostgreSQL, MySQL   a lock of the session, whose number is a hash of schema and table
 *   others              a lock of the row "besom.lease" among the table's notes, in a transaction that stays open
 * </pre>
 *
 * A thread looks every second whether the connection is there, and takes the lock again when it is not.
 */
final class JdbcLease implements Lease {

    static final String NOTE = "besom.lease";

    /** What the number of the advisory lock is made from. */
    static final String PURPOSE = "besom.lease ";

    private static final int CHECK_EVERY_MILLIS = 1_000;
    private static final int VALID_WITHIN_SECONDS = 5;

    /** What databases say when they would have to wait for a lock, or have waited for too long. */
    private static final Set<String> LOCKED_STATES = Set.of("HYT00", "HY000", "55P03", "40001", "41000");

    private final DataSource source;
    private final TableSql table;
    private final Listener listener;
    private final JdbcFence fence;
    private final Thread watch;
    private boolean wasAutoCommit;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Connection connection;
    /** How often it has had the lock. */
    private int locks;

    private JdbcLease(DataSource source, TableSql table, JdbcFence fence, Listener listener) {
        this.source = source;
        this.table = table;
        this.fence = fence;
        this.listener = listener;
        this.watch = new Thread(this::watch, "besom-lease");
        this.watch.setDaemon(true);
    }

    /**
     * Takes the lease.
     *
     * @throws LeaseHeldException if another guard has it
     */
    static JdbcLease acquire(DataSource source, TableSql table, JdbcFence fence, Listener listener) {
        JdbcLease lease = new JdbcLease(source, table, fence, listener);
        try {
            if (!lease.tryLock()) {
                throw new LeaseHeldException("another guard has the table " + table.table() + "; close it first");
            }
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
        lease.watch.start();
        return lease;
    }

    @Override
    public synchronized void beginEpoch(long epoch, Runnable note) {
        Connection held = connection;
        if (held == null || locks != 1 || !isValid()) {
            throw lost();
        }
        try {
            if (table.dialect() instanceof PostgresDialect) {
                fence.begin(held, epoch, note, listener);
            } else {
                note.run();
            }
        } catch (SQLException e) {
            throw isValid() ? JdbcStore.failure(e) : lost();
        }
    }

    private LeaseHeldException lost() {
        return new LeaseHeldException("the connection that had the lease of " + table.table()
                + " has ended while a guard was opened; another guard may have the table");
    }

    private synchronized boolean tryLock() throws SQLException {
        Connection opened = source.getConnection();
        boolean isLocked = false;
        try {
            wasAutoCommit = opened.getAutoCommit();
            Optional<JdbcDialect.SessionLock> lock = table.dialect().sessionLock();
            isLocked = lock.isPresent() ? lockSession(opened, lock.get()) : lockRow(opened);
            if (isLocked) {
                connection = opened;
                locks++;
            }
            return isLocked;
        } finally {
            if (!isLocked) {
                giveBack(opened);
            }
        }
    }

    private boolean lockSession(Connection opened, JdbcDialect.SessionLock lock) throws SQLException {
        opened.setAutoCommit(true);
        return callWithNumber(opened, lock.tryLock());
    }

    private boolean callWithNumber(Connection opened, String sql) throws SQLException {
        try (PreparedStatement statement = opened.prepareStatement(sql)) {
            statement.setLong(1, table.number(PURPOSE));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    private boolean lockRow(Connection opened) throws SQLException {
        opened.setAutoCommit(false);
        try (PreparedStatement statement = opened.prepareStatement(
                "SELECT contents FROM " + table.notesTable() + " WHERE besom_table = ? AND name = ? FOR UPDATE")) {
            statement.setString(1, table.nameInSchema());
            statement.setString(2, NOTE);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        } catch (SQLException e) {
            if (LOCKED_STATES.contains(String.valueOf(e.getSQLState()))) {
                return false;
            }
            throw e;
        }
    }

    private void watch() {
        boolean isLost = false;
        while (pause()) {
            if (!isLost && !isValid()) {
                isLost = true;
                listener.lost();
            }
            if (isLost && isServingAgain()) {
                isLost = false;
            }
        }
    }

    /** Whether the lease is held again and its guard knows it; if that fails, the next look tries again. */
    private boolean isServingAgain() {
        if (!isRegained()) {
            return false;
        }
        try {
            listener.regained();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Waits for a while; false when the lease is closed. */
    private boolean pause() {
        try {
            return !closed.await(CHECK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private synchronized boolean isValid() {
        try {
            return isClosed() || (connection != null && connection.isValid(VALID_WITHIN_SECONDS));
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    private synchronized boolean isRegained() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            giveBack(broken);
        }
        try {
            return !isClosed() && tryLock();
        } catch (SQLException | RuntimeException e) {
            // Pools throw what they like, when they are closed for example; the watch goes on.
            return false;
        }
    }

    /** Ends the lock, if the connection has it, and gives the connection back as it was. */
    private void giveBack(Connection opened) {
        try (opened) {
            Optional<JdbcDialect.SessionLock> lock = table.dialect().sessionLock();
            if (lock.isPresent()) {
                callWithNumber(opened, lock.get().unlock());
            } else {
                opened.rollback();
            }
            opened.setAutoCommit(wasAutoCommit);
        } catch (SQLException | RuntimeException e) {
            // A connection that is broken has no lock any more.
            return;
        }
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        fence.end();
        Connection open = connection;
        connection = null;
        if (open != null) {
            giveBack(open);
        }
    }
}
