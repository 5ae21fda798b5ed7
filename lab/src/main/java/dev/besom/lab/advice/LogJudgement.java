package dev.besom.lab.advice;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How all kinds fared with a log of queries. They are ranked by what their wasted reads of the later part cost, and by size where
 * that is equal.
 */
public final class LogJudgement implements MeasuredWaste {

    private final double newMisses;
    private final List<Replayed> byWaste;
    private final boolean isEnough;
    private final String teacher;

    private LogJudgement(double newMisses, List<Replayed> byWaste, boolean isEnough, String teacher) {
        this.teacher = teacher;
        this.newMisses = newMisses;
        this.byWaste = byWaste;
        this.isEnough = isEnough;
    }

    /** Replays the log against all kinds that can be made for a rate; against none where it has too little to tell. */
    public static LogJudgement of(LogReplay log, double fpp) {
        List<Replayed> replayed = log.canJudge()
                ? Filters.kinds().parallelStream()
                        .filter(kind -> !kind.hasFalseNegatives())
                        .map(kind -> log.replay(kind, fpp))
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparingDouble(
                                        (Replayed each) -> each.waste().lateCost())
                                .thenComparingDouble(Replayed::bitsPerKey))
                        .toList()
                : List.of();
        return new LogJudgement(log.newMisses(), replayed, log.isEnoughFor(fpp), log.teacher());
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
    @Override
    public OptionalDouble wastedReads(Kind kind, double rate) {
        return atRate(kind, rate, each -> each.waste().all());
    }

    @Override
    public OptionalDouble cost(Kind kind, double rate) {
        return atRate(kind, rate, each -> each.waste().allCost());
    }

    private OptionalDouble atRate(Kind kind, double rate, ToDoubleFunction<Replayed> number) {
        return isEnough
                ? find(kind).stream()
                        .mapToDouble(each ->
                                number.applyAsDouble(each) * rate / each.rates().expected())
                        .findFirst()
                : OptionalDouble.empty();
    }

    /** How a kind fared. */
    public Optional<Replayed> find(Kind kind) {
        return byWaste.stream()
                .filter(each -> each.kind().name().equals(kind.name()))
                .findFirst();
    }

    @Override
    public Optional<String> verdictOnLearned(Kind kind) {
        return find(kind)
                .map(each -> String.format(
                        Locale.ROOT,
                        "%.2f bits a key and %,.0f wasted reads in the later third, by what it learned from %s; wrong in"
                                + " %.3g %% of keys unlike those of the log",
                        each.bitsPerKey(),
                        each.waste().late(),
                        teacher,
                        100 * each.rates().fresh()));
    }
}
