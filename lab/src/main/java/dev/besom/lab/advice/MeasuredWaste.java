package dev.besom.lab.advice;

import dev.besom.spi.Kind;
import java.util.Optional;
import java.util.OptionalDouble;

/** What kinds were seen to waste, as far as anything was seen. */
public interface MeasuredWaste {

    /** Nothing was measured. */
    MeasuredWaste NONE = (kind, fpp) -> OptionalDouble.empty();

    /** The reads that a filter of a kind and rate wastes; empty where that was not measured. */
    OptionalDouble wastedReads(Kind kind, double fpp);

    /** What these reads cost, by which kinds are ranked: one each unless something else is known. */
    default OptionalDouble cost(Kind kind, double fpp) {
        return wastedReads(kind, fpp);
    }

    /** How a kind fared that learned from what was measured, in one sentence; empty where it did not. */
    default Optional<String> verdictOnLearned(Kind kind) {
        return Optional.empty();
    }
}
