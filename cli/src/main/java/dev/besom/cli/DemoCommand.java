package dev.besom.cli;

import dev.besom.lab.keys.KeyFormat;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeyFile;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The main job in one go. */
@Command(
        name = "demo",
        description = {
            "Show what a guard saves: fill a dictionary, then run the same lookups, most of them for keys that are not",
            "there, with no filter, a cache of misses, a Bloom filter, both, and an adaptive guard."
        },
        footer = {
            "",
            "A wasted read is a read of the store that finds nothing. The Bloom filters and caches have as much memory",
            "as the guard takes: the cache alone all of it; beside a Bloom filter it has a quarter.",
            "",
            "What a Bloom filter wastes in one run depends on whether the few hottest missing keys happen to be false",
            "positives. The column on average is over that luck: its rate times the lookups of missing keys. The others",
            "pay for a hot key once, so for them it is what was counted.",
            "",
            "Without a filter every lookup is a read, so only one in fifty is really made, for its time.",
            "",
            "Example: besom demo --workload zipf:1.5"
        })
final class DemoCommand extends BesomCommand {

    private static final int BAR_WIDTH = 50;

    @Option(
            names = "--n",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many keys are stored. Default: ${DEFAULT-VALUE}.")
    private int n;

    @Option(
            names = "--lookups",
            paramLabel = "Q",
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

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "What keys and lookups are drawn from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--keys", paramLabel = "FILE", description = "Store the keys of this file instead.")
    private @Nullable Path keysFile;

    @Option(names = "--queries", paramLabel = "FILE", description = "Look up the keys of this file, in its order.")
    private @Nullable Path queriesFile;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "lines",
            description = "How keys stand in the files: lines, long-text, long-le or pcap. Default: ${DEFAULT-VALUE}.")
    private String format = "";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "rocksdb",
            description = "Where the keys are stored: rocksdb, in a temporary folder, or memory."
                    + " Default: ${DEFAULT-VALUE}.")
    private String store = "";

    @Override
    void run() throws IOException {
        if (n < 1) {
            throw refuse("--n must be at least 1, not " + n);
        }
        if (lookups != null && lookups < 1) {
            throw refuse("--lookups must be at least 1, not " + lookups);
        }
        if (!(hits >= 0 && hits < 1)) {
            throw refuse("--hits must be from 0 to below 1, not " + hits);
        }
        if (!List.of("rocksdb", "memory").contains(store)) {
            throw refuse("--store: unknown store '" + store + "'; known: rocksdb, memory");
        }
        long[] keys;
        long[] asked;
        try {
            keys = keysFile == null ? new KeySpace(seed).stored(n) : distinct(read(keysFile, Integer.MAX_VALUE));
            asked = queries(keys);
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (keys.length == 0 || asked.length == 0) {
            throw new InputException((keys.length == 0 ? keysFile : queriesFile) + ": no keys");
        }
        List<DemoResult> results;
        try (DemoStore dictionary = DemoStore.open(store);
                Progress progress = new Progress(console(), "demo", (long) DemoRun.CONTENDERS + 1)) {
            results = new DemoRun(dictionary, keys, asked, seed, () -> progress.step(1)).run();
        }
        if (wantsJson()) {
            writeJson(keys.length, asked.length, results);
        } else {
            print(keys.length, asked.length, results);
        }
    }

    private long[] queries(long[] keys) {
        if (queriesFile != null) {
            return read(queriesFile, lookups == null ? Integer.MAX_VALUE : lookups);
        }
        if (!(Workloads.parse(workload) instanceof Workload.Stream stream)) {
            throw new IllegalArgumentException("workload '" + workload + "' looks at the answers; use besom race");
        }
        int count = lookups == null ? (int) Math.min(20L * keys.length, Integer.MAX_VALUE - 8) : lookups;
        long[] asked = new long[count];
        try (QueryStream misses = stream.open(new KeySpace(seed), keys.length);
                HitMix mixed = new HitMix(misses, keys, hits, seed)) {
            for (int i = 0; i < count; i++) {
                asked[i] = mixed.next();
            }
        }
        return asked;
    }

    private long[] read(Path file, int most) {
        long[] keys = new long[1024];
        int size = 0;
        try (QueryStream stream = new KeyFile(file, KeyFormat.of(format), seed).open()) {
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

    private String workloadName() {
        return queriesFile != null ? queriesFile.toString() : workload;
    }

    private void writeJson(int keyCount, int lookupCount, List<DemoResult> results) throws IOException {
        JsonWriter json = json().beginObject();
        json.field("n", (long) keyCount).field("lookups", (long) lookupCount);
        json.field("workload", workloadName()).field("store", store).field("seed", seed);
        json.name("contenders").beginArray();
        for (DemoResult result : results) {
            json.beginObject().field("contender", result.name());
            json.field("storeReads", result.storeReads()).field("wastedReads", result.wastedReads());
            json.field("averageWastedReads", result.averageWasted()).field("found", result.found());
            json.field("observedRate", result.observedRate()).field("bitsPerKey", result.bitsPerKey());
            json.field("meanNs", result.meanNs()).field("p99Ns", result.p99Ns());
            json.endObject();
        }
        json.endArray().endObject().end();
    }

    private void print(int keyCount, int lookupCount, List<DemoResult> results) throws IOException {
        console()
                .print(Numbers.whole(keyCount) + " keys in " + store + ", " + Numbers.whole(lookupCount) + " lookups, "
                        + workloadName());
        console().print("");
        Table table = new Table(
                "",
                ">store reads",
                ">wasted reads",
                ">on average",
                ">wasted/miss",
                ">bits/key",
                ">mean us",
                ">99 % us");
        for (DemoResult result : results) {
            table.row(
                    result.name(),
                    Numbers.whole(result.storeReads()),
                    Numbers.whole(result.wastedReads()),
                    Numbers.whole(Math.round(result.averageWasted())),
                    Numbers.percent(result.observedRate()),
                    Numbers.fixed(result.bitsPerKey(), 1),
                    Numbers.fixed(result.meanNs() / 1000, 2),
                    Numbers.fixed(result.p99Ns() / 1000, 2));
        }
        table.print(console());
        console().print("");
        printBars(results);
    }

    /** Bars on the scale of the contender with a Bloom filter alone, which gets half of the width; longer ones are cut. */
    private void printBars(List<DemoResult> results) throws IOException {
        double bloom = Math.max(1, results.get(DemoRun.BLOOM).averageWasted());
        DemoResult guard = results.get(results.size() - 1);
        int width = results.stream()
                .mapToInt(result -> result.name().length())
                .max()
                .orElse(0);
        console().print("wasted reads, on average");
        for (DemoResult result : results) {
            double ratio = result.averageWasted() / bloom;
            String bar = ratio > 2
                    ? "#".repeat(BAR_WIDTH) + "... " + Numbers.whole(Math.round(ratio)) + " times the Bloom filter's"
                    : "#".repeat((int) Math.ceil(ratio * BAR_WIDTH / 2));
            console()
                    .print("  " + result.name()
                            + " ".repeat(width - result.name().length()) + " |" + bar);
        }
        console().print("");
        console()
                .print("On average a Bloom filter of the same memory wastes "
                        + Numbers.fixed(bloom / Math.max(1, guard.averageWasted()), 1)
                        + " times as many reads as the guard, which pays for a false positive once.");
    }
}
