package dev.besom.guard;

import dev.besom.guard.fleet.Member;
import dev.besom.guard.store.AnnouncementSweptException;
import java.util.function.LongPredicate;

/** Stores that need an announcement, for one member of a fleet. */
final class AnnouncedPuts {

    /** How often something is tried anew because others do the same, or have swept its announcement. */
    static final int MOST_TRIES = 20;

    private final Member member;

    AnnouncedPuts(Member member) {
        this.member = member;
    }

    /**
     * Announces a hash and stores its key; again, if that took so long that the announcement was swept.
     *
     * @param put takes the number of the announcement; false if the key was there already
     * @return what that returns
     */
    boolean isNew(long hash, LongPredicate put) {
        for (int tries = 1; ; tries++) {
            long number = member.announce(hash);
            boolean isNew = false;
            try {
                isNew = put.test(number);
                return isNew;
            } catch (AnnouncementSweptException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            } finally {
                if (!isNew) {
                    member.giveUpLater(number, hash);
                }
            }
        }
    }
}
