package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.util.concurrent.atomic.AtomicLong;

/** Tosses the coins of a guard's {@link RepairPolicy}. */
final class Repairs {

    private static final LongHasher COINS = KeyHasher.longs(0x636F696E);

    private final RepairPolicy policy;
    private final Counters counters;
    private final AtomicLong tosses = new AtomicLong();

    Repairs(RepairPolicy policy, Counters counters) {
        this.policy = policy;
        this.counters = counters;
    }

    /** Whether a false positive is to be repaired; counts it if not. */
    boolean isDue() {
        double cost = policy.isMeasured() ? counters.repairCost() : 0;
        boolean isDue = policy.isDue(cost, COINS.hash(tosses.incrementAndGet()));
        if (!isDue) {
            counters.repairLeftOut();
        }
        return isDue;
    }
}
