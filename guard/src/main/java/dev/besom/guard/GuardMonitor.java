package dev.besom.guard;

/** What can be seen of any guard while it works. */
public sealed interface GuardMonitor permits StoreGuard {

    /** What happened since the guard was made or the statistics were reset. */
    GuardStatistics statistics();

    /**
     * Starts the statistics from nothing.
     *
     * @return what happened until now; whatever happens meanwhile is counted either here or from now on
     */
    GuardStatistics resetStatistics();

    /** Whether every shard has its filter, so that no lookup is sent on for want of one. */
    boolean isPrimed();

    /** How many keys the filters hold. */
    long count();

    /** The memory of all filters. */
    long sizeInBits();

    /** The kind of the filters, as in {@link dev.besom.filters.Filters#kinds()}. */
    String kind();

    /** How many shards the hashes are spread over. */
    int shardCount();
}
