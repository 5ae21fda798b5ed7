package dev.besom.guard;

/**
 * A change of a key that the caller makes, such as within a transaction of the caller's. From the announcement on the key is
 * in doubt: every lookup of it reads the store, whatever else happens to it, and no snapshot is written.
 *
 * <pre>
 *   announce      snapshot outdated | slot in the filter
 *   the caller    writes the row, with {@link #hash()}
 *   the caller    commits or rolls back
 *   settle        reads the store: where the key is stored its slot stays, otherwise it goes
 *   close         without settle: the key stays in doubt until it is put again
 * </pre>
 *
 * Whatever happens between two of these, the filter has every key that is stored. If the process ends, the filters end with
 * it, and the next guard starts from the stored hashes.
 */
public interface Announcement extends AutoCloseable {

    /** The hash that has to be stored with the key. */
    long hash();

    /**
     * Says that the change is over: committed, or rolled back for certain. Not to be called where a commit has failed and
     * may have happened all the same, or may happen later.
     *
     * @throws IllegalStateException if the key is stored without its hash. It stays in doubt: store the hash and put or
     *     announce the key again
     */
    void settle();

    /** Ends the announcement; a key that is not settled stays in doubt. */
    @Override
    void close();
}
