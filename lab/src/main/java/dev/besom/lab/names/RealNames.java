package dev.besom.lab.names;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.InsertableFilter;
import dev.besom.bloom.BloomFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.hash.Mix;
import dev.besom.lab.race.SpeedTable;
import dev.besom.lab.race.StoredKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Real names with real weights: what a filter that learned from one percent of a query log saves on the rest of it.
 *
 * <pre>
 *   names     all packages of npm with their downloads, from the npm package download-counts, fetched by npm, not kept
 *   stored    300,000 of them, each as likely as any other
 *   log       names drawn by weight, 5 million; the first 1 % is the sample, all else is asked
 * </pre>
 *
 * Each filter is compared with a Bloom filter of the same size in bits, to which everything counts that a filter keeps of
 * the distribution. Weights are taken as they are, and flattened by a power, for logs of less skew.
 *
 * <p>Arguments: an archive that is there already, or none to have npm fetch it.
 */
public final class RealNames {

    private static final String PACKAGE = "download-counts";
    private static final String ENTRY = "package/counts.json";
    private static final int STORED = 300_000;
    private static final int LOG = 5_000_000;
    private static final int SAMPLE = LOG / 100;
    private static final long SEED = 20_240_601;
    private static final double[] POWERS = {1, 0.5};
    private static final double[] RATES = {0.01, 0.001};

    private final NamesArchive names;
    private final long[] stored;
    private final StoredKeys isStored;

    private RealNames(NamesArchive names) {
        this.names = names;
        SplittableRandom random = new SplittableRandom(SEED);
        long[] order = new long[names.size()];
        for (int i = 0; i < order.length; i++) {
            // The place of a name in a random order, with the name in the low half.
            order[i] = (random.nextLong() & ~0xFFFFFFFFL) | i;
        }
        Arrays.sort(order);
        stored = new long[STORED];
        for (int i = 0; i < STORED; i++) {
            stored[i] = names.hash((int) order[i]);
        }
        isStored = new StoredKeys(stored);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        NamesArchive names;
        if (arguments.length > 0) {
            names = NamesArchive.read(Path.of(arguments[0]), ENTRY);
        } else {
            Path folder = Files.createTempDirectory("besom-names");
            try {
                names = NamesArchive.read(fetch(folder), ENTRY);
            } finally {
                delete(folder);
            }
        }
        new RealNames(names).run();
    }

    private static Path fetch(Path folder) throws IOException, InterruptedException {
        Process npm = new ProcessBuilder("npm", "pack", "--silent", PACKAGE)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (npm.waitFor() != 0) {
            throw new IOException("npm could not fetch " + PACKAGE);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".tgz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("npm left no archive of " + PACKAGE));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void run() {
        System.out.println("| weights | kind | rate asked for | bits a key | of them distribution |"
                + " false positives | Bloom of that size | ratio |");
        System.out.println("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (double power : POWERS) {
            Log log = new Log(power);
            for (double fpp : RATES) {
                DistributionLearner learner = new DistributionLearner();
                for (long key : stored) {
                    learner.addKey(key);
                }
                for (int i = 0; i < SAMPLE; i++) {
                    learner.addQuery(log.queries[i]);
                }
                Distribution learned = learner.learn(STORED, fpp);
                for (String kind : List.of("daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned")) {
                    row(power, kind, fpp, learned, log);
                }
            }
        }
        System.out.println();
        System.out.println(SpeedTable.machine() + "; " + names.size() + " names, " + STORED + " stored, " + LOG
                + " queries, of which " + SAMPLE + " are the sample");
    }

    private void row(double power, String kind, double fpp, Distribution learned, Log log) {
        FilterSpec spec = FilterSpec.of(STORED, fpp).withSeed(SEED);
        InsertableFilter filter = (InsertableFilter) Filters.make(Filters.kind(kind), spec, learned);
        filter.insertAll(stored, 0, STORED);
        BloomFilter bloom = Filters.bloom(spec.with("bits", Long.toString(filter.sizeInBits())));
        bloom.insertAll(stored, 0, STORED);
        double wrong = log.falsePositives(filter);
        double wrongOfBloom = log.falsePositives(bloom);
        System.out.printf(
                Locale.ROOT,
                "| %s | `%s` | %s %% | %.2f | %.2f | %.4f %% | %.4f %% | %.2f |%n",
                power == 1 ? "as they are" : "to the power " + power,
                kind,
                100 * fpp,
                filter.sizeInBits() / (double) STORED,
                learned.sizeInBits() / (double) STORED,
                100 * wrong,
                100 * wrongOfBloom,
                wrong / wrongOfBloom);
    }

    /** Names drawn by weight. */
    private final class Log {

        final long[] queries = new long[LOG];
        private final long[] absent;

        Log(double power) {
            double[] sums = new double[names.size()];
            double sum = 0;
            for (int i = 0; i < sums.length; i++) {
                sum += Math.pow(names.weight(i), power);
                sums[i] = sum;
            }
            SplittableRandom random = new SplittableRandom(Mix.mix(SEED + 1));
            for (int i = 0; i < LOG; i++) {
                int place = Arrays.binarySearch(sums, random.nextDouble() * sum);
                queries[i] = names.hash(Math.min(sums.length - 1, place < 0 ? -place - 1 : place));
            }
            absent = absent();
        }

        /** The queries after the sample that are for names that are not stored. */
        private long[] absent() {
            return Arrays.stream(queries, SAMPLE, LOG)
                    .filter(query -> !isStored.contains(query))
                    .toArray();
        }

        /** The part of the queries after the sample for names that are not stored which are answered "maybe". */
        double falsePositives(InsertableFilter filter) {
            for (long key : stored) {
                if (!filter.mightContain(key)) {
                    throw new IllegalStateException("a stored name is not found");
                }
            }
            long wrong = 0;
            for (long query : absent) {
                wrong += filter.mightContain(query) ? 1 : 0;
            }
            return wrong / (double) absent.length;
        }
    }
}
