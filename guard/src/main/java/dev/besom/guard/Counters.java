package dev.besom.guard;

import dev.besom.Adaptation;
import java.util.concurrent.atomic.LongAdder;

/** Counts what becomes of each lookup. A lookup that the filter answers costs one increment; the others cost more anyway. */
final class Counters {

    final LongAdder answeredByFilter = new LongAdder();
    final LongAdder found = new LongAdder();
    final LongAdder falsePositives = new LongAdder();
    final LongAdder missedWhilePriming = new LongAdder();
    final LongAdder storeReads = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder growths = new LongAdder();
    private final LongAdder fixed = new LongAdder();
    private final LongAdder forgot = new LongAdder();
    private final LongAdder inseparable = new LongAdder();

    void repaired(Adaptation outcome) {
        switch (outcome) {
            case FIXED -> fixed.increment();
            case FORGOT -> forgot.increment();
            case INSEPARABLE -> inseparable.increment();
        }
    }

    GuardStatistics read() {
        long stopped = answeredByFilter.sum();
        long hits = found.sum();
        long wrong = falsePositives.sum();
        long priming = missedWhilePriming.sum();
        return new GuardStatistics(
                stopped + hits + wrong + priming,
                stopped,
                hits,
                wrong,
                priming,
                storeReads.sum(),
                fixed.sum(),
                forgot.sum(),
                inseparable.sum(),
                dropped.sum(),
                growths.sum());
    }
}
