package dev.besom.rocksdb;

import dev.besom.guard.notes.HasherNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.stored.RehashableHashes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
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
 * In a family that was there already each change is the same batch beside it: {@link RocksStoreBuilder}.
 *
 * <p>The folder has no Bloom filters of RocksDB's own: a guard does their work, and better.
 */
public final class RocksStore<K, V> implements Store<K, V> {

    private static final byte[] COUNT = "count".getBytes(StandardCharsets.US_ASCII);
    private static final int STRIPES = 256;

    private static final byte[] FILLING = "filling".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FILLED = "filled".getBytes(StandardCharsets.US_ASCII);
    private static final int FILL_BATCH = 10_000;

    private final ByteForm<K> keyForm;
    private final ByteForm<V> valueForm;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    private final List<AbstractNativeReference> natives;
    private final ColumnFamilyHandle notesFamily;
    private final ColumnFamilyHandle valuesFamily;
    private final List<ColumnFamilyHandle> allFamilies;
    private final RocksHashes hashes;
    private final RocksNotes notes;
    /** A change looks before it writes; changes of keys with one hash are kept apart by the lock of that hash. */
    private final Object[] stripes = new Object[STRIPES];

    /**
     * A database that is open.
     *
     * @param natives all that is closed with the store and is not in Java's memory, in the order in which it was made
     */
    record Opened(
            RocksDB db, RocksFamilies families, WriteOptions writeOptions, List<AbstractNativeReference> natives) {}

    /** Told how far a back-fill has come. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called after each batch.
         *
         * @param done how many keys have got their hash
         */
        void keysFilled(long done);
    }

    RocksStore(Opened opened, ByteForm<K> keyForm, ByteForm<V> valueForm) throws RocksDBException {
        this.db = opened.db();
        this.natives = opened.natives();
        this.writeOptions = opened.writeOptions();
        this.keyForm = keyForm;
        this.valueForm = valueForm;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Object();
        }
        this.notesFamily = opened.families().notes();
        this.valuesFamily = opened.families().values();
        this.allFamilies = List.of(
                notesFamily,
                valuesFamily,
                opened.families().evenHashes(),
                opened.families().oddHashes());
        this.hashes = new RocksHashes(db, opened.families(), writeOptions, count());
        this.notes = new RocksNotes();
        hashes.setComplete(isFilled());
    }

    /** How many keys have hashes; also makes sure that they can be counted. */
    private long count() throws RocksDBException {
        try {
            byte[] counted = db.get(notesFamily, COUNT);
            long count = counted == null ? 0 : number(counted);
            db.merge(notesFamily, COUNT, bytes(0));
            db.get(notesFamily, COUNT);
            return count;
        } catch (RocksDBException e) {
            throw new IllegalArgumentException(
                    "the family " + new String(notesFamily.getName(), StandardCharsets.UTF_8)
                            + " was opened without the merge operator uint64add",
                    e);
        }
    }

    /** Whether all keys have their hashes; those of a store that was empty when it was first opened have. */
    private boolean isFilled() throws RocksDBException {
        if (db.get(notesFamily, FILLING) != null) {
            return false;
        }
        if (hashes.count() > 0 || db.get(notesFamily, FILLED) != null) {
            return true;
        }
        try (ReadOptions options = new ReadOptions().setTotalOrderSeek(true);
                RocksIterator iterator = db.newIterator(valuesFamily, options)) {
            iterator.seekToFirst();
            iterator.status();
            if (iterator.isValid()) {
                return false;
            }
        }
        db.put(notesFamily, writeOptions, FILLED, new byte[0]);
        return true;
    }

    /** Opens a folder, or makes it; a change does not wait for the disk. */
    public static <K, V> RocksStore<K, V> open(Path folder, ByteForm<K> keyForm, ByteForm<V> valueForm) {
        return builder(keyForm, valueForm).open(folder);
    }

    /**
     * Opens a folder, or makes it.
     *
     * @param sync whether each change waits until it is on the disk
     */
    public static <K, V> RocksStore<K, V> open(Path folder, ByteForm<K> keyForm, ByteForm<V> valueForm, boolean sync) {
        return builder(keyForm, valueForm).sync(sync).open(folder);
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
        return new RocksStoreBuilder<>(keyForm, valueForm, natives).sync(sync).open(folder);
    }

    /** A store with choices: of a database that is there already, of options, of a cache. */
    public static <K, V> RocksStoreBuilder<K, V> builder(ByteForm<K> keyForm, ByteForm<V> valueForm) {
        return new RocksStoreBuilder<>(keyForm, valueForm, new ArrayList<>());
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

    /** The bytes of a key or a value that is to be stored. If it has none it is certain that nothing is. */
    private static <T> byte[] bytesToStore(ByteForm<T> form, T part) {
        try {
            return form.toBytes().apply(part);
        } catch (RuntimeException e) {
            throw new RejectedException("RocksDB: a key or value has no form in bytes: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean put(K key, long hash, V value) {
        byte[] keyBytes = bytesToStore(keyForm, key);
        byte[] valueBytes = bytesToStore(valueForm, value);
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

    @Override
    public List<Boolean> containsAll(List<? extends K> keys) {
        return getAll(keys).stream().map(Objects::nonNull).toList();
    }

    /** {@inheritDoc} One atomic batch. */
    @Override
    public void putAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        int[] needed = Arrays.stream(hashesOfKeys)
                .mapToInt(RocksStore::stripeNumber)
                .sorted()
                .distinct()
                .toArray();
        locked(needed, 0, () -> putAllLocked(keys, hashesOfKeys, values));
    }

    /** Runs with the locks of several stripes, in their order. */
    private void locked(int[] needed, int from, Runnable action) {
        if (from == needed.length) {
            action.run();
            return;
        }
        synchronized (stripes[needed[from]]) {
            locked(needed, from + 1, action);
        }
    }

    private void putAllLocked(List<K> keys, long[] hashesOfKeys, List<V> values) {
        List<byte[]> keyBytes =
                keys.stream().map(key -> bytesToStore(keyForm, key)).toList();
        long[] added;
        hashes.changing().lock();
        try (WriteBatch batch = new WriteBatch()) {
            List<byte[]> there = db.multiGetAsList(Collections.nCopies(keyBytes.size(), valuesFamily), keyBytes);
            added = IntStream.range(0, hashesOfKeys.length)
                    .filter(i -> there.get(i) == null)
                    .mapToLong(i -> hashesOfKeys[i])
                    .toArray();
            for (int i = 0; i < hashesOfKeys.length; i++) {
                batch.put(valuesFamily, keyBytes.get(i), bytesToStore(valueForm, values.get(i)));
            }
            hashes.addAll(batch, added);
            batch.merge(notesFamily, COUNT, bytes(added.length));
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw failure(e);
        } finally {
            hashes.changing().unlock();
        }
        hashes.counted(added.length);
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
        byte[] keyBytes = bytesToStore(keyForm, key);
        if (!isThere(keyBytes)) {
            return false;
        }
        byte[] valueBytes = bytesToStore(valueForm, value);
        try {
            db.put(valuesFamily, writeOptions, keyBytes, valueBytes);
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
        forEachWithPrefix(new byte[0], action);
    }

    /**
     * Gives every key whose bytes begin with a prefix, with its value, in the order of the bytes: one sequential read, past
     * any guard. The family of values has to be in the order of bytes, as it is unless it was made with another comparator.
     */
    public void forEachWithPrefix(byte[] prefix, BiConsumer<? super K, ? super V> action) {
        forEachBytes(
                prefix,
                (key, value) -> action.accept(
                        keyForm.fromBytes().apply(key), valueForm.fromBytes().apply(value)));
    }

    private void forEachBytes(byte[] prefix, BiConsumer<byte[], byte[]> action) {
        // Options of the caller's may leave keys out that have another prefix than the one sought.
        try (ReadOptions options = new ReadOptions().setTotalOrderSeek(true);
                RocksIterator iterator = db.newIterator(valuesFamily, options)) {
            for (iterator.seek(prefix); iterator.isValid(); iterator.next()) {
                byte[] key = iterator.key();
                if (!startsWith(key, prefix)) {
                    break;
                }
                action.accept(key, iterator.value());
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /**
     * Gives the keys of a family that was there already their hashes, in batches. Until it has ended the store is refused by
     * guards, and one that was interrupted begins again. Nobody may change the family meanwhile; afterwards all changes go
     * through the guard.
     *
     * @param hasher as the guard will be given it
     * @throws IllegalStateException if a guard has the store
     */
    @SuppressWarnings("try") // the lease keeps guards away
    public void backFill(KeyHasher<? super K> hasher, Progress progress) {
        try (Lease lease = Lease.ofProcess(notesFamily)) {
            notes.forgetSnapshot();
            KeyHasher<? super K> chosen = HasherNote.choose(hasher, notes, () -> false);
            hashes.setComplete(false);
            db.put(notesFamily, writeOptions, FILLING, new byte[0]);
            hashes.clear(COUNT);
            long[] batch = new long[FILL_BATCH];
            long[] done = {0};
            int[] size = {0};
            forEachBytes(new byte[0], (key, value) -> {
                batch[size[0]++] = chosen.hash(keyForm.fromBytes().apply(key));
                if (size[0] == FILL_BATCH) {
                    fill(batch);
                    size[0] = 0;
                    done[0] += FILL_BATCH;
                    progress.keysFilled(done[0]);
                }
            });
            fill(Arrays.copyOf(batch, size[0]));
            try (WriteBatch end = new WriteBatch()) {
                end.put(notesFamily, FILLED, new byte[0]);
                end.delete(notesFamily, FILLING);
                db.write(writeOptions, end);
            }
            hashes.setComplete(true);
            progress.keysFilled(done[0] + size[0]);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private void fill(long[] hashesOfKeys) {
        hashes.changing().lock();
        try (WriteBatch batch = new WriteBatch()) {
            hashes.addAll(batch, hashesOfKeys);
            batch.merge(notesFamily, COUNT, bytes(hashesOfKeys.length));
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw failure(e);
        } finally {
            hashes.changing().unlock();
        }
        hashes.counted(hashesOfKeys.length);
    }

    /** {@inheritDoc} A store in a folder is locked by the folder too, one in the caller's database is not. */
    @Override
    public Lease acquireLease(Lease.Listener listener) {
        return Lease.ofProcess(notesFamily);
    }

    @Override
    public RehashableHashes hashes() {
        return hashes;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    /** Writes to files what is still in RocksDB's memory, and waits for that: reads then cost what they cost later on. */
    public void flush() {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
            db.flush(options, allFamilies);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** Closes the folder, but no database that the caller has opened. Nobody may use the store meanwhile or afterwards. */
    @Override
    public void close() {
        closeAll(natives);
    }

    /** Closes the latest first, which is what the earlier ones are needed for. */
    static void closeAll(List<AbstractNativeReference> natives) {
        for (int i = natives.size() - 1; i >= 0; i--) {
            natives.get(i).close();
        }
    }

    private Object stripe(long hash) {
        return stripes[stripeNumber(hash)];
    }

    private static int stripeNumber(long hash) {
        return (int) (hash >>> 32) & (STRIPES - 1);
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
