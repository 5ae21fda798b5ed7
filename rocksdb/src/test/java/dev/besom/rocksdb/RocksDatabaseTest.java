package dev.besom.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Announcement;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.stored.RehashableHashes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;

/** A store in a database that somebody else has made. */
class RocksDatabaseTest {

    private static final int ROWS = 25_000;

    @TempDir
    Path folder;

    @BeforeAll
    static void load() {
        RocksDB.loadLibrary();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A database with a family of names and another one, opened with all families that are there. */
    private final class Database implements AutoCloseable {
        final List<ColumnFamilyHandle> handles = new ArrayList<>();
        final DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        final ColumnFamilyOptions plain = new ColumnFamilyOptions();
        final ColumnFamilyOptions counting = new ColumnFamilyOptions().setMergeOperatorName("uint64add");
        final RocksDB db;

        Database(boolean isCounting) throws RocksDBException {
            List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
            List<String> names = new ArrayList<>(List.of("default", "names", "others"));
            try (Options listing = new Options()) {
                for (byte[] name : RocksDB.listColumnFamilies(listing, path())) {
                    String text = new String(name, StandardCharsets.UTF_8);
                    if (!names.contains(text)) {
                        names.add(text);
                    }
                }
            }
            for (String name : names) {
                boolean isCounted = isCounting && name.startsWith("besom.notes");
                descriptors.add(new ColumnFamilyDescriptor(bytes(name), isCounted ? counting : plain));
            }
            db = RocksDB.open(options, path(), descriptors, handles);
        }

        ColumnFamilyHandle names() {
            return handles.get(1);
        }

        void fill() throws RocksDBException {
            for (int i = 0; i < ROWS; i++) {
                db.put(names(), bytes("name " + i), bytes("value " + i));
            }
            db.put(handles.get(2), bytes("other"), bytes("untouched"));
        }

        RocksStore<String, String> store() {
            return RocksStore.builder(ByteForm.utf8(), ByteForm.utf8())
                    .valuesFamily("names")
                    .over(db, handles);
        }

        @Override
        public void close() {
            handles.forEach(ColumnFamilyHandle::close);
            db.close();
            options.close();
            plain.close();
            counting.close();
        }
    }

    private String path() {
        return folder.resolve("db").toString();
    }

    private static void assertAllFound(Guard<String, String> guard) {
        for (int i = 0; i < ROWS; i++) {
            assertThat(guard.get("name " + i)).isEqualTo("value " + i);
        }
    }

    @Test
    void keysThatWereThereAreFoundOnceTheyHaveHashes() throws RocksDBException {
        try (Database database = new Database(true)) {
            database.fill();
            RocksStore<String, String> store = database.store();
            assertThatIllegalStateException()
                    .isThrownBy(() -> Guard.over(store, KeyHasher.utf8()))
                    .withMessageContaining("backFill");
            assertThatIllegalStateException()
                    .isThrownBy(() -> store.backFill(KeyHasher.utf8(), done -> {
                        throw new IllegalStateException("interrupted after " + done);
                    }));
            assertThatIllegalStateException().isThrownBy(() -> Guard.over(store, KeyHasher.utf8()));
            store.close();
        }
        try (Database database = new Database(true)) {
            RocksStore<String, String> store = database.store();
            assertThatIllegalStateException().isThrownBy(() -> Guard.over(store, KeyHasher.utf8()));
            List<Long> steps = new ArrayList<>();
            store.backFill(KeyHasher.utf8(), steps::add);
            assertThat(steps).containsExactly(10_000L, 20_000L, (long) ROWS);
            try (StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8())) {
                assertThatIllegalStateException().isThrownBy(() -> store.backFill(KeyHasher.utf8(), done -> {}));
                assertAllFound(guard);
                assertThat(guard.count()).isEqualTo(ROWS);
                assertThat(guard.put("more", "value")).isTrue();
                assertThat(guard.remove("name 7")).isTrue();
                guard.put("name 7", "value 7");
                try (Announcement announced = guard.announce("own")) {
                    announced.settle();
                }
            }
            // The database is the caller's still.
            assertThat(database.db.get(database.names(), bytes("more"))).isEqualTo(bytes("value"));
            assertThat(database.db.get(database.handles.get(2), bytes("other"))).isEqualTo(bytes("untouched"));
        }
        try (Database database = new Database(true);
                StoreGuard<String, String> guard = Guard.over(database.store(), KeyHasher.utf8())) {
            assertAllFound(guard);
            assertThat(guard.get("more")).isEqualTo("value");
        }
    }

    @Test
    void oneBuilderOpensSeveralStoresAndFailuresLeaveNothingOpen() throws RocksDBException {
        List<AbstractNativeReference> natives = new ArrayList<>();
        RocksStoreBuilder<String, Long> builder = new RocksStoreBuilder<>(ByteForm.utf8(), ByteForm.longs(), natives);
        RocksStore<String, Long> one = builder.open(folder.resolve("one"));
        try (RocksStore<String, Long> other = builder.open(folder.resolve("other"))) {
            one.close();
            other.put("besom", 1, 1L);
            assertThat(other.get("besom")).isEqualTo(1L);
            assertThatThrownBy(() -> builder.open(folder.resolve("other"))).isInstanceOf(StoreException.class);
            assertThat(other.get("besom")).isEqualTo(1L);
        }
        assertThat(natives).isNotEmpty().noneMatch(RocksDatabaseTest::isOpen);

        List<AbstractNativeReference> failed = new ArrayList<>();
        try (Database database = new Database(true)) {
            assertThatThrownBy(() ->
                            RocksStore.open(folder.resolve("db"), ByteForm.utf8(), ByteForm.longs(), false, failed))
                    .isInstanceOf(StoreException.class);
            assertThat(database.handles).hasSize(3);
        }
        assertThat(failed).isNotEmpty().noneMatch(RocksDatabaseTest::isOpen);
    }

    private static boolean isOpen(AbstractNativeReference each) {
        return ((RocksObject) each).isOwningHandle();
    }

    @Test
    void notesThatCannotBeCountedAreRefused() throws RocksDBException {
        try (Database database = new Database(true)) {
            database.store().close();
        }
        try (Database database = new Database(false)) {
            assertThatIllegalArgumentException().isThrownBy(database::store).withMessageContaining("uint64add");
        }
    }

    @Test
    void aFolderThatIsThereIsOpenedWithItsOtherFamilies() throws RocksDBException {
        try (Database database = new Database(true)) {
            database.fill();
        }
        RocksStore<String, String> store = RocksStore.builder(ByteForm.utf8(), ByteForm.utf8())
                .valuesFamily("names")
                .open(folder.resolve("db"));
        store.backFill(KeyHasher.utf8(3), done -> {});
        try (StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8(3))) {
            assertAllFound(guard);
        }
        try (Database database = new Database(true)) {
            assertThat(database.db.get(database.handles.get(2), bytes("other"))).isEqualTo(bytes("untouched"));
        }
    }

    /** Options by which RocksDB leaves keys out of a read that have another prefix than the one sought. */
    @Test
    void optionsOfTheCallersHideNothing() {
        try (Cache cache = new LRUCache(1 << 20);
                BloomFilter bloom = new BloomFilter(10);
                DBOptions options = new DBOptions().setMaxBackgroundJobs(2);
                ColumnFamilyOptions valuesOptions = new ColumnFamilyOptions()
                        .useFixedLengthPrefixExtractor(2)
                        .setTableFormatConfig(new BlockBasedTableConfig()
                                .setFilterPolicy(bloom)
                                .setBlockCache(cache))) {
            Map<String, String> model = new HashMap<>();
            for (int round = 0; round < 2; round++) {
                try (StoreGuard<String, String> guard = Guard.over(
                        RocksStore.builder(ByteForm.utf8(), ByteForm.utf8())
                                .options(options)
                                .valuesOptions(valuesOptions)
                                .cache(cache)
                                .sync(true)
                                .open(folder.resolve("tuned")),
                        KeyHasher.utf8())) {
                    Map<String, String> batch = new HashMap<>();
                    for (int i = 0; i < 3_000; i++) {
                        batch.put(i % 26 + "/" + round + "/" + i, "value");
                    }
                    guard.putAll(batch);
                    model.putAll(batch);
                    assertThat(guard.getAll(model.keySet())).isEqualTo(model);
                    Map<String, String> rows = new HashMap<>();
                    guard.store().forEach(rows::put);
                    assertThat(rows).isEqualTo(model);
                    assertThat(guard.store().hashes().between(0, -1L)).hasSize(model.size());
                }
            }
        }
    }

    @Test
    void aPrefixIsReadInOrderAndWithoutItsNeighbours() {
        try (RocksStore<String, Long> store =
                RocksStore.open(folder.resolve("prefixes"), ByteForm.utf8(), ByteForm.longs())) {
            for (String key : List.of("a", "ab", "ab\u00ff", "abc", "ac", "b", "")) {
                store.put(key, KeyHasher.utf8(1).hash(key), 1L);
            }
            List<String> found = new ArrayList<>();
            store.forEachWithPrefix(bytes("ab"), (key, value) -> found.add(key));
            assertThat(found).containsExactly("ab", "abc", "ab\u00ff");
            found.clear();
            store.forEachWithPrefix(new byte[0], (key, value) -> found.add(key));
            assertThat(found).hasSize(7);
        }
        try (RocksStore<byte[], Long> store =
                RocksStore.open(folder.resolve("bytes"), ByteForm.bytes(), ByteForm.longs())) {
            store.put(new byte[] {-1, -1}, 1, 1L);
            store.put(new byte[] {-1, -1, 0}, 2, 1L);
            store.put(new byte[] {-1}, 3, 1L);
            List<Integer> lengths = new ArrayList<>();
            store.forEachWithPrefix(new byte[] {-1, -1}, (key, value) -> lengths.add(key.length));
            assertThat(lengths).containsExactly(2, 3);
        }
    }

    @Test
    void batchesKeepHashesOfSeveralKeysApart() {
        SplittableRandom random = new SplittableRandom(5);
        Map<Integer, String> model = new HashMap<>();
        try (RocksStore<String, String> store =
                RocksStore.open(folder.resolve("twins"), ByteForm.utf8(), ByteForm.utf8())) {
            RehashableHashes hashes = store.hashes();
            for (int round = 0; round < 50; round++) {
                List<String> keys = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    int key = random.nextInt(500);
                    if (!keys.contains("key " + key)) {
                        keys.add("key " + key);
                        model.put(key, "round " + round);
                    }
                }
                // Few hashes, so that keys of one batch share them.
                store.putAll(
                        keys,
                        keys.stream().mapToLong(key -> key.hashCode() % 20).toArray(),
                        keys.stream().map(key -> "round").toList());
                assertThat(hashes.count()).isEqualTo(model.size());
                assertThat(hashes.between(0, -1L)).hasSize(model.size());
            }
        }
    }
}
