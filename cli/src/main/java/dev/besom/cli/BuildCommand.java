package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.cli.keys.Outcome;
import dev.besom.daisy.DaisyFilter;
import dev.besom.daisy.DaisyFingerprintFilter;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.advice.Alternatives;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes a filter file from keys. Keys stream through in batches: files are read once to count them and once to insert
 * them; of keys that can be read only once the hashes wait on disk. With {@code --n} nothing is read twice.
 */
@Command(
        name = "build",
        description = {"Make a filter file from keys."},
        footer = {
            "",
            "Formats of keys:",
            "  lines      UTF-8 text, one key a line (LF or CR LF); an empty line is the",
            "             empty key",
            "  long-text  64-bit whole numbers in decimal, one a line",
            "  long-le    64-bit numbers, little-endian, eight bytes each",
            "",
            "Files compressed by gzip or Zstandard are read as they are (numbers in binary by the ending .gz or .zst).",
            "",
            "Without --n the keys are counted first. Keys that can be read only once (standard input, pipes) then wait as"
                    + " hashes, 8 bytes a key, in an unnamed file in the folder of FILE; so they do for kinds that are"
                    + " built from all keys at once.",
            "",
            "Kinds that keep an entry for every key keep one as often as the key comes. If there is no room for that, each"
                    + " key is put in once, which takes 8 bytes a key while the filter is made.",
            "",
            "Kinds of the daisy family learn from --sample-queries, a sample of what will be looked up, and --sample-keys, a"
                    + " sample of what will be stored, each as often as it comes; without the latter KEYS are that"
                    + " sample. --query-column, --count-column and --hit-column are columns of the sample of queries; with"
                    + " the latter only misses are learned from. What was learned is saved in FILE and counts as its size.",
            "",
            "Kinds with values take them from --values: a number from 0 on for each key, one a line, in the order of the keys."
                    + " Kinds that separate, such as exact-list, are right about the keys of --no, which are not in the filter;"
                    + " --fpp is then the rate of keys that are neither in KEYS nor in --no. For either, 16 bytes a key are in"
                    + " memory while the filter is made.",
            "",
            "Examples:",
            "  besom build --kind bloom --fpp 0.01 -o words.besom /usr/share/dict/words",
            "  besom build --kind bloomier --values shards.txt -o shards.besom keys.txt",
            "  besom build --kind daisy --model ./score --model-size 60K",
            "    --sample-queries log.txt -o urls.besom urls.txt",
            "  besom build --yes blocked.txt --no allowed.txt -o list.besom"
        })
final class BuildCommand extends BesomCommand {

    /** What is built of keys and of others that are not among them, unless another kind is named. */
    private static final String LIST = "exact-list";

    @Option(
            names = "--kind",
            paramLabel = "K",
            description = "The kind of filter; see besom kinds. With --no not needed: " + LIST + ".")
    private @Nullable String kindName;

    @Option(
            names = "--fpp",
            paramLabel = "E",
            defaultValue = "0.01",
            description = "The false-positive rate, above 0 and below 1. Default: ${DEFAULT-VALUE}; with --no any.")
    private double fpp;

    @Option(
            names = "--n",
            paramLabel = "N",
            converter = Count.OfLong.class,
            description = "How many keys to plan for. Default: as many as there are.")
    private @Nullable Long plannedKeys;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            converter = KeyFormatConverter.OfShownKeys.class,
            description = "How the keys stand in their files: lines, long-text or long-le. Default: lines.")
    private KeyFormat format = KeyFormat.LINES;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    @Mixin
    private ColumnOptions.LogOptions log = new ColumnOptions.LogOptions();

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The seed of hasher and filter; only filters of the same seed merge. Default: Besom's own.")
    private @Nullable Long seed;

    @Option(names = "--option", paramLabel = "NAME=VALUE", description = "An option of the kind; may be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--sample-keys",
            paramLabel = "F",
            description = "Learn how often keys come from this file; see below. Needs --sample-queries.")
    private @Nullable String sampleKeys;

    @Option(
            names = "--sample-queries",
            paramLabel = "F",
            description = "Learn how often keys are asked for from this file; see below.")
    private @Nullable String sampleQueries;

    /** The part of the misses of a log that may be taken for hits, and not be learned from. */
    private static final double TAKEN_FOR_HITS = 0.001;

    /** The rate of keys of which nothing is known, where nobody cares: one at which no bits are spent on them. */
    private static final double ANY_FPP = 0.99;

    @Mixin
    private ScoreOptions scores = new ScoreOptions();

    @Option(
            names = "--sample-scores",
            paramLabel = "F",
            description = "With --scores: a file of the scores of the keys of --sample-queries.")
    private @Nullable String sampleScores;

    @Option(
            names = "--model-size",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description = "With --scores or --model: what the model takes, which counts as the filter's memory.")
    private @Nullable MemorySize modelSize;

    @Option(names = "--force", description = "Replace FILE if it exists.")
    private boolean force;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where the filter goes.")
    private String output = "";

    @Option(
            names = "--values",
            paramLabel = "F",
            description = "A file of numbers, one a line: the values of the keys, in their order.")
    private @Nullable String values;

    @Option(names = "--yes", paramLabel = "F", description = "A file of keys, like KEYS; may be repeated.")
    private List<String> yes = List.of();

    @Option(
            names = "--no",
            paramLabel = "F",
            description = "A file of keys that are not in the filter and must be answered \"no\"; may be repeated.")
    private List<String> no = List.of();

    @Parameters(arity = "0..*", paramLabel = "KEYS", description = "Files of keys; - is standard input.")
    private List<String> keyFiles = List.of();

    @Override
    void run() throws IOException {
        Kind kind = kind();
        FilterSpec spec = spec(kind);
        Path target = FilterFiles.checkOutput(output, force);
        KeyFiles keys = new KeyFiles(yesFiles(), console());
        if (keys.contains(target)) {
            throw new InputException("-o " + output + ": is one of the key files");
        }
        KeyHashing hashing = KeyHashing.seeded(format, seed == null ? KeyHasher.DEFAULT_SEED : seed);
        if (scores.areGiven()) {
            Filling.Filled filled = fillScored(kind, spec, keys, hashing);
            FilterFiles.write(filled.filter(), hashing.stamp(), target);
            report(kind, Optional.empty(), filled, target);
            return;
        }
        check(sampleScores == null && modelSize == null, "--sample-scores, --model-size: go with --scores or --model");
        Optional<DistributionLearner> learner = learn(kind, keys, hashing);
        Filling filling = new Filling(kind, spec, learner);
        Filling.Filled filled = isGathered()
                ? fillGathered(filling, keys, hashing)
                : fill(filling, keys, hashing, Objects.requireNonNull(target.getParent()));
        FilterFiles.write(filled.filter(), hashing.stamp(), target);
        report(kind, learner, filled, target);
    }

    private Kind kind() {
        if (kindName == null && no.isEmpty()) {
            throw refuse("Missing required option: '--kind=K'");
        }
        String name = kindName == null ? LIST : kindName;
        return ofOption("--kind", () -> Filters.kind(name));
    }

    private Filling.Filled fillScored(Kind kind, FilterSpec spec, KeyFiles keys, KeyHashing hashing)
            throws IOException {
        String option = scores.option();
        check(Filters.takesDistribution(kind), option + ": kind " + kind.name() + " cannot use scores");
        if (sampleQueries == null || sampleQueries.equals("-")) {
            throw new InputException(option + ": needs --sample-queries, a file");
        }
        check(sampleKeys == null && !isGathered(), option + ": does not go with --sample-keys, --values or --no");
        check(
                scores.areByCommand() == (sampleScores == null),
                "--sample-scores: is needed with --scores, and only with it");
        if (modelSize == null) {
            throw new InputException(option + ": needs --model-size, the bytes that the model takes");
        }
        KeyLayout keyLayout = columns.keys(format);
        KeyLayout queryLayout = columns.queries(format, log);
        KeyFiles queries = new KeyFiles(List.of(sampleQueries), console());
        try (ScoreLines ofKeys = scores.open(keys, keyLayout, hashing);
                ScoreLines ofQueries = sampleScores == null
                        ? scores.ask(queries, queryLayout, hashing)
                        : ScoreLines.open(sampleScores, false)) {
            ScoredFilling filling = new ScoredFilling(
                    kind, scores.model(modelSize.bits()), hashing, keys, new ScoredFilling.Scored(keyLayout, ofKeys));
            return filling.fill(
                    spec,
                    plannedKeys == null ? 0 : plannedKeys,
                    queries,
                    new ScoredFilling.Scored(queryLayout, ofQueries));
        }
    }

    private List<String> yesFiles() {
        List<String> files = new ArrayList<>(yes);
        files.addAll(keyFiles);
        if (files.isEmpty()) {
            throw refuse("Missing required parameter: 'KEYS', or --yes");
        }
        return files;
    }

    /** Whether all hashes have to be in memory, with what belongs to them. */
    private boolean isGathered() {
        return values != null || !no.isEmpty();
    }

    private Filling.Filled fillGathered(Filling filling, KeyFiles keys, KeyHashing hashing) throws IOException {
        long[] hashes = GatheredKeys.hashes(keys, columns.keys(format), hashing);
        Filling sized = filling.withCapacity(plannedKeys != null ? plannedKeys : Math.max(1, hashes.length));
        if (values != null) {
            long[] numbers = GatheredKeys.numbers(new KeyFiles(List.of(values), console()));
            if (numbers.length != hashes.length) {
                throw new InputException("--values " + values + ": has " + Numbers.whole(numbers.length)
                        + " values, and there are " + Numbers.whole(hashes.length) + " keys");
            }
            return sized.fillMap(hashes, numbers);
        }
        long[] others = GatheredKeys.others(new KeyFiles(no, console()), columns.keys(format), hashing, hashes);
        return sized.fillSeparating(hashes, others);
    }

    /** What to build, checked before any key is read; its capacity is set when the number of keys is known. */
    private FilterSpec spec(Kind kind) {
        check(values == null || kind.holdsValues(), "--values: kind " + kind.name() + " holds no values");
        check(no.isEmpty() || kind.separates(), "--no: kind " + kind.name() + " cannot be told of keys not in it");
        check(values == null || no.isEmpty(), "--values: does not go with --no");
        check(!isGathered() || sampleQueries == null, "--sample-queries: does not go with --values or --no");
        if (!no.isEmpty() && !isGiven("--fpp")) {
            fpp = ANY_FPP;
        }
        checkFpp(fpp);
        check(plannedKeys == null || plannedKeys >= 1, "--n: must be at least 1, not " + plannedKeys);
        FilterSpec spec = new FilterSpec(1, fpp, seed == null ? 0 : seed, options);
        Filling.checkOptions(kind, spec);
        return spec;
    }

    /** What the samples say, if there are any. */
    private Optional<DistributionLearner> learn(Kind kind, KeyFiles keys, KeyHashing hashing) throws IOException {
        if (sampleQueries == null) {
            if (sampleKeys != null) {
                throw new InputException("--sample-keys: says nothing without --sample-queries");
            }
            return Optional.empty();
        }
        if (sampleQueries.equals("-") || "-".equals(sampleKeys)) {
            throw new InputException("-: samples cannot be standard input");
        }
        if (!Filters.takesDistribution(kind)) {
            throw new InputException("--sample-queries: kind " + kind.name() + " cannot use what they tell");
        }
        if (sampleKeys == null && !keys.areRereadable()) {
            throw new InputException("--sample-queries: needs --sample-keys where KEYS can be read only once");
        }
        DistributionLearner learner = new DistributionLearner();
        KeyLayout keyLayout = columns.keys(format);
        KeyLayout queryLayout = columns.queries(format, log);
        InsertableFilter stored = Filters.makeHashFilter(
                "scalable-bloom", FilterSpec.of(1 << 16, TAKEN_FOR_HITS), StoredHashes.none(), InsertableFilter.class);
        if (keys.areRereadable()) {
            listen(keys, keyLayout, hashing, stored::insertHash);
        } else {
            console().complain("note: KEYS can be read only once: all of " + sampleQueries + " is taken for misses");
        }
        listen(
                new KeyFiles(List.of(sampleQueries), console()),
                queryLayout,
                hashing,
                query -> learner.addQuery(query, stored));
        checkSample(sampleQueries, learner.queryCount());
        if (sampleKeys == null) {
            listen(keys, keyLayout, hashing, learner::addKey);
        } else {
            listen(new KeyFiles(List.of(sampleKeys), console()), keyLayout, hashing, learner::addKey);
            checkSample(sampleKeys, learner.keyCount());
        }
        return Optional.of(learner);
    }

    /** Hands every key of a sample over, as often as it came; of a log that tells hits from misses only the misses. */
    private static void listen(KeyFiles sample, KeyLayout layout, KeyHashing hashing, LongConsumer learner)
            throws IOException {
        sample.forEachBatch(layout, hashing, (batch, count) -> {
            for (int i = 0; i < count; i++) {
                long repeats = batch.outcome(i) == Outcome.HIT ? 0 : batch.count(i);
                for (long repeat = 0; repeat < repeats; repeat++) {
                    learner.accept(batch.hashes()[i]);
                }
            }
        });
    }

    private static void checkSample(String file, long size) {
        if (size == 0) {
            throw new InputException(file + ": no keys");
        }
    }

    /** The hashes of all keys: from their files, or from a spool where files cannot be read as often as it takes. */
    private Filling.Filled fill(Filling filling, KeyFiles keys, KeyHashing hashing, Path folder) throws IOException {
        boolean isReadOnce = plannedKeys != null && !filling.kind().isBuiltAtOnce();
        if (isReadOnce || keys.areRereadable()) {
            return fill(
                    filling, new KeysInFiles(keys, hashing, isReadOnce ? -1 : keys.countKeys(columns.keys(format))));
        }
        try (HashSpool spool = new HashSpool(folder)) {
            try (Progress progress = new Progress(console(), "reading", -1)) {
                keys.forEachBatch(columns.keys(format), hashing, (batch, count) -> {
                    spool.append(batch.hashes(), count);
                    progress.step(count);
                });
            }
            return fill(filling, spool);
        }
    }

    private final class KeysInFiles extends HashBatches {
        private final KeyFiles keys;
        private final KeyHashing hashing;
        private final long count;

        KeysInFiles(KeyFiles keys, KeyHashing hashing, long count) {
            this.keys = keys;
            this.hashing = hashing;
            this.count = count;
        }

        @Override
        void forEachBatch(Consumer consumer) throws IOException {
            keys.forEachBatch(columns.keys(format), hashing, (batch, size) -> consumer.accept(batch.hashes(), size));
        }

        @Override
        long count() {
            return count;
        }

        @Override
        boolean isRereadable() {
            return keys.areRereadable();
        }
    }

    /** Makes a filter and puts all keys in. */
    private Filling.Filled fill(Filling filling, HashBatches hashes) throws IOException {
        Filling sized = filling.withCapacity(plannedKeys != null ? plannedKeys : Math.max(1, hashes.count()));
        try (Progress progress = new Progress(console(), "inserting", hashes.count())) {
            return sized.fill(hashes, progress);
        } catch (FilterFullException e) {
            if (!hashes.isRereadable() || DistinctHashes.areTooMany(hashes.count())) {
                throw sized.refuse(e);
            }
            return fillWithDistinct(filling, hashes, sized.refuse(e));
        }
    }

    /**
     * Puts each key in once. Kinds that keep an entry for every insert have no room for a key that comes very often, and
     * no query can tell how often it came.
     */
    private Filling.Filled fillWithDistinct(Filling filling, HashBatches hashes, InputException refusal)
            throws IOException {
        DistinctHashes gathered = new DistinctHashes();
        hashes.forEachBatch(gathered::add);
        gathered.end();
        if (gathered.count() == gathered.added()) {
            throw refusal;
        }
        Filling sized = filling.withCapacity(plannedKeys != null ? plannedKeys : gathered.count());
        Filling.Filled filled;
        try (Progress progress = new Progress(console(), "inserting", gathered.count())) {
            filled = sized.fill(gathered, progress);
        } catch (FilterFullException e) {
            throw sized.refuse(e);
        }
        console()
                .complain("warning: a " + filling.kind().name()
                        + " filter has no room for keys that come so often; each of "
                        + Numbers.whole(gathered.count()) + " different ones was put in once");
        return filled;
    }

    private void report(Kind kind, Optional<DistributionLearner> learner, Filling.Filled filled, Path target)
            throws IOException {
        PersistentFilter filter = filled.filter();
        long keys = filled.keys();
        long planned = filled.capacity();
        if (keys > planned && !kind.isGrowable()) {
            console()
                    .complain("warning: " + Numbers.whole(keys) + " keys in a filter planned for "
                            + Numbers.whole(planned) + "; its expected rate is "
                            + Numbers.percent(filter.expectedFpp()));
        }
        warnOfSize(kind, filter, Math.max(keys, planned));
        if (filter instanceof ClassifiedFilter classified) {
            warnOfDistribution(kind, classified, learner, planned);
        }
        FilterReport report = new FilterReport(filter, Files.size(target));
        if (wantsJson()) {
            JsonWriter json = json().beginObject()
                    .field("file", output)
                    .field("kind", kind.name())
                    .field("keys", keys)
                    .field("capacity", planned)
                    .field("fpp", fpp);
            report.write(keys, json);
            if (learner.isPresent()) {
                json.field("missShare", learner.get().missShare())
                        .field(
                                "fppOverAllQueries",
                                filter.expectedFpp() * learner.get().missShare());
            }
            json.endObject().end();
        } else {
            FilterReport.line(console(), "file", output);
            FilterReport.line(console(), "kind", kind.name());
            FilterReport.line(console(), "keys", Numbers.whole(keys));
            report.print(keys, console());
            if (learner.isPresent()) {
                double overAll = filter.expectedFpp() * learner.get().missShare();
                FilterReport.line(console(), "over all queries", Numbers.percent(overAll));
            }
        }
    }

    private void warnOfSize(Kind kind, PersistentFilter filter, long keys) {
        double bitsPerKey = (double) filter.sizeInBits() / keys;
        Alternatives.toOddSize(kind, keys, fpp, bitsPerKey)
                .ifPresent(other -> console()
                        .complain("warning: " + kind.name() + " takes " + Numbers.fixed(bitsPerKey, 1)
                                + " bits a key for a rate of " + Numbers.percent(fpp) + "; " + other.kind()
                                + " can do the same with " + Numbers.fixed(other.bitsPerKey(), 1)));
    }

    private void warnOfDistribution(
            Kind kind, ClassifiedFilter filter, Optional<DistributionLearner> learner, long planned) {
        if (learner.isPresent() && filter.distribution().classCount() == 1) {
            String why = learner.get().isLargeEnough()
                    ? "what the samples tell does not pay for its own size"
                    : tooSmallSample();
            console().complain("note: " + why + "; all keys count as alike");
        }
        // The condition is that of the Daisy paper: others have no probes to spare on keys that are likely stored.
        if (kind.type() == DaisyFilter.class || kind.type() == DaisyFingerprintFilter.class) {
            DaisyMath.Condition condition =
                    DaisyMath.condition(filter.distribution().classes(), (double) planned, fpp);
            String warning = new DaisyMath.Condition(condition.overlap(), fpp, filter.expectedFpp()).warning();
            if (!warning.isEmpty()) {
                console().complain("warning: " + warning);
            }
        }
    }
}
