package dev.besom.lab.race;

import dev.besom.InsertableFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.peer.TextFilter;

/** The measured loops. */
public interface Loop {

    /** Puts hashes in one by one; how many were new. */
    int insert(InsertableFilter filter, long[] hashes, int from, int count);

    /** Puts keys in one by one; how many were new. */
    int add(LongKeyFilter.Insertable filter, long[] keys, int from, int count);

    /** Queries hashes one by one; how many were answered "maybe". */
    int single(MembershipFilter filter, long[] hashes, int from, int count);

    /** Queries keys one by one; how many were answered "maybe". */
    int single(LongKeyFilter filter, long[] keys, int from, int count);

    /** Queries hashes all at once; how many were answered "maybe". */
    int bulk(MembershipFilter filter, long[] hashes, int from, int count, long[] result);

    /** Queries keys all at once; how many were answered "maybe". */
    int bulk(LongKeyFilter filter, long[] keys, int from, int count, long[] result);

    /** Puts texts in one by one. */
    void add(TextFilter filter, String[] texts, int from, int count);

    /** Queries texts one by one; how many were answered "maybe". */
    int single(TextFilter filter, String[] texts, int from, int count);
}
