package dev.besom.guard.jdbc;

import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets changes of a table through only as long as no later guard has begun its epoch: a guard may have lost its lease and not
 * know it yet.
 *
 * <pre>
 *   a change      | shared lock of the fence | is the epoch mine? | the change | commit, which gives the lock back |
 *   a new guard   | exclusive lock of the fence | its epoch, committed | lock given back | reads the hashes
 * </pre>
 *
 * So a change either ends before the new guard reads the hashes, or is refused. The locks are advisory ones of PostgreSQL, which
 * write nothing. Lock and epoch are read by two statements that go to the server together: the second one sees what was
 * committed before the first one had the lock. Other databases have no such lock, and there every change is let through.
 */
final class JdbcFence {

    private static final HexFormat HEX = HexFormat.of();

    /** What the number of the advisory lock is made from. */
    private static final String PURPOSE = "besom.fence ";

    /** The first statement in a transaction of Besom's own. */
    private static final String OWN = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ";

    /** The first statement in a transaction of the caller's, whose isolation is what it is. */
    private static final String CALLERS = "SELECT current_setting('transaction_isolation'); ";

    /** Isolations under which a statement sees what was committed before it. */
    private static final Set<String> SEEING_NOW = Set.of("read committed", "read uncommitted");

    private final TableSql table;
    private final String sql;
    private volatile @Nullable Epoch current;

    /** The epoch of the guard that has the lease, and who is told when it is over. */
    private record Epoch(long number, long lock, Lease.Listener listener) {}

    JdbcFence(TableSql table) {
        this.table = table;
        this.sql = "SELECT pg_try_advisory_xact_lock_shared(?); SELECT contents FROM " + table.notesTable()
                + " WHERE besom_table = ? AND name = ?";
    }

    /**
     * Waits for the end of the changes of earlier epochs, and refuses theirs from now on.
     *
     * @param connection of the lease
     * @param note writes the note of the epoch
     */
    void begin(Connection connection, long epoch, Runnable note, Lease.Listener listener) throws SQLException {
        current = new Epoch(epoch, refuseEarlier(connection, table, note), listener);
    }

    /** Begins an epoch of which no guard is told: that of a fleet, whose changes are no matter of the fence. */
    static void refuseEarlier(Connection connection, DataSource source, TableSql table) throws SQLException {
        Notes notes = new JdbcNotes(source, table);
        Runnable note = () -> OwnerNote.begin(notes, OwnerNote.epoch(notes) + 1);
        if (table.dialect() instanceof PostgresDialect) {
            refuseEarlier(connection, table, note);
        } else {
            note.run();
        }
    }

    /** Refuses the changes of earlier epochs, and returns the number of the lock. */
    private static long refuseEarlier(Connection connection, TableSql table, Runnable note) throws SQLException {
        long lock = table.number(PURPOSE);
        call(connection, "SELECT pg_advisory_lock(?)", lock);
        try {
            note.run();
        } finally {
            call(connection, "SELECT pg_advisory_unlock(?)", lock);
        }
        return lock;
    }

    /** Lets every change through: there is no guard. */
    void end() {
        current = null;
    }

    private static void call(Connection connection, String sql, long lock) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, lock);
            statement.execute();
        }
    }

    /** Whether changes are checked, which takes a transaction. */
    boolean isClosed() {
        return current != null;
    }

    /**
     * Makes a change within a transaction of its own.
     *
     * @throws RejectedException if another guard has begun its epoch; nothing is changed
     */
    void change(DataSource source, JdbcTransaction work) {
        Epoch epoch = current;
        JdbcTransaction.run(source, connection -> {
            if (epoch != null && !isLetThrough(connection, epoch)) {
                throw refusal(epoch);
            }
            work.run(connection);
        });
    }

    private boolean isLetThrough(Connection connection, Epoch epoch) throws SQLException {
        try (PreparedStatement statement = executed(connection, OWN, epoch)) {
            return isLetThrough(statement, epoch);
        }
    }

    /**
     * Lets a transaction of the caller's through, which holds the lock until its end.
     *
     * @param source where the epoch is read if the transaction does not see what was committed after it began
     * @throws RejectedException if another guard has begun its epoch: the caller rolls back
     */
    void check(Connection connection, DataSource source) throws SQLException {
        Epoch epoch = current;
        if (epoch == null) {
            return;
        }
        boolean seesNow;
        try (PreparedStatement statement = executed(connection, CALLERS, epoch)) {
            seesNow = SEEING_NOW.contains(String.valueOf(firstValue(statement)));
            if (!isLetThrough(statement, epoch)) {
                throw refusal(epoch);
            }
        }
        if (!seesNow) {
            change(source, other -> {});
        }
    }

    private RejectedException refusal(Epoch epoch) {
        epoch.listener().lost();
        return new RejectedException(
                "the lease of " + table.table() + " is lost", new IllegalStateException("another guard has the table"));
    }

    private PreparedStatement executed(Connection connection, String first, Epoch epoch) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(first + sql);
        try {
            statement.setLong(1, epoch.lock());
            statement.setString(2, table.nameInSchema());
            statement.setString(3, OwnerNote.NAME);
            statement.execute();
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Reads what the statements after the first one have returned. */
    private static boolean isLetThrough(PreparedStatement statement, Epoch epoch) throws SQLException {
        boolean isLocked = "t".equals(next(statement));
        String noted = next(statement);
        return isLocked && HEX.formatHex(OwnerNote.record(epoch.number())).equals(noted);
    }

    /** The first column of the first row of the next statement's rows; null if there are none. */
    private static @Nullable String next(PreparedStatement statement) throws SQLException {
        return statement.getMoreResults() ? firstValue(statement) : null;
    }

    private static @Nullable String firstValue(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}
