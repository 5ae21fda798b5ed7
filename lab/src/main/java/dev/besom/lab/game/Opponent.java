package dev.besom.lab.game;

/** The filter's side of a game, as an adversary sees it: a filter, its dictionary, and somebody who repairs. */
@FunctionalInterface
public interface Opponent {

    /** Queries a key that is not stored, lets the filter adapt, and says whether it was a false positive. */
    boolean query(long key);

    /** Puts a key in that is not stored, and takes it out again; false where the dictionary cannot be changed. */
    default boolean churn(long key) {
        return false;
    }

    /** Takes stored keys out, and then puts all of them back; false where the dictionary cannot be changed. */
    default boolean reinsert(long[] keys) {
        return false;
    }
}
