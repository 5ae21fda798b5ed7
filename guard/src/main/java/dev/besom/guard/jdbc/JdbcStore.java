package dev.besom.guard.jdbc;

import dev.besom.StoredHashes;
import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in a table of a database: PostgreSQL, H2, or another that speaks the same plain SQL.
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
 * each of them, and they do not see what the caller has not committed.
 */
public final class JdbcStore<K, V> implements Store<K, V> {

    /** The most keys in one statement or batch. */
    private static final int BATCH = 500;

    private static final int MOST_EMPTY_BATCHES = 10;

    /** SQL states of this class: a unique index refused a row. */
    private static final String INTEGRITY_VIOLATION = "23";

    /** SQL states of these classes: a statement was refused for its data, a rule of the table, or a limit. */
    private static final List<String> REJECTIONS = List.of("22", INTEGRITY_VIOLATION, "54");

    private final DataSource source;
    private final JdbcTable<K, V> table;
    private final JdbcHashes hashes;
    private final JdbcNotes notes;
    private final JdbcFence fence;
    /** Also gives a row its hash that had none, because somebody else inserted it. */
    private final String updateRow;

    private final String updateHashedRow;
    private final String insertRow;

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

    private JdbcStore(DataSource source, JdbcTable<K, V> table) {
        this.source = source;
        this.table = table;
        this.hashes = new JdbcHashes(source, table);
        this.notes = new JdbcNotes(source, table);
        this.fence = new JdbcFence(table);
        this.updateRow = "UPDATE " + table.table() + " SET " + table.valueColumn() + " = ?, " + table.hashColumn()
                + " = ? WHERE " + table.keyColumn() + " = ?";
        this.updateHashedRow = updateRow + " AND " + table.hashColumn() + " = ?";
        this.insertRow = "INSERT INTO " + table.table() + " (" + table.valueColumn() + ", " + table.hashColumn() + ", "
                + table.keyColumn() + ") VALUES (?, ?, ?)";
    }

    /** Opens a table that Besom makes unless it is there. */
    public static <K, V> JdbcStore<K, V> create(DataSource source, JdbcTable<K, V> table) {
        DataSource own = OwnConnections.of(source);
        makeUnlessThere(
                own,
                probe(table.keyColumn(), table.table()),
                "CREATE TABLE IF NOT EXISTS " + table.table() + " (" + table.keyColumn() + " "
                        + table.keyType().sqlName() + " PRIMARY KEY, " + table.valueColumn() + " "
                        + table.valueType().sqlName() + " NOT NULL, " + table.hashColumn() + " BIGINT)");
        return adopt(own, table);
    }

    /**
     * Opens a table that is there, and gives it the column of hashes and its index unless it has them. Where everything is
     * there, nothing is changed, and no right to do so is needed.
     */
    public static <K, V> JdbcStore<K, V> adopt(DataSource source, JdbcTable<K, V> table) {
        DataSource own = OwnConnections.of(source);
        makeUnlessThere(
                own,
                probe(table.hashColumn(), table.table()),
                "ALTER TABLE " + table.table() + " ADD COLUMN IF NOT EXISTS " + table.hashColumn() + " BIGINT");
        if (!isIndexed(own, table)) {
            execute(
                    own,
                    "CREATE INDEX IF NOT EXISTS " + table.plainName() + "_" + table.hashColumn() + " ON "
                            + table.table() + " (" + table.hashColumn() + ")");
        }
        makeUnlessThere(own, probe("contents", table.notesTable()), JdbcNotes.create(table));
        return new JdbcStore<>(own, table);
    }

    /** A statement that fails if there is no such table or column, and otherwise reads nothing. */
    private static String probe(String column, String table) {
        return "SELECT " + column + " FROM " + table + " WHERE 1 = 0";
    }

    /** Makes something unless it is there, or somebody else makes it at the same time. */
    private static void makeUnlessThere(DataSource source, String probe, String statement) {
        if (isThere(source, probe)) {
            return;
        }
        try {
            execute(source, statement);
        } catch (StoreException e) {
            if (!isThere(source, probe)) {
                throw e;
            }
        }
    }

    private static boolean isThere(DataSource source, String probe) {
        try {
            execute(source, probe);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** Whether the column of hashes is the first one of an index. */
    private static boolean isIndexed(DataSource source, JdbcTable<?, ?> table) {
        try (Connection connection = source.getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            int dot = table.table().indexOf('.');
            String schema = dot < 0
                    ? connection.getSchema()
                    : stored(metaData, table.table().substring(0, dot));
            String name = stored(metaData, table.nameInSchema());
            try (ResultSet rows = metaData.getIndexInfo(connection.getCatalog(), schema, name, false, true)) {
                while (rows.next()) {
                    if (rows.getShort("ORDINAL_POSITION") == 1
                            && table.hashColumn().equalsIgnoreCase(rows.getString("COLUMN_NAME"))) {
                        return true;
                    }
                }
            }
            return false;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** A plain name as the database keeps it. */
    private static String stored(DatabaseMetaData metaData, String name) throws SQLException {
        return metaData.storesUpperCaseIdentifiers()
                ? name.toUpperCase(Locale.ROOT)
                : metaData.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static void execute(DataSource source, String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw failure(e);
        }
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
        notes.forgetSnapshot();
        KeyHasher<? super K> chosen = HasherNote.choose(hasher, notes, hashes::isAnyThere);
        long total = hashes.countWithoutHash();
        long done = 0;
        int emptyBatches = 0;
        for (List<K> keys = keysWithoutHash(); !keys.isEmpty(); keys = keysWithoutHash()) {
            long filled = fill(keys, chosen);
            // A batch whose rows were all removed meanwhile is possible, many of them in a row are not.
            emptyBatches = filled == 0 ? emptyBatches + 1 : 0;
            if (emptyBatches == MOST_EMPTY_BATCHES) {
                throw new IllegalStateException(
                        "rows of " + table.table() + " are not found by their own keys, such as '" + keys.get(0) + "': "
                                + table.keyColumn() + " does not tell keys apart as Java does");
            }
            done += filled;
            total = Math.max(total, done);
            progress.rowsFilled(done, total);
        }
    }

    /** Gives rows their hashes, and returns how many have got one. */
    private long fill(List<K> keys, KeyHasher<? super K> hasher) {
        String sql =
                "UPDATE " + table.table() + " SET " + table.hashColumn() + " = ? WHERE " + table.keyColumn() + " = ?";
        long[] filled = {0};
        JdbcTransaction.run(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (K key : keys) {
                    statement.setLong(1, JdbcHashes.flipped(hasher.hash(key)));
                    table.keyType().setter().set(statement, 2, key);
                    statement.addBatch();
                }
                for (int count : statement.executeBatch()) {
                    filled[0] += count == 0 ? 0 : 1;
                }
            }
        });
        return filled[0];
    }

    private List<K> keysWithoutHash() {
        String sql = "SELECT " + table.keyColumn() + " FROM " + table.table() + " WHERE " + table.hashColumn()
                + " IS NULL LIMIT " + BATCH;
        List<K> keys = new ArrayList<>();
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                keys.add(key(rows));
            }
        } catch (SQLException e) {
            throw failure(e);
        }
        return keys;
    }

    @Override
    public @Nullable V get(K key) {
        String sql =
                "SELECT " + table.valueColumn() + " FROM " + table.table() + " WHERE " + table.keyColumn() + " = ?";
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            table.keyType().setter().set(statement, 1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? table.valueType().getter().get(rows, 1) : null;
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public List<@Nullable V> getAll(List<? extends K> keys) {
        Map<Object, V> found = new HashMap<>();
        try (Connection connection = source.getConnection()) {
            for (int from = 0; from < keys.size(); from += BATCH) {
                select(connection, keys.subList(from, Math.min(keys.size(), from + BATCH)), found);
            }
        } catch (SQLException e) {
            throw failure(e);
        }
        List<@Nullable V> values = new ArrayList<>(keys.size());
        for (K key : keys) {
            values.add(found.get(identity(key)));
        }
        return values;
    }

    private void select(Connection connection, List<? extends K> keys, Map<Object, V> found) throws SQLException {
        // As few different statements as there are powers of two: the last key fills up what is left.
        int size = Math.min(BATCH, Integer.highestOneBit(Math.max(1, keys.size() * 2 - 1)));
        String sql = "SELECT " + table.keyColumn() + ", " + table.valueColumn() + " FROM " + table.table() + " WHERE "
                + table.keyColumn() + " IN (" + String.join(", ", Collections.nCopies(size, "?")) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < size; i++) {
                table.keyType().setter().set(statement, i + 1, keys.get(Math.min(i, keys.size() - 1)));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    V value = table.valueType().getter().get(rows, 2);
                    if (value != null) {
                        found.put(identity(key(rows)), value);
                    }
                }
            }
        }
    }

    @Override
    public boolean contains(K key) {
        String sql = "SELECT 1 FROM " + table.table() + " WHERE " + table.keyColumn() + " = ?";
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            table.keyType().setter().set(statement, 1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public boolean put(K key, long hash, V value) {
        boolean[] isNew = new boolean[1];
        try {
            fence.change(source, connection -> {
                isNew[0] = change(connection, updateRow, key, hash, value) == 0;
                if (isNew[0]) {
                    change(connection, insertRow, key, hash, value);
                }
            });
            return isNew[0];
        } catch (StoreException e) {
            // Somebody else may have stored the key between the two statements.
            if (isIntegrityViolation(e) && isUpdated(key, hash, value)) {
                return false;
            }
            throw e;
        }
    }

    private boolean isUpdated(K key, long hash, V value) {
        int[] updated = new int[1];
        fence.change(source, connection -> updated[0] = change(connection, updateRow, key, hash, value));
        return updated[0] > 0;
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        int[] updated = new int[1];
        fence.change(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(updateHashedRow)) {
                setRow(statement, key, hash, value);
                statement.setLong(4, JdbcHashes.flipped(hash));
                updated[0] = statement.executeUpdate();
            }
        });
        return updated[0] > 0;
    }

    private int change(Connection connection, String sql, K key, long hash, V value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setRow(statement, key, hash, value);
            return statement.executeUpdate();
        }
    }

    private void setRow(PreparedStatement statement, K key, long hash, V value) throws SQLException {
        table.valueType().setter().set(statement, 1, value);
        statement.setLong(2, JdbcHashes.flipped(hash));
        table.keyType().setter().set(statement, 3, key);
    }

    /**
     * Stores many values, in bounded batches that each last whole or not at all: for filling a store that no guard
     * stands before yet.
     *
     * @param hashesOfKeys in the order of the keys
     */
    public void putAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        if (keys.size() != hashesOfKeys.length || keys.size() != values.size()) {
            throw new IllegalArgumentException(
                    keys.size() + " keys, " + hashesOfKeys.length + " hashes and " + values.size() + " values");
        }
        notes.forgetSnapshot();
        for (int from = 0; from < keys.size(); from += BATCH) {
            int start = from;
            int end = Math.min(keys.size(), from + BATCH);
            JdbcTransaction.run(source, connection -> {
                int[] updated;
                try (PreparedStatement statement = connection.prepareStatement(updateRow)) {
                    for (int i = start; i < end; i++) {
                        setRow(statement, keys.get(i), hashesOfKeys[i], values.get(i));
                        statement.addBatch();
                    }
                    updated = statement.executeBatch();
                }
                try (PreparedStatement statement = connection.prepareStatement(insertRow)) {
                    for (int i = start; i < end; i++) {
                        if (updated[i - start] == 0) {
                            setRow(statement, keys.get(i), hashesOfKeys[i], values.get(i));
                            statement.addBatch();
                        }
                    }
                    statement.executeBatch();
                }
            });
        }
    }

    @Override
    public boolean remove(K key, long hash) {
        String sql = "DELETE FROM " + table.table() + " WHERE " + table.keyColumn() + " = ?";
        int[] removed = new int[1];
        fence.change(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                table.keyType().setter().set(statement, 1, key);
                removed[0] = statement.executeUpdate();
            }
        });
        return removed[0] > 0;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        String sql = "SELECT " + table.keyColumn() + ", " + table.valueColumn() + " FROM " + table.table();
        JdbcTransaction.run(source, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFetchSize(BATCH);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        V value = table.valueType().getter().get(rows, 2);
                        if (value != null) {
                            action.accept(key(rows), value);
                        }
                    }
                }
            }
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

    /**
     * {@inheritDoc}
     *
     * <p>The lease is a lock of the database that goes with one connection, which is kept until the guard is closed.
     */
    @Override
    public Lease acquireLease(Lease.Listener listener) {
        notes.writeIfAbsent(JdbcLease.NOTE, new byte[0]);
        return JdbcLease.acquire(source, table, fence, listener);
    }

    /** Leaves the source to its owner. */
    @Override
    public void close() {}

    /** The key in the first column of a row. */
    private K key(ResultSet rows) throws SQLException {
        return Objects.requireNonNull(table.keyType().getter().get(rows, 1), "a key");
    }

    private static Object identity(Object key) {
        return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
    }

    /** Whether a unique index, or another rule of the table, has refused a row. */
    static boolean isIntegrityViolation(StoreException e) {
        return e.getCause() instanceof SQLException cause
                && String.valueOf(cause.getSQLState()).startsWith(INTEGRITY_VIOLATION);
    }

    static StoreException failure(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (REJECTIONS.stream().anyMatch(state::startsWith)) {
            return new RejectedException("SQL: " + e.getMessage(), e);
        }
        return new StoreException("SQL: " + e.getMessage(), e);
    }
}
