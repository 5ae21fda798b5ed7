package dev.besom.guard.jdbc;

import dev.besom.StoredHashes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Stored hashes in a column. SQL's numbers are signed: a hash is stored with its highest bit flipped, so that the order of
 * the column is the unsigned order of hashes.
 */
class JdbcHashes implements StoredHashes {

    private static final int FETCH_SIZE = 10_000;

    private final DataSource source;
    private final TableSql table;

    JdbcHashes(DataSource source, TableSql table) {
        this.source = source;
        this.table = table;
    }

    /** The number in the column for a hash, and the hash for a number. */
    static long flipped(long hash) {
        return hash ^ Long.MIN_VALUE;
    }

    /** A query of the hashes of a range, in their order. */
    String rangeQuery() {
        String column = table.hashColumn();
        return "SELECT " + column + " FROM " + table.table() + " WHERE " + column + " BETWEEN ? AND ? ORDER BY "
                + column;
    }

    /**
     * Sets the parameters of {@link #rangeQuery()}.
     *
     * @param lo the first number in the column
     * @param hi the last one
     */
    void setRange(PreparedStatement statement, long lo, long hi) throws SQLException {
        statement.setLong(1, lo);
        statement.setLong(2, hi);
    }

    @Override
    public final void forEachBetween(long lo, long hi, LongConsumer action) {
        String sql = rangeQuery();
        // PostgreSQL reads piece by piece only within a transaction.
        JdbcTransaction.run(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFetchSize(FETCH_SIZE);
                setRange(statement, flipped(lo), flipped(hi));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        action.accept(flipped(rows.getLong(1)));
                    }
                }
            }
        });
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if rows have no hash yet: a guard would hide them
     */
    @Override
    public long count() {
        long without = countWithoutHash();
        if (without > 0) {
            throw new IllegalStateException(
                    without + " rows of " + table.table() + " have no hash yet; call backFill before a guard is made");
        }
        return countWhere("");
    }

    /** Not known: a database counts rows by reading them. */
    @Override
    public long countIfKnown() {
        return -1;
    }

    /** How many rows have no hash yet. */
    long countWithoutHash() {
        return countWhere(" WHERE " + table.hashColumn() + " IS NULL");
    }

    /** Whether any row has a hash. */
    boolean isAnyThere() {
        return hashedCount() > 0;
    }

    /** How many rows have a hash. */
    long hashedCount() {
        return countWhere(" WHERE " + table.hashColumn() + " IS NOT NULL");
    }

    private long countWhere(String condition) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT COUNT(*) FROM " + table.table() + condition);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw JdbcStore.failure(e);
        }
    }
}
