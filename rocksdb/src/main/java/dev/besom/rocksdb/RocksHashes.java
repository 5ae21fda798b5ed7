package dev.besom.rocksdb;

import dev.besom.StoredHashes;
import dev.besom.guard.StoreException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Stored hashes in a column family.
 *
 * <pre>
 *   key     the hash, highest byte first, so that RocksDB's order is the unsigned order of hashes
 *   value   nothing where one key has the hash; otherwise how many have, in four bytes, highest first
 * </pre>
 */
final class RocksHashes implements StoredHashes {

    private static final byte[] ONE = {};

    private final RocksDB db;
    private final ColumnFamilyHandle family;
    private final AtomicLong count;

    RocksHashes(RocksDB db, ColumnFamilyHandle family, long count) {
        this.db = db;
        this.family = family;
        this.count = new AtomicLong(count);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        if (Long.compareUnsigned(lo, hi) > 0) {
            return;
        }
        try (ReadOptions options = new ReadOptions();
                RocksIterator iterator = db.newIterator(family, options)) {
            for (iterator.seek(key(lo)); iterator.isValid(); iterator.next()) {
                long hash = ByteBuffer.wrap(iterator.key()).getLong();
                if (Long.compareUnsigned(hash, hi) > 0) {
                    break;
                }
                for (int copies = copies(iterator.value()); copies > 0; copies--) {
                    action.accept(hash);
                }
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw new StoreException("RocksDB: " + e.getMessage(), e);
        }
    }

    @Override
    public long count() {
        return count.get();
    }

    /** Counts a change that has been written. */
    void counted(long change) {
        count.addAndGet(change);
    }

    /** Puts a hash in by way of a batch. Nobody else may change the same hash meanwhile. */
    void add(WriteBatch batch, long hash) throws RocksDBException {
        byte[] key = key(hash);
        byte[] there = db.get(family, key);
        batch.put(family, key, there == null ? ONE : value(copies(there) + 1));
    }

    /** Puts a hash in by way of a batch without a look whether it is there. */
    void addNew(WriteBatch batch, long hash) throws RocksDBException {
        batch.put(family, key(hash), ONE);
    }

    /** Takes one copy of a hash out by way of a batch. Nobody else may change the same hash meanwhile. */
    void remove(WriteBatch batch, long hash) throws RocksDBException {
        byte[] key = key(hash);
        int copies = copies(db.get(family, key));
        if (copies > 1) {
            batch.put(family, key, value(copies - 1));
        } else {
            batch.delete(family, key);
        }
    }

    private static byte[] key(long hash) {
        return ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
    }

    private static byte[] value(int copies) {
        return copies == 1
                ? ONE
                : ByteBuffer.allocate(Integer.BYTES).putInt(copies).array();
    }

    private static int copies(byte @Nullable [] value) {
        return value == null
                ? 0
                : value.length == 0 ? 1 : ByteBuffer.wrap(value).getInt();
    }
}
