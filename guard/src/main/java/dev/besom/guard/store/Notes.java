package dev.besom.guard.store;

import org.jspecify.annotations.Nullable;

/**
 * Small records, by name, that are as durable as the store's keys. A record that is removed before a key is stored is not
 * there after a crash that the key survives.
 */
public interface Notes {

    /** The name of the record that says which snapshot of a guard is current. */
    String SNAPSHOT = "besom.snapshot";

    /** The record of that name; null if there is none. */
    byte @Nullable [] read(String name);

    /** Writes a record in the place of any that is there. */
    void write(String name, byte[] contents);

    /**
     * Writes a record unless there is one. Of several callers at once, in any number of processes, one writes.
     *
     * @return the record that is there now: this one, or the one that was there
     */
    byte[] writeIfAbsent(String name, byte[] contents);

    /** Removes a record, if there is one. */
    void remove(String name);

    /** Makes every snapshot outdated: to be called before keys are stored or removed that no guard has seen. */
    default void forgetSnapshot() {
        remove(SNAPSHOT);
    }
}
