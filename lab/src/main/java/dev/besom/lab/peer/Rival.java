package dev.besom.lab.peer;

import dev.besom.AdaptationStatistics;
import dev.besom.InsertableFilter;

/**
 * A filter that answers repeated misses in another way than Besom's adaptive kinds: a baseline to hold them against. It
 * belongs to one thread, and a query may write, as that of a cache does.
 *
 * <p>A key that is put in is found from then on, also where it was told to be missing before.
 */
public interface Rival extends InsertableFilter {

    /** Tells it of a key that it answered "maybe" for and that is not stored. */
    void learnMissing(long hash);

    /** What repairs took of the store, where it makes any. */
    default AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(0, 0, 0, 0);
    }
}
