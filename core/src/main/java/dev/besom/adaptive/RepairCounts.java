package dev.besom.adaptive;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;

/** Counts what repairs have answered, and what a filter has read from and written to its store. One writer at a time. */
public final class RepairCounts {

    private long repairs;
    private long forgot;
    private long inseparable;
    private long rangeReads;
    private long movedKeys;
    private long storeWrites;

    /** Nothing is counted yet. */
    public RepairCounts() {}

    /** Counts an answer and gives it back. */
    public Adaptation counted(Adaptation answer) {
        if (answer == Adaptation.INSEPARABLE) {
            inseparable++;
        } else {
            repairs++;
            forgot += answer == Adaptation.FORGOT ? 1 : 0;
        }
        return answer;
    }

    /** Counts a range read of the stored hashes. */
    public void countRangeRead() {
        rangeReads++;
    }

    /** Counts one write to the store, which moved so many keys to other hashes. */
    public void countMove(long keys) {
        movedKeys += keys;
        storeWrites++;
    }

    /** How many repairs were made. */
    public long repairs() {
        return repairs;
    }

    /** All counts since the filter was made or read. */
    public AdaptationStatistics statistics() {
        return new AdaptationStatistics(repairs, forgot, inseparable, rangeReads, movedKeys, storeWrites);
    }
}
