package dev.besom.lab.race;

import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;

/** The measured loops. */
public interface Loop {

    /** Puts keys in one by one; how many were new. */
    int insert(InsertableFilter filter, long[] keys, int from, int count);

    /** Asks for keys one by one; how many were answered "maybe". */
    int single(MembershipFilter filter, long[] keys, int from, int count);

    /** Asks for keys all at once; how many were answered "maybe". */
    int bulk(MembershipFilter filter, long[] keys, int from, int count, long[] result);
}
