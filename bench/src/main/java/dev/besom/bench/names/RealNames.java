package dev.besom.bench.names;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.bench.NpmArchive;
import dev.besom.codec.FilterCodec;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Machine;
import dev.besom.lab.race.StoredKeys;
import dev.besom.math.Entropy;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Real names with real weights: what a filter that learned from one percent of a query log saves on the rest of it.
 *
 * <pre>
 *   names     all packages of npm with their downloads, from the npm package download-counts, fetched by npm, not kept
 *   stored    300,000 of them, each as likely as any other
 *   log       names drawn by weight, 5 million; the first 1 % is the sample, all else is asked
 * </pre>
 *
 * Each filter is compared with a Bloom filter of the same names that is as large as its saved file or its memory, whichever
 * is more, with everything in it that the filter keeps of the distribution. Weights are taken as they are, and flattened by
 * a power, for logs of less skew. A single name can be one query in a hundred, so that one filter says little: rates are
 * means over filters with different seeds, with their standard error.
 *
 * <p>Arguments: an archive that is there already, or none to have npm fetch it.
 */
public final class RealNames {

    static final String PACKAGE = "download-counts";
    private static final String ENTRY = "package/counts.json";
    private static final int STORED = 300_000;
    private static final int LOG = 5_000_000;
    private static final int SAMPLE = LOG / 100;
    private static final long SEED = 20_240_601;
    private static final double[] POWERS = {1, 0.75, 0.5};
    private static final double[] RATES = {0.01, 0.001};
    private static final int FILTERS = 10;

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
        NpmArchive.use(arguments, PACKAGE, RealNames::run);
    }

    private static void run(Path archive) throws IOException {
        new RealNames(NamesArchive.read(archive, ENTRY)).run();
        System.out.println("Names from " + archive.getFileName() + ".");
    }

    private void run() {
        System.out.println("| weights | rate asked for | kind | bits a key | of them knowledge |"
                + " false positives | Bloom of that size | ratio | Bloom for that rate, bits a key |");
        System.out.println("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (double power : POWERS) {
            Log log = new Log(power);
            for (double fpp : RATES) {
                Distribution learned = log.learn(fpp);
                for (String kind : List.of("daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned")) {
                    row(power, fpp, kind, learned, log);
                }
            }
            System.out.println(log);
        }
        System.out.println(Machine.description() + " " + names.size() + " names, " + STORED + " stored, " + LOG
                + " queries, of which " + SAMPLE + " are the sample; " + FILTERS + " filters a row.");
    }

    private void row(double power, double fpp, String kind, Distribution learned, Log log) {
        double[] rates = new double[FILTERS];
        double[] ratesOfBloom = new double[FILTERS];
        long size = 0;
        for (int i = 0; i < FILTERS; i++) {
            FilterSpec spec = FilterSpec.of(STORED, fpp).withSeed(Mix.mix(SEED + i));
            PersistentFilter filter = Filters.makeHashFilter(Filters.kind(kind), spec, learned);
            rates[i] = log.falsePositives((InsertableFilter) filter);
            size = Math.max(
                    filter.sizeInBits(),
                    Byte.SIZE
                            * FilterCodec.serializedSizeInBytes(
                                    filter, KeyHasher.utf8().stamp()));
            FilterSpec ofThatSize = spec.with("bits", Long.toString(size)).with("scheme", "enhanced-double");
            ratesOfBloom[i] = log.falsePositives((InsertableFilter) Filters.makeHashFilter("bloom", ofThatSize));
        }
        double rate = mean(rates);
        System.out.printf(
                Locale.ROOT,
                "| %s | %s %% | `%s` | %.2f | %.2f | %s | %s | %.2f | %.2f |%n",
                power == 1 ? "as they are" : "to the power " + power,
                BigDecimal.valueOf(100 * fpp).stripTrailingZeros().toPlainString(),
                kind,
                size / (double) STORED,
                learned.sizeInBits() / (double) STORED,
                percent(rates),
                percent(ratesOfBloom),
                rate / mean(ratesOfBloom),
                Entropy.bitsPerKey(rate) / Math.log(2));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    /** The mean and its standard error. */
    private static String percent(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double error = Math.sqrt(squares / (values.length - 1) / values.length);
        return String.format(Locale.ROOT, "%.3f ± %.3f %%", 100 * mean, 100 * error);
    }

    /** Names drawn by weight. */
    private final class Log {

        private final long[] sample;

        /** The names after the sample that are not stored, each once, and how often each is asked for. */
        private final long[] absent;

        private final int[] times;
        private final long asked;

        Log(double power) {
            double[] sums = new double[names.size()];
            double sum = 0;
            for (int i = 0; i < sums.length; i++) {
                sum += Math.pow(names.weight(i), power);
                sums[i] = sum;
            }
            SplittableRandom random = new SplittableRandom(Mix.mix(SEED + 1));
            long[] queries = new long[LOG];
            for (int i = 0; i < LOG; i++) {
                int place = Arrays.binarySearch(sums, random.nextDouble() * sum);
                queries[i] = names.hash(Math.min(sums.length - 1, place < 0 ? -place - 1 : place));
            }
            sample = Arrays.copyOf(queries, SAMPLE);
            long[] rest = Arrays.stream(queries, SAMPLE, LOG)
                    .filter(query -> !isStored.contains(query))
                    .sorted()
                    .toArray();
            asked = rest.length;
            absent = Arrays.stream(rest).distinct().toArray();
            times = new int[absent.length];
            int name = 0;
            for (long query : rest) {
                name += query == absent[name] ? 0 : 1;
                times[name]++;
            }
        }

        Distribution learn(double fpp) {
            DistributionLearner learner = new DistributionLearner();
            for (long key : stored) {
                learner.addKey(key);
            }
            for (long query : sample) {
                if (isStored.contains(query)) {
                    learner.addHit();
                } else {
                    learner.addMiss(query);
                }
            }
            return learner.learn(STORED, fpp);
        }

        /** Fills a filter. The part of the queries for names that are not stored which it answers "maybe". */
        double falsePositives(InsertableFilter filter) {
            filter.insertHashes(stored, 0, STORED);
            for (long key : stored) {
                if (!filter.mightContainHash(key)) {
                    throw new IllegalStateException("a stored name is not found");
                }
            }
            long wrong = 0;
            for (int i = 0; i < absent.length; i++) {
                wrong += filter.mightContainHash(absent[i]) ? times[i] : 0;
            }
            return wrong / (double) asked;
        }

        /** How much of the log the sample knows. */
        @Override
        public String toString() {
            long[] known = Arrays.stream(sample).sorted().distinct().toArray();
            long seen = 0;
            for (int i = 0; i < absent.length; i++) {
                seen += Arrays.binarySearch(known, absent[i]) >= 0 ? times[i] : 0;
            }
            return String.format(
                    Locale.ROOT,
                    "(%d names in the sample, %d of those not stored in the rest; %.1f %% of the queries for them are for"
                            + " names in the sample)",
                    known.length,
                    absent.length,
                    100.0 * seen / asked);
        }
    }
}
