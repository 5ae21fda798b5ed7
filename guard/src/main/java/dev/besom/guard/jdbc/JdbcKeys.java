package dev.besom.guard.jdbc;

import dev.besom.StoredHashes;
import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.store.FeedStore;
import dev.besom.guard.store.MeetingPlace;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.SharedKeys;
import dev.besom.hash.KeyHasher;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The keys of a store that is somewhere else, in a table of a database, for guards of several processes before a loader.
 *
 * <pre>
 *   table   | the columns of the key | puts | in_flight | besom_hash |
 * </pre>
 *
 * Under the contract feed anybody may add rows with plain SQL, before the key is stored, and delete them after it was removed: the
 * columns of the key are enough.
 *
 * @param <K> the keys
 */
public final class JdbcKeys<K> implements SharedKeys<K> {

    private final DataSource source;
    private final JdbcStore<K, Puts> store;
    private final JdbcColumns<K> key;
    private final String table;
    private final String whereKey;
    private final KeyHasher<? super K> hasher;

    /** How many puts of a key have begun or ended, and how many are in flight. */
    record Puts(long puts, long inFlight) {}

    private JdbcKeys(
            DataSource source, JdbcStore<K, Puts> store, JdbcTable<K, Puts> table, KeyHasher<? super K> hasher) {
        this.source = source;
        this.store = store;
        this.key = table.key();
        TableSql sql = TableSql.of(source, table, null);
        this.table = sql.table();
        this.whereKey = " WHERE "
                + sql.keyColumns().stream().map(column -> column + " = ?").collect(Collectors.joining(" AND "));
        this.hasher = hasher;
    }

    /**
     * Opens a table of keys, which is made unless it is there.
     *
     * @param table its name, with or without a schema
     * @param key the columns of keys
     * @param hasher one without a seed stands for a secret one, whose secret is made once and kept beside the table
     * @throws IllegalArgumentException if the table's hashes are those of another hasher
     */
    public static <K> JdbcKeys<K> open(
            DataSource source, String table, JdbcColumns<K> key, KeyHasher<? super K> hasher) {
        JdbcTable<K, Puts> form = JdbcTable.of(table, key, putColumns());
        DataSource own = OwnConnections.of(source);
        JdbcStore<K, Puts> store = JdbcStore.create(own, form);
        KeyHasher<? super K> chosen = HasherNote.choose(hasher, store.notes(), () -> store.hashedCount() > 0);
        store.checkHashes(chosen::hash);
        return new JdbcKeys<>(own, store, form, chosen);
    }

    /** Rows that others add have no puts. */
    private static JdbcColumns<Puts> putColumns() {
        JdbcColumns<Puts> plain = JdbcColumns.ofRecord(Puts.class, MethodHandles.lookup());
        List<JdbcColumn> columns = plain.columns().stream()
                .map(column -> new JdbcColumn(column.name(), column.sqlType() + " DEFAULT 0 NOT NULL"))
                .toList();
        return new JdbcColumns<>(columns, plain.setter(), plain.getter());
    }

    /**
     * Adds the keys that a store has already, before a guard stands there. One that is here already is passed over.
     */
    public void addAll(Iterable<? extends K> keys) {
        store.notes().forgetSnapshot();
        for (K each : keys) {
            if (store.get(each) == null) {
                store.putIfAbsent(each, hasher.hash(each), new Puts(1, 0));
            }
        }
    }

    /**
     * The statements by which the database records who adds and removes keys here, for guards under the contract feed; as
     * {@link JdbcStore#feedStatements()}.
     */
    public List<String> feedStatements() {
        return store.feedStatements();
    }

    /** Has it recorded who adds and removes keys here; nothing if it is already. */
    public void createFeed() {
        store.createFeed();
    }

    @Override
    public MeetingPlace meetingPlace() {
        return store.meetingPlace();
    }

    @Override
    public FeedStore<K, ?> recorded() {
        return store;
    }

    @Override
    public StoredHashes hashes() {
        return store.hashes();
    }

    @Override
    public Notes notes() {
        return store.notes();
    }

    @Override
    public KeyHasher<? super K> hasher() {
        return hasher;
    }

    @Override
    public boolean beginPut(K each) {
        return change("UPDATE " + table + " SET puts = puts + 1, in_flight = in_flight + 1" + whereKey, each);
    }

    @Override
    public boolean beginFirstPut(K each, long hash, long announcement) {
        return store.putIfAbsent(each, hash, new Puts(1, 1), announcement);
    }

    @Override
    public boolean beginFirstPut(K each, long hash) {
        return store.putIfAbsent(each, hash, new Puts(1, 1));
    }

    @Override
    public void endPut(K each) {
        change("UPDATE " + table + " SET puts = puts + 1, in_flight = in_flight - 1" + whereKey, each);
    }

    @Override
    public long puts(K each) {
        Puts found = store.get(each);
        return found == null ? NONE : found.puts();
    }

    @Override
    public boolean remove(K each, long puts) {
        return change("DELETE FROM " + table + whereKey + " AND in_flight = 0 AND puts = ?", each, puts);
    }

    private boolean change(String sql, K each, long... more) {
        return JdbcCall.on(source, connection -> isChanged(connection, sql, each, more));
    }

    private boolean isChanged(Connection connection, String sql, K each, long... more) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            key.setter().set(statement, 1, each);
            for (int i = 0; i < more.length; i++) {
                statement.setLong(key.columns().size() + 1 + i, more[i]);
            }
            return statement.executeUpdate() > 0;
        }
    }

    /** Leaves the source to its owner. */
    @Override
    public void close() {
        store.close();
    }
}
