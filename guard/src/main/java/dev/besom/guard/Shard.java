package dev.besom.guard;

import dev.besom.Adaptation;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.bits.Bitmaps;
import dev.besom.quotient.TelescopingFilter;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous range of hashes with a filter of its own.
 *
 * <p>Two locks. Whoever changes anything, in the filter or in the store, holds {@code changes}, for as long as the store
 * takes; so changes of one shard follow each other, and the filter and the store differ only by the change under way.
 * Nobody who only asks waits for it. {@code memory} is held to write for the moments in which the filter's words change.
 * A question reads them without a lock and asks afterwards whether anybody wrote; if so, it asks again with the lock. A
 * question among words that change ends, with any answer or an index that is out of bounds: {@code Runs} sees to that.
 *
 * <p>Order makes sure that the filter holds every stored key at any time: put goes to the filter first, remove to the
 * store first. A put that fails may still have reached the store, or may reach it later. Its slot stays, and the key is
 * <i>in doubt</i> until it is put again: it never becomes an exception, and neither growth nor priming leaves it out.
 *
 * <p><i>Exceptions</i> are keys that are not stored and that no filter can tell from those that are, because their
 * 64-bit hashes are the same. They are kept exactly, up to {@value #MAX_EXCEPTIONS} a shard. A key is never stored and an
 * exception at once: it is taken from the exceptions before it is stored, and added after a look into the store during
 * which no change is under way.
 *
 * <p>A repair that finds {@code changes} taken does not wait: it leaves the key to whoever holds them.
 */
final class Shard<K> {

    private static final int MAX_EXCEPTIONS = 1024;
    private static final int MAX_WAITING = 256;

    private final Predicate<? super K> isStored;
    private final ShardHashes hashes;
    private final FilterSpec spec;
    private final Counters counters;

    private final ReentrantLock changes = new ReentrantLock();
    private final StampedLock memory = new StampedLock();
    /** Null as long as the shard is not primed. Written with both locks held, read with one or checked afterwards. */
    private @Nullable TelescopingFilter filter;
    /** How many keys the filter is planned for. */
    private long capacity;
    /** What will take the filter's place, while the shard grows. Belongs to whoever holds the changes. */
    private @Nullable ShardGrowth growth;

    private final Set<Object> exceptions = ConcurrentHashMap.newKeySet();
    private final Map<Object, Doubt<K>> inDoubt = new HashMap<>();

    /** Keys and hashes whose repair found the shard busy. */
    private final Queue<Waiting<K>> waiting = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waitingCount = new AtomicInteger();

    private record Waiting<K>(K key, long local) {}

    /** A key in doubt with its hash in the shard. */
    private static final class Doubt<K> {
        final K key;
        final long local;
        boolean isRecorded;

        Doubt(K key, long local) {
            this.key = key;
            this.local = local;
        }
    }

    /**
     * A shard that is not primed.
     *
     * @param isStored asks the store for a key
     * @param spec of the shard's filter; its capacity is the least one
     */
    Shard(Predicate<? super K> isStored, ShardHashes hashes, FilterSpec spec, Counters counters) {
        this.isStored = isStored;
        this.hashes = hashes;
        this.spec = spec;
        this.counters = counters;
    }

    long toLocal(long hash) {
        return hashes.toLocal(hash);
    }

    ShardHashes hashes() {
        return hashes;
    }

    /** Whether there is a filter. */
    boolean isPrimed() {
        long stamp = memory.readLock();
        try {
            return filter != null;
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** False: the key of this hash is not stored. */
    boolean mightContain(long local) {
        long stamp = memory.tryOptimisticRead();
        if (stamp != 0) {
            try {
                TelescopingFilter asked = filter;
                boolean maybe = asked == null || asked.mightContain(local);
                if (memory.validate(stamp)) {
                    return maybe;
                }
            } catch (IndexOutOfBoundsException e) {
                // The words changed meanwhile. Where they did not, the next question throws it again.
                return mightContainLocked(local);
            }
        }
        return mightContainLocked(local);
    }

    private boolean mightContainLocked(long local) {
        long stamp = memory.readLock();
        try {
            return filter == null || filter.mightContain(local);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** The bulk form of {@link #mightContain(long)}, as in {@link dev.besom.MembershipFilter}. */
    void mightContain(long[] locals, int from, int count, long[] result) {
        long stamp = memory.tryOptimisticRead();
        if (stamp != 0) {
            try {
                ask(locals, from, count, result);
                if (memory.validate(stamp)) {
                    return;
                }
            } catch (IndexOutOfBoundsException e) {
                // As for a single question.
                stamp = 0;
            }
        }
        stamp = memory.readLock();
        try {
            ask(locals, from, count, result);
        } finally {
            memory.unlockRead(stamp);
        }
    }

    private void ask(long[] locals, int from, int count, long[] result) {
        TelescopingFilter asked = filter;
        if (asked != null) {
            asked.mightContain(locals, from, count, result);
            return;
        }
        Bitmaps.checkBulk(locals, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            result[base >>> 6] = -1L >>> (Long.SIZE - lanes);
        }
    }

    boolean isException(K key) {
        return !exceptions.isEmpty() && exceptions.contains(identity(key));
    }

    /**
     * Stores a value.
     *
     * @param beforeWrite called before the store changes
     * @return true if the key was not there
     */
    boolean put(K key, long hash, Put put, Runnable beforeWrite) {
        changes.lock();
        try {
            beforeWrite.run();
            TelescopingFilter current = filter;
            long local = toLocal(hash);
            Object identity = identity(key);
            Doubt<K> doubt = inDoubt.get(identity);
            if ((doubt != null || current == null || current.mightContain(local)) && put.replace()) {
                inDoubt.remove(identity);
                return false;
            }
            if (doubt == null) {
                insert(local);
                doubt = new Doubt<>(key, local);
                inDoubt.put(identity, doubt);
            }
            exceptions.remove(identity);
            if (!doubt.isRecorded) {
                put.record();
                doubt.isRecorded = true;
            }
            boolean isNew = put.put();
            inDoubt.remove(identity);
            return isNew;
        } finally {
            release();
        }
    }

    /**
     * Takes a key out.
     *
     * @param removal takes the key and its hash out of the store; false if the key is not there
     */
    boolean remove(K key, long hash, BooleanSupplier removal, Runnable beforeWrite) {
        changes.lock();
        try {
            TelescopingFilter current = filter;
            long local = toLocal(hash);
            if (current != null) {
                if (!current.mightContain(local)) {
                    return false;
                }
                // The hashes are read as they are before the removal: of two keys with one hash the filter then sees
                // both, and where the read fails nothing has changed.
                loadAround(local);
            }
            try {
                beforeWrite.run();
                if (!removal.getAsBoolean()) {
                    return false;
                }
                inDoubt.remove(identity(key));
                if (current != null) {
                    delete(current, local);
                }
                return true;
            } finally {
                hashes.unload();
            }
        } finally {
            release();
        }
    }

    private void delete(TelescopingFilter current, long local) {
        long stamp = memory.writeLock();
        try {
            current.delete(local);
        } finally {
            memory.unlockWrite(stamp);
        }
        if (growth != null) {
            growth.delete(local);
        }
    }

    /** Repairs a false positive now, or leaves it to the one who changes this shard just now. */
    void repair(K key, long local) {
        if (!changes.tryLock()) {
            if (waitingCount.incrementAndGet() > MAX_WAITING) {
                waitingCount.decrementAndGet();
                counters.dropped.increment();
                return;
            }
            waiting.add(new Waiting<>(key, local));
            repairWaiting();
            return;
        }
        try {
            repairLocked(key, local);
        } finally {
            release();
        }
    }

    private void release() {
        changes.unlock();
        repairWaiting();
    }

    /** Makes the repairs that wait, unless somebody else holds the changes, who then makes them. */
    private void repairWaiting() {
        while (!waiting.isEmpty() && changes.tryLock()) {
            try {
                Waiting<K> next = waiting.poll();
                if (next != null) {
                    waitingCount.decrementAndGet();
                    repairLocked(next.key(), next.local());
                }
            } catch (RuntimeException e) {
                // The store failed in a repair that is not this caller's. The filter is as it was.
                counters.dropped.increment();
            } finally {
                changes.unlock();
            }
        }
    }

    private void repairLocked(K key, long local) {
        TelescopingFilter current = filter;
        if (current == null) {
            return;
        }
        Adaptation outcome;
        loadAround(local);
        try {
            long stamp = memory.writeLock();
            try {
                outcome = current.repair(local);
            } finally {
                memory.unlockWrite(stamp);
            }
            if (growth != null) {
                growth.repair(local);
            }
        } finally {
            hashes.unload();
        }
        counters.repaired(outcome);
        if (outcome == Adaptation.INSEPARABLE) {
            Object identity = identity(key);
            if (!inDoubt.containsKey(identity) && !isStored.test(key)) {
                addException(identity);
            }
        }
    }

    private void addException(Object identity) {
        if (exceptions.size() >= MAX_EXCEPTIONS) {
            Iterator<Object> any = exceptions.iterator();
            any.next();
            any.remove();
        }
        exceptions.add(identity);
    }

    /** Loads the hashes of all that can share a quotient with a hash: no quotient has more than 1 / capacity of them. */
    private void loadAround(long local) {
        long width = Long.divideUnsigned(-1L, capacity) + 1;
        long low = Long.compareUnsigned(local, width) < 0 ? 0 : local - width;
        long high = Long.compareUnsigned(local, -1L - width) > 0 ? -1L : local + width;
        if (capacity == 1) {
            low = 0;
            high = -1L;
        }
        hashes.load(low, high);
    }

    /** Gives a hash a slot; each call also brings growth a step further, if the shard is full. */
    private void insert(long local) {
        if (growth == null && filter != null && filter.count() >= capacity) {
            growth = new ShardGrowth(filter, capacity + capacity / 2);
        }
        if (growth != null) {
            grow(false);
        }
        if (tryInsert(local)) {
            return;
        }
        // Growth ends long before the table is full, unless hashes crowd at one place or keys come without it.
        if (growth == null && filter != null) {
            growth = new ShardGrowth(filter, capacity + capacity / 2);
        }
        grow(true);
        if (!tryInsert(local)) {
            throw new FilterFullException("a shard that has just grown to " + capacity + " keys is full");
        }
    }

    private boolean tryInsert(long local) {
        long stamp = memory.writeLock();
        try {
            if (filter != null) {
                filter.insert(local);
            }
        } catch (FilterFullException e) {
            return false;
        } finally {
            memory.unlockWrite(stamp);
        }
        if (growth != null && !growth.insert(local)) {
            growth = growth.larger();
        }
        return true;
    }

    /** Brings growth a step further, or to its end. If the store fails it is where it was. */
    private void grow(boolean toTheEnd) {
        while (growth != null) {
            if (!moveNext(growth)) {
                growth = growth.larger();
            } else if (growth.isComplete()) {
                install(growth.next(), growth.capacity());
                growth = null;
                counters.growths.increment();
            }
            if (!toTheEnd) {
                return;
            }
        }
    }

    private boolean moveNext(ShardGrowth current) {
        return current.move(underWay(current::isNext));
    }

    /**
     * The hashes of keys in doubt that are not stored. To be called before the stored hashes are read: a key that gets
     * into the store in between then has a slot too many, and not one too few.
     */
    private long[] underWay(LongPredicate which) {
        return inDoubt.values().stream()
                .filter(doubt -> which.test(doubt.local) && !isStored.test(doubt.key))
                .mapToLong(doubt -> doubt.local)
                .toArray();
    }

    /** Fills the shard's filter from the store; lookups go on. */
    void prime() {
        changes.lock();
        try {
            if (filter == null) {
                build();
            }
        } finally {
            release();
        }
    }

    private void build() {
        long[] underWay = underWay(local -> true);
        try {
            long count = (long) hashes.load(0, -1L) + underWay.length;
            long planned = Math.max(spec.capacity(), count);
            try {
                build(planned, underWay);
            } catch (FilterFullException e) {
                // The last hashes of the range crowd, once in a billion tables; a table of another size has other
                // quotients.
                build(planned + planned / 4 + 64, underWay);
            }
        } finally {
            hashes.unload();
        }
    }

    private void build(long planned, long[] underWay) {
        TelescopingFilter next =
                TelescopingFilter.make(spec.withCapacity(1), hashes).grown(planned);
        for (long local : underWay) {
            next.insert(local);
        }
        install(next, planned);
    }

    /** Takes over a filter that holds the stored hashes. */
    void install(TelescopingFilter next, long plannedFor) {
        long stamp = memory.writeLock();
        try {
            filter = next;
            capacity = plannedFor;
        } finally {
            memory.unlockWrite(stamp);
        }
    }

    /** Holds back all changes, as for a snapshot. */
    void stopChanges() {
        changes.lock();
    }

    void allowChanges() {
        release();
    }

    boolean hasDoubts() {
        return !inDoubt.isEmpty();
    }

    /** The filter as it is, for a caller who holds back changes; null while priming. */
    @Nullable
    TelescopingFilter filter() {
        return filter;
    }

    /** How many keys the filter holds and how many bits it takes. */
    long[] countAndSizeInBits() {
        long stamp = memory.readLock();
        try {
            return filter == null ? new long[2] : new long[] {filter.count(), filter.sizeInBits()};
        } finally {
            memory.unlockRead(stamp);
        }
    }

    /** What tells keys apart: the key itself, or the contents of an array. */
    private static Object identity(Object key) {
        return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes.clone()) : key;
    }
}
