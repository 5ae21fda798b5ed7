package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;

/** Another library's filter behind an adapter. It hashes the 64-bit keys that it is given, as in real use. */
@FunctionalInterface
public interface Peer {

    /** A new filter that holds the keys. */
    MembershipFilter fill(FilterSpec spec, long[] keys);
}
