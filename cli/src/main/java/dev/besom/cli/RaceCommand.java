package dev.besom.cli;

import dev.besom.filters.Filters;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Machine;
import dev.besom.lab.race.ModelClasses;
import dev.besom.lab.race.Race;
import dev.besom.lab.race.RaceResult;
import dev.besom.lab.race.RaceSpec;
import dev.besom.lab.race.RaceStore;
import dev.besom.lab.race.Samples;
import dev.besom.lab.race.Spread;
import dev.besom.lab.race.StoreRace;
import dev.besom.lab.race.StoreResult;
import dev.besom.lab.race.Tally;
import dev.besom.lab.race.TimeSpreads;
import dev.besom.lab.race.Timing;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Races kinds on the same keys and queries. */
@Command(
        name = "race",
        description = {"Race several kinds side by side on the same keys and queries."},
        footer = {
            "",
            "Kinds: those of besom kinds; other libraries' filters as peer:guava, peer:spark and so on (an unknown one"
                    + " lists them all); rivals, which answer repeated misses in another way, in as much memory as the"
                    + " first kind takes, their caches included: rival:cached-quotient and rival:cached-bloom (a cache of"
                    + " false positives behind the filter, :cache=SHARE of the memory, 0.05 unless given), rival:stacked"
                    + " (filters of the most frequent misses, known beforehand), rival:break-even (repairs one false"
                    + " positive in 1 + :cost=B, 1 unless given), rival:paper-telescoping (the telescoping filter as its"
                    + " paper has it, always 8-bit remainders and 11 bits a slot); limit:memory, which reads one random cache line a query from as much memory as"
                    + " the first kind takes, and answers maybe to everything.",
            "",
            "Workloads, all of them for keys that are not stored:",
            "  uniform[:KEYS]      each of KEYS keys with the same chance; without KEYS,",
            "                      each query is for a key of its own",
            "  one-pass[:KEYS]     each of KEYS keys once; KEYS is --queries unless given",
            "  zipf:S[:KEYS]       Zipf's law with exponent S over KEYS keys; 10 a stored",
            "                      key unless given",
            "  firehose-active[:KEYS]",
            "                      an evolving set of active keys that trend and die",
            "  firehose-powerlaw[:KEYS]",
            "                      a fixed set of keys under a power law",
            "  churn[:CHANGES[:S]] CHANGES stored keys for each query are replaced, 0.1",
            "                      unless given; one miss in ten is for a key that has",
            "                      left, the others are zipf:S, S being 1 unless given",
            "  adversary:R[:ROUNDS]",
            "                      R different queries a stored key, whittled down in",
            "                      rounds to those that stay false positives; takes as",
            "                      many queries as that needs, not --queries",
            "  adversary:STRATEGY  a game of --queries lookups (an unknown strategy lists",
            "                      them all)",
            "",
            "Times are nanoseconds of processor time for each key, hashing included, on a filter freshly filled one by"
                    + " one (or an aged one): the median of"
                    + " --repeat measurements, which go round the kinds, each in a new JVM; x is the ratio to the first"
                    + " kind. A query answered maybe is one remote read; where it finds nothing, an adaptive filter is"
                    + " told to repair itself. --wide and --json also have the times of"
                    + " Besom's kinds for finished hashes, and of filling all at once. At the end every stored key is looked up again: if one is not found the"
                    + " command fails.",
            "",
            "Examples:",
            "  besom race --kinds bloom,blocked-bloom,peer:guava --n 1M --workload zipf:1.1",
            "  besom race --kinds bloom,telescoping --keys users.txt --queries-file log.txt",
            "  besom race --kinds bloom,daisy --keys bad.txt --queries-file today.txt \\",
            "    --sample-queries yesterday.txt --model ./score --model-size 60K"
        })
final class RaceCommand extends BesomCommand {

    @Option(
            names = "--kinds",
            required = true,
            split = ",",
            paramLabel = "K",
            description = "The kinds, with commas between. Ratios are to the first. A kind may have options of its own:"
                    + " broom,broom:moves=0+spill=0.1")
    private List<String> kinds = List.of();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Option(
            names = "--fpp",
            paramLabel = "E",
            defaultValue = "0.01",
            description = "The false-positive rate to plan for, above 0 and below 1. Default: ${DEFAULT-VALUE}.")
    private double fpp;

    @Option(
            names = "--load",
            paramLabel = "L",
            defaultValue = "1",
            description = "The part of the planned capacity that is filled: filters are planned for N / L keys."
                    + " Default: ${DEFAULT-VALUE}.")
    private double load;

    @Option(
            names = "--equal-memory",
            description =
                    "Give every kind the memory that the first one takes: each is planned for the lowest rate that fits"
                            + " into it, and --fpp is that of the first.")
    private boolean equalMemory;

    @Option(
            names = "--workload",
            paramLabel = "W",
            defaultValue = "uniform",
            description = "What is asked; see below. Default: ${DEFAULT-VALUE}.")
    private String workload = "";

    @Option(
            names = "--queries",
            paramLabel = "Q",
            converter = Count.OfLong.class,
            description = "How many queries are asked. Default: 1000000, or the whole file.")
    private @Nullable Long queries;

    @Option(
            names = "--hits",
            paramLabel = "H",
            defaultValue = "0",
            description = "The share of queries that are for stored keys, mixed into a generated workload."
                    + " Default: ${DEFAULT-VALUE}.")
    private double hits;

    @Option(names = "--queries-file", paramLabel = "FILE", description = "Ask for the keys of this file, in its order.")
    private @Nullable Path queriesFile;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "An option of kinds; goes to those that have it. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--sample-keys",
            paramLabel = "FILE",
            description = "A sample of what is stored, for kinds that know the distribution. Default: the stored keys.")
    private @Nullable Path sampleKeys;

    @Option(
            names = "--sample-queries",
            paramLabel = "FILE",
            description = "A sample of what is asked, from which kinds that know the distribution learn it.")
    private @Nullable Path sampleQueries;

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(
            names = "--sample-scores",
            paramLabel = "F",
            description = "With --scores: a file of the scores of the keys of --sample-queries.")
    private @Nullable String sampleScores;

    @Option(
            names = "--repeat",
            paramLabel = "R",
            defaultValue = "5",
            description = "How often times are taken; 0 takes none. Default: ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(
            names = "--isolate",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Whether each of several kinds gets a JVM of its own for each measurement, so that what the compiler"
                            + " learned from one does not change another's times. Default: ${DEFAULT-VALUE}.")
    private boolean isolate;

    @Option(
            names = "--aged",
            description = "Take times after the queries, when adaptive kinds have repaired what they were caught in,"
                    + " instead of on freshly filled filters.")
    private boolean aged;

    /** What keys are while times are taken. */
    private enum KeyType {
        LONG,
        TEXT
    }

    @Option(
            names = "--key-type",
            paramLabel = "TYPE",
            defaultValue = "long",
            description =
                    "What keys are while times are taken: long, 64-bit numbers; or text, 40 chars each. All else is"
                            + " counted with numbers. Default: ${DEFAULT-VALUE}.")
    private KeyType keyType = KeyType.LONG;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Race before a real store, and show what a query for a missing key costs from end to end, in"
                    + " place of the times: rocksdb, in a temporary folder; postgres, a server of its own, which is"
                    + " fetched on first use; memory; or the jdbc: URL of a database, in a table that goes again.")
    private @Nullable String store;

    @Mixin
    private Width width = new Width();

    @Override
    void run() throws IOException {
        checkOptions();
        RaceSpec spec = ofLab(this::spec);
        tellWhatFilesOverrule();
        if (store != null) {
            raceBefore(store, spec);
            return;
        }
        List<RaceResult> results = ofLab(() -> race(spec));
        if (wantsJson()) {
            writeJson(spec, results);
        } else {
            print(spec, results);
        }
        checkNothingIsLost(results);
    }

    private void raceBefore(String storeName, RaceSpec spec) throws IOException {
        if (isGiven("--repeat") || aged) {
            console().complain((aged ? "--aged" : "--repeat") + ": does not count, as --store takes other times");
        }
        StoreOpener opener = storeName.equals("rocksdb") ? name -> DemoStore.inCountingFolder() : DemoStore::open;
        List<StoreResult> results = new ArrayList<>();
        EmbeddedPostgres.use("--store", storeName, name -> results.addAll(ofLab(() -> raceBefore(spec, opener, name))));
        if (wantsJson()) {
            writeJson(spec, results);
        } else {
            printHead(spec, results.get(0).race());
            new StoreRaceTable(results, RaceCommand::isAdaptive).print(console(), width);
        }
        checkNothingIsLost(results.stream().map(StoreResult::race).toList());
    }

    /** Opens a store by its name. */
    @FunctionalInterface
    private interface StoreOpener {
        DemoStore open(String name) throws IOException;
    }

    private List<StoreResult> raceBefore(RaceSpec spec, StoreOpener opener, String name) {
        RaceStore.Opener filled = hashes -> {
            try {
                return OpenedStore.of(opener.open(name), hashes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (Progress progress = new Progress(console(), "race", spec.kinds().size())) {
            return StoreRace.run(spec, filled, step -> progress.step(1));
        }
    }

    private static boolean isAdaptive(String contender) {
        int end = contender.indexOf(':');
        String name = end < 0 ? contender : contender.substring(0, end);
        return contender.startsWith(Contenders.RIVAL_PREFIX + "break-even")
                || Filters.kinds().stream().anyMatch(kind -> kind.name().equals(name) && kind.isAdaptive());
    }

    private static void checkNothingIsLost(List<RaceResult> results) {
        for (RaceResult result : results) {
            long lost = result.tally().answers().falseNegatives();
            if (lost > 0) {
                throw new InputException("kind " + result.kind() + " does not find " + Numbers.whole(lost) + " of "
                        + Numbers.whole(result.n()) + " stored keys");
            }
        }
    }

    private List<RaceResult> race(RaceSpec spec) {
        try (Progress progress = new Progress(console(), "race", Race.steps(spec))) {
            return Race.run(spec, step -> progress.step(1));
        }
    }

    private void checkOptions() {
        check(keys.n >= 1, "--n: must be at least 1, not " + keys.n);
        checkFpp(fpp);
        check(load > 0 && load <= 1, "--load: must be above 0 and at most 1, not " + load);
        check(queries == null || queries >= 0, "--queries: must not be negative, not " + queries);
        check(hits >= 0 && hits <= 1, "--hits: must be from 0 to 1, not " + hits);
        check(repeat >= 0 && repeat <= 1000, "--repeat: must be from 0 to 1000, not " + repeat);
        check(
                keyType == KeyType.LONG || !aged,
                "--key-type: texts are timed on freshly filled filters, not with --aged");
        check(
                keyType == KeyType.LONG || (store == null && !model.isGiven() && repeat > 0),
                "--key-type: says what keys are while times are taken, and --store, --repeat 0 and models take none");
        check(repeat > 0 || !aged, "--aged: says when times are taken, and --repeat 0 takes none");
        check(store == null || DemoStore.isKnown(store), DemoStore.unknown(String.valueOf(store)));
        check(sampleKeys == null || sampleQueries != null, "--sample-keys: says nothing without --sample-queries");
        if (model.isGiven()) {
            checkModel();
        } else {
            check(sampleScores == null, "--sample-scores: goes with --scores");
        }
        if (ofOption("--workload", () -> Workloads.parse(workload)) instanceof Contest contest) {
            ofOption("--workload", () -> Strategy.of(contest.strategy()));
        }
        for (String kind : kinds) {
            ofOption("--kinds", () -> Contenders.find(kind, 0));
        }
    }

    /** What a race with a model needs and what it cannot have: the lab knows scores, not what finding them takes. */
    private void checkModel() {
        String option = model.option();
        check(
                keys.file != null && queriesFile != null && sampleQueries != null,
                option + ": needs --keys, --queries-file and --sample-queries");
        check(sampleKeys == null, "--sample-keys: does not go with " + option + ", which learns from all keys");
        check(
                model.isCommand() == (sampleScores == null),
                "--sample-scores: is needed with --scores, and only with it");
        check(repeat == 0 || !isGiven("--repeat"), "--repeat: no times can be taken with " + option);
        check(!aged, "--aged: no times can be taken with " + option);
        check(store == null, "--store: does not go with " + option);
    }

    /** What was asked for and does not count, because a file says otherwise. */
    private void tellWhatFilesOverrule() {
        if (keys.file != null && isGiven("--n")) {
            console().complain("--n: does not count, the stored keys are those of --keys");
        }
        for (String option : new String[] {"--workload", "--hits"}) {
            if (queriesFile != null && isGiven(option)) {
                console().complain(option + ": does not count, the queries are those of --queries-file");
            }
        }
    }

    private RaceSpec spec() throws IOException {
        RaceSpec.Builder race = RaceSpec.of(kinds)
                .n(keys.n)
                .fpp(fpp)
                .load(load)
                .workload(workload)
                .hits(hits)
                .seed(keys.seed)
                .options(options)
                .timing(
                        model.isGiven()
                                ? Timing.fresh(0, false)
                                : new Timing(repeat, isolate, aged, keyType == KeyType.TEXT))
                .samples(samples())
                .equalMemory(equalMemory);
        Optional.ofNullable(keys.file).map(keys::keys).ifPresent(race::keys);
        Optional.ofNullable(queriesFile)
                .map(keys::queries)
                .ifPresent(source -> race.queries(source).queries(Long.MAX_VALUE));
        if (queries != null) {
            race.queries(queries);
        }
        return race.toSpec();
    }

    private Samples samples() throws IOException {
        return new Samples(
                Optional.ofNullable(sampleKeys).map(keys::keys),
                Optional.ofNullable(sampleQueries).map(keys::misses),
                modelClasses());
    }

    private Optional<ModelClasses> modelClasses() throws IOException {
        if (!model.isGiven() || keys.file == null || queriesFile == null || sampleQueries == null) {
            return Optional.empty();
        }
        ModelClasses classes = model.read(keys.keys(keys.file), keys.queries(queriesFile), console());
        model.addMore(classes, keys.queries(sampleQueries), sampleScores, console());
        return Optional.of(classes);
    }

    private void writeJson(RaceSpec spec, List<?> results) throws IOException {
        JsonWriter json = json().beginObject().name("kinds").beginArray();
        for (Object result : results) {
            json.beginObject();
            for (Map.Entry<String, Object> field :
                    fields(result, results.get(0)).entrySet()) {
                write(json.name(field.getKey()), field.getValue());
            }
            json.endObject();
        }
        json.endArray();
        if (store != null) {
            json.field("store", store);
        }
        json.field("workload", workloadName(spec)).field("fpp", spec.fpp()).field("load", spec.load());
        Timing timing = spec.timing();
        json.field("hits", spec.hits()).field("seed", spec.seed()).field("repeat", (long) timing.repeat());
        json.field("equalMemory", spec.equalMemory());
        json.field("isolated", timing.isolate()).field("aged", timing.aged());
        json.field("machine", Machine.description());
        json.endObject().end();
    }

    private static Map<String, Object> fields(Object result, Object first) {
        if (result instanceof StoreResult ofStore) {
            Map<String, Object> fields = new LinkedHashMap<>(ofStore.race().fields(((StoreResult) first).race()));
            fields.putAll(ofStore.fields());
            return fields;
        }
        return ((RaceResult) result).fields((RaceResult) first);
    }

    private static void write(JsonWriter json, Object value) throws IOException {
        if (value instanceof Long number) {
            json.value(number.longValue());
        } else if (value instanceof Double number) {
            json.value(number.doubleValue());
        } else {
            json.value(value.toString());
        }
    }

    private void print(RaceSpec spec, List<RaceResult> results) throws IOException {
        printHead(spec, results.get(0));
        printAnswers(results);
        if (results.stream().anyMatch(result -> result.tally().repairs().done() > 0)) {
            console().print("");
            printRepairs(results);
        }
        if (spec.timing().repeat() > 0) {
            console().print("");
            printTimes(results);
        }
    }

    private void printHead(RaceSpec spec, RaceResult first) throws IOException {
        console()
                .print(workloadName(spec) + ", "
                        + Numbers.whole(first.n()) + " keys, planned rate " + Numbers.percent(spec.fpp())
                        + ", seed " + spec.seed());
        console().print("");
    }

    /** What a repair took of the store on average, for the kinds that made any; where keys change, deletes take reads too. */
    private void printRepairs(List<RaceResult> results) throws IOException {
        boolean changes =
                results.stream().anyMatch(result -> result.tally().changes().inserted() > 0);
        Table table = new Table(
                changes ? "a repair or delete of" : "a repair of",
                ">range reads",
                ">moved keys",
                ">store writes",
                ">inseparable");
        for (RaceResult result : results) {
            Tally.Repairs repairs = result.tally().repairs();
            if (repairs.done() > 0) {
                table.row(
                        result.kind(),
                        perRepair(repairs.cost().rangeReads(), result.tally()),
                        perRepair(repairs.cost().movedKeys(), result.tally()),
                        perRepair(repairs.cost().writes(), result.tally()),
                        Numbers.whole(repairs.inseparable()));
            }
        }
        width.print(table, console());
    }

    private static String perRepair(long count, Tally tally) {
        long causes = tally.repairs().done()
                + tally.repairs().inseparable()
                + tally.changes().deleted();
        return Numbers.fixed(count / (double) causes, 2);
    }

    private void printAnswers(List<RaceResult> results) throws IOException {
        Table table = new Table(
                "kind",
                ">bits/key",
                ">after",
                ">queries",
                ">false positives",
                ">distinct",
                ">rate",
                ">remote reads",
                ">repairs",
                ">forgot",
                ">last round",
                ">deleted",
                ">false negatives");
        for (RaceResult result : results) {
            Tally.Answers answers = result.tally().answers();
            table.row(
                    result.kind(),
                    Numbers.fixed(result.bitsPerKey(), 2),
                    Numbers.fixed(result.bitsPerKeyAfter(), 2),
                    Numbers.whole(answers.queries()),
                    Numbers.whole(answers.falsePositives()),
                    Numbers.whole(answers.distinctFalsePositives()),
                    Numbers.percent(answers.falsePositiveRate()),
                    Numbers.whole(answers.remoteReads()),
                    Numbers.whole(result.tally().repairs().done()),
                    Numbers.whole(result.tally().repairs().forgot()),
                    result.tally().hasRounds()
                            ? Numbers.percent(result.tally().rounds().lastRate())
                            : "-",
                    deleted(result.tally().changes()),
                    Numbers.whole(answers.falseNegatives()));
        }
        width.print(table, console());
    }

    /** How many of the keys that left the filter gave up. */
    private static String deleted(Tally.Changes changes) {
        return changes.inserted() == 0
                ? "-"
                : Numbers.whole(changes.deleted()) + " of " + Numbers.whole(changes.inserted());
    }

    private void printTimes(List<RaceResult> results) throws IOException {
        TimeSpreads first = results.get(0).times();
        List<String> columns = new ArrayList<>(
                List.of("kind", ">insert ns", ">x", ">hit ns", ">x", ">miss ns", ">x", ">bulk miss ns", ">x"));
        if (width.isWide()) {
            columns.addAll(List.of(">bulk insert ns", ">hit, hashed ns", ">miss, hashed ns", ">bulk, hashed ns"));
        }
        Table table = new Table(columns.toArray(String[]::new));
        for (RaceResult result : results) {
            TimeSpreads times = result.times();
            List<String> cells = new ArrayList<>(List.of(
                    result.kind(),
                    time(times.insertNs()),
                    ratio(times.insertNs(), first.insertNs()),
                    time(times.keys().hitNs()),
                    ratio(times.keys().hitNs(), first.keys().hitNs()),
                    time(times.keys().missNs()),
                    ratio(times.keys().missNs(), first.keys().missNs()),
                    time(times.keys().bulkNs()),
                    ratio(times.keys().bulkNs(), first.keys().bulkNs())));
            if (width.isWide()) {
                cells.add(time(times.bulkInsertNs()));
                cells.add(time(times.hashes().hitNs()));
                cells.add(time(times.hashes().missNs()));
                cells.add(time(times.hashes().bulkNs()));
            }
            table.row(cells.toArray(String[]::new));
        }
        width.print(table, console());
    }

    /** The median; where there is room, the smallest and the largest too. */
    private String time(Spread spread) {
        String median = Numbers.fixed(spread.median(), 1);
        if (Double.isNaN(spread.median())) {
            return "-";
        }
        return width.isWide()
                ? median + " (" + Numbers.fixed(spread.least(), 1) + "-" + Numbers.fixed(spread.most(), 1) + ")"
                : median;
    }

    private static String ratio(Spread spread, Spread first) {
        return Numbers.fixed(spread.median() / first.median(), 2);
    }

    private static String workloadName(RaceSpec spec) {
        return spec.querySource().map(KeySource::name).orElse(spec.workload());
    }
}
