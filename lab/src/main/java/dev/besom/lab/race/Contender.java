package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;

/**
 * What takes part in a race: a kind of Besom's, another library's filter behind an adapter, or a physical limit.
 *
 * <p>Besom's filters are given the race's 64-bit keys as hashes; other libraries hash them once more, as they would in
 * real use.
 */
@FunctionalInterface
public interface Contender {

    /**
     * A new filter that holds the keys.
     *
     * @param stored the keys as a dictionary has them, for kinds that adapt
     */
    MembershipFilter fill(FilterSpec spec, StoredHashes stored, long[] keys);
}
