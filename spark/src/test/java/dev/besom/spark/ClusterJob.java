package dev.besom.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A driver in a process of its own: for each line that it reads it builds a sharded filter and a merged one, each time to new
 * names, and prints a line before and after. The tests kill executors, or the driver, meanwhile.
 */
final class ClusterJob {

    private ClusterJob() {}

    /** Takes the master, the folder to write to, and how many keys. */
    public static void main(String[] arguments) throws IOException {
        SparkSession session = SparkSession.builder()
                .master(arguments[0])
                .appName("besom")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "512m")
                .config("spark.executor.cores", "1")
                .config("spark.executor.extraJavaOptions", Cluster.javaOptions())
                .config("spark.executor.extraClassPath", Cluster.classPath())
                .config("spark.task.maxFailures", "1000")
                .config("spark.stage.maxConsecutiveAttempts", "1000")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.network.timeout", "3600s")
                .config("spark.shuffle.io.retryWait", "100ms")
                // Tasks that run twice at the same time, as often as Spark can be made to.
                .config("spark.speculation", "true")
                .config("spark.speculation.interval", "10ms")
                .config("spark.speculation.multiplier", "1.01")
                .config("spark.speculation.quantile", "0.1")
                .config("spark.speculation.minTaskRuntime", "0ms")
                .getOrCreate();
        Path folder = Path.of(arguments[1]);
        long keys = Long.parseLong(arguments[2]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Dataset<Row> table = session.sql("SELECT id * 7 AS id FROM range(0, " + keys + ", 1, 8)");
        for (int i = 0; lines.readLine() != null; i++) {
            System.out.println("begin " + i);
            BuildReport report = FilterBuild.of(table, "id")
                    .kind("fuse")
                    .shards(6)
                    .toFolder(folder.resolve("shards-" + i).toString());
            FilterBuild.of(table, "id")
                    .kind("blocked-bloom")
                    .expectedKeys(keys)
                    .toFile(folder.resolve("merged-" + i).toString());
            System.out.println(String.format(Locale.ROOT, "end %d %d", i, report.count()));
        }
        session.stop();
    }
}
