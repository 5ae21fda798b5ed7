package dev.besom.guard.shard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The puts of a shard whose outcome is not known: each is in flight, has failed or is announced, so its key may be stored,
 * or may be later. A key that was put again with success stays among them: the put that has failed may still arrive, after a
 * removal too. Known exactly, up to {@value #MOST}; of older ones the {@linkplain Overflow overflow} has the hashes. Belongs to whoever holds the shard's changes.
 */
final class UncertainPuts<K> {

    static final int MOST = 1024;

    /** So many reads of the store are worth a slot. */
    private static final int FEW = 8;

    private final BiPredicate<? super K, Long> isStored;

    /** Oldest first. */
    private final Map<Object, UncertainPut<K>> byIdentity = new LinkedHashMap<>();

    private final Overflow overflow = new Overflow();

    /**
     * None.
     *
     * @param isStored reads from the store whether a key is there with its hash in the shard
     */
    UncertainPuts(BiPredicate<? super K, Long> isStored) {
        this.isStored = isStored;
    }

    Overflow overflow() {
        return overflow;
    }

    /** A key with its hash in the shard. */
    static final class UncertainPut<K> {
        private final K key;
        private final long localHash;
        /** Whether the hash is kept already where it has to be before the key is stored. */
        boolean isHashRecorded;
        /** How many callers are about to change the key by means of their own. */
        private int announcements;
        /** Whether a put of the guard's, or a change that was announced and never settled, has an unknown outcome. */
        boolean isInDoubt;
        /**
         * Whether the key was not stored, and one change may store it: then that has arrived where the key is stored. Otherwise
         * another one may still reach the store.
         */
        private boolean isFirstAttempt = true;
        /** Whether a later put has succeeded, and no removal was tried since. */
        private boolean isStored;

        private UncertainPut(K key, long localHash) {
            this.key = key;
            this.localHash = localHash;
        }

        long localHash() {
            return localHash;
        }

        boolean isStored() {
            return isStored;
        }

        boolean isAnnounced() {
            return announcements > 0;
        }

        void beginAnnouncement() {
            announcements++;
        }

        /**
         * Ends an announcement.
         *
         * @param isOver whether the change has been made or given up for certain; otherwise it may reach the store at any time,
         *     and the key may have been there before
         */
        void endAnnouncement(boolean isOver) {
            announcements--;
            // The key may have been stored by the announced change, and the put in doubt be still on its way.
            isFirstAttempt &= isOver && !isInDoubt;
        }

        /** Whether the key may get into the store once more after it was removed. */
        private boolean mayComeBack() {
            return !isFirstAttempt || isAnnounced();
        }
    }

    @Nullable
    UncertainPut<K> get(Object identity) {
        return byIdentity.get(identity);
    }

    boolean contains(Object identity) {
        return byIdentity.containsKey(identity);
    }

    /** Notes that a key is put again; false if no earlier put of it is known. */
    boolean noteAnotherAttempt(Object identity) {
        UncertainPut<K> earlier = byIdentity.get(identity);
        if (earlier == null) {
            return false;
        }
        if (earlier.isInDoubt) {
            earlier.isFirstAttempt = false;
        }
        return true;
    }

    /** Notes that a key is about to be sent to the store. */
    void begin(UncertainPut<K> put) {
        put.isInDoubt = true;
        put.isStored = false;
    }

    UncertainPut<K> add(Object identity, K key, long localHash) {
        UncertainPut<K> put = new UncertainPut<>(key, localHash);
        byIdentity.put(identity, put);
        return put;
    }

    /** Adds one of a key that is stored, with its hash, and has a slot. */
    void addReplacement(Object identity, K key, long localHash) {
        if (!contains(identity)) {
            UncertainPut<K> put = add(identity, key, localHash);
            put.isHashRecorded = true;
            put.isInDoubt = true;
            put.isFirstAttempt = false;
        }
    }

    /**
     * Notes that a key is about to be removed from the store.
     *
     * @return whether it may get there again. One that was put once had got there by that put; one of several may still be on
     *     its way.
     */
    boolean noteRemoval(Object identity) {
        UncertainPut<K> put = byIdentity.get(identity);
        if (put == null) {
            return false;
        }
        put.isStored = false;
        boolean mayComeBack = put.mayComeBack();
        // Otherwise its hash is removed with it; where that fails, nobody knows whether it is still kept.
        put.isHashRecorded &= mayComeBack;
        return mayComeBack;
    }

    /** Notes that a put has stored a key. This ends the doubt, unless an earlier put is still on its way. */
    void noteStored(Object identity) {
        UncertainPut<K> put = byIdentity.get(identity);
        if (put != null && !put.isFirstAttempt) {
            put.isStored = true;
        } else {
            remove(identity);
        }
    }

    /** Ends the doubt about a put. A key whose change is announced by somebody else stays. */
    void remove(Object identity) {
        UncertainPut<K> put = byIdentity.get(identity);
        if (put != null) {
            put.isInDoubt = false;
            if (!put.isAnnounced()) {
                byIdentity.remove(identity);
            }
        }
    }

    /** Whether the store has acknowledged the key of each that is known, and there was never another one. */
    boolean areAllStored() {
        return areStored() && !overflow.hasDoubts();
    }

    private boolean areStored() {
        return byIdentity.values().stream().allMatch(put -> put.isStored);
    }

    /** Whether the key of each that is known is in the store at this moment. Reads the store for few of them; of many it is not known. */
    boolean areStoredNow() {
        return byIdentity.size() <= FEW
                && areStored()
                && byIdentity.values().stream().allMatch(put -> isStored.test(put.key, put.localHash));
    }

    boolean areTooMany() {
        return byIdentity.size() > MOST;
    }

    UncertainPut<K> oldest() {
        return byIdentity.values().iterator().next();
    }

    void removeOldest() {
        Iterator<UncertainPut<K>> all = byIdentity.values().iterator();
        all.next();
        all.remove();
    }

    /**
     * The hashes that need a slot beside those of the stored keys. To be called before the stored hashes are read: a key
     * that gets into the store in between then has a slot too many, and not one too few. One that may also leave the store in
     * between, and come back later, gets a slot whether it is there or not.
     *
     * @param which those that are wanted
     * @param isNeeded those that need a slot even if their key is stored
     */
    long[] hashesWithoutSlot(LongPredicate which, LongPredicate isNeeded) {
        return byIdentity.values().stream()
                .filter(put -> which.test(put.localHash)
                        && (isNeeded.test(put.localHash)
                                || put.mayComeBack()
                                || !isStored.test(put.key, put.localHash)))
                .mapToLong(put -> put.localHash)
                .toArray();
    }
}
