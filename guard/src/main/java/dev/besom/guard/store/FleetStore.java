package dev.besom.guard.store;

import java.util.List;

/**
 * A store that guards of several processes may stand before at once. A new key is announced to all of them first, and stored in
 * one transaction with the end of its announcement: whoever was too slow and had the announcement swept stores nothing.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface FleetStore<K, V> extends Store<K, V> {

    /** Where the guards meet. */
    MeetingPlace meetingPlace();

    /**
     * Stores a value and the hash, whether the key is there or not.
     *
     * @param announcement the number of the hash's announcement
     * @return true if the key was not there
     * @throws AnnouncementSweptException if the announcement is not pending; nothing is changed
     */
    boolean put(K key, long hash, V value, long announcement);

    /**
     * Stores a value and the hash of a key that is not there.
     *
     * @param announcement the number of the hash's announcement
     * @return false, and no change, if the key is there
     * @throws AnnouncementSweptException if the announcement is not pending; nothing is changed
     */
    boolean putIfAbsent(K key, long hash, V value, long announcement);

    /**
     * Stores up to {@value #BATCH} values and hashes, all or none of them, whether the keys are there or not.
     *
     * @param announcements the numbers of the hashes' announcements
     * @throws AnnouncementSweptException if an announcement is not pending; nothing is changed
     */
    void putAll(List<K> keys, long[] hashesOfKeys, List<V> values, long[] announcements);

    /**
     * Told that a caller is about to store a key in a transaction of the caller's.
     *
     * @param announcement the number of the hash's announcement
     */
    void announced(long hash, long announcement);

    /**
     * Told that a caller's transaction is over.
     *
     * @param announcement the number of the hash's announcement
     */
    void settled(long hash, long announcement);
}
