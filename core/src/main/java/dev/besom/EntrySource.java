package dev.besom;

import java.util.Objects;

/**
 * All the hashes that a map is to be built from, each with its value, as often as the builder wants to go through them. They
 * are in any order, may repeat with the same value, and are the same in every pass.
 */
public interface EntrySource {

    /** Takes an entry. */
    @FunctionalInterface
    interface Consumer {
        /** Takes a hash and its value, a number from 0 on. */
        void accept(long hash, long value);
    }

    /** How many entries a pass gives, repeated ones included. */
    long count();

    /** Gives every entry, in the same order each time. */
    void forEach(Consumer action);

    /** The entries of two arrays, which are not copied. */
    static EntrySource of(long[] hashes, long[] values) {
        if (hashes.length != values.length) {
            throw new IllegalArgumentException(hashes.length + " hashes and " + values.length + " values");
        }
        return new EntrySource() {
            @Override
            public long count() {
                return hashes.length;
            }

            @Override
            public void forEach(Consumer action) {
                for (int i = 0; i < hashes.length; i++) {
                    action.accept(hashes[i], values[i]);
                }
            }
        };
    }

    /** Hashes that all have the same value. */
    static EntrySource of(HashSource hashes, long value) {
        Objects.requireNonNull(hashes, "hashes");
        return new EntrySource() {
            @Override
            public long count() {
                return hashes.count();
            }

            @Override
            public void forEach(Consumer action) {
                hashes.forEach(hash -> action.accept(hash, value));
            }
        };
    }
}
