package dev.besom.lab.race;

import dev.besom.MembershipFilter;

/** The measured loops. */
interface Loop {

    /** Asks for keys one by one; how many were answered "maybe". */
    int single(MembershipFilter filter, long[] keys, int from, int count);

    /** Asks for keys all at once; how many were answered "maybe". */
    int bulk(MembershipFilter filter, long[] keys, int from, int count, long[] result);
}
