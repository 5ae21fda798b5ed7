package dev.besom.guard.store;

import dev.besom.StoredHashes;
import dev.besom.hash.KeyHasher;

/**
 * The keys of a store that can only be read, where the guards of several processes before it find them and meet. Each key has its
 * hash, a count of the beginnings and ends of puts, and the number of puts in flight:
 *
 * <pre>
 *   put      count + 1, in flight + 1, or a new key, with the end of its announcement | the write | count + 1, in flight - 1
 *   remove   count read | the write | the key goes, if no put has begun or ended since and none is in flight
 * </pre>
 *
 * So whatever order the writes of several processes reach the store in, every key that is stored is here. A process that ends within
 * a put leaves its key here for good, which costs its bits.
 *
 * @param <K> the keys
 */
public interface SharedKeys<K> extends AutoCloseable {

    /** What {@link #puts} says of a key that is not here. */
    long NONE = -1;

    /** Where the guards meet. */
    MeetingPlace meetingPlace();

    /** The keys as a store whose changes are recorded, so that guards can follow what anybody adds here. */
    FeedStore<K, ?> recorded();

    /** The hashes of the keys. */
    StoredHashes hashes();

    /** Small records that are kept with the keys. */
    Notes notes();

    /** The hasher in use: the secret one where the one that was given had no seed. */
    KeyHasher<? super K> hasher();

    /** Begins a put of a key that is here; false, and no change, if it is not. */
    boolean beginPut(K key);

    /**
     * Adds a key, and begins a put of it.
     *
     * @param announcement the number of the hash's announcement
     * @return false, and no change, if the key is here
     * @throws AnnouncementSweptException if the announcement is not pending; nothing is changed
     */
    boolean beginFirstPut(K key, long hash, long announcement);

    /**
     * Adds a key that nobody waits for to be announced, and begins a put of it.
     *
     * @return false, and no change, if the key is here
     */
    boolean beginFirstPut(K key, long hash);

    /** Ends a put whose write was made, or was not made for certain. */
    void endPut(K key);

    /** How many puts of a key have begun or ended; {@link #NONE} if it is not here. */
    long puts(K key);

    /** Removes a key of which no put is in flight, nor has begun or ended since; false, and no change, if that is not so. */
    boolean remove(K key, long puts);

    /** Closes what was opened for the keys. */
    @Override
    void close();
}
