package dev.besom.guard.store;

import java.util.List;

/**
 * Tells which keys anybody has stored in a store or removed from it. One implementation a source: a table that a trigger
 * writes, a stream of changes, a topic.
 *
 * @param <K> the keys
 */
public interface ChangeFeed<K> {

    /**
     * Begins to follow: every change that is committed after this call has begun is told, and some before it may be.
     *
     * @throws IllegalStateException if nothing records changes; the message says how to have them recorded
     */
    Follower<K> follow();

    /** Deletes what nobody needs who has read the feed within the last minutes. */
    void trim();

    /**
     * What has happened.
     *
     * @param stored keys that were stored
     * @param removed keys that were removed
     * @param isComplete whether every change is told that was committed before the call began
     * @param isBroken whether changes are missing for good: a part of the feed was trimmed, or the whole store was emptied. Whoever
     *     follows reads the store's hashes anew
     * @param <K> the keys
     */
    record Changes<K>(List<K> stored, List<K> removed, boolean isComplete, boolean isBroken) {}

    /**
     * One reader, for one thread.
     *
     * @param <K> the keys
     */
    interface Follower<K> extends AutoCloseable {

        /** What was committed before this call began and was not told before. If it fails, the next call tells it. */
        Changes<K> poll();

        @Override
        void close();
    }
}
