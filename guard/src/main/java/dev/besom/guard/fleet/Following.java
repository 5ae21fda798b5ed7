package dev.besom.guard.fleet;

import org.jspecify.annotations.Nullable;

/** What a guard does with what its fleet, or a feed, tells it. */
public interface Following {

    /** Gives a hash a slot, before its key is stored. */
    void announced(long hash);

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
