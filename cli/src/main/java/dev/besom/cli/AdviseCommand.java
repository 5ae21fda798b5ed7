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
import dev.besom.lab.advice.MeasuredWaste;
import dev.besom.lab.advice.Need;
import dev.besom.lab.advice.Sample;
import dev.besom.lab.advice.Traffic;
import dev.besom.lab.advice.Wishes;
import dev.besom.lab.advice.Writers;
import dev.besom.lab.race.ModelClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
            "  besom advise --keys users.txt --queries-file lookups.txt",
            "  besom advise --keys bad.txt --queries-file log.txt \\",
            "    --model ./score --model-size 60K"
        })
final class AdviseCommand extends BesomCommand {

    private static final long SEED = 1;
    private static final double MISSED_KEYS_A_STORED_KEY = 10;
    /** The rate for which the worth of the distribution is told where none is given. */
    private static final double DAISY_FPP = 0.01;

    /** A filter that saves a smaller share of the reads is hardly worth its memory and its queries. */
    private static final double LEAST_SAVED_SHARE = 0.1;

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

    @Option(
            names = "--known-others",
            paramLabel = "N",
            converter = Count.OfLong.class,
            description = "How many keys are known that are not there and must never be taken for one that is, such as"
                    + " sites that must not be blocked. Goes with --static.")
    private @Nullable Long knownOthers;

    @Option(
            names = "--expire",
            description =
                    "Keys leave after a time, and nobody deletes them one by one. N is how many come in that time.")
    private boolean keysExpire;

    @Option(
            names = "--writers",
            paramLabel = "W",
            description = "Who stores keys: sole (this process), fleet (several, each with a guard) or feed (other code"
                    + " too). fleet and feed want a guard. Default: sole.")
    private Writers writers = Writers.SOLE;

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

    @Mixin
    private ModelOptions model = new ModelOptions();

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

    private @Nullable Sample sample;
    private @Nullable DistributionWorth distribution;
    private @Nullable LogJudgement judgement;

    @Override
    void run() throws IOException {
        checkOptions();
        Advice advice = ofLab(this::advise);
        AdviceFound found = new AdviceFound(
                advice,
                notes(advice),
                Optional.ofNullable(sample),
                Optional.ofNullable(judgement).map(measured -> new AdviceFound.Log(measured, falsePositiveCost)),
                Optional.ofNullable(distribution)
                        .map(worth -> new AdviceFound.Learned(worth, model.isGiven(), learningWords())));
        if (wantsJson()) {
            new AdviceJson(found).write(json());
        } else {
            new AdviceText(found, console()).print();
        }
    }

    /** What follows {@code --sample-queries} where a filter is built that learns as this advice has it. */
    private String learningWords() {
        return queriesFile + (model.isGiven() ? " " + model.words() : "");
    }

    private Advice advise() throws IOException {
        try (Progress progress =
                new Progress(console(), "trying kinds", Filters.kinds().size())) {
            Wishes wishes = wishes();
            MeasuredWaste measured = judgement == null ? MeasuredWaste.NONE : judgement;
            return Advisor.advise(wishes, measured, kind -> progress.step(1));
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
        check(
                !model.isGiven() || (keysFile != null && queriesFile != null),
                model.option() + ": needs --keys and --queries-file");
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
        check(knownOthers == null || knownOthers >= 1, "--known-others: must be at least 1, not " + knownOthers);
        check(knownOthers == null || isStatic, "--known-others: goes with --static only");
        check(
                !keysExpire || !(isStatic || values || merges),
                "--expire: does not go with --static, --values or --merges");
        check(
                writers == Writers.SOLE || (dictionary && !isStatic && !values),
                "--writers: other writers need a dictionary, and no --static or --values");
        check(!adversary || dictionary, "--adversary: only a filter before a dictionary can withstand one");
    }

    private Wishes wishes() throws IOException {
        KeyFile stored = keysFile == null ? null : new KeyFile(keysFile, columns.keys(format), SEED);
        if (queriesFile != null) {
            measure(stored, new KeyFile(queriesFile, columns.queries(format, log), SEED));
        }
        double keys =
                n != null ? n : sample != null ? sample.keys() : Sample.distinctKeys(Objects.requireNonNull(stored));
        Traffic traffic = sample != null ? sample.traffic() : plannedTraffic(keys);
        return new Wishes(
                (long) keys,
                new Wishes.Limits(
                        fpp == null ? OptionalDouble.empty() : OptionalDouble.of(fpp),
                        memory == null ? OptionalLong.empty() : OptionalLong.of(memory.bits())),
                needs(),
                new Wishes.Setting(
                        dictionary, format.isNumeric(), knownOthers == null ? 0 : knownOthers, keysExpire, writers),
                traffic);
    }

    /** Finds out what a log tells: of traffic, of kinds where the keys are at hand, and of what is worth learning. */
    private void measure(@Nullable KeyFile stored, KeyFile asked) throws IOException {
        double rate = fpp == null ? DAISY_FPP : fpp;
        Sample found = log.hasOutcomes()
                ? Sample.ofOutcomes(keyCount(stored), asked, asked.only(Outcome.MISS))
                : Sample.of(Objects.requireNonNull(stored), asked);
        sample = found;
        if (stored != null) {
            double keys = n == null ? found.keys() : n.doubleValue();
            LogReplay replay = LogReplay.of(stored, asked, found);
            if (model.isGiven()) {
                ModelClasses classes = model.read(stored, asked, console());
                replay = replay.withModel(classes);
                distribution = DistributionWorth.of(classes, stored, asked, new DistributionWorth.Size(keys, rate));
            } else {
                distribution = DistributionWorth.of(stored, asked, keys, rate);
            }
            judgement = LogJudgement.of(replay, rate);
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
        add(needs, Need.TELL_APART, knownOthers != null);
        add(needs, Need.GUARD, writers != Writers.SOLE);
        add(needs, Need.WITHSTAND, adversary);
        return needs;
    }

    private List<String> notes(Advice advice) {
        List<String> notes = new ArrayList<>();
        Candidate chosen = advice.chosen();
        if (advice.savedReads() < LEAST_SAVED_SHARE * advice.readsWithoutFilter()) {
            notes.add("a filter saves " + Numbers.percent(advice.savedReads() / advice.readsWithoutFilter())
                    + " of the remote reads: hardly worth it where nearly all lookups find something");
        }
        // An array with a bit for each key that there can be is never wrong.
        if (universe != null && universe <= chosen.sizeInBits()) {
            notes.add("take an array of " + Numbers.whole(universe) + " bits instead, one for each number below it: "
                    + Numbers.fixed((double) universe / chosen.n(), 2) + " bits a key, no more than this filter, and"
                    + " exact; java.util.BitSet, say");
        }
        if (values) {
            notes.add(
                    "sizes are for values of one bit; wider ones take as many bits a key more, and about a tenth of that");
        }
        if (keysExpire) {
            notes.add("two filters in turn, each for the keys that come while one lives: new keys go into one, both are"
                    + " asked, and the older one is given up when its keys have expired; the size is that of both");
        }
        if (writers != Writers.SOLE) {
            notes.add(writers.words());
        } else if (Need.GUARD.isMetBy(chosen.kind())) {
            notes.add("in a guard, " + writers.words() + "; --writers tells what else there is");
        }
        return notes;
    }

    private static void add(Set<Need> needs, Need need, boolean isNeeded) {
        if (isNeeded) {
            needs.add(need);
        }
    }
}
