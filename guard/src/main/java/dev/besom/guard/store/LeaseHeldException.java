package dev.besom.guard.store;

/** Another guard has the lease of a store. It may be free later. */
public final class LeaseHeldException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception for a lease that is taken.
     *
     * @param message names the store
     */
    public LeaseHeldException(String message) {
        super(message);
    }
}
