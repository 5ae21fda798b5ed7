package dev.besom.lab.advice;

import dev.besom.filters.Filters;
import dev.besom.math.Entropy;
import dev.besom.spi.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Says which kind takes far less memory than another one and can do all that it can. */
public final class Alternatives {

    /** A size beyond so many times the least that any filter of the rate can take, and so many bits more, is odd. */
    private static final double ODD_FACTOR = 4;

    private static final double ODD_BITS = 32;

    /** Fewer keys than this make any filter large for each of them. */
    private static final long LEAST_KEYS = 1000;

    /** Keys of the filters that are tried. */
    private static final long TRIED_KEYS = 1 << 13;

    private Alternatives() {}

    /**
     * Another kind.
     *
     * @param kind its name
     * @param bitsPerKey what it takes
     */
    public record Alternative(String kind, double bitsPerKey) {}

    /** The kind that takes the least memory, if the size is odd and that is less than half of it. */
    public static Optional<Alternative> toOddSize(Kind kind, long n, double fpp, double bitsPerKey) {
        if (n < LEAST_KEYS || bitsPerKey <= ODD_FACTOR * Entropy.bitsPerKey(fpp) + ODD_BITS) {
            return Optional.empty();
        }
        return smallest(kind, Math.min(n, TRIED_KEYS), fpp).filter(other -> other.bitsPerKey < bitsPerKey / 2);
    }

    /** The kind that takes the least memory for a rate that this one cannot have; empty if it can, or no other can. */
    public static Optional<Alternative> toImpossibleRate(Kind kind, double fpp) {
        return Trial.of(kind, TRIED_KEYS, fpp).isPresent() ? Optional.empty() : smallest(kind, TRIED_KEYS, fpp);
    }

    /** The smallest of the kinds that can do all that one can. */
    private static Optional<Alternative> smallest(Kind kind, long n, double fpp) {
        List<Need> needs =
                Arrays.stream(Need.values()).filter(need -> need.isMetBy(kind)).toList();
        return Filters.kinds().stream()
                .filter(other -> isAble(other, needs, kind))
                .flatMap(other ->
                        Trial.of(other, n, fpp)
                                .map(trial -> new Alternative(other.name(), trial.bitsPerKey()))
                                .stream())
                .min(Comparator.comparingDouble(Alternative::bitsPerKey));
    }

    private static boolean isAble(Kind other, List<Need> needs, Kind kind) {
        return needs.stream().allMatch(need -> need.isMetBy(other))
                && (other.isAdaptive() || !kind.isAdaptive())
                && (!other.hasFalseNegatives() || kind.hasFalseNegatives())
                && !Filters.takesDistribution(other);
    }
}
