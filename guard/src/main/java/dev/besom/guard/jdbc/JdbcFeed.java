package dev.besom.guard.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a trigger of PostgreSQL records in a table of their own, in the writer's own transaction; {@link FeedSql} shows it.
 *
 * <p>Rows are told apart by their transactions, not by their numbers: those that the snapshot of this poll sees, and that of
 * the poll before did not. So a row of a transaction that was long under way when others passed it is told when it is
 * committed, and none is told twice.
 *
 * <p>Rows are deleted when the snapshot of a poll some minutes ago saw them. The snapshot is noted with the deletion, and a
 * reader whose own last one saw less than that knows that it has missed something.
 *
 * <p>The numbers of transactions mean the same only within one life of the server, which a crash or a failover ends; what was read
 * in another one is worth nothing, and whoever follows begins anew.
 */
final class JdbcFeed<K> implements RecordedFeed<K> {

    /** The note of the snapshot up to which the feed is trimmed. */
    private static final String TRIMMED = "besom.feed.trimmed";

    private static final int FETCH_SIZE = 10_000;

    private final DataSource source;
    private final FeedSql sql;
    private final JdbcTable<K, ?> table;
    private final JdbcNotes notes;
    private final long keepNanos;

    private @Nullable String seenByTrimmer;
    private long seenAtNanos;

    /**
     * @param keepNanos for how long rows are kept that readers could have seen
     */
    JdbcFeed(DataSource source, FeedSql sql, JdbcTable<K, ?> table, JdbcNotes notes, long keepNanos) {
        this.source = source;
        this.sql = sql;
        this.table = table;
        this.notes = notes;
        this.keepNanos = keepNanos;
    }

    /**
     * Which transactions had ended at a moment, as PostgreSQL says it: {@code xmin:xmax:those between that had not}.
     *
     * @param xmax all from here on had not ended
     */
    record Snapshot(long xmax, Set<Long> underWay) {

        static Snapshot parse(String text) {
            String[] parts = text.split(":", -1);
            Set<Long> underWay = new HashSet<>();
            for (String each : parts[2].split(",", -1)) {
                if (!each.isEmpty()) {
                    underWay.add(Long.parseLong(each));
                }
            }
            return new Snapshot(Long.parseLong(parts[1]), underWay);
        }

        boolean hasEnded(long transaction) {
            return transaction < xmax && !underWay.contains(transaction);
        }

        /** Whether every transaction had ended that had ended at another moment. */
        boolean covers(Snapshot other) {
            return other.xmax <= xmax && underWay.stream().noneMatch(other::hasEnded);
        }
    }

    @Override
    public List<String> statements() {
        return sql.makings();
    }

    @Override
    public boolean isThere() {
        return RecordedFeed.isThere(source, sql.selectIsThere());
    }

    /** A snapshot, and the life of the server that it is of; null if that has not begun yet. */
    private record Start(String snapshot, @Nullable Long life) {}

    @Override
    public Follower<K> follow() {
        if (!isThere()) {
            throw RecordedFeed.missing(sql.table());
        }
        Start start = start();
        while (start.life() == null) {
            JdbcCall.on(
                    source, connection -> JdbcCall.update(connection, sql.beginLife(), new SecureRandom().nextLong()));
            start = start();
        }
        byte[] trimmed = notes.read(TRIMMED);
        if (trimmed != null && !Snapshot.parse(start.snapshot()).covers(parse(trimmed))) {
            // Of another life: nobody who follows in this one has missed what was trimmed.
            notes.remove(TRIMMED);
        }
        return new SnapshotFollower(start.snapshot(), start.life());
    }

    private Start start() {
        return JdbcCall.on(
                source,
                connection -> JdbcCall.query(
                                connection,
                                sql.selectStart(),
                                rows -> new Start(rows.getString(1), rows.getObject(2, Long.class)))
                        .get(0));
    }

    private static Snapshot parse(byte[] noted) {
        return Snapshot.parse(new String(noted, StandardCharsets.US_ASCII));
    }

    /** Reads what its last snapshot has not seen. */
    private final class SnapshotFollower implements Follower<K> {

        private final long life;
        private String last;

        SnapshotFollower(String start, long life) {
            this.last = start;
            this.life = life;
        }

        @Override
        public Changes<K> poll() {
            Changes<K>[] changes = newArray();
            String[] seen = {last};
            JdbcTransaction.run(source, connection -> changes[0] = read(connection, seen));
            byte[] trimmed = notes.read(TRIMMED);
            boolean isTrimmed = trimmed != null && !Snapshot.parse(last).covers(parse(trimmed));
            boolean isOfOtherServer = !Snapshot.parse(seen[0]).covers(Snapshot.parse(last));
            Changes<K> told = changes[0];
            last = seen[0];
            return isTrimmed || isOfOtherServer ? new Changes<>(List.of(), List.of(), false, true) : told;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private Changes<K>[] newArray() {
            return (Changes<K>[]) new Changes[1];
        }

        /** One statement, and so one snapshot. */
        private Changes<K> read(Connection connection, String[] seen) throws SQLException {
            List<K> stored = new ArrayList<>();
            List<K> removed = new ArrayList<>();
            boolean isBroken = false;
            try (PreparedStatement statement = connection.prepareStatement(sql.read())) {
                statement.setFetchSize(FETCH_SIZE);
                JdbcCall.set(statement, last, last);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        int width = table.key().columns().size();
                        seen[0] = rows.getString(width + 1);
                        isBroken |= rows.getLong(width + 3) != life || rows.wasNull() || !rows.getBoolean(width + 4);
                        int kind = rows.getInt(width + 2);
                        if (rows.wasNull()) {
                            continue;
                        }
                        K key = table.key().getter().get(rows, 1);
                        isBroken |= kind == FeedSql.EMPTIED;
                        if (key != null && kind == FeedSql.STORED) {
                            stored.add(key);
                        } else if (key != null && kind == FeedSql.REMOVED) {
                            removed.add(key);
                        }
                    }
                }
            }
            return new Changes<>(stored, removed, true, isBroken);
        }

        @Override
        public void close() {}
    }

    /** {@inheritDoc} Called by one thread. */
    @Override
    public void trim() {
        String now = JdbcCall.on(
                source,
                connection -> JdbcCall.query(connection, sql.selectSnapshot(), rows -> rows.getString(1))
                        .get(0));
        // One of another life says nothing in this one.
        String seen = seenByTrimmer != null && Snapshot.parse(now).covers(Snapshot.parse(seenByTrimmer))
                ? seenByTrimmer
                : null;
        if (seen != null && System.nanoTime() - seenAtNanos < keepNanos) {
            return;
        }
        seenByTrimmer = now;
        seenAtNanos = System.nanoTime();
        if (seen != null) {
            // The note first: a reader that sees a row missing sees the note, too.
            notes.write(TRIMMED, seen.getBytes(StandardCharsets.US_ASCII));
            JdbcCall.on(source, connection -> JdbcCall.update(connection, sql.trim(), seen));
        }
    }
}
