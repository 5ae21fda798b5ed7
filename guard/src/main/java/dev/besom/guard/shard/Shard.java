package dev.besom.guard.shard;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.Store;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One contiguous range of hashes with a {@linkplain ShardFilter filter} of its own, and all changes of its keys.
 *
 * <p>Two locks. Whoever changes anything, in the filter or in the store, holds {@code changes}, for as long as the store
 * takes; so changes of one shard follow each other, and the filter and the store differ only by the change in flight.
 * No lookup waits for it. That of {@link SeqlockFilter} is held for the moments in which the filter's words change.
 *
 * <p>Order makes sure that the filter holds every stored key at any time: put goes to the filter first, remove to the
 * store first. A put that fails may still have reached the store, or may reach it later, even after the key was put again and
 * removed. So the put is <i>uncertain</i> as long as the guard lives: its slot stays, the key never becomes an exception, and
 * neither growth nor priming leaves it out.
 *
 * <p>{@link InseparableKeys}: a key is never stored and inseparable at once. It is removed from them before it is stored,
 * and added after a read of the store during which no change is in flight. A guard over a loader has none: there a hash
 * may be stored before its key is, by somebody else, and such a key would be hidden.
 *
 * <p>A repair that finds {@code changes} taken does not wait: it is pending until whoever holds them releases them.
 *
 * @param <K> the keys
 */
public final class Shard<K> {

    private final Setting<K> setting;
    private final ShardHashes hashes;
    private final ShardFilter filter;

    private final ReentrantLock changes = new ReentrantLock();

    /** Belongs to whoever holds the changes. */
    private final UncertainPuts<K> uncertain;

    private final InseparableKeys inseparable = new InseparableKeys();
    private final PendingRepairs<K> pending = new PendingRepairs<>();

    /**
     * What all shards of a guard share.
     *
     * @param keys what is known of the store's keys
     * @param choice the filter
     * @param beforeWrite called before the store changes
     * @param events told what shards do
     * @param <K> the keys
     */
    public record Setting<K>(StoredKeys<K> keys, FilterChoice choice, Runnable beforeWrite, ShardEvents events) {}

    /**
     * What is known of a store's keys.
     *
     * @param isStored reads from the store whether a key is there
     * @param haveAllHashes whether each stored hash is that of a stored key; otherwise a hash may be stored before its key
     * @param <K> the keys
     */
    public record StoredKeys<K>(Predicate<? super K> isStored, boolean haveAllHashes) {}

    /**
     * A shard that is not primed.
     *
     * @param setting what it shares with the other shards
     * @param hashes the stored hashes of its range
     * @param leastCapacity how many keys the first filter is planned for, if there are not more
     */
    public Shard(Setting<K> setting, ShardHashes hashes, long leastCapacity) {
        this.setting = setting;
        this.hashes = hashes;
        this.uncertain = new UncertainPuts<>(this::isStoredWithHash);
        this.filter = new ShardFilter(setting, hashes, uncertain, leastCapacity);
    }

    /** The filter, to be queried. */
    public SeqlockFilter filter() {
        return filter;
    }

    /**
     * The bulk form, as in {@link dev.besom.MembershipFilter}.
     *
     * @param localHashes an array with {@linkplain #toLocalHash local hashes}
     * @param from where they begin
     * @param count how many there are
     * @param result bit i is set if the hash at {@code from + i} might be there
     */
    public void mightContainLocalHashes(long[] localHashes, int from, int count, long[] result) {
        filter.mightContainLocalHashes(localHashes, from, count, result);
    }

    /** Whether there is a filter. */
    public boolean isPrimed() {
        return filter.isPrimed();
    }

    /** How many keys the filter holds. */
    public long count() {
        return filter.count();
    }

    /** How many bits the filter takes. */
    public long sizeInBits() {
        return filter.sizeInBits();
    }

    /** What the shard's filter sees of a hash. */
    public long toLocalHash(long hash) {
        return hashes.toLocalHash(hash);
    }

    ShardHashes hashes() {
        return hashes;
    }

    /** Whether a key that the filter cannot tell from a stored one is known not to be stored. */
    public boolean isInseparable(K key) {
        return !inseparable.isEmpty() && inseparable.contains(identity(key));
    }

    /**
     * Stores a value.
     *
     * @return true if the key was not there
     */
    public boolean put(K key, long hash, StorePut put) {
        return change(() -> putLocked(key, toLocalHash(hash), put));
    }

    /** Makes a change, while nobody else makes one. */
    private <T> T change(Supplier<T> change) {
        changes.lock();
        try {
            return change.get();
        } catch (Error e) {
            // Nothing is known of what was being filled.
            filter.giveUpGrowth();
            throw e;
        } finally {
            release();
        }
    }

    private boolean putLocked(K key, long localHash, StorePut put) {
        Object identity = identity(key);
        boolean wasUncertain = uncertain.noteAnotherAttempt(identity);
        try {
            setting.beforeWrite().run();
            filter.buildAgain();
            if ((wasUncertain || filter.query(localHash)) && isReplaced(key, localHash, put)) {
                endDoubt(identity, !wasUncertain || put.endsDoubt());
                return false;
            }
            UncertainPuts.UncertainPut<K> inFlight = beginPut(key, localHash);
            if (!inFlight.isHashRecorded) {
                put.recordHash();
                inFlight.isHashRecorded = true;
            }
            boolean isNew = put.put();
            endDoubt(identity, !wasUncertain || put.endsDoubt());
            return isNew;
        } catch (RejectedException e) {
            // An earlier put of the same key may still reach the store.
            if (!wasUncertain) {
                takeBack(identity, localHash);
            }
            throw e;
        } finally {
            uncertain.overflow().relieve(uncertain, filter);
        }
    }

    private void endDoubt(Object identity, boolean endsDoubt) {
        if (endsDoubt) {
            uncertain.noteStored(identity);
        }
    }

    private boolean isReplaced(K key, long localHash, StorePut put) {
        try {
            return put.replace();
        } catch (RejectedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            if (put.mayStoreLater()) {
                uncertain.addReplacement(identity(key), key, localHash);
            }
            throw e;
        }
    }

    /** Gives a key that is about to be stored a slot, unless an earlier put has given it one. */
    private UncertainPuts.UncertainPut<K> beginPut(K key, long localHash) {
        Object identity = identity(key);
        UncertainPuts.UncertainPut<K> inFlight = uncertain.get(identity);
        if (inFlight == null) {
            filter.insert(localHash);
            inFlight = uncertain.add(identity, key, localHash);
        }
        uncertain.begin(inFlight);
        inseparable.remove(identity);
        return inFlight;
    }

    /**
     * Stores many values.
     *
     * @param keys different ones, not more than {@link Store#BATCH}
     * @param hashesOfKeys in the order of the keys
     */
    public void putAll(List<? extends K> keys, long[] hashesOfKeys, StoreBulkPut put) {
        if (keys.size() > Store.BATCH) {
            throw new IllegalArgumentException("at most " + Store.BATCH + " keys, not " + keys.size());
        }
        change(() -> {
            try {
                putAllLocked(keys, hashesOfKeys, put);
            } finally {
                uncertain.overflow().relieve(uncertain, filter);
            }
            return true;
        });
    }

    private void putAllLocked(List<? extends K> keys, long[] hashesOfKeys, StoreBulkPut put) {
        setting.beforeWrite().run();
        filter.buildAgain();
        int[] rest = replaceAll(keys, hashesOfKeys, put);
        if (rest.length == 0) {
            return;
        }
        int[] begun = beginPuts(keys, hashesOfKeys, rest);
        try {
            put.putAll(rest);
        } catch (RejectedException e) {
            takeBackAll(keys, hashesOfKeys, begun);
            throw e;
        }
        for (int i : rest) {
            uncertain.noteStored(identity(keys.get(i)));
        }
    }

    /** Gives those keys their values that are stored, and returns the numbers of the others. */
    private int[] replaceAll(List<? extends K> keys, long[] hashesOfKeys, StoreBulkPut put) {
        int[] maybes = IntStream.range(0, hashesOfKeys.length)
                .filter(i -> uncertain.contains(identity(keys.get(i))) || filter.query(toLocalHash(hashesOfKeys[i])))
                .toArray();
        BitSet replaced = new BitSet();
        if (maybes.length > 0) {
            boolean[] areReplaced = put.replaceAll(maybes);
            for (int i = 0; i < maybes.length; i++) {
                if (areReplaced[i]) {
                    replaced.set(maybes[i]);
                    uncertain.noteAnotherAttempt(identity(keys.get(maybes[i])));
                    uncertain.noteStored(identity(keys.get(maybes[i])));
                }
            }
        }
        return IntStream.range(0, hashesOfKeys.length)
                .filter(i -> !replaced.get(i))
                .toArray();
    }

    /** Gives keys slots, and returns the numbers of those that had none of an earlier put. */
    private int[] beginPuts(List<? extends K> keys, long[] hashesOfKeys, int[] which) {
        IntStream.Builder begun = IntStream.builder();
        try {
            for (int i : which) {
                boolean wasUncertain = uncertain.noteAnotherAttempt(identity(keys.get(i)));
                beginPut(keys.get(i), toLocalHash(hashesOfKeys[i]));
                if (!wasUncertain) {
                    begun.add(i);
                }
            }
        } catch (RuntimeException e) {
            // Nothing has been sent to the store yet.
            takeBackAll(keys, hashesOfKeys, begun.build().toArray());
            throw e;
        }
        return begun.build().toArray();
    }

    /**
     * Prepares for a change that somebody else is about to make: until it is settled the key has a slot, whatever else
     * happens to it.
     */
    public void announce(K key, long hash) {
        change(() -> {
            try {
                announceLocked(key, toLocalHash(hash));
            } finally {
                uncertain.overflow().relieve(uncertain, filter);
            }
            return true;
        });
    }

    private void announceLocked(K key, long localHash) {
        setting.beforeWrite().run();
        filter.buildAgain();
        Object identity = identity(key);
        UncertainPuts.UncertainPut<K> announced = uncertain.get(identity);
        if (announced == null) {
            if (!filter.query(localHash) || !isStoredWithHash(key, localHash)) {
                filter.insert(localHash);
            }
            announced = uncertain.add(identity, key, localHash);
        }
        announced.beginAnnouncement();
        inseparable.remove(identity);
    }

    /**
     * Gives a hash a slot whose key somebody is about to store, in any process. As long as that is not done, the shard's
     * hashes have it, from the next change on.
     *
     * @param then lets the shard's hashes have it
     */
    public void announceHash(long hash, Runnable then) {
        change(() -> {
            filter.buildAgain();
            filter.insert(toLocalHash(hash));
            then.run();
            return true;
        });
    }

    /** Takes out a slot of a hash, unless the shard's hashes have it: then it is needed, and another one may be left over. */
    @SuppressWarnings("try") // the filter reads the window
    public void releaseHash(long hash) {
        change(() -> {
            long localHash = toLocalHash(hash);
            if (!filter.isBuilt() || !filter.query(localHash)) {
                return false;
            }
            try (ShardHashes.Window window = filter.openWindowAround(localHash)) {
                if (hashes.between(localHash, localHash).length == 0) {
                    filter.delete(localHash);
                }
            }
            return true;
        });
    }

    /** Drops the filter, until the shard is primed again. */
    public void drop() {
        change(() -> {
            filter.drop();
            return true;
        });
    }

    private boolean isStoredWithHash(K key, long localHash) {
        return setting.keys().isStored().test(key) && hashes.between(localHash, localHash).length > 0;
    }

    /**
     * Ends an announcement.
     *
     * @param isOver whether the change has been made or given up for certain; otherwise the key stays in doubt
     * @throws IllegalStateException if the key is stored without its hash: it stays in doubt
     */
    public void settle(K key, long hash, boolean isOver) {
        change(() -> {
            settleLocked(key, toLocalHash(hash), isOver);
            return true;
        });
    }

    private void settleLocked(K key, long localHash, boolean isOver) {
        Object identity = identity(key);
        UncertainPuts.UncertainPut<K> announced = uncertain.get(identity);
        if (announced == null || !announced.isAnnounced()) {
            // So many are uncertain that this one has gone to the overflow, which forgets nothing.
            return;
        }
        announced.endAnnouncement(isOver);
        boolean isKept = announced.isInDoubt || announced.isAnnounced();
        // Until the store has said how it ended.
        announced.isInDoubt = announced.isInDoubt || !isOver || !announced.isAnnounced();
        if (!isOver || isKept) {
            return;
        }
        if (!setting.keys().isStored().test(key)) {
            takeBack(identity, localHash);
        } else if (hashes.between(localHash, localHash).length > 0) {
            uncertain.remove(identity);
        } else {
            throw new IllegalStateException("a key was stored without its hash, and stays in doubt");
        }
    }

    private void takeBackAll(List<? extends K> keys, long[] hashesOfKeys, int[] which) {
        if (!setting.keys().haveAllHashes()) {
            return;
        }
        for (int i : which) {
            uncertain.remove(identity(keys.get(i)));
        }
        for (int i : which) {
            deleteSlotOfNoKey(toLocalHash(hashesOfKeys[i]));
        }
    }

    /** Gives up the slot of a put of which it is certain that it has not reached the store and will not. */
    private void takeBack(Object identity, long localHash) {
        if (!setting.keys().haveAllHashes()) {
            return;
        }
        if (uncertain.contains(identity)) {
            uncertain.remove(identity);
            deleteSlotOfNoKey(localHash);
        }
    }

    private void deleteSlotOfNoKey(long localHash) {
        if (!filter.isBuilt()) {
            return;
        }
        try {
            // Beside other slots of keys that are not stored it would not be certain which one goes.
            if (uncertain.areStoredNow()) {
                deleteWithinWindow(localHash);
            }
        } catch (RuntimeException e) {
            // A slot too many does no harm.
            return;
        }
    }

    @SuppressWarnings("try") // the filters read the window
    private void deleteWithinWindow(long localHash) {
        try (ShardHashes.Window window = filter.openWindowAround(localHash)) {
            filter.delete(localHash);
        }
    }

    /**
     * Removes a key.
     *
     * @param removal removes the key and its hash from the store; false if the key is not there
     * @return false if the key is not there
     */
    public boolean remove(K key, long hash, StoreRemoval removal) {
        return change(() -> removeLocked(key, toLocalHash(hash), removal));
    }

    @SuppressWarnings("try") // the filter reads the window
    private boolean removeLocked(K key, long localHash, StoreRemoval removal) {
        filter.buildAgain();
        if (!filter.query(localHash)) {
            return false;
        }
        // The hashes are read as they are before the removal: of two keys with one hash the filter then sees both, and
        // where the read fails nothing has changed.
        try (ShardHashes.Window window = filter.isBuilt() ? filter.openWindowAround(localHash) : null) {
            setting.beforeWrite().run();
            boolean mayComeBack = mayComeBack(identity(key), localHash);
            if (!removal.remove(mayComeBack)) {
                return false;
            }
            if (!mayComeBack) {
                uncertain.remove(identity(key));
                // The slot of a key that somebody else is about to store stays.
                if (!uncertain.contains(identity(key))) {
                    filter.delete(localHash);
                }
            }
            return true;
        }
    }

    /** Notes a removal, and returns whether a put that has failed may still bring the key back, of which the hash has to know. */
    private boolean mayComeBack(Object identity, long localHash) {
        boolean isKnownTo = uncertain.noteRemoval(identity);
        // Where a hash comes and goes with its key, the overflow is enough as long as the guard lives.
        return isKnownTo
                || (!setting.keys().haveAllHashes() && uncertain.overflow().mightContainHash(localHash));
    }

    /** Repairs a false positive now, or leaves it pending for whoever changes this shard at the moment. */
    public void repair(K key, long hash) {
        long localHash = toLocalHash(hash);
        if (!changes.tryLock()) {
            if (pending.add(key, localHash)) {
                repairPending();
            } else {
                setting.events().repairsDropped(1);
            }
            return;
        }
        try {
            repairLocked(key, localHash);
        } catch (RuntimeException e) {
            // The store failed. The filter is as it was, and the lookup has its answer.
            setting.events().repairsDropped(1);
        } catch (Error e) {
            filter.giveUpGrowth();
            throw e;
        } finally {
            release();
        }
    }

    /** Builds a filter that was dropped again, if nobody changes this shard at the moment. */
    public void recover() {
        if (filter.isDropped() && changes.tryLock()) {
            try {
                filter.buildAgain();
            } catch (RuntimeException e) {
                // The store failed. A later call may succeed.
                return;
            } finally {
                release();
            }
        }
    }

    private void release() {
        changes.unlock();
        repairPending();
    }

    /** Makes the repairs that are pending, unless somebody else holds the changes, who then makes them. */
    private void repairPending() {
        while (!pending.isEmpty() && changes.tryLock()) {
            try {
                PendingRepairs.PendingRepair<K> next = pending.poll();
                if (next != null) {
                    repairLocked(next.key(), next.localHash());
                }
            } catch (RuntimeException e) {
                // The store failed in a repair that is not this caller's. The filter is as it was.
                setting.events().repairsDropped(1);
            } catch (Error e) {
                filter.giveUpGrowth();
                throw e;
            } finally {
                changes.unlock();
            }
        }
    }

    private void repairLocked(K key, long localHash) {
        filter.buildAgain();
        if (!filter.isBuilt()) {
            return;
        }
        long start = System.nanoTime();
        long readsBefore = hashes.readCount();
        long looks = 0;
        try {
            looks = repairBuilt(key, localHash);
        } finally {
            setting.events().paidForRepair(hashes.readCount() - readsBefore + looks, System.nanoTime() - start);
        }
    }

    /** Repairs, and returns how often it has looked whether a key is stored. */
    private int repairBuilt(K key, long localHash) {
        Adaptation outcome = filter.repair(localHash);
        int looks = 0;
        boolean isUncertain = uncertain.overflow().mightContainHash(localHash);
        if (outcome == Adaptation.INSEPARABLE && setting.keys().haveAllHashes() && !isUncertain) {
            Object identity = identity(key);
            if (!uncertain.contains(identity)) {
                looks++;
                if (!setting.keys().isStored().test(key)) {
                    inseparable.add(identity);
                }
            }
        }
        setting.events().repaired(isUncertain ? Adaptation.INSEPARABLE : outcome, hashes.toHash(localHash));
        return looks;
    }

    /** Fills the shard's filter from the store; lookups go on. */
    public void prime() {
        change(() -> {
            filter.build();
            return true;
        });
    }

    /** Takes over a filter that holds the stored hashes. */
    void install(AdaptiveFilter next, long plannedFor) {
        filter.install(next, plannedFor);
    }

    /**
     * Copies the filter as it is between two changes.
     *
     * @throws IllegalStateException if there is none, or puts are uncertain
     */
    ShardFilter.Saved save() {
        return change(() -> {
            if (filter.isBuilt() && !uncertain.areAllStored()) {
                throw new IllegalStateException("a put has failed, so the store may not hold what the filter holds");
            }
            return filter.save();
        });
    }

    /** What keys are compared by: the key itself, or the contents of an array. */
    private static Object identity(Object key) {
        return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes.clone()) : key;
    }
}
