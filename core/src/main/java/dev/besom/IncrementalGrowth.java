package dev.besom;

/**
 * The move of a filter to another capacity, little by little, while it goes on answering and being changed.
 *
 * <pre>
 *   old filter   | what has moved | the rest          |     answers every query
 *                |         |      |                   |
 *   new filter   | the same, and its repairs |        |     answers none before the end
 * </pre>
 *
 * It goes through the hashes in their order. Whoever changes the old filter calls the method of the same name here too;
 * it does nothing for hashes whose turn has not come. The rest is read from the stored hashes when its turn comes. So a
 * key must be in the old filter or the store at any time, and one that is in the filter only must be put into the new one by
 * whoever knows of it.
 *
 * <p>One thread at a time. The old filter must not change while {@link #move} is under way, but may be asked.
 */
public interface IncrementalGrowth {

    /** Whether nothing is left to do. */
    boolean isComplete();

    /** The new filter: whole if {@link #isComplete()}, and before that only for keys that are in the filter only. */
    AdaptiveFilter next();

    /** Whether a hash belongs to the part that {@link #move} moves next. */
    boolean isAmongNext(long hash, long quotientCount);

    /**
     * Moves the stored hashes of so many more quotients, with one range read. If that read fails nothing has changed.
     *
     * @throws FilterFullException if they are more than fit into the new filter, which is then of no use any more
     */
    void move(long quotientCount);

    /**
     * Gives a hash a place that the old filter has been given.
     *
     * @throws FilterFullException if there is no room, and the new filter is of no use any more
     */
    void insertHash(long hash);

    /** Takes out a hash that has just been taken out of the old filter. */
    void deleteHash(long hash);

    /** Repairs what is repaired in the old filter. */
    void repairHash(long hash);
}
