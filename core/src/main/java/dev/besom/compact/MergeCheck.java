package dev.besom.compact;

import java.util.Objects;

/** Refuses to merge filters that differ, with a message that names what differs. */
final class MergeCheck {

    private final String kind;

    MergeCheck(String kind) {
        this.kind = kind;
    }

    /** The other filter by its class. */
    <F> F sameClass(Class<F> type, Object other) {
        if (!type.isInstance(other)) {
            throw new IllegalArgumentException("a " + kind + " filter does not merge with a "
                    + other.getClass().getSimpleName());
        }
        return type.cast(other);
    }

    /** Refuses filters that differ in something. */
    void same(String what, Object mine, Object others) {
        if (!Objects.equals(mine, others)) {
            throw new IllegalArgumentException(kind + " filters differ in " + what + ": " + mine + " and " + others);
        }
    }
}
