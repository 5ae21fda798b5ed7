package dev.besom.lab.advice;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How all kinds fared with a log of queries. They are ranked by what their wasted reads of the later part cost, and by size where
 * that is equal.
 */
public final class LogJudgement {

    private final double fpp;
    private final double newMisses;
    private final List<Replayed> byWaste;
    private final boolean isEnough;

    private LogJudgement(double fpp, double newMisses, List<Replayed> byWaste, boolean isEnough) {
        this.fpp = fpp;
        this.newMisses = newMisses;
        this.byWaste = byWaste;
        this.isEnough = isEnough;
    }

    /** Asks the log of all kinds that can be made for a rate; of none where it has too little to tell. */
    public static LogJudgement of(LogReplay log, double fpp) {
        List<Replayed> replayed = log.canJudge()
                ? Filters.kinds().stream()
                        .filter(kind -> !kind.hasFalseNegatives())
                        .map(kind -> log.replay(kind, fpp))
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparingDouble(
                                        (Replayed each) -> each.waste().lateCost())
                                .thenComparingDouble(Replayed::bitsPerKey))
                        .toList()
                : List.of();
        return new LogJudgement(fpp, log.newMisses(), replayed, log.isEnoughFor(fpp));
    }

    /** The part of the later misses that are for keys that were not missed in the earlier part. */
    public double newMisses() {
        return newMisses;
    }

    /** All kinds that were tried, those that waste least first. */
    public List<Replayed> byWaste() {
        return byWaste;
    }

    /** The reads of the whole log that a kind would waste at some rate; empty where the log tells too little of it. */
    public OptionalDouble wastedReads(Kind kind, double rate) {
        return byWaste.stream()
                .filter(each -> isEnough && each.kind().name().equals(kind.name()))
                .mapToDouble(each -> each.waste().all() * rate / fpp)
                .findFirst();
    }

    /**
     * What these reads cost, where the log tells the cost of each, else one each; empty where the log tells too little of the
     * kind. A wasted read of the whole log is taken to cost what one of the later part does, which the kind has not seen.
     */
    public OptionalDouble wastedCost(Kind kind, double rate) {
        return byWaste.stream()
                .filter(each -> isEnough && each.kind().name().equals(kind.name()))
                .mapToDouble(each -> each.waste().all() * each.waste().costOfRead() * rate / fpp)
                .findFirst();
    }
}
