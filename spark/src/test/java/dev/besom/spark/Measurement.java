package dev.besom.spark;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.sketch.BloomFilter;

/**
 * The measurements behind {@code docs/scale.md}, on {@code local[2]}.
 *
 * <pre>
 *   build KEYS [WORD ...]      keys a second of the core alone, of Spark by hash order and by merging, and of Spark's own
 *                              aggregate, each with the rate that it really has; only rows that have one of the words
 *   join LARGE SMALL           bytes shuffled and seconds of a join with and without a filter before it
 *   large KEYS SHARDS          one sharded filter of many keys, with its measured rate
 * </pre>
 */
public final class Measurement {

    private static final String SPARKS_RULE = "spark.sql.optimizer.runtime.bloomFilter.enabled";
    private static final double FPP = 0.01;
    private static final long QUERIES = 10_000_000;

    private final SparkSession session;
    private final Path folder;
    private final Traffic traffic = new Traffic();
    private final List<String> words;

    private Measurement(SparkSession session, Path folder, List<String> words) {
        this.session = session;
        this.folder = folder;
        this.words = words;
        session.sparkContext().addSparkListener(traffic);
    }

    /** Runs one of them. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("besom-measurement");
        SparkSession session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "8")
                .config("spark.driver.maxResultSize", "8g")
                .config("spark.sql.extensions", "dev.besom.spark.SparksOwnFunctions")
                .getOrCreate();
        try {
            Measurement measurement = new Measurement(
                    session, folder, List.of(arguments).subList(Math.min(2, arguments.length), arguments.length));
            switch (arguments[0]) {
                case "build" -> measurement.build(Long.parseLong(arguments[1]));
                case "join" -> measurement.join(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
                case "large" -> measurement.large(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
                default -> throw new IllegalArgumentException("unknown measurement " + arguments[0]);
            }
        } finally {
            session.stop();
            delete(folder);
        }
    }

    /** What tasks have sent to each other. */
    private static final class Traffic extends SparkListener {
        private final LongAdder shuffled = new LongAdder();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskMetrics() != null) {
                shuffled.add(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
            }
        }
    }

    /** Something to be timed. */
    private interface Work {
        void run() throws IOException;
    }

    /** Runs twice, as the first run is also that of the compilers, and reports the second. */
    private void timed(String what, long keys, boolean isWarm, Work first, Work second) throws Exception {
        if (!isWarm) {
            first.run();
        }
        settle();
        traffic.shuffled.reset();
        long start = System.nanoTime();
        second.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        settle();
        print("%-34s %8.2f s %12.0f keys/s %14d bytes shuffled", what, seconds, keys / seconds, traffic.shuffled.sum());
    }

    /** The listener hears of tasks a moment after they end. */
    private static void settle() throws InterruptedException {
        Thread.sleep(1000);
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    private boolean isWanted(String row) {
        return words.isEmpty() || words.stream().anyMatch(row::contains);
    }

    private void build(long keys) throws Exception {
        Dataset<Row> table = session.sql("SELECT id FROM range(0, " + keys + ", 1, 16)");
        long warm = Math.min(keys, 2_000_000);
        Dataset<Row> few = session.sql("SELECT id FROM range(0, " + warm + ", 1, 16)");
        int shards = (int) Math.max(1, keys >>> 22);
        for (String kind : new String[] {"fuse", "quotient", "bloom"}) {
            String row = "spark, " + kind + ", " + shards + " shards";
            if (isWanted(row)) {
                Path at = folder.resolve("folder-" + kind);
                timed(
                        row,
                        keys,
                        false,
                        () -> FilterBuild.of(few, "id")
                                .kind(kind)
                                .shards(shards)
                                .toFolder(at + "-warm"),
                        () -> FilterBuild.of(table, "id")
                                .kind(kind)
                                .shards(shards)
                                .toFolder(at.toString()));
                rate(ShardFolder.open(at).read(KeyHasher.longs()), keys);
            }
        }
        for (String kind : new String[] {"bloom", "blocked-bloom"}) {
            String row = "spark, " + kind + ", merged";
            if (isWanted(row)) {
                Path at = folder.resolve("file-" + kind);
                timed(
                        row,
                        keys,
                        false,
                        () -> FilterBuild.of(few, "id")
                                .kind(kind)
                                .expectedKeys(warm)
                                .toFile(at + "-warm"),
                        () -> FilterBuild.of(table, "id")
                                .kind(kind)
                                .expectedKeys(keys)
                                .toFile(at.toString()));
                rate(Filters.read(at, KeyHasher.longs()), keys);
            }
        }
        aggregate("besom_agg", keys, table, few, "besom_agg(id, " + FPP + "D, " + keys + "L)");
        long bits = (long) Math.ceil(-keys * Math.log(FPP) / (Math.log(2) * Math.log(2)));
        aggregate("bloom_filter_agg", keys, table, few, "bloom_filter_agg(id, " + keys + "L, " + bits + "L)");
        for (String limit : new String[] {"maxNumItems", "maxNumBits"}) {
            session.conf().set("spark.sql.optimizer.runtime.bloomFilter." + limit, Long.toString(bits));
        }
        aggregate(
                "bloom_filter_agg, limits raised",
                keys,
                table,
                few,
                "bloom_filter_agg(id, " + keys + "L, " + bits + "L)");
        alone(keys);
    }

    private void aggregate(String name, long keys, Dataset<Row> table, Dataset<Row> few, String call) throws Exception {
        String row = "spark, " + name;
        if (!isWanted(row)) {
            return;
        }
        List<byte[]> made = new ArrayList<>();
        timed(
                row,
                keys,
                false,
                () -> few.selectExpr(call).first(),
                () -> made.add(table.selectExpr(call).first().getAs(0)));
        LongPredicate filter = name.equals("besom_agg") ? besomFilter(made.get(0)) : sparkFilter(made.get(0));
        long maybe = LongStream.range(keys, keys + QUERIES).filter(filter).count();
        print(
                "%-34s %8.4f %% false positives, %.2f bits a key",
                "", 100.0 * maybe / QUERIES, made.get(0).length * 8.0 / keys);
    }

    private static LongPredicate besomFilter(byte[] bytes) throws IOException {
        MembershipFilter filter =
                Filters.readHashFilter(new ByteArrayInputStream(bytes)).filter();
        LongHasher hasher = KeyHasher.longs();
        return key -> filter.mightContainHash(hasher.hash(key));
    }

    private static LongPredicate sparkFilter(byte[] bytes) throws IOException {
        BloomFilter filter = BloomFilter.readFrom(new ByteArrayInputStream(bytes));
        return filter::mightContainLong;
    }

    private void alone(long keys) throws Exception {
        LongHasher hasher = KeyHasher.longs();
        HashSource hashes = new HashSource() {
            @Override
            public long count() {
                return keys;
            }

            @Override
            public void forEach(LongConsumer action) {
                LongStream.range(0, keys).forEach(key -> action.accept(hasher.hash(key)));
            }
        };
        for (String kind : new String[] {"fuse", "quotient", "bloom", "blocked-bloom"}) {
            String row = "core alone, one thread, " + kind;
            if (!isWanted(row)) {
                continue;
            }
            long start = System.nanoTime();
            LongKeyFilter filter = Filters.of(Filters.buildHashFilter(kind, FilterSpec.of(keys, FPP), hashes), hasher);
            double seconds = (System.nanoTime() - start) / 1e9;
            print("%-34s %8.2f s %12.0f keys/s", row, seconds, keys / seconds);
            rate(filter, keys);
        }
        String row = "core alone, fuse in shards";
        if (!isWanted(row)) {
            return;
        }
        ShardPlan plan = new ShardPlan("fuse", FilterSpec.of(1, FPP), hasher.stamp(), (int) Math.max(1, keys >>> 22));
        long start = System.nanoTime();
        plan.writeFolder(folder.resolve("alone"), hashes);
        double seconds = (System.nanoTime() - start) / 1e9;
        print("%-34s %8.2f s %12.0f keys/s", row, seconds, keys / seconds);
    }

    private static void rate(LongKeyFilter filter, long keys) {
        long maybe = LongStream.range(keys, keys + QUERIES)
                .filter(filter::mightContain)
                .count();
        print(
                "%-34s %8.4f %% false positives, %.2f bits a key",
                "", 100.0 * maybe / QUERIES, (double) filter.sizeInBits() / keys);
    }

    private void large(long keys, int shards) throws Exception {
        Path at = folder.resolve("large");
        Dataset<Row> table = session.sql("SELECT id FROM range(0, " + keys + ", 1, " + Math.max(16, shards) + ")");
        timed(
                "spark, fuse, " + shards + " shards",
                keys,
                true,
                () -> {},
                () -> FilterBuild.of(table, "id").kind("fuse").shards(shards).toFolder(at.toString()));
        print("%d bytes in %d files", ShardFolder.open(at).manifest().sizeInBytes(), shards + 1);
        rate(ShardFolder.open(at).read(KeyHasher.longs()), keys);
    }

    private void join(long large, long small) throws Exception {
        session.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
        session.conf().set("spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold", "1");
        // The first run is also that of the compilers.
        join("warm, ", 1_000_000, 10_000);
        join("", large, small);
    }

    private void join(String label, long large, long small) throws Exception {
        Dataset<Row> rows = session.sql("SELECT id AS k, id * 31 AS v FROM range(0, " + large + ", 1, 16)");
        Dataset<Row> keys =
                session.sql("SELECT id * " + (large / small) + " AS k, id AS w FROM range(0, " + small + ", 1, 4)");
        session.conf().set(SPARKS_RULE, "false");
        timed(label + "join", large, true, () -> {}, () -> count(rows.join(keys, "k")));
        timed(
                label + "join, reduced by the helper",
                large,
                true,
                () -> {},
                () -> count(JoinReduction.by(keys, "k").reduce(rows).join(keys, "k")));
        session.conf().set("spark.besom.joinReduction.enabled", "true");
        timed(label + "join, reduced by the rule", large, true, () -> {}, () -> count(rows.join(keys, "k")));
        session.conf().set("spark.besom.joinReduction.enabled", "false");
        session.conf().set(SPARKS_RULE, "true");
        Dataset<Row> selective = keys.where("w >= 0");
        timed(
                label + "join, Spark's own runtime filter",
                large,
                true,
                () -> {},
                () -> count(rows.join(selective, "k")));
        String plan = ((org.apache.spark.sql.classic.Dataset<Row>) rows.join(selective, "k"))
                .queryExecution()
                .optimizedPlan()
                .toString();
        print(plan.contains("might_contain") ? "Spark put in its filter" : "Spark put in no filter");
    }

    private static void count(Dataset<Row> joined) {
        print("%s", joined.selectExpr("count(*)", "sum(v + w)").first());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
