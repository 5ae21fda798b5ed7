package dev.besom;

/**
 * A filter whose {@link #insertHash(long)} may be called by any number of threads, beside any number of queries and with
 * no lock. {@link ShareableFilter#shared()} gives it.
 *
 * <p>Of several threads that insert the same new hash at the same time, exactly one is told that it is new. A thread
 * that has seen its insert return, or has learned so from another thread by any happens-before means, gets "maybe" for
 * that hash ever after.
 */
public interface ConcurrentFilter extends InsertableFilter {}
