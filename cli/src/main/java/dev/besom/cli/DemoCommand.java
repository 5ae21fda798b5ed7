package dev.besom.cli;

import dev.besom.guard.store.StoreException;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The main job in one go. */
@Command(
        name = "demo",
        description =
                "Show what a guard saves: fill a dictionary, then run the same lookups, most of them for keys that are"
                        + " not there, with no filter, a cache of misses, a Bloom filter, both, and guards with adaptive filters.",
        footer = {
            "",
            "A wasted read is a read of the store that finds nothing. The Bloom filters and caches have as much memory as"
                    + " the telescoping guard takes: the cache alone all of it; beside a Bloom filter it has a quarter.",
            "",
            "What a Bloom filter wastes depends on whether the few hottest missing keys happen to be false positives. So"
                    + " the lookups are played against the filters alone once more for many draws of their hash"
                    + " functions, 100 for the Bloom filter and 10 for each guard, and what they waste is counted: the"
                    + " median and the worst draw. The others were counted once.",
            "",
            "Three rivals have the same memory and are played 10 draws each: a quotient filter with a cache of its latest"
                    + " false positives, a stacked filter that is told beforehand which misses will come, and a"
                    + " telescoping filter that repairs one false positive in two.",
            "",
            "Times are those of the store here, with --read-us added for each read, as if the store were on another"
                    + " machine.",
            "",
            "Without a filter every lookup is a read, so only one in fifty is really made, for its time. Behind the cache"
                    + " alone one read in 16 is made; what the others would find is known. A cached miss lives for ten"
                    + " million lookups, which is ten seconds at a million a second. A database is slow to fill: start"
                    + " with --n 20000.",
            "",
            "The scenario api-keys takes --n, --queries (of each process), --seed and --store with the jdbc: URL of a"
                    + " database. Without --store it starts a PostgreSQL of its own, which ./besom fetches the first time.",
            "",
            "Examples:",
            "  besom demo --workload zipf:1.5",
            "  besom demo --scenario api-keys",
            "  besom demo --store postgres --n 20000",
            "  besom demo --store 'jdbc:postgresql://localhost/test?user=me' --n 20000"
        })
final class DemoCommand extends BesomCommand {

    /** With the names before it and the numbers behind it, a line fits into a terminal of 80 columns. */
    private static final int BAR_WIDTH = 30;

    private static final String API_KEYS = "api-keys";

    /** What a read over a network and from a disk takes, about. */
    private static final int REMOTE_MICROS = 100;

    /** Fewer wasted reads than this are chance, and no ratio of them says anything. */
    private static final int LEAST_TO_COMPARE = 10;

    /** The bar of the Bloom filter takes one part in so many of the width. */
    private static final double MOST_RATIO = 1.5;

    @Mixin
    private KeyOptions source = new KeyOptions();

    @Option(
            names = "--queries",
            paramLabel = "Q",
            converter = Count.OfInt.class,
            description = "How many lookups are made. Default: 20 a stored key, or the whole file.")
    private @Nullable Integer lookups;

    @Option(
            names = "--hits",
            paramLabel = "H",
            defaultValue = "0.01",
            description = "The share of lookups for stored keys in a generated workload. Default: ${DEFAULT-VALUE}.")
    private double hits;

    @Option(
            names = "--workload",
            paramLabel = "W",
            defaultValue = "zipf:1.2",
            description = "What is looked up, as in besom race; no adversary. Default: ${DEFAULT-VALUE}, over ten times"
                    + " as many keys as are stored.")
    private String workload = "";

    @Option(names = "--queries-file", paramLabel = "FILE", description = "Look up the keys of this file, in its order.")
    private @Nullable Path queriesFile;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "rocksdb",
            description =
                    "Where the keys are stored: rocksdb, in a temporary folder; postgres, a server of its own, which"
                            + " is fetched on first use; memory; or the jdbc: URL of a database (PostgreSQL, H2), in a table that"
                            + " goes again. Default: ${DEFAULT-VALUE}.")
    private String store = "";

    @Option(
            names = "--read-us",
            paramLabel = "US",
            description =
                    "Microseconds that a read of the store takes besides, as if it were on another machine. Default:"
                            + " 100, or 0 with a database.")
    private @Nullable Integer readMicros;

    @Option(
            names = "--scenario",
            paramLabel = "S",
            description =
                    "Another story: api-keys, a service in three processes before a table of API keys. Clients send"
                            + " bursts of the same wrong keys, and then new keys are used as soon as they are made.")
    private @Nullable String scenario;

    @Override
    void run() throws IOException {
        if (source.n < 1) {
            throw refuse("--n must be at least 1, not " + source.n);
        }
        if (lookups != null && lookups < 1) {
            throw refuse("--queries must be at least 1, not " + lookups);
        }
        if (scenario != null) {
            playScenario(scenario);
            return;
        }
        if (!(hits >= 0 && hits < 1)) {
            throw refuse("--hits must be from 0 to below 1, not " + hits);
        }
        if (!DemoStore.isKnown(store)) {
            throw refuse(DemoStore.unknown(store));
        }
        if (readMicros != null && (readMicros < 0 || readMicros > 1_000_000)) {
            throw refuse("--read-us must be from 0 to 1000000, not " + readMicros);
        }
        EmbeddedPostgres.use("--store", store, this::play);
    }

    /** Plays the lookups before a store that runs. */
    private void play(String runningStore) throws IOException {
        long[] keys = keys();
        Supplier<long[]> queries = queries(keys);
        LongHasher hasher = KeyHasher.secretLongs(HashSecret.of(source.seed, ~source.seed));
        long[] asked;
        List<DemoResult> results;
        List<DemoRivals> rivals;
        try (DemoStore dictionary = DemoStore.open(runningStore);
                Progress progress = new Progress(console(), "demo", (long) DemoRun.CONTENDERS + DemoRivals.COUNT + 1)) {
            // The store is filled while the queries are drawn.
            CompletableFuture<Void> filled = CompletableFuture.runAsync(() -> dictionary.fill(keys, hasher));
            try {
                asked = queries.get();
            } finally {
                filled.handle((done, failure) -> null).join();
            }
            filled.join();
            progress.step(1);
            DemoLuck luck = new DemoLuck(keys, asked, source.seed);
            DemoRun.Plan plan = new DemoRun.Plan(luck, readMicros() * 1000L);
            DemoRun.Lookups all = new DemoRun.Lookups(keys, asked);
            results = new DemoRun(dictionary.dictionary(), hasher, all, plan, () -> progress.step(1)).run();
            long bits = Math.round(results.get(DemoRun.GUARD).bitsPerKey() * keys.length);
            rivals = DemoRivals.play(luck, bits, () -> progress.step(1));
        } catch (StoreException e) {
            throw new IOException(e.getMessage(), e);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IOException(
                    e.getCause() instanceof StoreException failure
                            ? failure.getMessage()
                            : String.valueOf(e.getCause()),
                    e);
        }
        if (wantsJson()) {
            writeJson(keys.length, asked.length, results, rivals);
        } else {
            print(keys.length, asked.length, results);
            DemoRivals.print(console(), rivals, results.get(DemoRun.GUARD));
        }
    }

    private void playScenario(String name) throws IOException {
        if (!name.equals(API_KEYS)) {
            throw refuse("--scenario: unknown scenario '" + name + "'; known: " + API_KEYS);
        }
        for (String option : List.of("--workload", "--hits", "--queries-file", "--read-us", "--keys")) {
            if (isGiven(option)) {
                throw refuse(option + ": not with --scenario");
            }
        }
        if (isGiven("--store") && !DemoStore.isDatabase(store)) {
            throw refuse(
                    "--store: several processes share a database only, postgres or its jdbc: URL; not '" + store + "'");
        }
        ApiKeysScenario.Size size = new ApiKeysScenario.Size(
                isGiven("--n") ? source.n : ApiKeysScenario.DEFAULT_KEYS,
                lookups != null ? lookups : ApiKeysScenario.DEFAULT_LOOKUPS,
                source.seed);
        boolean isOurs = !isGiven("--store") || store.equals(EmbeddedPostgres.STORE);
        List<ApiKeysScenario.Outcome> outcomes = new ArrayList<>();
        try (Progress progress = new Progress(console(), "demo", ApiKeysScenario.steps())) {
            EmbeddedPostgres.use(
                    isGiven("--store") ? "--store" : "--scenario",
                    isOurs ? EmbeddedPostgres.STORE : store,
                    url -> outcomes.addAll(new ApiKeysScenario(url, size, () -> progress.step(1)).run()));
        }
        ApiKeysReport report = new ApiKeysReport(isOurs ? "PostgreSQL" : storeName(), size, outcomes);
        if (wantsJson()) {
            report.write(json());
        } else {
            report.print(console());
        }
    }

    private long[] keys() throws IOException {
        long[] keys = source.file == null
                ? new KeySpace(source.seed).stored(source.n)
                : distinct(read(source.keys(source.file), Integer.MAX_VALUE));
        if (keys.length == 0) {
            throw new InputException(source.file + ": no keys");
        }
        return keys;
    }

    /** What is looked up: read now, or ready to be drawn. */
    private Supplier<long[]> queries(long[] keys) throws IOException {
        if (queriesFile == null) {
            Workload.Stream stream = stream();
            return () -> drawn(stream, keys);
        }
        long[] asked = read(source.queries(queriesFile), lookups == null ? Integer.MAX_VALUE : lookups);
        if (asked.length == 0) {
            throw new InputException(queriesFile + ": no keys");
        }
        return () -> asked;
    }

    private long[] drawn(Workload.Stream stream, long[] keys) {
        int count = lookups == null ? (int) Math.min(20L * keys.length, Integer.MAX_VALUE - 8) : lookups;
        long[] asked = new long[count];
        try (QueryStream misses = stream.open(new KeySpace(source.seed), keys.length);
                HitMix mixed = new HitMix(misses, keys, hits, source.seed)) {
            for (int i = 0; i < count; i++) {
                asked[i] = mixed.next();
            }
        }
        return asked;
    }

    private Workload.Stream stream() {
        if (ofOption("--workload", () -> Workloads.parse(workload)) instanceof Workload.Stream stream) {
            return stream;
        }
        throw new InputException("--workload: '" + workload + "' looks at the answers; use besom race");
    }

    private static long[] read(KeySource file, int most) throws IOException {
        return ofLab(() -> firstKeys(file, most));
    }

    private static long[] firstKeys(KeySource file, int most) {
        long[] keys = new long[1024];
        int size = 0;
        try (QueryStream stream = file.open()) {
            while (size < most && stream.hasNext()) {
                if (size == keys.length) {
                    keys = Arrays.copyOf(keys, Math.multiplyExact(size, 2));
                }
                keys[size++] = stream.next();
            }
        }
        return Arrays.copyOf(keys, size);
    }

    private static long[] distinct(long[] keys) {
        return Arrays.stream(keys).distinct().toArray();
    }

    /** Without what may be a password. */
    private String storeName() {
        return store.replaceFirst("[?;].*", "");
    }

    /** A store on this machine stands for one that is not. */
    private int readMicros() {
        return readMicros != null ? readMicros : DemoStore.isDatabase(store) ? 0 : REMOTE_MICROS;
    }

    private String workloadName() {
        return queriesFile != null ? queriesFile.toString() : workload;
    }

    private void writeJson(int keyCount, int lookupCount, List<DemoResult> results, List<DemoRivals> rivals)
            throws IOException {
        JsonWriter json = json().beginObject();
        json.field("n", (long) keyCount).field("lookups", (long) lookupCount);
        json.field("workload", workloadName()).field("store", storeName()).field("seed", source.seed);
        json.field("readMicros", (long) readMicros());
        json.name("contenders").beginArray();
        for (DemoResult result : results) {
            json.beginObject().field("contender", result.name());
            json.field("storeReads", result.counts().storeReads());
            json.field("wastedReads", result.counts().wasted())
                    .field("found", result.counts().found());
            json.field("draws", (long) result.luck().draws());
            json.field("meanWastedReads", result.luck().mean());
            json.field("medianWastedReads", result.luck().median());
            json.field("worstWastedReads", result.luck().worst());
            json.field("observedRate", result.counts().rate()).field("bitsPerKey", result.bitsPerKey());
            json.field("meanNs", result.latency().mean())
                    .field("p99Ns", result.latency().p99());
            json.field("meanNsWithoutRead", result.latency().withoutRead());
            json.endObject();
        }
        json.endArray();
        DemoRivals.write(json, rivals);
        json.endObject().end();
    }

    private void print(int keyCount, int lookupCount, List<DemoResult> results) throws IOException {
        long misses = results.get(0).counts().misses();
        console()
                .print(Numbers.whole(keyCount) + " keys in " + storeName() + ", " + Numbers.whole(lookupCount)
                        + " lookups (" + workloadName() + "),");
        console().print(Numbers.percent((double) misses / lookupCount) + " of them for keys that are not there");
        console().print("");
        printBars(results);
        console().print("");
        printTable(results);
        console().print("");
        printWhenItPays(lookupCount, results);
    }

    private void printTable(List<DemoResult> results) throws IOException {
        console().print("Wasted reads in this run, and over draws of the hash functions:");
        Table table = new Table("", ">here", ">median", ">worst", ">bits/key", ">mean us");
        for (DemoResult result : results) {
            table.row(
                    result.name(),
                    Numbers.whole(result.counts().wasted()),
                    Numbers.whole(result.luck().median()),
                    Numbers.whole(result.luck().worst()),
                    Numbers.fixed(result.bitsPerKey(), 1),
                    Numbers.fixed(result.latency().mean() / 1000, 2));
        }
        table.print(console());
        if (readMicros() > 0) {
            console()
                    .print("Times with " + readMicros() + " us added for each read, as of a store on another machine.");
        }
    }

    /** Bars on the scale of the worst draw of the Bloom filter; longer ones are cut. */
    private void printBars(List<DemoResult> results) throws IOException {
        DemoResult bloom = results.get(DemoRun.BLOOM);
        DemoResult guard = results.get(DemoRun.GUARD);
        double scale = Math.max(1, bloom.luck().worst());
        int width = results.stream()
                .mapToInt(result -> result.name().length())
                .max()
                .orElse(0);
        console().print("Reads of the store that found nothing, in the worst draw that was counted:");
        for (DemoResult result : results) {
            double ratio = result.luck().worst() / scale;
            String bar = ratio > MOST_RATIO
                    ? "#".repeat(BAR_WIDTH) + " ... "
                    : "#".repeat((int) Math.ceil(ratio * BAR_WIDTH / MOST_RATIO)) + " ";
            console()
                    .print("  " + result.name()
                            + " ".repeat(width - result.name().length()) + "  " + bar
                            + Numbers.whole(result.luck().worst()));
        }
        console().print("");
        if (bloom.luck().median() < LEAST_TO_COMPARE) {
            console().print("Too few lookups of missing keys to tell a Bloom filter from an adaptive one.");
            return;
        }
        long medianOfGuard = Math.max(1, guard.luck().median());
        long worstOfGuard = Math.max(1, guard.luck().worst());
        console()
                .print("A Bloom filter of the same memory wastes "
                        + Numbers.fixed((double) bloom.luck().median() / medianOfGuard, 1)
                        + " times as many reads as the");
        console()
                .print(guard.name() + " by the median of " + bloom.luck().draws() + " draws, and "
                        + Numbers.fixed((double) bloom.luck().worst() / worstOfGuard, 1) + " times by the worst:");
        console().print("luck decides whether a hot missing key is a false positive, and then it is one");
        console().print("at each lookup. An adaptive filter pays for it once.");
    }

    /** The price of a read at which what the guard saves is worth what its lookups take more. */
    private void printWhenItPays(int lookupCount, List<DemoResult> results) throws IOException {
        DemoResult bloom = results.get(DemoRun.BLOOM);
        DemoResult guard = results.get(DemoRun.GUARD);
        DemoResult both = results.get(DemoRun.BLOOM + 1);
        double saved = (bloom.luck().mean() - guard.luck().mean()) / lookupCount;
        double more = guard.latency().withoutRead() - bloom.latency().withoutRead();
        if (saved <= 0 || Double.isNaN(more)) {
            return;
        }
        if (more <= 0) {
            console().print("The guard pays whatever a read costs: its lookups take no longer here.");
        } else {
            console()
                    .print("A lookup of the guard takes " + Numbers.fixed(more / 1000, 2)
                            + " us more than the Bloom filter's here.");
            console()
                    .print("By the mean of the draws it pays where a read takes more than "
                            + Numbers.fixed(more / saved / 1000, 1) + " us.");
        }
        boolean isCacheEnough = both.counts().wasted() <= guard.luck().median();
        console()
                .print(
                        isCacheEnough
                                ? "Bloom filter and cache together waste no more here: they are enough."
                                : "Bloom filter and cache together waste "
                                        + Numbers.fixed(
                                                (double) both.counts().wasted()
                                                        / Math.max(
                                                                1, guard.luck().median()),
                                                1)
                                        + " times as many reads as the guard.");
    }
}
