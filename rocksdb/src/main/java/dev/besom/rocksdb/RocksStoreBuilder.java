package dev.besom.rocksdb;

import dev.besom.guard.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * The choices of a {@link RocksStore}. Whatever is given here stays the caller's, who closes it after the store.
 *
 * <pre>
 *   a folder of Besom's own                    beside a family that is there
 *   default          notes                     besom.notes:NAME
 *   besom.values     keys and values           NAME
 *   besom.hashes     hashes                    besom.hashes:NAME
 *   besom.hashes.1   hashes                    besom.hashes.1:NAME
 * </pre>
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class RocksStoreBuilder<K, V> {

    private final ByteForm<K> keyForm;
    private final ByteForm<V> valueForm;
    /** What is made for the store and is not in Java's memory; of the next store, when one is open. */
    private List<AbstractNativeReference> natives;

    private @Nullable String valuesFamily;
    private @Nullable DBOptions options;
    private @Nullable ColumnFamilyOptions valuesOptions;
    private @Nullable Cache cache;
    private boolean isSync;

    RocksStoreBuilder(ByteForm<K> keyForm, ByteForm<V> valueForm, List<AbstractNativeReference> natives) {
        this.keyForm = keyForm;
        this.valueForm = valueForm;
        this.natives = natives;
    }

    /**
     * The column family of the keys and values, which may be there already. Its rows need their hashes before a guard is
     * made: {@link RocksStore#backFill}.
     */
    public RocksStoreBuilder<K, V> valuesFamily(String name) {
        valuesFamily = name;
        return this;
    }

    /** The options of the database, for {@link #open}; a copy is taken, in which what is missing is made. */
    public RocksStoreBuilder<K, V> options(DBOptions given) {
        options = given;
        return this;
    }

    /** The options of the values' family, for {@link #open}; a copy is taken. Other families have Besom's own. */
    public RocksStoreBuilder<K, V> valuesOptions(ColumnFamilyOptions given) {
        valuesOptions = given;
        return this;
    }

    /** The cache of blocks for Besom's families, and for the values unless they have options of their own. */
    public RocksStoreBuilder<K, V> cache(Cache given) {
        cache = given;
        return this;
    }

    /** Whether each change waits until it is on the disk; not by default. */
    public RocksStoreBuilder<K, V> sync(boolean isWaiting) {
        isSync = isWaiting;
        return this;
    }

    private RocksFamilies.Names names() {
        return valuesFamily == null ? RocksFamilies.Names.own() : RocksFamilies.Names.beside(valuesFamily);
    }

    private <T extends AbstractNativeReference> T kept(T made) {
        natives.add(made);
        return made;
    }

    private ColumnFamilyOptions familyOptions() {
        BlockBasedTableConfig blocks = new BlockBasedTableConfig();
        if (cache != null) {
            blocks.setBlockCache(cache);
        }
        return kept(new ColumnFamilyOptions()).setTableFormatConfig(blocks);
    }

    /** The families that a store needs, in the order of their names. */
    private Map<String, ColumnFamilyDescriptor> descriptors() {
        RocksFamilies.Names names = names();
        Map<String, ColumnFamilyDescriptor> descriptors = new LinkedHashMap<>();
        add(descriptors, names.notes(), familyOptions().setMergeOperatorName("uint64add"));
        add(
                descriptors,
                names.values(),
                valuesOptions == null ? familyOptions() : kept(new ColumnFamilyOptions(valuesOptions)));
        add(descriptors, names.evenHashes(), familyOptions());
        add(descriptors, names.oddHashes(), familyOptions());
        return descriptors;
    }

    private static void add(
            Map<String, ColumnFamilyDescriptor> descriptors, String name, ColumnFamilyOptions familyOptions) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (descriptors.put(name, new ColumnFamilyDescriptor(bytes, familyOptions)) != null) {
            throw new IllegalArgumentException("the family " + name + " is used twice");
        }
    }

    /**
     * Opens a folder, or makes it. Families of the folder that are not the store's are opened with the default options and
     * left alone.
     */
    public RocksStore<K, V> open(Path folder) {
        RocksDB.loadLibrary();
        try {
            DBOptions all = kept(options == null ? new DBOptions() : new DBOptions(options))
                    .setCreateIfMissing(true)
                    .setCreateMissingColumnFamilies(true);
            Map<String, ColumnFamilyDescriptor> descriptors = descriptors();
            for (String other : existing(folder)) {
                if (!descriptors.containsKey(other)) {
                    add(descriptors, other, kept(new ColumnFamilyOptions()));
                }
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB db = kept(RocksDB.open(all, folder.toString(), List.copyOf(descriptors.values()), handles));
            natives.addAll(handles);
            return store(db, byName(handles));
        } catch (RocksDBException | RuntimeException | Error e) {
            throw closed(e);
        }
    }

    private static List<String> existing(Path folder) throws RocksDBException {
        if (!folder.resolve("CURRENT").toFile().exists()) {
            // A database has this family always, and wants to be told so.
            return List.of(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8));
        }
        try (Options plain = new Options()) {
            return RocksDB.listColumnFamilies(plain, folder.toString()).stream()
                    .map(name -> new String(name, StandardCharsets.UTF_8))
                    .toList();
        }
    }

    /**
     * Uses a database that the caller has opened, with whatever options, and closes after the store. Families of Besom's
     * that are not there are made; at the next opening of the database they are among those that have to be named, and
     * {@code besom.notes:NAME} needs the merge operator {@code uint64add}.
     *
     * @param handles of all families of the database
     * @throws IllegalArgumentException if the family of notes was opened without its merge operator
     */
    public RocksStore<K, V> over(RocksDB db, List<ColumnFamilyHandle> handles) {
        if (valuesFamily == null) {
            throw new IllegalStateException("name the family of values");
        }
        try {
            Map<String, ColumnFamilyHandle> byName = byName(handles);
            for (Map.Entry<String, ColumnFamilyDescriptor> needed :
                    descriptors().entrySet()) {
                if (!byName.containsKey(needed.getKey())) {
                    byName.put(needed.getKey(), kept(db.createColumnFamily(needed.getValue())));
                }
            }
            return store(db, byName);
        } catch (RocksDBException | RuntimeException | Error e) {
            throw closed(e);
        }
    }

    private static Map<String, ColumnFamilyHandle> byName(List<ColumnFamilyHandle> handles) throws RocksDBException {
        Map<String, ColumnFamilyHandle> byName = new HashMap<>();
        for (ColumnFamilyHandle handle : handles) {
            byName.put(new String(handle.getName(), StandardCharsets.UTF_8), handle);
        }
        return byName;
    }

    private RocksStore<K, V> store(RocksDB db, Map<String, ColumnFamilyHandle> byName) throws RocksDBException {
        RocksFamilies.Names names = names();
        RocksFamilies families = new RocksFamilies(
                handle(byName, names.notes()),
                handle(byName, names.values()),
                handle(byName, names.evenHashes()),
                handle(byName, names.oddHashes()));
        WriteOptions writeOptions = kept(new WriteOptions().setSync(isSync));
        RocksStore<K, V> store =
                new RocksStore<>(new RocksStore.Opened(db, families, writeOptions, natives), keyForm, valueForm);
        natives = new ArrayList<>();
        return store;
    }

    private static ColumnFamilyHandle handle(Map<String, ColumnFamilyHandle> byName, String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    private RuntimeException closed(Throwable failure) {
        RocksStore.closeAll(natives);
        natives = new ArrayList<>();
        if (failure instanceof RocksDBException e) {
            return new StoreException("RocksDB: " + e.getMessage(), e);
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return (RuntimeException) failure;
    }
}
