package dev.besom.guard.fleet;

import org.jspecify.annotations.Nullable;

/** What a guard does with what its fleet, or a feed, tells it. */
public interface Following {

    /**
     * Gives a hash a slot, before its key is stored.
     *
     * @param then lets those have the hash who build filters. Called before another filter can be built in the place of the one
     *     that has the slot, or that is not there yet
     */
    void announced(long hash, Runnable then);

    /** Takes out a slot of a hash that no stored key and no announcement needs. */
    void gone(long hash);

    /** Drops all filters, and begins to build others: nothing is known of what they lack. */
    void startAnew();

    /**
     * Told what filters prove from now on.
     *
     * @param proof null if nothing is proven
     */
    void proven(@Nullable Proof proof);
}
