package dev.besom.lab.advice;

import dev.besom.Approximator;
import dev.besom.bits.BitVector;
import dev.besom.filters.Filters;
import dev.besom.math.Entropy;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Chooses a kind.
 *
 * <pre>
 *   1  who can      every need is met, no stored key is ever lost, a dictionary where the kind adapts
 *   2  at what size the rate that was asked for, or the lowest that fits the memory; a real filter is made and filled,
 *                   besieged first where there may be an adversary, and given a lower rate if it does not hold out
 *   3  at what cost bits a key for the same wasted reads, or the same cost of them: a plain filter pays for a repeated miss
 *                   each time, one that adapts mostly once, so the plain one is charged for the lower rate that would waste
 *                   as little; how often "mostly" is shows when a small filter is asked (Rehearsal), or a log (LogReplay)
 *   4  the simplest of those within ten percent of the cheapest: fewest abilities that nobody asked for, then cheapest
 * </pre>
 *
 * <p>Where memory is given and no rate, the order of 3 is turned around: all get that memory, and waste is compared, down
 * to one read over all queries.
 */
public final class Advisor {

    /** Costs this close to the best are equal. */
    private static final double TOLERANCE = 1.1;

    /** Wasted reads this close to the least are equal: about what ten percent of memory make. */
    private static final double WASTE_TOLERANCE = 1.5;

    /** Measured waste this close to the least is the least, as another seed would have it. */
    private static final double SAME_WASTE = 1.02;

    private static final String TOO_LARGE = "one filter for so many keys is larger than an array; use several";

    /** Abilities that a structure pays for in time or space even where nobody uses them. */
    private static final List<Need> COSTLY = List.of(Need.DELETE, Need.GROW);

    private final Wishes wishes;
    private final MeasuredWaste measured;
    private final Rehearsal rehearsal;
    private final Consumer<String> progress;
    private final List<Verdict> refused = new ArrayList<>();

    private Advisor(Wishes wishes, MeasuredWaste measured, Consumer<String> progress) {
        this.wishes = wishes;
        this.measured = measured;
        this.rehearsal = Rehearsal.of(wishes.n(), wishes.traffic());
        this.progress = progress;
    }

    /**
     * The advice.
     *
     * @param progress told the name of each kind that is going to be tried
     * @throws IllegalArgumentException if no kind does what is wanted; the message says why
     */
    public static Advice advise(Wishes wishes, Consumer<String> progress) {
        return advise(wishes, MeasuredWaste.NONE, progress);
    }

    /**
     * The advice where it is known how much kinds waste.
     *
     * @param measured by a log, say; what it does not know is found out by the numbers of the traffic
     */
    public static Advice advise(Wishes wishes, MeasuredWaste measured, Consumer<String> progress) {
        return new Advisor(wishes, measured, progress).choose();
    }

    private double wastedReads(Kind kind, double planned, double rate) {
        return measured.wastedReads(kind, rate).orElseGet(() -> rehearsal.wastedReads(kind, planned, rate));
    }

    private double cost(Kind kind, double planned, double rate) {
        return measured.cost(kind, rate).orElseGet(() -> wastedReads(kind, planned, rate));
    }

    /** A filter for the rate, or as many as are asked for each key. */
    private Optional<Trial> trial(Kind kind, double fpp) {
        int filters = wishes.generations();
        double othersPerKey = (double) wishes.setting().knownOthers() / wishes.n();
        Optional<Trial> one = othersPerKey > 0
                ? Trial.separating(kind, wishes.n(), fpp / filters, othersPerKey)
                : Trial.of(kind, wishes.n(), fpp / filters);
        return one.map(found -> found.times(filters));
    }

    private Advice choose() {
        List<Kind> able = able();
        List<Candidate> ranked = wishes.isByMemory() ? rankByWaste(able) : rankByCost(able);
        if (ranked.isEmpty()) {
            throw new IllegalArgumentException("no kind fits: " + summary());
        }
        Candidate chosen = ranked.get(0);
        Optional<Candidate> runnerUp = ranked.stream().skip(1).findFirst();
        List<Verdict> others = new ArrayList<>();
        ranked.stream()
                .skip(2)
                .forEach(other -> others.add(new Verdict(other.kind().name(), whyNot(other, chosen))));
        others.addAll(refused);
        return new Advice(
                wishes,
                new Advice.Place(chosen, why(chosen, ranked)),
                runnerUp.map(second -> new Advice.Place(second, whyNot(second, chosen))),
                others,
                Snippet.of(wishes, chosen));
    }

    private List<Kind> able() {
        List<Kind> able = new ArrayList<>();
        for (Kind kind : Filters.kinds()) {
            List<String> lacks = wishes.needs().stream()
                    .filter(need -> !need.isMetBy(kind))
                    .map(Need::words)
                    .toList();
            if (kind.hasFalseNegatives()) {
                refuse(kind, "can lose stored keys");
            } else if (!lacks.isEmpty()) {
                refuse(kind, "cannot " + String.join(", ", lacks));
            } else if (Filters.takesDistribution(kind)) {
                refuse(kind, measured.verdictOnLearned(kind).orElse("gains nothing unless it knows the distribution"));
            } else if (kind.separates() && !wishes.needs().contains(Need.TELL_APART)) {
                refuse(kind, "is for lists beside known keys that are not in them");
            } else if (hasMoreThanKeys(kind) && !wishes.needs().contains(Need.VALUES)) {
                refuse(kind, "is for keys with values");
            } else if (kind.isAdaptive() && !wishes.setting().hasDictionary()) {
                refuse(kind, "needs a dictionary to adapt by");
            } else {
                able.add(kind);
            }
        }
        if (able.stream().allMatch(Kind::tradesTimeForSpace)) {
            return able;
        }
        able.stream()
                .filter(Kind::tradesTimeForSpace)
                .forEach(kind -> refuse(kind, "is small, and several times slower than others"));
        return able.stream().filter(kind -> !kind.tradesTimeForSpace()).toList();
    }

    private static boolean hasMoreThanKeys(Kind kind) {
        return kind.holdsValues() || Approximator.class.isAssignableFrom(kind.type());
    }

    private void refuse(Kind kind, String why) {
        refused.add(new Verdict(kind.name(), why));
    }

    /** What stands in the way: a need that nobody meets, or else what each kind lacks. */
    private String summary() {
        String unmet = wishes.needs().stream()
                .filter(need -> Filters.kinds().stream().noneMatch(need::isMetBy))
                .map(Need::words)
                .collect(Collectors.joining(" or "));
        if (!unmet.isEmpty()) {
            return "none of the " + Filters.kinds().size() + " kinds can " + unmet;
        }
        return refused.stream()
                .collect(Collectors.groupingBy(
                        Verdict::whyNot,
                        LinkedHashMap::new,
                        Collectors.mapping(Verdict::kind, Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + ": " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    /** Sizes each for the rate, and orders them by what they take for the same waste. */
    private List<Candidate> rankByCost(List<Kind> able) {
        double fpp = wishes.plannedFpp();
        List<Candidate> candidates = new ArrayList<>();
        double leastWaste =
                able.stream().mapToDouble(kind -> cost(kind, fpp, fpp)).min().orElse(0);
        for (Kind kind : able) {
            progress.accept(kind.name());
            double planned = wishes.needs().contains(Need.WITHSTAND) ? Siege.rateThatHolds(kind, fpp) : fpp;
            if (planned == 0) {
                refuse(kind, "was worn down by the adversary when tried, at lower rates too");
                continue;
            }
            Optional<Trial> trial = trial(kind, planned);
            if (trial.isEmpty()) {
                refuse(kind, "cannot have a rate of " + percent(planned));
                continue;
            }
            if (isTooLarge(trial.get())) {
                refuse(kind, TOO_LARGE);
                continue;
            }
            if (exceedsMemory(trial.get().wholeBitsPerKey())) {
                refuse(
                        kind,
                        String.format(
                                Locale.ROOT,
                                "takes %.2f bits a key for the rate, and the memory is %.2f bits a key",
                                trial.get().wholeBitsPerKey(),
                                memoryPerKey()));
                continue;
            }
            double wasted = cost(kind, fpp, fpp);
            double comparable = wasted <= leastWaste * SAME_WASTE
                    ? trial.get().wholeBitsPerKey()
                    : trial(kind, fpp * leastWaste / wasted)
                            .map(Trial::wholeBitsPerKey)
                            .orElse(Double.POSITIVE_INFINITY);
            candidates.add(candidate(kind, trial.get(), comparable));
        }
        return simplestFirst(candidates, Comparator.comparingDouble(Candidate::comparableBitsPerKey), TOLERANCE);
    }

    /** Gives all the same memory, and orders them by what they waste. */
    private List<Candidate> rankByWaste(List<Kind> able) {
        List<Candidate> candidates = new ArrayList<>();
        for (Kind kind : able) {
            progress.accept(kind.name());
            int filters = wishes.generations();
            Optional<Trial> trial = Trial.ofBitsPerKey(kind, wishes.n(), memoryPerKey() / filters)
                    .map(found -> found.times(filters));
            if (trial.isEmpty()) {
                refuse(kind, String.format(Locale.ROOT, "does not fit %.2f bits a key", memoryPerKey()));
            } else if (isTooLarge(trial.get())) {
                refuse(kind, TOO_LARGE);
            } else if (wishes.needs().contains(Need.WITHSTAND)
                    && !Siege.holds(kind, trial.get().plannedFpp())) {
                refuse(kind, "was worn down by the adversary when tried");
            } else {
                candidates.add(candidate(kind, trial.get(), trial.get().wholeBitsPerKey()));
            }
        }
        return simplestFirst(
                candidates,
                Comparator.comparingDouble(Candidate::comparableCost)
                        .thenComparingDouble(Candidate::comparableBitsPerKey),
                WASTE_TOLERANCE);
    }

    /** Whether a filter for all keys would be larger than an array, and so cannot be made. */
    private boolean isTooLarge(Trial trial) {
        return trial.bitsPerKey() * wishes.n() > BitVector.MAX_SIZE_IN_BITS;
    }

    private Candidate candidate(Kind kind, Trial trial, double comparable) {
        double planned = trial.plannedFpp();
        double rate = trial.expectedFpp();
        return new Candidate(
                kind,
                wishes.n(),
                trial,
                new Candidate.Loss(wastedReads(kind, planned, rate), cost(kind, planned, rate), comparable));
    }

    /** The best first; those that are as good as equal to it come by how little they do beyond what was asked. */
    private List<Candidate> simplestFirst(List<Candidate> candidates, Comparator<Candidate> order, double tolerance) {
        List<Candidate> sorted = candidates.stream().sorted(order).toList();
        if (sorted.isEmpty()) {
            return sorted;
        }
        Candidate best = sorted.get(0);
        List<Candidate> ranked = new ArrayList<>(sorted.stream()
                .filter(candidate -> isClose(candidate, best, tolerance))
                .sorted(Comparator.comparingLong(this::unasked).thenComparing(order))
                .toList());
        sorted.stream()
                .filter(candidate -> !isClose(candidate, best, tolerance))
                .forEach(ranked::add);
        return ranked;
    }

    private boolean isClose(Candidate candidate, Candidate best, double tolerance) {
        return wishes.isByMemory()
                ? candidate.comparableCost() <= best.comparableCost() * tolerance
                : candidate.comparableBitsPerKey() <= best.comparableBitsPerKey() * tolerance;
    }

    /** How many costly abilities the kind has that nobody asked for. */
    private long unasked(Candidate candidate) {
        Kind kind = candidate.kind();
        long unasked = COSTLY.stream()
                .filter(need -> need.isMetBy(kind) && !wishes.needs().contains(need))
                .count();
        boolean isAdaptiveInVain = kind.isAdaptive()
                && wishes.traffic().repeats() < TOLERANCE
                && !wishes.needs().contains(Need.WITHSTAND);
        return isAdaptiveInVain ? unasked + 1 : unasked;
    }

    private boolean exceedsMemory(double bitsPerKey) {
        return wishes.limits().memoryInBits().isPresent() && bitsPerKey > memoryPerKey();
    }

    private double memoryPerKey() {
        return (double) wishes.limits().memoryInBits().orElse(Long.MAX_VALUE) / wishes.n();
    }

    private String why(Candidate chosen, List<Candidate> ranked) {
        String needs = wishes.needs().stream()
                .filter(need -> need != Need.INSERT)
                .map(need -> "can " + need.words() + "; ")
                .collect(Collectors.joining());
        String among = ranked.size() == 1 ? "the only kind that fits" : "the best of " + ranked.size() + " that fit";
        String least = String.format(
                Locale.ROOT,
                "%.2f bits a key, where %.2f are the least that any filter of its rate can take",
                chosen.bitsPerKey(),
                Entropy.bitsPerKey(chosen.expectedFpp()));
        String repairs = chosen.kind().isAdaptive() && wishes.traffic().repeats() >= TOLERANCE
                ? String.format(
                        Locale.ROOT,
                        "; a missed key is asked for %.1f times on average, and it pays for %s of its false positives"
                                + " once",
                        wishes.traffic().repeats(),
                        chosen.kind().keepsRepairs() ? "each" : "most")
                : "";
        return needs + among + ": " + least + repairs;
    }

    private String whyNot(Candidate other, Candidate chosen) {
        if (!other.kind().isAdaptive() && chosen.kind().isAdaptive()) {
            String cost = wishes.isByMemory()
                    ? ""
                    : Double.isInfinite(other.comparableBitsPerKey())
                            ? "; it cannot have a rate that wastes as little"
                            : String.format(
                                    Locale.ROOT,
                                    "; to waste as little it needs %.2f bits a key",
                                    other.comparableBitsPerKey());
            return String.format(
                    Locale.ROOT,
                    "%.2f bits a key, but pays for a false positive each time: %,.0f wasted reads, not %,.0f%s",
                    other.bitsPerKey(),
                    other.wastedReads(),
                    chosen.wastedReads(),
                    cost);
        }
        String numbers = String.format(
                Locale.ROOT,
                "%.2f bits a key and %,.0f wasted reads, not %.2f and %,.0f",
                other.bitsPerKey(),
                other.wastedReads(),
                chosen.bitsPerKey(),
                chosen.wastedReads());
        String index = other.trial().indexBitsPerKey() > 0
                ? String.format(
                        Locale.ROOT,
                        "%s; it takes %.1f bits a key more for an index",
                        numbers,
                        other.trial().indexBitsPerKey())
                : numbers;
        String repairs = other.kind().isAdaptive() && !other.kind().keepsRepairs()
                ? index + "; it gives repairs up now and then"
                : index;
        return unasked(other) > unasked(chosen) ? repairs + "; it does more than was asked for" : repairs;
    }

    private static String percent(double rate) {
        return String.format(Locale.ROOT, "%.3g %%", rate * 100);
    }
}
