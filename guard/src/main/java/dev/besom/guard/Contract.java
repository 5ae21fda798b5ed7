package dev.besom.guard;

import java.time.Duration;
import java.util.Objects;

/**
 * Who else may change the store, and what a guard's "not there" means for that.
 *
 * <pre>
 *   sole     this guard alone                    never wrong
 *   fleet    guards in any number of processes   never wrong: a new key is announced to all of them before it is stored
 *   feed     anybody, with plain SQL too         at most a stated time old
 * </pre>
 *
 * Where a guard cannot prove what its contract says, because it was paused or the database is away, it sends lookups on to the
 * store.
 */
public final class Contract {

    /** The names of the contracts. */
    public enum Name {
        /** This guard alone changes the store. */
        SOLE,
        /** Guards change the store, in any number of processes. */
        FLEET,
        /** Anybody changes the store. */
        FEED
    }

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(5);
    private static final Duration DEFAULT_STALENESS = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final Name name;
    private final Duration time;

    private Contract(Name name, Duration time) {
        this.name = name;
        this.time = time;
    }

    /** This guard alone changes the store; its lease sees to that. */
    public static Contract sole() {
        return new Contract(Name.SOLE, Duration.ZERO);
    }

    /** Guards in any number of processes change the store, with leases of five seconds. */
    public static Contract fleet() {
        return fleet(DEFAULT_LEASE);
    }

    /**
     * Guards in any number of processes change the store.
     *
     * @param lease how long a guard may be silent, from 100 ms on and the same for all of them: a guard that is paused for longer
     *     sends lookups on to the store until it has caught up, and one that dies delays the puts of the others by up to
     *     a quarter more
     */
    public static Contract fleet(Duration lease) {
        return new Contract(Name.FLEET, checked(lease));
    }

    /** Anybody changes the store; a "not there" is at most a second old. */
    public static Contract feed() {
        return feed(DEFAULT_STALENESS);
    }

    /**
     * Anybody changes the store.
     *
     * @param staleness how old a "not there" may be, from 100 ms on
     */
    public static Contract feed(Duration staleness) {
        return new Contract(Name.FEED, checked(staleness));
    }

    private static Duration checked(Duration time) {
        if (time.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("not shorter than " + SHORTEST.toMillis() + " ms: " + time);
        }
        return time;
    }

    /** Which contract it is. */
    public Name name() {
        return name;
    }

    /** The lease of a fleet, the staleness of a feed, and zero otherwise. */
    public Duration time() {
        return time;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Contract that && name == that.name && time.equals(that.time);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, time);
    }

    @Override
    public String toString() {
        return name == Name.SOLE ? "SOLE" : name + " " + time;
    }
}
