package dev.besom.guard.jdbc;

import dev.besom.StoredHashes;
import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.store.ChangeFeed;
import dev.besom.guard.store.FeedStore;
import dev.besom.guard.store.FleetStore;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in a table of a database: PostgreSQL, H2, MySQL, MariaDB, SQLite, or another with a {@link JdbcDialect}.
 *
 * <pre>
 *   table         | key, unique | value | hash BIGINT, indexed, highest bit flipped |
 *   besom_notes   | table | name | contents as hexadecimal digits |
 * </pre>
 *
 * The table is one that Besom {@linkplain #create makes}, or one that is {@linkplain #adopt there already} and gets one
 * more column; its rows get their hashes by {@link #backFill}. Keys never become part of a statement, only parameters.
 *
 * <p>Each call takes a connection from the source and gives it back, so the source should be a pool. Each change is a
 * transaction of its own, also where the source's connections do not commit by themselves, and where the source would give
 * out the connection of a transaction that the caller is in: such calls take another connection, so the pool needs one more for
 * each of them, and they do not see what the caller has not committed. Who changes rows in a transaction of their own
 * {@linkplain dev.besom.guard.StoreGuard#announce announces} the key and uses {@link #put(Connection, Object, long, Object)}
 * and {@link #remove(Connection, Object)}, or statements of their own with {@link #columnValue}.
 */
public final class JdbcStore<K, V> implements FleetStore<K, V>, FeedStore<K, V> {

    private static final int MOST_EMPTY_BATCHES = 10;

    /** How often a batch is tried that others are in the way of. */
    private static final int MOST_TRIES = 20;

    /** How often a row is inserted again whose key was there and is not: that may be a race, or another rule of the table. */
    private static final int MOST_RACES = 5;

    /** Of so many rows the hashes are compared with their keys when a guard is opened. */
    private static final int MOST_CHECKED = 1_000;

    /** How long a guard may sleep without having to read all hashes anew. */
    private static final long KEEP_FEED_NANOS = 600_000_000_000L;

    /** The class of what databases say of a table that is not there. */
    private static final String NOT_THERE = "42";

    /** The note of the columns whose hashes are in the column of hashes. */
    private static final String KEYS = "besom.keys";

    /** The note of the column that has the hashes of keys, which are named. */
    private static final String HASHES_OF = "besom.hashesOf.";

    private static final JdbcDialect PLAIN = new JdbcDialect() {};

    private final DataSource source;
    private final JdbcTable<K, V> table;
    private final TableSql sql;
    private final JdbcRows<K, V> rows;
    private final JdbcHashes hashes;
    private final JdbcNotes notes;
    private final JdbcFence fence;
    private volatile @Nullable JdbcMeeting meeting;
    private @Nullable RecordedFeed<K> feed;

    /** Told how far a back-fill has come. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called after each batch.
         *
         * @param done how many rows have got their hash
         * @param total how many had none at the start, or {@code done} if that is more
         */
        void rowsFilled(long done, long total);
    }

    private JdbcStore(DataSource source, JdbcTable<K, V> table, TableSql sql) {
        this.source = source;
        this.table = table;
        this.sql = sql;
        this.rows = new JdbcRows<>(table, sql);
        this.hashes = new JdbcHashes(source, sql);
        this.notes = new JdbcNotes(source, sql);
        this.fence = new JdbcFence(sql);
    }

    /** Opens a table that Besom makes unless it is there. */
    public static <K, V> JdbcStore<K, V> create(DataSource source, JdbcTable<K, V> table) {
        return create(source, table, null);
    }

    /**
     * Opens a table that Besom makes unless it is there.
     *
     * @param dialect what the database speaks; null for one that is known here
     */
    public static <K, V> JdbcStore<K, V> create(
            DataSource source, JdbcTable<K, V> table, @Nullable JdbcDialect dialect) {
        DataSource own = OwnConnections.of(source);
        new JdbcSchema(own, TableSql.of(own, table, dialect)).makeTable();
        return adopt(source, table, dialect);
    }

    /**
     * Opens a table that is there, and gives it the column of hashes and its index unless it has them. Where everything is
     * there, nothing is changed, and no right to do so is needed.
     *
     * @throws EquatedKeysException if it takes keys for the same that differ in Java
     * @throws IllegalArgumentException if its hashes are those of other keys
     */
    public static <K, V> JdbcStore<K, V> adopt(DataSource source, JdbcTable<K, V> table) {
        return adopt(source, table, null);
    }

    /**
     * Opens a table that is there, as {@link #adopt(DataSource, JdbcTable)}.
     *
     * @param dialect what the database speaks; null for one that is known here
     */
    public static <K, V> JdbcStore<K, V> adopt(
            DataSource source, JdbcTable<K, V> table, @Nullable JdbcDialect dialect) {
        DataSource own = OwnConnections.of(source);
        TableSql sql = TableSql.of(own, table, dialect);
        new JdbcSchema(own, sql).makeRest();
        JdbcStore<K, V> store = new JdbcStore<>(own, table, sql);
        store.refuseEquatedKeys();
        store.refuseOtherKeys();
        return store;
    }

    /** Refuses a table that finds rows under keys of which no filter has the hashes. */
    private void refuseEquatedKeys() {
        if (table.isInOneForm()) {
            return;
        }
        call(connection -> new EquatedKeys<>(table.key(), sql, connection).find())
                .ifPresent(pair -> {
                    throw new EquatedKeysException("the table " + sql.table() + " takes the keys " + pair
                            + " for the same, and a guard does not: give its columns of keys a collation that tells all"
                            + " texts apart, or promise that keys come in one form");
                });
    }

    /**
     * Notes what the hashes are those of, and where those of the keys are. Guards of the same keys with two columns of hashes would
     * each deny what is put through the other.
     */
    private void refuseOtherKeys() {
        String keys = table.key().columns().stream()
                .map(column -> SqlName.parse(column.name()).text().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        String known = noted(notes, KEYS, keys);
        if (!known.equals(keys)) {
            throw new IllegalArgumentException("the column " + sql.hashColumn() + " of " + sql.table()
                    + " has the hashes of " + known + ": give those of " + keys + " a column of their own");
        }
        String column = noted(JdbcNotes.ofTable(source, sql), HASHES_OF + keys, sql.nameInSchema());
        if (!column.equals(sql.nameInSchema())) {
            throw new IllegalArgumentException("the hashes of " + keys + " of " + sql.table() + " are in " + column
                    + ", not in the column " + sql.hashColumn());
        }
    }

    /** A note, which is written unless it is there or the caller may only read. */
    private static String noted(Notes notes, String name, String text) {
        byte[] noted = notes.read(name);
        if (noted == null) {
            try {
                noted = notes.writeIfAbsent(name, text.getBytes(StandardCharsets.UTF_8));
            } catch (StoreException e) {
                // Who may only read leaves it to others.
                return text;
            }
        }
        return new String(noted, StandardCharsets.UTF_8);
    }

    /** Something that is done on a connection. */
    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T call(Work<T> work) {
        try (Connection connection = source.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw failure(e, sql.dialect());
        }
    }

    /** Calls within a transaction of its own; again, where others were in the way. */
    private <T> T callWhole(Work<T> work) {
        for (int tries = 1; ; tries++) {
            List<T> result = new ArrayList<>();
            try {
                fence.change(source, connection -> result.add(work.on(connection)));
                return result.get(0);
            } catch (JdbcRows.MissingHashException e) {
                throw new RejectedException("SQL: " + e.getMessage(), e);
            } catch (StoreException e) {
                if (!(e.getCause() instanceof SQLException cause)) {
                    throw e;
                }
                if (!sql.dialect().isRetryable(cause) || tries == MOST_TRIES) {
                    throw failure(cause, sql.dialect());
                }
            }
        }
    }

    /** Statements of the user's own are checked, and so are the changes of a guard with a fence: both take a transaction. */
    private <T> T change(Work<T> work) {
        return table.statements().isAny() || fence.isClosed() ? callWhole(work) : call(work);
    }

    /**
     * Gives rows that have no hash yet theirs, batch by batch. Each batch lasts, so a back-fill that was interrupted goes
     * on where it was when it is called again. Rows that are added meanwhile get theirs too; those that are added later
     * are refused by the next guard. Nobody may change the key of a row that has its hash.
     *
     * @param hasher as the guard will be given it
     * @throws IllegalStateException if rows are not found by the keys that they were read with
     */
    public void backFill(KeyHasher<? super K> hasher, Progress progress) {
        KeyHasher<? super K> chosen = HasherNote.choose(hasher, notes, hashes::isAnyThere);
        long total = hashes.countWithoutHash();
        long done = 0;
        int emptyBatches = 0;
        List<K> keys = keysWithoutHash();
        if (!keys.isEmpty()) {
            // Where every row has its hash nothing changes, and no guard has to begin anew.
            notes.forgetSnapshot();
        }
        for (; !keys.isEmpty(); keys = keysWithoutHash()) {
            List<K> batch = keys;
            long[] hashesOfKeys = keys.stream().mapToLong(chosen::hash).toArray();
            long filled = callWhole(connection -> rows.fill(connection, batch, hashesOfKeys));
            // A batch whose rows were all removed meanwhile is possible, many of them in a row are not.
            emptyBatches = filled == 0 ? emptyBatches + 1 : 0;
            if (emptyBatches == MOST_EMPTY_BATCHES) {
                throw new IllegalStateException(
                        "rows of " + table.table() + " are not found by their own keys, such as '" + keys.get(0)
                                + "': its columns of keys do not tell keys apart as Java does");
            }
            done += filled;
            total = Math.max(total, done);
            progress.rowsFilled(done, total);
        }
    }

    private List<K> keysWithoutHash() {
        return call(rows::keysWithoutHash);
    }

    @Override
    public @Nullable V get(K key) {
        return call(connection -> Optional.ofNullable(rows.get(connection, key)))
                .orElse(null);
    }

    @Override
    public List<@Nullable V> getAll(List<? extends K> keys) {
        Map<Object, V> found = call(connection -> rows.getAll(connection, keys));
        List<@Nullable V> values = new ArrayList<>(keys.size());
        for (K key : keys) {
            values.add(found.get(JdbcRows.identity(key)));
        }
        return values;
    }

    @Override
    public boolean contains(K key) {
        return call(connection -> rows.contains(connection, key));
    }

    @Override
    public List<Boolean> containsAll(List<? extends K> keys) {
        Map<Object, Boolean> found = call(connection -> rows.containsAll(connection, keys));
        List<Boolean> areStored = new ArrayList<>(keys.size());
        for (K key : keys) {
            areStored.add(found.getOrDefault(JdbcRows.identity(key), false));
        }
        return areStored;
    }

    @Override
    public boolean put(K key, long hash, V value) {
        if (table.statements().isAny()) {
            return callWhole(connection -> rows.put(connection, key, hash, value));
        }
        try {
            return change(connection -> {
                if (rows.update(connection, key, hash, value)) {
                    return false;
                }
                rows.insert(connection, key, hash, value);
                return true;
            });
        } catch (StoreException e) {
            // Somebody else may have stored the key between the two statements; and some databases count no row that
            // already is what it is changed to.
            if (e.getCause() instanceof SQLException cause
                    && sql.dialect().isViolation(cause)
                    && change(connection -> rows.update(connection, key, hash, value)
                            || rows.containsWithHash(connection, key, hash))) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Stores a value in a transaction of the caller's, who commits it. The key has to be announced to the guard before, and
     * settled afterwards.
     *
     * @param connection the caller's
     * @param hash {@link dev.besom.guard.Announcement#hash()}
     * @return true if the key was not there
     */
    public boolean put(Connection connection, K key, long hash, V value) throws SQLException {
        if (meeting == null) {
            confirm(connection, hash);
            return rows.put(connection, key, hash, value);
        }
        // Only a row that has its hash is known to others. One without gets it here, as a new row does.
        if (rows.replace(connection, key, hash, value)) {
            return false;
        }
        confirm(connection, hash);
        return rows.put(connection, key, hash, value);
    }

    /**
     * Makes sure that a transaction of the caller's may still store an announced key, before a statement of the caller's does.
     * In a fleet this ends the announcement, and keeps a caller that was paused for too long from storing a key that others do
     * not know of any more. On PostgreSQL it keeps a guard that has lost its lease from storing a key that the next one does
     * not know of. Does nothing elsewhere. {@link #put(Connection, Object, long, Object)} does it by itself.
     *
     * @param connection the caller's
     * @param hash {@link dev.besom.guard.Announcement#hash()}
     * @throws dev.besom.guard.store.AnnouncementSweptException if the announcement is not pending: roll back, and
     *     announce the key again
     * @throws RejectedException if another guard has the table: roll back
     */
    public void confirm(Connection connection, long hash) throws SQLException {
        JdbcMeeting place = meeting;
        if (place != null) {
            place.confirmHash(connection, hash);
        }
        fence.check(connection, source);
    }

    /**
     * Gives the row of a key its hash, in a transaction of the caller's, who has stored the row by other means and has announced
     * the key to the guard before. This {@linkplain #confirm confirms} the announcement.
     *
     * @param connection the caller's
     * @param hash {@link dev.besom.guard.Announcement#hash()}
     * @return false, and no change, if there is no such row, or it has its hash
     * @throws dev.besom.guard.store.AnnouncementSweptException as from {@link #confirm}
     */
    public boolean putHash(Connection connection, K key, long hash) throws SQLException {
        if (rows.containsWithHash(connection, key, hash) || !rows.isRowThere(connection, key)) {
            return false;
        }
        confirm(connection, hash);
        return rows.fill(connection, List.of(key), new long[] {hash}) > 0;
    }

    /**
     * Removes a key in a transaction of the caller's, who commits it. The key has to be announced to the guard before, and
     * settled afterwards.
     *
     * @param connection the caller's
     * @return false, and no change, if the key is not there
     */
    public boolean remove(Connection connection, K key) throws SQLException {
        fence.check(connection, source);
        return rows.remove(connection, key);
    }

    /** The number that stands for a hash in the column of hashes, for statements of the caller's. */
    public static long columnValue(long hash) {
        return JdbcHashes.flipped(hash);
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        return change(connection -> rows.replace(connection, key, hash, value));
    }

    @Override
    public boolean[] replaceAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        return callWhole(connection -> rows.replaceAll(connection, keys, hashesOfKeys, values));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Batches each last whole or not at all. Also for filling a store that no guard stands before yet.
     */
    @Override
    public void putAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        if (keys.size() != hashesOfKeys.length || keys.size() != values.size()) {
            throw new IllegalArgumentException(
                    keys.size() + " keys, " + hashesOfKeys.length + " hashes and " + values.size() + " values");
        }
        notes.forgetSnapshot();
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<K> part = keys.subList(from, Math.min(keys.size(), from + BATCH));
            List<V> valuesOfPart = values.subList(from, from + part.size());
            long[] hashesOfPart = Arrays.copyOfRange(hashesOfKeys, from, from + part.size());
            callWhole(connection -> {
                rows.putAll(connection, part, hashesOfPart, valuesOfPart);
                return true;
            });
        }
    }

    @Override
    public boolean remove(K key, long hash) {
        return change(connection -> rows.remove(connection, key));
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        JdbcTransaction.run(source, connection -> rows.forEach(connection, action));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Reads the {@value #MOST_CHECKED} rows with the lowest hashes. Hashes of another secret are as likely there as
     * anywhere, so rows that were copied in with theirs are missed only where they are few among many.
     */
    @Override
    public void checkHashes(ToLongFunction<? super K> hasher) {
        call(connection -> rows.findOtherHash(connection, hasher, MOST_CHECKED)).ifPresent(key -> {
            throw new IllegalStateException(
                    "the row of '" + key + "' in " + sql.table() + " has the hash of another key,"
                            + " or one of another secret: set " + sql.hashColumn()
                            + " to NULL in all rows that were copied in with"
                            + " their hashes or were given another key, and call backFill before a guard is made");
        });
    }

    @Override
    public StoredHashes hashes() {
        return hashes;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    /** {@inheritDoc} In tables beside the store's, which are made unless they are there. */
    @Override
    public MeetingPlace meetingPlace() {
        return meeting();
    }

    private synchronized JdbcMeeting meeting() {
        JdbcMeeting place = meeting;
        if (place == null) {
            if (!sql.dialect().locksRows()) {
                throw new IllegalArgumentException("a fleet needs a database that locks rows");
            }
            place = JdbcMeeting.open(source, sql);
            meeting = place;
        }
        return place;
    }

    @Override
    public boolean put(K key, long hash, V value, long announcement) {
        for (int tries = 1; ; tries++) {
            try {
                return callWhole(connection -> {
                    meeting().confirm(connection, announcement, hash);
                    return rows.put(connection, key, hash, value);
                });
            } catch (RejectedException e) {
                // Somebody else may have stored the key between the two statements, and have removed it again.
                if (!isViolation(e) || tries == (contains(key) ? MOST_TRIES : MOST_RACES)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public boolean putIfAbsent(K key, long hash, V value, long announcement) {
        return isInserted(key, connection -> {
            meeting().confirm(connection, announcement, hash);
            rows.insert(connection, key, hash, value);
            return true;
        });
    }

    /** Inserts a row; false if the key is there. Again, where it was there and is not any more. */
    private boolean isInserted(K key, Work<Boolean> insert) {
        for (int tries = 1; ; tries++) {
            try {
                return callWhole(insert);
            } catch (RejectedException e) {
                if (isViolation(e) && contains(key)) {
                    return false;
                }
                if (!isViolation(e) || tries == MOST_RACES) {
                    throw e;
                }
            }
        }
    }

    /**
     * The statements by which a database records the changes of the table for guards that follow them, for whoever wants to see
     * them first, or has to have them run by somebody else. On PostgreSQL from version 13 on, and on H2 that runs on a JDK.
     *
     * @throws IllegalArgumentException if Besom has none for this database
     */
    public List<String> feedStatements() {
        return recordedFeed().statements();
    }

    /** Has the changes of the table recorded from now on, by {@link #feedStatements()}; nothing if they are already. */
    public void createFeed() {
        if (!isFeedThere()) {
            JdbcTransaction.run(source, connection -> {
                for (String each : recordedFeed().statements()) {
                    JdbcCall.update(connection, each);
                }
            });
        }
    }

    /**
     * Whether the changes of the table are recorded.
     *
     * @throws IllegalArgumentException as from {@link #feedStatements()}
     */
    public boolean isFeedThere() {
        return recordedFeed().isThere();
    }

    @Override
    public ChangeFeed<K> feed() {
        return recordedFeed();
    }

    private synchronized RecordedFeed<K> recordedFeed() {
        RecordedFeed<K> known = feed;
        if (known == null) {
            known = call(this::newFeed);
            feed = known;
        }
        return known;
    }

    private RecordedFeed<K> newFeed(Connection connection) throws SQLException {
        if (sql.dialect() instanceof PostgresDialect) {
            return new JdbcFeed<>(source, new FeedSql(sql, sql.keyColumns()), table, notes, KEEP_FEED_NANOS);
        }
        if (connection.getMetaData().getDatabaseProductName().equals("H2")) {
            return new H2Feed<>(source, sql, table);
        }
        throw new IllegalArgumentException("Besom can have changes recorded by PostgreSQL and H2 only");
    }

    @Override
    public boolean putIfAbsent(K key, long hash, V value) {
        return isInserted(key, connection -> {
            rows.insert(connection, key, hash, value);
            return true;
        });
    }

    @Override
    public void fillHashes(List<K> keys, long[] hashesOfKeys) {
        callWhole(connection -> {
            rows.fillUnlessThere(connection, keys, hashesOfKeys);
            return true;
        });
    }

    @Override
    public void fillMissingHashes(ToLongFunction<? super K> hasher) {
        for (List<K> keys = keysWithoutHash(); !keys.isEmpty(); keys = keysWithoutHash()) {
            fillHashes(keys, keys.stream().mapToLong(hasher).toArray());
        }
    }

    @Override
    public long hashedCount() {
        return hashes.hashedCount();
    }

    private boolean isViolation(StoreException e) {
        return e.getCause() instanceof SQLException cause && sql.dialect().isViolation(cause);
    }

    @Override
    public void putAll(List<K> keys, long[] hashesOfKeys, List<V> values, long[] announcements) {
        callWhole(connection -> {
            for (int i = 0; i < announcements.length; i++) {
                meeting().confirm(connection, announcements[i], hashesOfKeys[i]);
            }
            rows.putAll(connection, keys, hashesOfKeys, values);
            return true;
        });
    }

    @Override
    public void announced(long hash, long announcement) {
        meeting().noteAnnounced(hash, announcement);
    }

    @Override
    public void settled(long hash, long announcement) {
        meeting().noteSettled(hash, announcement);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The lease is a lock of the database that goes with one connection, which is kept until the guard is closed; for a
     * database in a file that has no such locks, the lock of a file beside it.
     */
    @Override
    public Lease acquireLease(Lease.Listener listener) {
        Optional<Path> file = call(connection -> sql.dialect().lockedFile(connection));
        if (file.isPresent()) {
            return FileLease.acquire(file.get(), sql.nameInSchema());
        }
        if (!sql.dialect().locksRows() && sql.dialect().sessionLock().isEmpty()) {
            return Lease.ofProcess(this);
        }
        notes.writeIfAbsent(JdbcLease.NOTE, new byte[0]);
        Lease lease = JdbcLease.acquire(source, sql, fence, listener);
        try {
            JdbcMeeting.endFleet(source, sql);
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
        return lease;
    }

    /** Leaves the source to its owner. */
    @Override
    public void close() {}

    /** Whether a statement names a table that is not there. */
    static boolean isOfNoTable(StoreException e) {
        return e.getCause() instanceof SQLException cause && isOfNoTable(cause);
    }

    static boolean isOfNoTable(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith(NOT_THERE);
    }

    static StoreException failure(SQLException e) {
        return failure(e, PLAIN);
    }

    private static StoreException failure(SQLException e, JdbcDialect dialect) {
        return dialect.isRefusal(e)
                ? new RejectedException("SQL: " + e.getMessage(), e)
                : new StoreException("SQL: " + e.getMessage(), e);
    }
}
