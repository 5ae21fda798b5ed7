package dev.besom.cli;

import dev.besom.filters.Filters;
import dev.besom.lab.advice.Advice;
import dev.besom.lab.advice.Candidate;
import dev.besom.lab.advice.DistributionWorth;
import dev.besom.lab.advice.Replayed;
import dev.besom.lab.advice.Sample;
import dev.besom.lab.advice.Traffic;
import dev.besom.lab.advice.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An advice as text. */
final class AdviceText {

    /** Of kinds that come with a reason of their own so many are shown. */
    private static final int MOST_OTHERS = 6;

    private final AdviceFound found;
    private final Console console;

    AdviceText(AdviceFound found, Console console) {
        this.found = found;
        this.console = console;
    }

    void print() throws IOException {
        Advice advice = found.advice();
        if (found.sample().isPresent()) {
            line("sample", measured(found.sample().get()));
            console.print("");
        }
        Candidate chosen = advice.chosen();
        line("kind", chosen.kind().name());
        line("size", size(chosen) + " for " + Numbers.whole(chosen.n()) + " keys");
        line("expected rate", Numbers.percent(chosen.expectedFpp()));
        if (!Double.isNaN(chosen.adaptiveBudget())) {
            line("budget", budget(chosen, advice.uniqueMissesPerKey()));
        }
        line(
                "remote reads",
                Numbers.whole(Math.round(advice.readsWithoutFilter())) + " without a filter, "
                        + Numbers.whole(Math.round(advice.readsWithFilter())) + " with it; saved "
                        + Numbers.whole(Math.round(advice.savedReads())) + ", wasted "
                        + Numbers.whole(Math.round(chosen.wastedReads())));
        line("why", advice.why());
        for (String note : found.notes()) {
            line("note", note);
        }
        if (advice.runnerUp().isPresent()) {
            line("runner-up", advice.runnerUp().get().kind().name() + ": " + advice.whyNotRunnerUp());
        }
        if (found.log().isPresent() && !found.log().get().judgement().byWaste().isEmpty()) {
            printLog(found.log().get());
        }
        if (found.learned().isPresent()) {
            line("distribution", worth(found.learned().get()));
        }
        printOthers(advice.others());
        // In one line, however long, so that it can be copied.
        console.print("");
        console.print("# Times on this machine:");
        console.print(advice.raceCommand());
        console.print("");
        console.print(advice.code().stripTrailing());
    }

    /** Kinds that were left out for the same reason share a line; of the rest the nearest are shown. */
    private void printOthers(List<Verdict> others) throws IOException {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (Verdict other : others) {
            byReason.computeIfAbsent(other.whyNot(), reason -> new ArrayList<>())
                    .add(other.kind());
        }
        String what = "not";
        int single = 0;
        for (Map.Entry<String, List<String>> each : byReason.entrySet()) {
            single += each.getValue().size() == 1 ? 1 : 0;
            if (each.getValue().size() > 1 || single <= MOST_OTHERS) {
                line(what, String.join(", ", each.getValue()) + ": " + each.getKey());
                what = "";
            }
        }
        if (single > MOST_OTHERS) {
            line("", single - MOST_OTHERS + " more, each with its own reason: --json has them");
        }
    }

    /** What each kind wastes of the log, the least first. */
    private void printLog(AdviceFound.Log log) throws IOException {
        line(
                "later third",
                Numbers.percent(log.judgement().newMisses())
                        + " of its misses are for keys that were not missed before. What kinds waste of it that have seen"
                        + " the rest of the log, their rates before and then, and their rate if all misses were new:");
        console.print("");
        Table table = new Table("kind", ">bits/key", ">wasted", ">cost", ">rate before", ">then", ">all new");
        for (Replayed each : log.judgement().byWaste()) {
            table.row(
                    each.kind().name(),
                    Numbers.fixed(each.bitsPerKey(), 2),
                    Numbers.whole(Math.round(each.waste().late())),
                    Numbers.fixed(each.waste().lateCost() * log.cost(), 1),
                    Numbers.percent(each.rates().early()),
                    Numbers.percent(each.rates().late()),
                    Numbers.percent(each.rates().fresh()));
        }
        table.print(console);
        console.print("");
    }

    /** How far the kind's promise reaches, and whether the traffic stays within it. */
    private static String budget(Candidate chosen, double uniqueMissesPerKey) {
        if (Double.isInfinite(chosen.adaptiveBudget())) {
            return "keeps its rate for any number of queries"
                    + (chosen.kind().keepsRepairs() ? "" : ", by changing all hash functions now and then");
        }
        String reach = "keeps its rate up to " + Numbers.fixed(chosen.adaptiveBudget(), 1)
                + " unique queries a key, whatever is asked; planned are " + Numbers.fixed(uniqueMissesPerKey, 1);
        if (uniqueMissesPerKey <= chosen.adaptiveBudget()) {
            return reach;
        }
        return reach + ": beyond that it gives older repairs up"
                + (chosen.kind().options().containsKey("forget")
                        ? ", or takes more memory with the option forget=never"
                        : "");
    }

    /** What it is worth to learn from the log, and what that does to keys that are not in it. */
    private String worth(AdviceFound.Learned learned) {
        DistributionWorth worth = learned.worth();
        if (!worth.isKnown()) {
            return "cannot be told: " + BesomCommand.tooSmallSample();
        }
        if (!worth.isWorthIt()) {
            return "not worth using: what the " + (learned.isByModel() ? "model" : "sample")
                    + " tells does not pay for its own size";
        }
        String bits = "daisy takes " + Numbers.fixed(worth.bitsPerKey(), 2) + " bits a key where it takes "
                + Numbers.fixed(worth.bitsPerKeyWithout(), 2) + " without";
        String drift = found.log()
                .flatMap(log -> log.judgement().find(Filters.kind("daisy")))
                .map(daisy ->
                        ", and is wrong in " + Numbers.percent(daisy.rates().fresh())
                                + " of misses unlike those of the log: worth using only if they stay as they are")
                .orElse(": worth using only if misses stay as they are");
        return bits + drift + "; besom build --kind daisy --sample-queries " + learned.sample();
    }

    private static String measured(Sample sample) {
        String about = sample.isExact() ? "" : "about ";
        Traffic traffic = sample.traffic();
        return about + Numbers.whole(Math.round(sample.keys())) + " different keys; "
                + Numbers.whole(sample.queries()) + " queries, " + about
                + Numbers.percent(traffic.misses() / traffic.queries()) + " of them misses, for " + about
                + Numbers.whole(Math.round(traffic.distinctMisses())) + " different keys, each "
                + Numbers.fixed(traffic.repeats(), 1) + " times; like Zipf's law with exponent "
                + Numbers.fixed(sample.misses().exponent(), 2);
    }

    private static String size(Candidate candidate) {
        return Numbers.bytes((candidate.sizeInBits() + 7) / 8) + ", " + Numbers.fixed(candidate.bitsPerKey(), 2)
                + " bits a key";
    }

    private void line(String what, String value) throws IOException {
        FilterReport.line(console, what, value);
    }
}
