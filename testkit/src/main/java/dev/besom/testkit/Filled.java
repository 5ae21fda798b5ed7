package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.MergeableFilter;
import dev.besom.spi.PersistentFilter;

/**
 * A filter, the store that it stands before, and the keys that were put into both at the start.
 *
 * <p>The order of changes is that of a careful user: a key is in the store before the filter has it, and stays there
 * until the filter has given it up.
 */
final class Filled {

    private final MembershipFilter filter;
    private final HashMultiset stored;
    private final long[] keys;

    Filled(MembershipFilter filter, HashMultiset stored, long[] keys) {
        this.filter = filter;
        this.stored = stored;
        this.keys = keys;
    }

    MembershipFilter filter() {
        return filter;
    }

    HashMultiset stored() {
        return stored;
    }

    long[] keys() {
        return keys;
    }

    InsertableFilter insertable() {
        return (InsertableFilter) filter;
    }

    DeletableFilter deletable() {
        return (DeletableFilter) filter;
    }

    MergeableFilter mergeable() {
        return (MergeableFilter) filter;
    }

    AdaptiveFilter adaptive() {
        return (AdaptiveFilter) filter;
    }

    PersistentFilter persistent() {
        return (PersistentFilter) filter;
    }

    boolean insert(long hash) {
        stored.add(hash);
        return insertable().insertHash(hash);
    }

    boolean delete(long hash) {
        boolean deleted = deletable().deleteHash(hash);
        stored.remove(hash);
        return deleted;
    }

    /** Every key that the store holds is found. */
    void assertNothingLost() {
        assertAllFound(filter, stored.toArray());
    }

    static void assertAllFound(MembershipFilter filter, long[] hashes) {
        long lost = 0;
        long first = 0;
        for (long hash : hashes) {
            if (!filter.mightContainHash(hash)) {
                first = lost == 0 ? hash : first;
                lost++;
            }
        }
        assertThat(lost)
                .as("false negatives among %d keys; the first is hash %016x", hashes.length, first)
                .isZero();
    }

    /** How many of the hashes get a "maybe". */
    static long countMaybes(MembershipFilter filter, HashStream hashes, long trials) {
        long maybes = 0;
        for (long i = 0; i < trials; i++) {
            if (filter.mightContainHash(hashes.next())) {
                maybes++;
            }
        }
        return maybes;
    }
}
