package dev.besom.lab.race;

import dev.besom.hash.Mix;
import dev.besom.lab.workload.Churn;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import java.util.SplittableRandom;

/** Plays a {@link Churn}: between queries, stored keys are replaced. */
final class Turnover {

    private final ChangingKeys keys;
    private final KeySpace space;
    private final SplittableRandom random;

    /** Keys that are stored no more, the latest of them. */
    private final long[] removed;

    private long removals;

    Turnover(ChangingKeys keys, KeySpace space) {
        this.keys = keys;
        this.space = space;
        this.random = new SplittableRandom(Mix.mix(space.seed() + 7));
        this.removed = new long[keys.size()];
    }

    /** Asks so many queries, of which a share is for keys that are stored at that time. */
    void play(Churn churn, Referee referee, long queries, double hits) {
        try (QueryStream strangers = churn.strangers(space, keys.size())) {
            for (long query = 0; query < queries; query++) {
                while (removals < Math.floor((query + 1) * churn.changesAQuery())) {
                    replaceOne();
                }
                referee.ask(next(strangers, hits));
            }
        }
    }

    private void replaceOne() {
        int index = random.nextInt(keys.size());
        long old = keys.replace(index, space.stored(keys.size() + removals));
        removed[(int) (removals++ % removed.length)] = old;
    }

    private long next(QueryStream strangers, double hits) {
        double dice = random.nextDouble();
        if (dice < hits) {
            return keys.key(random.nextInt(keys.size()));
        }
        if (removals > 0 && dice < hits + (1 - hits) * Churn.REMOVED_SHARE) {
            return removed[random.nextInt((int) Math.min(removals, removed.length))];
        }
        return strangers.next();
    }
}
