package dev.besom.guard;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.IncrementalGrowth;
import dev.besom.IncrementallyGrowableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous range of hashes with a filter of its own.
 *
 * <p>Two locks. Whoever changes anything, in the filter or in the store, holds {@code changes}, for as long as the store
 * takes; so changes of one shard follow each other, and the filter and the store differ only by the change under way.
 * Nobody who only asks waits for it. {@code memory}, of {@link AskedFilter}, is held to write for the moments in which the
 * filter's words change.
 *
 * <p>Order makes sure that the filter holds every stored key at any time: put goes to the filter first, remove to the
 * store first. A put that fails may still have reached the store, or may reach it later. Its slot stays, and the key is
 * <i>in doubt</i> until it is put again: it never becomes an exception, and neither growth nor priming leaves it out.
 * Where more keys are in doubt than {@link Doubts} takes, the hashes of the oldest go to the sieve, which has a fixed size
 * and forgets nothing: the more there are, the more questions it answers "maybe". It goes with the guard.
 *
 * <p>{@link Exceptions}: a key is never stored and an exception at once. It is taken from the exceptions before it is
 * stored, and added after a look into the store during which no change is under way. A guard over a loader has none: there a
 * hash may be stored before its key is, by somebody else, and such a key would be hidden.
 *
 * <p>A repair that finds {@code changes} taken does not wait: it leaves the key to whoever holds them.
 *
 * <p>A filter that is full grows by half, a piece with each put: a {@link IncrementallyGrowableFilter} with its repairs, any other
 * without.
 */
final class Shard<K> extends AskedFilter {

    /** The sieve sends one question in a hundred on to the store when it has so many hashes. */
    private static final FilterSpec SIEVE = FilterSpec.of(1 << 13, 0.01);

    private final Predicate<? super K> isStored;
    private final ShardHashes hashes;
    private final FilterChoice choice;
    private final long leastCapacity;
    private final Counters counters;
    /** Whether each stored hash is that of a stored key. */
    private final boolean hashesAreOfStoredKeys;

    private final ReentrantLock changes = new ReentrantLock();

    // What follows belongs to whoever holds the changes. The filter is written with both locks held.

    /** How many keys the filter is planned for. */
    private long capacity;
    /** How many of the filter's slots are of keys that have gone from the doubts to the sieve: a new one has none. */
    private long abandonedSlots;
    /** What will take the filter's place, while the shard grows. */
    private @Nullable ShardGrowth growth;

    private final Doubts<K> doubts = new Doubts<>();

    // What follows is for all.

    private final Exceptions exceptions = new Exceptions();
    private final WaitingRepairs<K> waiting = new WaitingRepairs<>();

    /**
     * A shard that is not primed.
     *
     * @param isStored asks the store for a key
     * @param hashesAreOfStoredKeys false where a hash may be stored earlier than its key
     * @param leastCapacity how many keys the first filter is planned for, if there are not more
     */
    Shard(
            Predicate<? super K> isStored,
            ShardHashes hashes,
            boolean hashesAreOfStoredKeys,
            FilterChoice choice,
            long leastCapacity,
            Counters counters) {
        this.isStored = isStored;
        this.hashes = hashes;
        this.hashesAreOfStoredKeys = hashesAreOfStoredKeys;
        this.choice = choice;
        this.leastCapacity = leastCapacity;
        this.counters = counters;
    }

    long toLocal(long hash) {
        return hashes.toLocal(hash);
    }

    ShardHashes hashes() {
        return hashes;
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
            long local = toLocal(hash);
            Object identity = identity(key);
            Doubts.Doubt<K> doubt = doubts.get(identity);
            if ((doubt != null || ask(local)) && put.replace()) {
                doubts.remove(identity);
                return false;
            }
            if (doubt == null) {
                insert(local);
                doubt = doubts.add(identity, key, local);
            }
            exceptions.remove(identity);
            if (!doubt.isRecorded) {
                put.record();
                doubt.isRecorded = true;
            }
            boolean isNew = put.put();
            doubts.remove(identity);
            return isNew;
        } finally {
            if (doubts.areTooMany()) {
                abandonOldestDoubt();
            }
            release();
        }
    }

    private void abandonOldestDoubt() {
        BloomFilter hashesInDoubt =
                sieve == null ? Filters.makeHashFilter("bloom", SIEVE, StoredHashes.none(), BloomFilter.class) : sieve;
        long stamp = memory.writeLock();
        try {
            hashesInDoubt.insertHash(doubts.removeOldest());
            sieve = hashesInDoubt;
        } finally {
            memory.unlockWrite(stamp);
        }
        abandonedSlots++;
    }

    /**
     * Takes a key out.
     *
     * @param removal takes the key and its hash out of the store; false if the key is not there
     */
    boolean remove(K key, long hash, BooleanSupplier removal, Runnable beforeWrite) {
        changes.lock();
        try {
            AdaptiveFilter current = filter;
            long local = toLocal(hash);
            if (current != null) {
                if (!ask(local)) {
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
                doubts.remove(identity(key));
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

    private void delete(AdaptiveFilter current, long local) {
        long stamp = memory.writeLock();
        try {
            current.deleteHash(local);
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
            if (waiting.add(key, local)) {
                repairWaiting();
            } else {
                counters.dropped.increment();
            }
            return;
        }
        try {
            repairLocked(key, local);
        } catch (RuntimeException e) {
            counters.dropped.increment();
            throw e;
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
                WaitingRepairs.Waiting<K> next = waiting.poll();
                if (next != null) {
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
        AdaptiveFilter current = filter;
        if (current == null) {
            return;
        }
        Adaptation outcome;
        loadAround(local);
        try {
            long stamp = memory.writeLock();
            try {
                outcome = current.repairHash(local);
            } finally {
                memory.unlockWrite(stamp);
            }
            if (growth != null) {
                growth.repair(local);
            }
        } finally {
            hashes.unload();
        }
        boolean isInDoubt = isInSieve(local);
        if (outcome == Adaptation.INSEPARABLE && hashesAreOfStoredKeys && !isInDoubt) {
            Object identity = identity(key);
            if (!doubts.contains(identity) && !isStored.test(key)) {
                exceptions.add(identity);
            }
        }
        counters.repaired(isInDoubt ? Adaptation.INSEPARABLE : outcome);
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
            // Slots that a new filter does not need are no reason to make it larger.
            long needed = filter.count() - abandonedSlots;
            beginGrowth(filter, Math.max(capacity, needed + needed / 2 + 1));
        }
        if (growth != null) {
            grow(false);
        }
        if (tryInsert(local)) {
            return;
        }
        // Growth ends long before the table is full, unless hashes crowd at one place or keys come without it.
        if (growth == null && filter != null) {
            beginGrowth(filter, capacity + capacity / 2 + 1);
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
                filter.insertHash(local);
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

    private void beginGrowth(AdaptiveFilter from, long wanted) {
        LongFunction<IncrementalGrowth> beginning = from instanceof IncrementallyGrowableFilter gradual
                ? gradual::growth
                : larger -> new RefilledGrowth(hashes, choice.empty(hashes, larger), capacity);
        growth = new ShardGrowth(beginning, wanted);
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
        return current.move(doubts.notStored(current::isNext, isStored));
    }

    /** Fills the shard's filter from the store; lookups go on. */
    void prime() {
        changes.lock();
        try {
            if (filter == null) {
                build(leastCapacity);
            }
        } finally {
            release();
        }
    }

    private void build(long least) {
        long[] underWay = doubts.notStored(local -> true, isStored);
        try {
            long count = (long) hashes.load(0, -1L) + underWay.length;
            long planned = Math.max(least, count);
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
        AdaptiveFilter next = choice.filled(hashes, planned);
        for (long local : underWay) {
            next.insertHash(local);
        }
        install(next, planned);
    }

    /** Takes over a filter that holds the stored hashes. */
    void install(AdaptiveFilter next, long plannedFor) {
        long stamp = memory.writeLock();
        try {
            filter = next;
        } finally {
            memory.unlockWrite(stamp);
        }
        capacity = plannedFor;
        abandonedSlots = 0;
    }

    /**
     * What a snapshot keeps of a shard.
     *
     * @param image a copy
     */
    record Saved(long capacity, FilterImage image) {}

    /**
     * Copies the filter as it is between two changes.
     *
     * @throws IllegalStateException if there is none, or keys are in doubt
     */
    Saved save() {
        changes.lock();
        try {
            if (!(filter instanceof PersistentFilter saved)) {
                throw new IllegalStateException("a guard that is still priming has nothing to write");
            }
            if (!doubts.isEmpty() || sieve != null) {
                throw new IllegalStateException("a put has failed, so the store may not hold what the filter holds");
            }
            FilterImage image = saved.image();
            long[] parameters = new long[image.parameterCount()];
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] = image.parameter(i);
            }
            List<long[]> sections = image.sections().stream().map(long[]::clone).toList();
            return new Saved(capacity, new FilterImage(image.kind(), parameters, sections));
        } finally {
            release();
        }
    }

    /** What tells keys apart: the key itself, or the contents of an array. */
    private static Object identity(Object key) {
        return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes.clone()) : key;
    }
}
