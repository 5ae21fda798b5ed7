package dev.besom.rocksdb;

import dev.besom.guard.store.Notes;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import dev.besom.stored.RehashableHashes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A store in a folder of RocksDB.
 *
 * <pre>
 *   default         the notes by name, and "count": how many keys there are, eight bytes, lowest first
 *   besom.values    key -&gt; value
 *   besom.hashes    {@link RocksHashes}, those under hash function 0, 2, 4, ...
 *   besom.hashes.1  those under hash function 1, 3, 5, ...; empty unless a filter changes hash functions
 * </pre>
 *
 * Each change is one atomic batch over all families. A change that has returned survives the end of the process;
 * a power cut it survives only if the store was opened to wait for the disk, and otherwise the last changes may be
 * missing, but never some of a change or one without those before it.
 *
 * <p>The folder has no Bloom filters of RocksDB's own: a guard does their work, and better.
 */
public final class RocksStore<K, V> implements Store<K, V> {

    private static final byte[] VALUES_NAME = "besom.values".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HASHES_NAME = "besom.hashes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ODD_HASHES_NAME = "besom.hashes.1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COUNT = "count".getBytes(StandardCharsets.US_ASCII);
    private static final int STRIPES = 256;

    private final ByteForm<K> keyForm;
    private final ByteForm<V> valueForm;
    private final DBOptions options;
    private final ColumnFamilyOptions countedOptions;
    private final ColumnFamilyOptions familyOptions;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();

    /** All that is not in Java's memory, in the order in which it was made. */
    private final List<AbstractNativeReference> natives;

    private final ColumnFamilyHandle notesFamily;
    private final ColumnFamilyHandle valuesFamily;
    private final RocksHashes hashes;
    private final RocksNotes notes;
    /** A change looks before it writes; changes of keys with one hash are kept apart by the lock of that hash. */
    private final Object[] stripes = new Object[STRIPES];

    private RocksStore(
            Path folder,
            ByteForm<K> keyForm,
            ByteForm<V> valueForm,
            boolean sync,
            List<AbstractNativeReference> natives)
            throws RocksDBException {
        this.natives = natives;
        this.keyForm = keyForm;
        this.valueForm = valueForm;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Object();
        }
        this.options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        this.countedOptions = new ColumnFamilyOptions().setMergeOperatorName("uint64add");
        this.familyOptions = new ColumnFamilyOptions().setTableFormatConfig(new BlockBasedTableConfig());
        this.writeOptions = new WriteOptions().setSync(sync);
        this.natives.addAll(List.of(options, countedOptions, familyOptions, writeOptions));
        try {
            this.db = RocksDB.open(
                    options,
                    folder.toString(),
                    List.of(
                            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, countedOptions),
                            new ColumnFamilyDescriptor(VALUES_NAME, familyOptions),
                            new ColumnFamilyDescriptor(HASHES_NAME, familyOptions),
                            new ColumnFamilyDescriptor(ODD_HASHES_NAME, familyOptions)),
                    handles);
            natives.add(db);
            natives.addAll(handles);
            this.notesFamily = handles.get(0);
            this.valuesFamily = handles.get(1);
            byte[] counted = db.get(notesFamily, COUNT);
            this.hashes = new RocksHashes(
                    db,
                    notesFamily,
                    handles.get(2),
                    handles.get(3),
                    writeOptions,
                    counted == null ? 0 : number(counted));
        } catch (RocksDBException | RuntimeException | Error e) {
            closeNatives(natives);
            throw e;
        }
        this.notes = new RocksNotes();
    }

    /** Opens a folder, or makes it; a change does not wait for the disk. */
    public static <K, V> RocksStore<K, V> open(Path folder, ByteForm<K> keyForm, ByteForm<V> valueForm) {
        return open(folder, keyForm, valueForm, false);
    }

    /**
     * Opens a folder, or makes it.
     *
     * @param sync whether each change waits until it is on the disk
     */
    public static <K, V> RocksStore<K, V> open(Path folder, ByteForm<K> keyForm, ByteForm<V> valueForm, boolean sync) {
        return open(folder, keyForm, valueForm, sync, new ArrayList<>());
    }

    /**
     * Opens a folder, or makes it.
     *
     * @param natives takes all that is made and is not in Java's memory
     */
    static <K, V> RocksStore<K, V> open(
            Path folder,
            ByteForm<K> keyForm,
            ByteForm<V> valueForm,
            boolean sync,
            List<AbstractNativeReference> natives) {
        RocksDB.loadLibrary();
        try {
            return new RocksStore<>(folder, keyForm, valueForm, sync, natives);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public @Nullable V get(K key) {
        try {
            byte[] value = db.get(valuesFamily, keyForm.toBytes().apply(key));
            return value == null ? null : valueForm.fromBytes().apply(value);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public List<@Nullable V> getAll(List<? extends K> keys) {
        List<byte[]> keyBytes = new ArrayList<>(keys.size());
        for (K key : keys) {
            keyBytes.add(keyForm.toBytes().apply(key));
        }
        try {
            List<@Nullable V> values = new ArrayList<>(keys.size());
            for (byte[] value : db.multiGetAsList(Collections.nCopies(keyBytes.size(), valuesFamily), keyBytes)) {
                values.add(value == null ? null : valueForm.fromBytes().apply(value));
            }
            return values;
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public boolean contains(K key) {
        return isThere(keyForm.toBytes().apply(key));
    }

    private boolean isThere(byte[] key) {
        try {
            return db.get(valuesFamily, key) != null;
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public boolean put(K key, long hash, V value) {
        byte[] keyBytes = keyForm.toBytes().apply(key);
        byte[] valueBytes = valueForm.toBytes().apply(value);
        synchronized (stripe(hash)) {
            boolean isNew = !isThere(keyBytes);
            hashes.changing().lock();
            try (WriteBatch batch = new WriteBatch()) {
                batch.put(valuesFamily, keyBytes, valueBytes);
                if (isNew) {
                    hashes.add(batch, hash);
                    batch.merge(notesFamily, COUNT, bytes(1));
                }
                db.write(writeOptions, batch);
            } catch (RocksDBException e) {
                throw failure(e);
            } finally {
                hashes.changing().unlock();
            }
            hashes.counted(isNew ? 1 : 0);
            return isNew;
        }
    }

    /**
     * Stores many keys in one batch, faster than one by one: for filling a store that no guard stands before yet.
     *
     * @param keys none of which is there, nor twice in the list
     * @param hashesOfKeys in the order of the keys; none is there or twice in the list
     */
    public void putAllNew(List<K> keys, long[] hashesOfKeys, List<V> values) {
        if (keys.size() != hashesOfKeys.length || keys.size() != values.size()) {
            throw new IllegalArgumentException(
                    keys.size() + " keys, " + hashesOfKeys.length + " hashes and " + values.size() + " values");
        }
        notes.forgetSnapshot();
        hashes.changing().lock();
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < hashesOfKeys.length; i++) {
                batch.put(
                        valuesFamily,
                        keyForm.toBytes().apply(keys.get(i)),
                        valueForm.toBytes().apply(values.get(i)));
                hashes.addNew(batch, hashesOfKeys[i]);
            }
            batch.merge(notesFamily, COUNT, bytes(hashesOfKeys.length));
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw failure(e);
        } finally {
            hashes.changing().unlock();
        }
        hashes.counted(hashesOfKeys.length);
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        byte[] keyBytes = keyForm.toBytes().apply(key);
        if (!isThere(keyBytes)) {
            return false;
        }
        try {
            db.put(valuesFamily, writeOptions, keyBytes, valueForm.toBytes().apply(value));
            return true;
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public boolean remove(K key, long hash) {
        byte[] keyBytes = keyForm.toBytes().apply(key);
        synchronized (stripe(hash)) {
            if (!isThere(keyBytes)) {
                return false;
            }
            hashes.changing().lock();
            try (WriteBatch batch = new WriteBatch()) {
                batch.delete(valuesFamily, keyBytes);
                hashes.remove(batch, hash);
                batch.merge(notesFamily, COUNT, bytes(-1));
                db.write(writeOptions, batch);
            } catch (RocksDBException e) {
                throw failure(e);
            } finally {
                hashes.changing().unlock();
            }
            hashes.counted(-1);
            return true;
        }
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        try (RocksIterator iterator = db.newIterator(valuesFamily)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                action.accept(
                        keyForm.fromBytes().apply(iterator.key()),
                        valueForm.fromBytes().apply(iterator.value()));
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public RehashableHashes hashes() {
        return hashes;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    /** Closes the folder; nobody may use the store meanwhile or afterwards. */
    @Override
    public void close() {
        closeNatives(natives);
    }

    /** Closes the latest first, which is what the earlier ones are needed for. */
    private static void closeNatives(List<AbstractNativeReference> natives) {
        for (int i = natives.size() - 1; i >= 0; i--) {
            natives.get(i).close();
        }
    }

    private Object stripe(long hash) {
        return stripes[(int) (hash >>> 32) & (STRIPES - 1)];
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    private static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private static StoreException failure(RocksDBException e) {
        return new StoreException("RocksDB: " + e.getMessage(), e);
    }

    private final class RocksNotes implements Notes {

        @Override
        public byte @Nullable [] read(String name) {
            try {
                return db.get(notesFamily, key(name));
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        @Override
        public void write(String name, byte[] contents) {
            try {
                db.put(notesFamily, writeOptions, key(name), contents);
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        /** The folder belongs to this process, so no other one writes in between. */
        @Override
        public synchronized byte[] writeIfAbsent(String name, byte[] contents) {
            byte[] there = read(name);
            if (there == null) {
                write(name, contents);
            }
            return there == null ? contents : there;
        }

        @Override
        public void remove(String name) {
            try {
                db.delete(notesFamily, writeOptions, key(name));
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }

        private byte[] key(String name) {
            return ("note:" + name).getBytes(StandardCharsets.UTF_8);
        }
    }
}
