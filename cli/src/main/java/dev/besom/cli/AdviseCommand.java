package dev.besom.cli;

import dev.besom.cli.keys.KeyFile;
import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.Outcome;
import dev.besom.filters.Filters;
import dev.besom.lab.advice.Advice;
import dev.besom.lab.advice.Advisor;
import dev.besom.lab.advice.Candidate;
import dev.besom.lab.advice.DistributionWorth;
import dev.besom.lab.advice.LogJudgement;
import dev.besom.lab.advice.LogReplay;
import dev.besom.lab.advice.Need;
import dev.besom.lab.advice.Replayed;
import dev.besom.lab.advice.Sample;
import dev.besom.lab.advice.Traffic;
import dev.besom.lab.advice.Verdict;
import dev.besom.lab.advice.Wishes;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which kind to use, at what size, and why. */
@Command(
        name = "advise",
        description = {"Say which kind to use, at what size and why, and show the code."},
        footer = {
            "",
            "Remote reads are counted over the lookups: without a filter each of them is one; with it those that it answers"
                    + " \"maybe\". A filter that adapts pays for a false positive once, another one each time that key is"
                    + " looked up; that is what --skew, or a sample of real keys and queries, is for.",
            "",
            "Examples:",
            "  besom advise --n 10M --fpp 0.01 --deletes",
            "  besom advise --n 1M --memory 1.5M --skew 1.1",
            "  besom advise --keys users.txt --queries-file lookups.txt"
        })
final class AdviseCommand extends BesomCommand {

    private static final long SEED = 1;
    private static final double MISSED_KEYS_A_STORED_KEY = 10;
    /** The rate for which the worth of the distribution is told where none is given. */
    private static final double DAISY_FPP = 0.01;

    private static final double LOOKUPS_A_KEY = 100;
    private static final double MISS_SHARE = 0.9;

    @Option(
            names = "--n",
            paramLabel = "N",
            converter = Count.OfLong.class,
            description = "How many keys there are. Default: as --keys has.")
    private @Nullable Long n;

    @Option(
            names = "--fpp",
            paramLabel = "E",
            description = "The highest false-positive rate. Default: 0.01, or the lowest that fits --memory.")
    private @Nullable Double fpp;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description = "The most memory: bytes, or with K, M, G or T.")
    private @Nullable MemorySize memory;

    @Option(names = "--static", description = "All keys are known from the start and never change.")
    private boolean isStatic;

    @Option(names = "--deletes", description = "Keys go away again.")
    private boolean deletes;

    @Option(names = "--growth", description = "There may be more keys than N, and the rate must hold.")
    private boolean growth;

    @Option(names = "--merges", description = "Filters are united.")
    private boolean merges;

    @Option(names = "--threads", description = "Several threads insert at once.")
    private boolean threads;

    @Option(names = "--values", description = "Each key has a value to be found by the filter.")
    private boolean values;

    @Option(names = "--adversary", description = "Somebody may ask on purpose for what the filter gets wrong.")
    private boolean adversary;

    @Option(
            names = "--dictionary",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether the keys stand in a dictionary behind the filter, which can tell false positives."
                    + " Default: ${DEFAULT-VALUE}.")
    private boolean dictionary;

    @Option(
            names = "--queries",
            paramLabel = "Q",
            converter = Count.OfLong.class,
            description = "How many lookups to plan for. Default: 100 a key.")
    private @Nullable Long lookups;

    @Option(
            names = "--misses",
            paramLabel = "M",
            description = "The share of lookups for keys that are not there. Default: 0.9.")
    private @Nullable Double misses;

    @Option(
            names = "--skew",
            paramLabel = "S",
            description = "The exponent of the Zipf law that these lookups follow. Default: each is for another key.")
    private @Nullable Double skew;

    @Option(
            names = "--missed-keys",
            paramLabel = "U",
            converter = Count.OfLong.class,
            description = "With --skew: how many different keys are asked for that are not there. Default: 10 N.")
    private @Nullable Long missedKeys;

    @Option(names = "--keys", paramLabel = "FILE", description = "A file of the keys.")
    private @Nullable Path keysFile;

    @Option(
            names = "--queries-file",
            paramLabel = "FILE",
            description = "With --keys: a file of the keys that are asked for.")
    private @Nullable Path queriesFile;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            converter = KeyFormatConverter.class,
            description = "How keys stand in the files, or would: lines, long-text, long-le or pcap."
                    + " Default: ${DEFAULT-VALUE}.")
    private KeyFormat format = KeyFormat.LINES;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    @Mixin
    private ColumnOptions.LogOptions log = new ColumnOptions.LogOptions();

    @Option(
            names = "--universe",
            paramLabel = "U",
            converter = Count.OfLong.class,
            description =
                    "The keys are whole numbers below U, such as ids that are given out in turn. Where a bit for each of"
                            + " them takes no more than the filter, that is told.")
    private @Nullable Long universe;

    @Option(
            names = "--fp-cost",
            paramLabel = "C",
            description = "What a wasted read costs, in any unit; with --cost-column times what the log says."
                    + " Default: ${DEFAULT-VALUE}.")
    private double falsePositiveCost = 1;

    private final List<String> notes = new ArrayList<>();
    private @Nullable Sample sample;
    private @Nullable DistributionWorth distribution;
    private @Nullable LogJudgement judgement;

    @Override
    void run() throws IOException {
        checkOptions();
        Advice advice = ofLab(this::advise);
        noteBitArray(advice.chosen());
        if (wantsJson()) {
            writeJson(advice);
        } else {
            print(advice);
        }
    }

    private Advice advise() {
        try (Progress progress =
                new Progress(console(), "trying kinds", Filters.kinds().size())) {
            Wishes wishes = wishes();
            return Advisor.advise(wishes, new Waste(wishes.traffic(), judgement), kind -> progress.step(1));
        }
    }

    /** What a kind wastes: as the log has it, or else as the numbers of the traffic do. */
    private record Waste(Traffic traffic, @Nullable LogJudgement measured) implements Advisor.WasteOfKind {

        @Override
        public double wastedReads(Kind kind, double rate) {
            OptionalDouble wasted = measured == null ? OptionalDouble.empty() : measured.wastedReads(kind, rate);
            return wasted.orElseGet(() -> traffic.wastedReads(rate, kind.keepsRepairs()));
        }

        @Override
        public double cost(Kind kind, double rate) {
            OptionalDouble cost = measured == null ? OptionalDouble.empty() : measured.wastedCost(kind, rate);
            return cost.orElseGet(() -> wastedReads(kind, rate));
        }
    }

    private void checkOptions() {
        if (n == null && keysFile == null) {
            throw new InputException("--n: how many keys there are must be given, or --keys");
        }
        check(n == null || n >= 1, "--n: must be at least 1, not " + n);
        if (fpp != null) {
            checkFpp(fpp);
        }
        check(misses == null || (misses >= 0 && misses <= 1), "--misses: must be from 0 to 1, not " + misses);
        check(skew == null || (skew >= 0 && skew <= 5), "--skew: must be from 0 to 5, not " + skew);
        check(lookups == null || (lookups >= 1 && lookups <= 1e18), "--queries: must be at least 1, not " + lookups);
        check(missedKeys == null || skew != null, "--missed-keys: goes with --skew only");
        check(
                missedKeys == null || (missedKeys >= 1 && missedKeys <= 1e18),
                "--missed-keys: must be at least 1, not " + missedKeys);
        check(
                queriesFile == null || keysFile != null || (log.hasOutcomes() && n != null),
                "--queries-file: needs --keys, to tell misses from hits, or --hit-column and --n");
        check(universe == null || universe >= 1, "--universe: must be at least 1, not " + universe);
        check(
                universe == null || n == null || n <= universe,
                "--universe: there cannot be " + n + " keys below " + universe);
        check(falsePositiveCost > 0, "--fp-cost: must be above 0, not " + falsePositiveCost);
        check(
                queriesFile == null || (lookups == null && misses == null && skew == null),
                "--queries-file: the file tells what --queries, --misses and --skew would");
        check(
                !isStatic || !(deletes || growth || threads),
                "--static: does not go with --deletes, --growth or --threads");
        check(!adversary || dictionary, "--adversary: only a filter before a dictionary can withstand one");
    }

    private Wishes wishes() {
        KeyFile stored = keysFile == null ? null : new KeyFile(keysFile, columns.keys(format), SEED);
        if (queriesFile != null) {
            measure(stored, new KeyFile(queriesFile, columns.queries(format, log), SEED));
        }
        double keys =
                n != null ? n : sample != null ? sample.keys() : Sample.distinctKeys(Objects.requireNonNull(stored));
        Traffic traffic = sample != null ? sample.traffic() : plannedTraffic(keys);
        return new Wishes(
                (long) keys,
                fpp == null ? OptionalDouble.empty() : OptionalDouble.of(fpp),
                memory == null ? OptionalLong.empty() : OptionalLong.of(memory.bits()),
                needs(),
                dictionary,
                format.isNumeric(),
                traffic);
    }

    /** Finds out what a log tells: of traffic, of kinds where the keys are at hand, and of what is worth learning. */
    private void measure(@Nullable KeyFile stored, KeyFile asked) {
        double rate = fpp == null ? DAISY_FPP : fpp;
        Sample found = log.hasOutcomes()
                ? Sample.ofOutcomes(keyCount(stored), asked, asked.only(Outcome.MISS))
                : Sample.of(Objects.requireNonNull(stored), asked);
        sample = found;
        if (stored != null) {
            judgement = LogJudgement.of(LogReplay.of(stored, asked, found), rate);
            distribution = DistributionWorth.of(stored, asked, n == null ? found.keys() : n.doubleValue(), rate);
        }
    }

    private double keyCount(@Nullable KeyFile stored) {
        return n != null ? n : Sample.distinctKeys(Objects.requireNonNull(stored));
    }

    private Traffic plannedTraffic(double keys) {
        double count = lookups != null ? lookups : LOOKUPS_A_KEY * keys;
        double share = misses != null ? misses : MISS_SHARE;
        return skew == null
                ? Traffic.withoutRepeats(count, share)
                : Traffic.zipf(count, share, skew, missedKeys != null ? missedKeys : MISSED_KEYS_A_STORED_KEY * keys);
    }

    private Set<Need> needs() {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        add(needs, Need.INSERT, !isStatic);
        add(needs, Need.DELETE, deletes);
        add(needs, Need.GROW, growth);
        add(needs, Need.MERGE, merges);
        add(needs, Need.CONCURRENT, threads);
        add(needs, Need.VALUES, values);
        if (values) {
            notes.add(
                    "sizes are for values of one bit; wider ones take as many bits a key more, and about a tenth of that");
        }
        add(needs, Need.WITHSTAND, adversary);
        return needs;
    }

    /** An array with a bit for each key that there can be is never wrong. */
    private void noteBitArray(Candidate chosen) {
        if (universe != null && universe <= chosen.sizeInBits()) {
            notes.add("an array of " + Numbers.whole(universe) + " bits, one for each number below it, takes "
                    + Numbers.fixed((double) universe / chosen.n(), 2) + " bits a key, no more than this filter, and is"
                    + " exact: java.util.BitSet, say");
        }
    }

    private static void add(Set<Need> needs, Need need, boolean isNeeded) {
        if (isNeeded) {
            needs.add(need);
        }
    }

    private void writeJson(Advice advice) throws IOException {
        JsonWriter json = json().beginObject();
        write(advice.chosen(), json);
        json.name("adaptiveBudget");
        if (Double.isInfinite(advice.chosen().adaptiveBudget())) {
            json.value("unbounded");
        } else {
            json.value(advice.chosen().adaptiveBudget());
        }
        json.field("uniqueMissesPerKey", advice.uniqueMissesPerKey());
        json.field("why", advice.why());
        json.name("notes").beginArray();
        for (String note : notes) {
            json.value(note);
        }
        json.endArray();
        json.name("remoteReads").beginObject();
        json.field("withoutFilter", Math.round(advice.readsWithoutFilter()));
        json.field("withFilter", Math.round(advice.readsWithFilter()));
        json.field("saved", Math.round(advice.savedReads()));
        json.field("wasted", Math.round(advice.chosen().wastedReads())).endObject();
        Traffic traffic = advice.wishes().traffic();
        json.name("traffic").beginObject();
        json.field("queries", Math.round(traffic.queries())).field("misses", Math.round(traffic.misses()));
        json.field("distinctMisses", Math.round(traffic.distinctMisses())).field("repeats", traffic.repeats());
        json.field("hottestShare", traffic.hottestShare()).endObject();
        if (sample != null) {
            json.name("sample").beginObject();
            json.field("keys", Math.round(sample.keys())).field("exponent", sample.exponent());
            json.field("exact", sample.isExact()).endObject();
        }
        if (distribution != null) {
            json.name("distribution").beginObject();
            json.field("worthUsing", distribution.isWorthIt()).field("bitsPerKey", distribution.bitsPerKey());
            json.field("bitsPerKeyWithout", distribution.bitsPerKeyWithout()).endObject();
        }
        if (judgement != null) {
            writeLog(judgement, json);
        }
        json.name("runnerUp");
        if (advice.runnerUp().isPresent()) {
            json.beginObject();
            write(advice.runnerUp().get(), json);
            json.field("wasted", Math.round(advice.runnerUp().get().wastedReads()));
            json.field("whyNot", advice.whyNotRunnerUp()).endObject();
        } else {
            json.nullValue();
        }
        json.name("others").beginArray();
        for (Verdict other : advice.others()) {
            json.beginObject()
                    .field("kind", other.kind())
                    .field("whyNot", other.whyNot())
                    .endObject();
        }
        json.endArray()
                .field("race", advice.raceCommand())
                .field("code", advice.code())
                .endObject()
                .end();
    }

    private void writeLog(LogJudgement measured, JsonWriter json) throws IOException {
        json.name("log").beginObject().field("newMisses", measured.newMisses());
        json.name("kinds").beginArray();
        for (Replayed each : measured.byWaste()) {
            json.beginObject().field("kind", each.kind().name()).field("bitsPerKey", each.bitsPerKey());
            json.field("wasted", Math.round(each.waste().late()));
            json.field("cost", each.waste().lateCost() * falsePositiveCost);
            json.field("earlyRate", each.rates().early())
                    .field("lateRate", each.rates().late());
            json.field("freshRate", each.rates().fresh()).endObject();
        }
        json.endArray().endObject();
    }

    private static void write(Candidate candidate, JsonWriter json) throws IOException {
        json.field("kind", candidate.kind().name()).field("n", candidate.n());
        json.field("fpp", candidate.plannedFpp()).field("expectedFpp", candidate.expectedFpp());
        json.field("bitsPerKey", candidate.bitsPerKey()).field("sizeInBits", candidate.sizeInBits());
    }

    private void print(Advice advice) throws IOException {
        if (sample != null) {
            line("sample", measured(sample));
            console().print("");
        }
        for (String note : notes) {
            line("note", note);
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
        if (advice.runnerUp().isPresent()) {
            line("runner-up", advice.runnerUp().get().kind().name() + ": " + advice.whyNotRunnerUp());
        }
        if (judgement != null && !judgement.byWaste().isEmpty()) {
            printLog(judgement);
        }
        if (distribution != null) {
            line("distribution", worth(distribution, String.valueOf(queriesFile)));
        }
        String what = "not";
        for (Verdict other : advice.others()) {
            line(what, other.kind() + ": " + other.whyNot());
            what = "";
        }
        // In one line, however long, so that it can be copied.
        console().print("");
        console().print("# Times on this machine:");
        console().print(advice.raceCommand());
        console().print("");
        console().print(advice.code().stripTrailing());
    }

    /** What each kind wastes of the log, the least first. */
    private void printLog(LogJudgement measured) throws IOException {
        line(
                "later third",
                Numbers.percent(measured.newMisses())
                        + " of its misses are for keys that were not missed before. What kinds waste of it that have seen"
                        + " the rest of the log, their rates before and then, and their rate if all misses were new:");
        console().print("");
        Table table = new Table("kind", ">bits/key", ">wasted", ">cost", ">rate before", ">then", ">all new");
        for (Replayed each : measured.byWaste()) {
            table.row(
                    each.kind().name(),
                    Numbers.fixed(each.bitsPerKey(), 2),
                    Numbers.whole(Math.round(each.waste().late())),
                    Numbers.fixed(each.waste().lateCost() * falsePositiveCost, 1),
                    Numbers.percent(each.rates().early()),
                    Numbers.percent(each.rates().late()),
                    Numbers.percent(each.rates().fresh()));
        }
        table.print(console());
        console().print("");
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

    private static String worth(DistributionWorth distribution, String sample) {
        if (!distribution.isKnown()) {
            return "cannot be told: " + tooSmallSample();
        }
        String bits = Numbers.fixed(distribution.bitsPerKey(), 2) + " bits a key where it takes "
                + Numbers.fixed(distribution.bitsPerKeyWithout(), 2) + " without";
        return distribution.isWorthIt()
                ? "worth using: daisy takes " + bits + "; besom build --kind daisy --sample-queries " + sample
                : "not worth using: what the sample tells does not pay for its own size";
    }

    private static String measured(Sample sample) {
        String about = sample.isExact() ? "" : "about ";
        Traffic traffic = sample.traffic();
        return about + Numbers.whole(Math.round(sample.keys())) + " different keys; "
                + Numbers.whole(sample.queries()) + " queries, " + about
                + Numbers.percent(traffic.misses() / traffic.queries()) + " of them misses, for " + about
                + Numbers.whole(Math.round(traffic.distinctMisses())) + " different keys, each "
                + Numbers.fixed(traffic.repeats(), 1) + " times; like Zipf's law with exponent "
                + Numbers.fixed(sample.exponent(), 2);
    }

    private static String size(Candidate candidate) {
        return Numbers.bytes((candidate.sizeInBits() + 7) / 8) + ", " + Numbers.fixed(candidate.bitsPerKey(), 2)
                + " bits a key";
    }

    private void line(String what, String value) throws IOException {
        FilterReport.line(console(), what, value);
    }
}
