package dev.besom.lab.advice;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Referee;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;

/** How a kind fares against the {@link Adversary} of the telescoping paper, told by a small filter. */
final class Siege {

    private static final int KEYS = 1 << 10;

    /** The most that the paper tries. */
    private static final double QUERIES_A_KEY = 100;

    /** How often the rate is halved before a kind is given up. */
    private static final int HALVINGS = 4;

    private static final KeySpace SPACE = new KeySpace(0x7369656765L);

    private Siege() {}

    /** The highest rate, halved from the given one down, at which the kind holds out; 0 if it does at none. */
    static double rateThatHolds(Kind kind, double fpp) {
        double rate = fpp;
        for (int i = 0; i <= HALVINGS; i++, rate /= 2) {
            if (holds(kind, rate)) {
                return rate;
            }
        }
        return 0;
    }

    /** Whether the adversary's last round has no higher a rate than the filter was made for. */
    static boolean holds(Kind kind, double fpp) {
        try {
            return lastRoundRate(kind, fpp) <= fpp;
        } catch (IllegalArgumentException | FilterFullException e) {
            return false;
        }
    }

    /** The rate of false positives in the adversary's last round. */
    static double lastRoundRate(Kind kind, double fpp) {
        long[] keys = SPACE.stored(KEYS);
        StoredKeys stored = new StoredKeys(keys);
        MembershipFilter filter = Contenders.find(kind.name(), 0).fill(FilterSpec.of(KEYS, fpp), stored, keys);
        Adversary adversary = new Adversary("siege", QUERIES_A_KEY, Adversary.DEFAULT_ROUNDS);
        return new Referee(filter, stored).play(adversary, SPACE).lastRoundRate();
    }
}
