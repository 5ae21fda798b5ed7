package dev.besom.rocksdb;

import dev.besom.guard.store.StoreException;
import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Stored hashes in two column families, one for each hash function that they have at one time.
 *
 * <pre>
 *   family   0: functions 0, 2, 4, ...    1: functions 1, 3, 5, ...
 *   key      the hash's position under the function, highest byte first, so that RocksDB's order is the unsigned order
 *   value    nothing where one key has the hash; otherwise how many have, in four bytes, highest first
 *
 *   a note   how far the change from one function to the next has come: five numbers, highest bytes first
 * </pre>
 */
final class RocksHashes implements RehashableHashes {

    private static final byte[] ONE = {};

    /** Comes after every hash. */
    private static final byte[] PAST_ALL = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

    private static final byte[] REHASH = "rehash".getBytes(StandardCharsets.US_ASCII);

    private final RocksDB db;
    private final ColumnFamilyHandle notes;
    private final ColumnFamilyHandle[] families;
    private final WriteOptions writeOptions;
    private final AtomicLong count;

    /** Held to read by who puts a hash in or takes one out, and to write by who moves some. */
    private final ReadWriteLock changes = new ReentrantReadWriteLock();

    private volatile Rehash rehash;
    private volatile boolean isComplete = true;

    RocksHashes(RocksDB db, RocksFamilies families, WriteOptions writeOptions, long count) throws RocksDBException {
        this.db = db;
        this.notes = families.notes();
        this.families = new ColumnFamilyHandle[] {families.evenHashes(), families.oddHashes()};
        this.writeOptions = writeOptions;
        this.count = new AtomicLong(count);
        byte[] note = db.get(notes, REHASH);
        this.rehash = note == null ? Rehash.NONE : rehash(ByteBuffer.wrap(note));
    }

    private static Rehash rehash(ByteBuffer note) {
        return new Rehash(note.getLong(), note.getLong(), note.getInt(), note.getInt(), note.getLong());
    }

    private static byte[] note(Rehash rehash) {
        return ByteBuffer.allocate(3 * Long.BYTES + 2 * Integer.BYTES)
                .putLong(rehash.seed())
                .putLong(rehash.generation())
                .putInt(rehash.blockBits())
                .putInt(rehash.stepBits())
                .putLong(rehash.frontier())
                .array();
    }

    private ColumnFamilyHandle oldFamily() {
        return families[(int) rehash.generation() & 1];
    }

    private ColumnFamilyHandle newFamily() {
        return families[(int) rehash.generation() + 1 & 1];
    }

    /** What a change of a hash has to hold until its batch is written. */
    Lock changing() {
        return changes.readLock();
    }

    @Override
    public Rehash rehash() {
        return rehash;
    }

    @Override
    public void begin(Rehash begun) {
        changes.writeLock().lock();
        try {
            db.put(notes, writeOptions, REHASH, note(begun));
            rehash = begun;
        } catch (RocksDBException e) {
            throw new StoreException("RocksDB: " + e.getMessage(), e);
        } finally {
            changes.writeLock().unlock();
        }
    }

    @Override
    public long[] oldBetween(long lo, long hi) {
        LongStream.Builder found = LongStream.builder();
        forEachBetween(oldFamily(), lo, hi, (position, copies) -> {
            for (int i = 0; i < copies; i++) {
                found.add(position);
            }
        });
        return found.build().toArray();
    }

    @Override
    public void moveCell() {
        changes.writeLock().lock();
        try (WriteBatch batch = new WriteBatch()) {
            Rehash before = rehash;
            Rehash after = before.advanced();
            List<long[]> moved = new ArrayList<>();
            forEachBetween(
                    oldFamily(),
                    before.firstOfCell(),
                    before.lastOfCell(),
                    (position, copies) -> moved.add(new long[] {position, copies}));
            for (long[] each : moved) {
                long fresh = before.newPosition(before.hashOfOld(each[0]));
                batch.delete(oldFamily(), key(each[0]));
                batch.put(newFamily(), key(fresh), value((int) each[1]));
            }
            batch.put(notes, REHASH, note(after));
            db.write(writeOptions, batch);
            rehash = after;
        } catch (RocksDBException e) {
            throw new StoreException("RocksDB: " + e.getMessage(), e);
        } finally {
            changes.writeLock().unlock();
        }
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        if (rehash.isIdle()) {
            forEachBetween(oldFamily(), lo, hi, (position, copies) -> {
                for (int i = 0; i < copies; i++) {
                    action.accept(position);
                }
            });
            return;
        }
        // While a change is under way ranges are read for repairs, and are short.
        List<long[]> found = new ArrayList<>();
        forEachBetween(oldFamily(), lo, hi, (position, copies) -> found.add(new long[] {position, copies}));
        forEachBetween(newFamily(), lo, hi, (position, copies) -> found.add(new long[] {position, copies}));
        found.sort((one, other) -> Long.compareUnsigned(one[0], other[0]));
        for (long[] each : found) {
            for (long i = 0; i < each[1]; i++) {
                action.accept(each[0]);
            }
        }
    }

    /** Takes positions with the number of their copies. */
    @FunctionalInterface
    private interface CopiesConsumer {
        void accept(long position, int copies);
    }

    private void forEachBetween(ColumnFamilyHandle family, long lo, long hi, CopiesConsumer action) {
        if (Long.compareUnsigned(lo, hi) > 0) {
            return;
        }
        try (ReadOptions options = new ReadOptions().setTotalOrderSeek(true);
                RocksIterator iterator = db.newIterator(family, options)) {
            for (iterator.seek(key(lo)); iterator.isValid(); iterator.next()) {
                long position = ByteBuffer.wrap(iterator.key()).getLong();
                if (Long.compareUnsigned(position, hi) > 0) {
                    break;
                }
                action.accept(position, copies(iterator.value()));
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw new StoreException("RocksDB: " + e.getMessage(), e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if keys have no hash yet: a guard would hide them
     */
    @Override
    public long count() {
        if (!isComplete) {
            throw new IllegalStateException("keys have no hash yet; call backFill before a guard is made");
        }
        return count.get();
    }

    /** Says whether all keys have their hashes. */
    void setComplete(boolean areAllThere) {
        isComplete = areAllThere;
    }

    /** Removes all hashes, and their count. */
    void clear(byte[] countNote) throws RocksDBException {
        changes.writeLock().lock();
        try (WriteBatch batch = new WriteBatch()) {
            for (ColumnFamilyHandle family : families) {
                batch.deleteRange(family, new byte[0], PAST_ALL);
            }
            batch.delete(notes, countNote);
            batch.delete(notes, REHASH);
            db.write(writeOptions, batch);
            count.set(0);
            rehash = Rehash.NONE;
        } finally {
            changes.writeLock().unlock();
        }
    }

    /** Puts many hashes in by way of a batch that has none yet. Nobody else may change the same hashes meanwhile. */
    void addAll(WriteBatch batch, long[] hashes) throws RocksDBException {
        long[] sorted = hashes.clone();
        Arrays.sort(sorted);
        for (int from = 0; from < sorted.length; ) {
            int to = from;
            while (to < sorted.length && sorted[to] == sorted[from]) {
                to++;
            }
            byte[] key = key(rehash.position(sorted[from]));
            ColumnFamilyHandle family = familyOf(sorted[from]);
            batch.put(family, key, value(copies(db.get(family, key)) + to - from));
            from = to;
        }
    }

    /** Counts a change that has been written. */
    void counted(long change) {
        count.addAndGet(change);
    }

    private ColumnFamilyHandle familyOf(long hash) {
        return rehash.isMoved(rehash.oldPosition(hash)) ? newFamily() : oldFamily();
    }

    /** Puts a hash in by way of a batch. Nobody else may change the same hash meanwhile. */
    void add(WriteBatch batch, long hash) throws RocksDBException {
        byte[] key = key(rehash.position(hash));
        byte[] there = db.get(familyOf(hash), key);
        batch.put(familyOf(hash), key, there == null ? ONE : value(copies(there) + 1));
    }

    /** Puts a hash in by way of a batch without a look whether it is there. */
    void addNew(WriteBatch batch, long hash) throws RocksDBException {
        batch.put(familyOf(hash), key(rehash.position(hash)), ONE);
    }

    /** Takes one copy of a hash out by way of a batch. Nobody else may change the same hash meanwhile. */
    void remove(WriteBatch batch, long hash) throws RocksDBException {
        byte[] key = key(rehash.position(hash));
        int copies = copies(db.get(familyOf(hash), key));
        if (copies > 1) {
            batch.put(familyOf(hash), key, value(copies - 1));
        } else {
            batch.delete(familyOf(hash), key);
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
