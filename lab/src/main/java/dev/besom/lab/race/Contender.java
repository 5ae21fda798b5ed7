package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;

/**
 * What takes part in a race: a kind of Besom's, another library's filter behind an adapter, or a physical limit.
 *
 * <p>Besom's filters are given the race's 64-bit keys as hashes; other libraries hash them once more, as they would in
 * real use.
 */
@FunctionalInterface
public interface Contender {

    /** A new filter that holds the keys. */
    MembershipFilter fill(FilterSpec spec, StoredKeys stored, long[] keys);
}
