package dev.besom.spi;

import dev.besom.MergeableFilter;
import java.util.Objects;

/**
 * Refuses to merge filters that differ in what they must have in common, with a complaint that names it.
 *
 * <pre>{@code
 *   MergeCheck check = new MergeCheck(KIND);
 *   BloomFilter same = check.type(BloomFilter.class, other);
 *   check.same("seed", seed, same.seed);
 * }</pre>
 */
public final class MergeCheck {

    private final String kind;

    /**
     * A check for filters of a kind.
     *
     * @param kind the name with which complaints begin
     */
    public MergeCheck(String kind) {
        this.kind = kind;
    }

    /**
     * The other filter by its type.
     *
     * @throws IllegalArgumentException if it is not of that type
     */
    public <F extends MergeableFilter> F type(Class<F> type, MergeableFilter other) {
        if (!type.isInstance(other)) {
            throw new IllegalArgumentException("a " + kind + " filter does not merge with a "
                    + other.getClass().getSimpleName());
        }
        return type.cast(other);
    }

    /**
     * Compares one of the things that both filters have.
     *
     * @throws IllegalArgumentException if they differ in it; the message has both values
     */
    public void same(String what, Object mine, Object others) {
        if (!Objects.equals(mine, others)) {
            throw new IllegalArgumentException(kind + " filters differ in " + what + ": " + mine + " and " + others);
        }
    }
}
