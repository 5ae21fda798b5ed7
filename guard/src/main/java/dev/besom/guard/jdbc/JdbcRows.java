package dev.besom.guard.jdbc;

import dev.besom.guard.store.RejectedException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads and writes rows of a table on a connection that somebody else opens, commits and closes. */
final class JdbcRows<K, V> {

    private final JdbcTable<K, V> table;
    private final TableSql sql;
    private final int keyWidth;
    private final int valueWidth;

    JdbcRows(JdbcTable<K, V> table, TableSql sql) {
        this.table = table;
        this.sql = sql;
        this.keyWidth = table.key().columns().size();
        this.valueWidth = table.value().columns().size();
    }

    private boolean isOwn() {
        return table.statements().isAny();
    }

    private void setKey(PreparedStatement statement, int first, K key) throws SQLException {
        table.key().setter().set(statement, first, key);
    }

    /** The key in the first columns of a row. */
    private K key(ResultSet rows) throws SQLException {
        return Objects.requireNonNull(table.key().getter().get(rows, 1), "a key");
    }

    static Object identity(Object key) {
        return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
    }

    @Nullable
    V get(Connection connection, K key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.select())) {
            setKey(statement, 1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? table.value().getter().get(rows, 1) : null;
            }
        }
    }

    /** Whether there is a row with that key. */
    boolean contains(Connection connection, K key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.contains())) {
            setKey(statement, 1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Whether there is a row with that key, whatever a statement of the user's own says of it. */
    boolean isRowThere(Connection connection, K key) throws SQLException {
        List<K> found = new ArrayList<>();
        read(connection, sql.selectKeys(1), List.of(key), rows -> found.add(key(rows)));
        return !found.isEmpty();
    }

    /** Whether there is a row with that key and its hash. */
    boolean containsWithHash(Connection connection, K key, long hash) throws SQLException {
        return isFound(connection, sql.containsWithHash(), key, hash);
    }

    private boolean isFound(Connection connection, String query, K key, long hash) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            setKey(statement, 1, key);
            statement.setLong(keyWidth + 1, JdbcHashes.flipped(hash));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** The values of many keys, by the {@linkplain #identity identities} of the keys. */
    Map<Object, V> getAll(Connection connection, List<? extends K> keys) throws SQLException {
        Map<Object, V> found = new HashMap<>();
        if (table.statements().select().isPresent()) {
            for (K key : keys) {
                V value = get(connection, key);
                if (value != null) {
                    found.put(identity(key), value);
                }
            }
            return found;
        }
        forEachBatch(
                keys,
                part -> read(connection, sql.selectAll(part.size()), part, rows -> {
                    V value = table.value().getter().get(rows, keyWidth + 1);
                    if (value != null) {
                        found.put(identity(key(rows)), value);
                    }
                }));
        return found;
    }

    /** The {@linkplain #identity identities} of those of many keys that have rows. */
    Map<Object, Boolean> containsAll(Connection connection, List<? extends K> keys) throws SQLException {
        Map<Object, Boolean> found = new HashMap<>();
        if (table.statements().select().isPresent()) {
            for (K key : keys) {
                found.put(identity(key), contains(connection, key));
            }
            return found;
        }
        forEachBatch(
                keys,
                part -> read(connection, sql.selectKeys(part.size()), part, rows -> {
                    found.put(identity(key(rows)), Boolean.TRUE);
                }));
        return found;
    }

    /** Work on something that a database can fail in. */
    @FunctionalInterface
    private interface Work<T> {
        void accept(T subject) throws SQLException;
    }

    private void forEachBatch(List<? extends K> keys, Work<List<K>> work) throws SQLException {
        for (int from = 0; from < keys.size(); from += JdbcStore.BATCH) {
            List<K> part = new ArrayList<>(keys.subList(from, Math.min(keys.size(), from + JdbcStore.BATCH)));
            // As few different statements as there are powers of two: the last key fills up what is left.
            int size = Math.min(JdbcStore.BATCH, Integer.highestOneBit(Math.max(1, part.size() * 2 - 1)));
            while (part.size() < size) {
                part.add(part.get(part.size() - 1));
            }
            work.accept(part);
        }
    }

    private void read(Connection connection, String query, List<K> keys, Work<ResultSet> action) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < keys.size(); i++) {
                setKey(statement, i * keyWidth + 1, keys.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    action.accept(rows);
                }
            }
        }
    }

    /** Sets all columns of a row that is to be stored. If they cannot be set it is certain that nothing is. */
    private void setRow(PreparedStatement statement, K key, long hash, V value) throws SQLException {
        try {
            table.value().setter().set(statement, 1, value);
            statement.setLong(valueWidth + 1, JdbcHashes.flipped(hash));
            setKey(statement, valueWidth + 2, key);
        } catch (RuntimeException e) {
            throw new RejectedException("SQL: a row of " + table.table() + " cannot be set: " + e.getMessage(), e);
        }
    }

    /** Changes the row of a key, and gives it its hash; false if there is none. */
    boolean update(Connection connection, K key, long hash, V value) throws SQLException {
        return change(connection, sql.update(), key, hash, value);
    }

    /** Makes the row of a key. */
    void insert(Connection connection, K key, long hash, V value) throws SQLException {
        change(connection, sql.insert(), key, hash, value);
    }

    private boolean change(Connection connection, String statementSql, K key, long hash, V value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statementSql)) {
            setRow(statement, key, hash, value);
            boolean isChanged = statement.executeUpdate() > 0;
            if (isChanged && isOwn() && !containsWithHash(connection, key, hash)) {
                throw new MissingHashException(
                        "a statement of the user's own has not stored the hash: " + statementSql);
            }
            return isChanged;
        }
    }

    /** A statement of the user's own does not do what it must; within the transaction that is rolled back for it. */
    static final class MissingHashException extends RuntimeException {
        MissingHashException(String message) {
            super(message);
        }
    }

    /** Changes the row of a key that has its hash; false, and no change, if there is none. */
    boolean replace(Connection connection, K key, long hash, V value) throws SQLException {
        if (isOwn()) {
            return contains(connection, key)
                    && containsWithHash(connection, key, hash)
                    && update(connection, key, hash, value);
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.updateHashed())) {
            setRow(statement, key, hash, value);
            statement.setLong(valueWidth + keyWidth + 2, JdbcHashes.flipped(hash));
            return statement.executeUpdate() > 0
                    || (!sql.dialect().countsFoundRows() && isThereNow(connection, key, hash));
        }
    }

    /** Whether there is a row with that key and its hash, also where the transaction reads by a snapshot of before. */
    private boolean isThereNow(Connection connection, K key, long hash) throws SQLException {
        String query = sql.dialect().locksRows() ? sql.containsWithHash() + " FOR UPDATE" : sql.containsWithHash();
        return isFound(connection, query, key, hash);
    }

    /** Changes the rows of many keys that have their hashes; for each whether it has one. */
    boolean[] replaceAll(Connection connection, List<K> keys, long[] hashes, List<V> values) throws SQLException {
        if (isOwn()) {
            boolean[] areReplaced = new boolean[hashes.length];
            for (int i = 0; i < hashes.length; i++) {
                areReplaced[i] = replace(connection, keys.get(i), hashes[i], values.get(i));
            }
            return areReplaced;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.updateHashed())) {
            for (int i = 0; i < hashes.length; i++) {
                setRow(statement, keys.get(i), hashes[i], values.get(i));
                statement.setLong(valueWidth + keyWidth + 2, JdbcHashes.flipped(hashes[i]));
                statement.addBatch();
            }
            return areFound(connection, statement.executeBatch(), keys, hashes);
        }
    }

    /** Stores many values. */
    void putAll(Connection connection, List<K> keys, long[] hashes, List<V> values) throws SQLException {
        if (isOwn()) {
            for (int i = 0; i < hashes.length; i++) {
                put(connection, keys.get(i), hashes[i], values.get(i));
            }
            return;
        }
        boolean[] areUpdated;
        try (PreparedStatement statement = connection.prepareStatement(sql.update())) {
            for (int i = 0; i < hashes.length; i++) {
                setRow(statement, keys.get(i), hashes[i], values.get(i));
                statement.addBatch();
            }
            areUpdated = areFound(connection, statement.executeBatch(), keys, hashes);
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.insert())) {
            for (int i = 0; i < hashes.length; i++) {
                if (!areUpdated[i]) {
                    setRow(statement, keys.get(i), hashes[i], values.get(i));
                    statement.addBatch();
                }
            }
            statement.executeBatch();
        }
    }

    /** For each statement of a batch whether it has found its row; some drivers do not say. */
    private boolean[] areFound(Connection connection, int[] counts, List<K> keys, long[] hashes) throws SQLException {
        boolean isZeroCertain = sql.dialect().countsFoundRows();
        List<K> doubtful = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 0 || (counts[i] == 0 && !isZeroCertain)) {
                doubtful.add(keys.get(i));
            }
        }
        Map<Object, Long> there = new HashMap<>();
        forEachBatch(
                doubtful,
                part -> read(connection, sql.selectHashes(part.size()), part, rows -> {
                    there.put(identity(key(rows)), JdbcHashes.flipped(rows.getLong(keyWidth + 1)));
                }));
        boolean[] areFound = new boolean[counts.length];
        for (int i = 0; i < counts.length; i++) {
            Long hash = there.get(identity(keys.get(i)));
            areFound[i] = counts[i] > 0 || (hash != null && hash == hashes[i]);
        }
        return areFound;
    }

    /** Stores a value; true if there was no row. */
    boolean put(Connection connection, K key, long hash, V value) throws SQLException {
        boolean wasThere = isOwn() && contains(connection, key);
        if (update(connection, key, hash, value)) {
            return isOwn() && !wasThere;
        }
        insert(connection, key, hash, value);
        return true;
    }

    /** Removes a row; false if there is none, or it is still found. */
    boolean remove(Connection connection, K key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.delete())) {
            setKey(statement, 1, key);
            return statement.executeUpdate() > 0 && !(isOwn() && contains(connection, key));
        }
    }

    /** Gives rows their hashes, and returns how many have got one. */
    long fill(Connection connection, List<K> keys, long[] hashes) throws SQLException {
        long filled = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql.fill())) {
            for (int i = 0; i < hashes.length; i++) {
                statement.setLong(1, JdbcHashes.flipped(hashes[i]));
                setKey(statement, 2, keys.get(i));
                statement.addBatch();
            }
            for (boolean isFilled : areFound(connection, statement.executeBatch(), keys, hashes)) {
                filled += isFilled ? 1 : 0;
            }
        }
        return filled;
    }

    /** Gives rows their hashes that have none, or others. */
    void fillUnlessThere(Connection connection, List<K> keys, long[] hashes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.fillUnlessThere())) {
            for (int i = 0; i < hashes.length; i++) {
                statement.setLong(1, JdbcHashes.flipped(hashes[i]));
                setKey(statement, 2, keys.get(i));
                statement.setLong(keyWidth + 2, JdbcHashes.flipped(hashes[i]));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Some keys of rows that have no hash. */
    List<K> keysWithoutHash(Connection connection) throws SQLException {
        List<K> keys = new ArrayList<>();
        read(connection, sql.selectKeysWithoutHash(JdbcStore.BATCH), List.of(), rows -> keys.add(key(rows)));
        return keys;
    }

    /** A key whose row has another hash than its own, among the rows with the lowest hashes. */
    Optional<K> findOtherHash(Connection connection, ToLongFunction<? super K> hasher, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.selectLowestHashes(most))) {
            statement.setLong(1, Long.MIN_VALUE);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    K key = key(rows);
                    if (hasher.applyAsLong(key) != JdbcHashes.flipped(rows.getLong(keyWidth + 1))) {
                        return Optional.of(key);
                    }
                }
                return Optional.empty();
            }
        }
    }

    /** Gives the keys of all rows with their values. */
    void forEach(Connection connection, BiConsumer<? super K, ? super V> action) throws SQLException {
        if (table.statements().select().isPresent()) {
            List<K> keys = new ArrayList<>();
            read(connection, sql.selectRowKeys(), List.of(), rows -> keys.add(key(rows)));
            for (K key : keys) {
                V value = get(connection, key);
                if (value != null) {
                    action.accept(key, value);
                }
            }
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.selectRows())) {
            statement.setFetchSize(JdbcStore.BATCH);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    V value = table.value().getter().get(rows, keyWidth + 1);
                    if (value != null) {
                        action.accept(key(rows), value);
                    }
                }
            }
        }
    }
}
