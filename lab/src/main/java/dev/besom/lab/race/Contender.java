package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;

/**
 * What takes part in a race: a kind of Besom's, another library's filter behind an adapter, a rival that answers
 * repeated misses in another way, or a physical limit.
 *
 * <p>A race is over 64-bit numbers. To Besom's filters they are hashes, and times are taken with the keys that have these hashes;
 * to the others they are keys. So everybody hashes while times are taken.
 */
@FunctionalInterface
public interface Contender {

    /**
     * A new filter that holds the numbers, filled in the fastest way there is.
     *
     * @param stored the numbers as a dictionary has them, for kinds that adapt
     */
    MembershipFilter fill(FilterSpec spec, StoredHashes stored, long[] numbers);

    /** Whether the numbers are hashes to it. */
    default boolean takesHashes() {
        return false;
    }

    /** Whether there is an empty filter that takes hashes one by one. */
    default boolean isInsertable() {
        return false;
    }

    /** Whether it is bound to its dictionary, which may have to move hashes, so that each filter needs one of its own. */
    default boolean isBoundToStore() {
        return false;
    }

    /** A new filter without keys, where {@link #isInsertable()}. */
    default InsertableFilter empty(FilterSpec spec, StoredHashes stored) {
        throw new IllegalStateException("cannot be filled one by one");
    }
}
