package dev.besom.spring;

import dev.besom.guard.Guard;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A guard over a column of a table that an application reads and writes by means of its own: repositories, templates,
 * entities.
 *
 * @param <K> the keys
 */
public interface TableGuard<K> {

    /** Its name in {@code besom.guards}. */
    String name();

    /** Who writes to the table. */
    GuardContract contract();

    /** Lookups, statistics and the state of the filter. */
    Guard<K, ?> guard();

    /**
     * Makes a change that stores, replaces or deletes the row of a key, within the caller's transaction or one of its own.
     * From before the change until it is committed or rolled back every lookup of the key reads the database, so the new
     * row is found as soon as it is there. Under the contract {@link GuardContract#FEED} a change may be made without this; with it,
     * this instance finds the row at once.
     *
     * @param change writes the row; its exception rolls back, and goes to the caller
     * @return what the change has returned
     */
    <T extends @Nullable Object> T write(K key, Supplier<T> change);

    /** As {@link #write(Object, Supplier)}, for a change that returns nothing. */
    void write(K key, Runnable change);

    /**
     * As {@link #write(Object, Supplier)}, for several rows, or a row that gets another key.
     *
     * @param keys all keys that rows have before the change and after it
     */
    <T extends @Nullable Object> T writeAll(Collection<? extends K> keys, Supplier<T> change);
}
