package dev.besom.guard.store;

/**
 * A key was not stored because its announcement is not pending any more: its guard was taken for dead, and members that have
 * joined since do not know of it. Announced again, the key can be stored.
 */
public final class AnnouncementSweptException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** An exception for an announcement that is not pending. */
    public AnnouncementSweptException() {
        super("the announcement of a key is not pending any more; announce it again");
    }
}
