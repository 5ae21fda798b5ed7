package dev.besom.lab.game;

/** The filter's side of a game, as an adversary sees it: a filter, its dictionary, and somebody who repairs. */
@FunctionalInterface
public interface Opponent {

    /** Asks for a key that is not stored, lets the filter adapt, and says whether it was a false positive. */
    boolean ask(long key);

    /** Takes stored keys out, and then puts all of them back; false where the dictionary cannot be changed. */
    default boolean reinsert(long[] keys) {
        return false;
    }
}
