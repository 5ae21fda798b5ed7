package dev.besom.guard.store;

import dev.besom.StoredHashes;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Where the guards of a fleet meet: a log of what they announce to each other, and a list of who is there. Kept with the
 * store's keys and as durable as they are.
 *
 * <pre>
 *   log         entries 1, 2, 3, ... without gaps: a hash that is about to be stored, or one copy of a hash that is gone
 *   pending     the announced hashes whose key is neither stored nor given up
 *   members     who is there, how far each has read the log, and how often it has renewed its lease
 * </pre>
 *
 * Entries become visible in the order of their numbers: who sees one sees all before it. A key is stored in one transaction
 * with the end of its announcement ({@link FleetStore}), so that a hash is pending, stored, or neither for good.
 */
public interface MeetingPlace {

    /**
     * One entry of the log.
     *
     * @param number its place, from 1 on
     * @param hash the hash it is about
     * @param isGone whether one copy of the hash is gone; otherwise one is announced
     */
    record Entry(long number, long hash, boolean isGone) {}

    /**
     * One member of the fleet.
     *
     * @param member its number, which no other member ever had
     * @param beat how often it has renewed its lease
     * @param acknowledged up to which entry of the log its filters have everything; -1 while it joins
     */
    record Peer(long member, long beat, long acknowledged) {}

    /** The number of this fleet: another one after the log was made anew. */
    long fleet();

    /** Opens a session for one thread. */
    Session connect();

    /**
     * Appends to the log, and wakes the members.
     *
     * @param member who announces
     * @param announced hashes that are about to be stored; each is pending from now on
     * @param gone hashes of which one copy each is gone
     * @return the number of the last entry. Announced hashes have the first numbers, in their order
     */
    long append(long member, long[] announced, long[] gone);

    /**
     * Gives up an announcement: its key cannot be stored any more.
     *
     * @return false if it was not pending: the key was stored, or it was given up before
     */
    boolean giveUp(long number);

    /** Announcements that are pending and whose member is not there any more. */
    List<Entry> abandoned();

    /** Deletes entries of the log that every member has read and that are not among the latest so many. */
    void trim(long keep);

    /**
     * The hashes of the stored keys and of the announcements that are pending, each as often as both together have it, as they
     * were at one moment.
     *
     * @param applied up to which entry announcements count, as of now
     */
    StoredHashes hashes(LongSupplier applied);

    /** A connection to the meeting place that one thread keeps. Where the database fails, a {@link StoreException} says so. */
    interface Session extends AutoCloseable {

        /** What changes when another database may have taken the place of the one that was here before. */
        String incarnation();

        /** Enters the list of members, where nobody has this number. */
        void join(Peer joining);

        /** Leaves the list of members. */
        void leave(long member);

        /** Renews a lease; false if the member is not in the list any more. Lasts when it returns. */
        boolean renew(Peer renewed);

        /** Says how far a member has read; false if it is not in the list any more. */
        boolean acknowledge(long member, long number);

        /** The number of the last entry. */
        long head();

        /** The entries after one, in their order. */
        List<Entry> read(long after, int most);

        /** All members. */
        List<Peer> peers();

        /** Takes a member out of the list, unless it has renewed its lease since. */
        boolean evict(Peer seen);

        /** Waits until something may have happened, or the time is over. */
        void await(Duration atMost);

        @Override
        void close();
    }
}
