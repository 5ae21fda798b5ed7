package dev.besom.spark;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;

import dev.besom.filters.Filters;
import dev.besom.guard.local.LocalKeys;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A client of Spark Connect in a process of its own, whose class path has Spark's client in the place of Spark. Prints a line for
 * each thing it tries.
 */
final class ConnectClient {

    private static final String KEYS = "SELECT id * 3 AS k FROM range(0, 2000, 1, 3)";

    private final SparkSession session;
    private final Path folder;

    private ConnectClient(SparkSession session, Path folder) {
        this.session = session;
        this.folder = folder;
    }

    /** Takes the port of the server and a folder to write to. */
    public static void main(String[] arguments) throws IOException {
        SparkSession session = SparkSession.builder()
                .remote("sc://" + Ports.HOST + ":" + arguments[0])
                .getOrCreate();
        ConnectClient client = new ConnectClient(session, Path.of(arguments[1]));
        client.callBothFunctions();
        client.readFilter();
        client.reduceJoin();
        client.primeGuard();
        client.seeErrors();
        session.close();
    }

    private static void print(String what, Object result) {
        System.out.println(what + ": " + result);
    }

    /** Something that fails. */
    private interface Work {
        void run() throws Exception;
    }

    private static void printFailure(String what, Work work) {
        try {
            work.run();
            print(what, "no error");
        } catch (Exception e) {
            // Not all that Spark throws is unchecked.
            print(what, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private void callBothFunctions() {
        String filter = "(SELECT besom_agg(k, 0.01) FROM (" + KEYS + "))";
        print(
                "SQL",
                session.sql("SELECT count_if(besom_might_contain(" + filter + ", k)) FROM (" + KEYS + ")")
                        .first());
        Dataset<Row> keys = session.sql(KEYS);
        Column made = call_function("besom_agg", col("k"), lit(0.01));
        Column asked = call_function("besom_might_contain", keys.select(made).scalar(), col("k"));
        print("call_function", keys.select(count_if(asked)).first());
        Column typed = BesomFunctions.besomMightContain(
                keys.select(BesomFunctions.besomAgg(col("k"), 0.01, 2000)).scalar(), col("k"));
        print("BesomFunctions", keys.select(count_if(typed)).first());
    }

    private void readFilter() throws IOException {
        byte[] bytes = session.sql(KEYS)
                .select(BesomFunctions.besomAgg(col("k"), 0.01))
                .first()
                .getAs(0);
        Path file = Files.write(folder.resolve("filter"), bytes);
        var filter = Filters.read(file, KeyHasher.longs());
        print(
                "asked in the client",
                LongStream.range(0, 2000)
                        .filter(i -> filter.mightContain(3 * i))
                        .count());
    }

    private void reduceJoin() {
        Dataset<Row> large = session.sql("SELECT id AS k FROM range(100000)");
        Dataset<Row> keys = session.sql(KEYS);
        Dataset<Row> reduced = JoinReduction.by(keys, "k").reduce(large);
        print("JoinReduction drops most rows", reduced.count() < 5000);
        print("joined", reduced.join(keys, "k").count());
    }

    private void primeGuard() throws IOException {
        try (LocalKeys<Long> keys = LocalKeys.open(folder.resolve("keys"), KeyHasher.longs(), false)) {
            Dataset<Row> table = session.sql(KEYS + " UNION ALL SELECT null");
            print("GuardKeys", GuardKeys.addAll(table.as(Encoders.LONG()), keys));
        }
    }

    private void seeErrors() {
        Dataset<Row> keys = session.sql(KEYS);
        printFailure(
                "foreign bytes",
                () -> keys.where(BesomFunctions.besomMightContain(lit(new byte[] {0, 0, 0, 1, 5}), col("k")))
                        .count());
        printFailure(
                "FilterBuild",
                () -> FilterBuild.of(keys, "k").toFile(folder.resolve("f").toString()));
        printFailure("open", () -> FilterBuild.open(session, folder.toString()));
    }
}
