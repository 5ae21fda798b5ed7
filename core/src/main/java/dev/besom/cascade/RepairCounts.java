package dev.besom.cascade;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;

/** Counts what repairs have answered. */
final class RepairCounts {

    private long repairs;
    private long forgot;
    private long inseparable;

    /** Counts an answer and gives it back. */
    Adaptation counted(Adaptation answer) {
        if (answer == Adaptation.INSEPARABLE) {
            inseparable++;
        } else {
            repairs++;
            forgot += answer == Adaptation.FORGOT ? 1 : 0;
        }
        return answer;
    }

    AdaptationStatistics statistics(CountedHashes stored) {
        return new AdaptationStatistics(repairs, forgot, inseparable, stored.reads());
    }
}
