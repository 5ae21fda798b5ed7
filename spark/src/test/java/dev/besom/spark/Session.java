package dev.besom.spark;

import org.apache.spark.sql.SparkSession;

/** The one session of all tests. */
final class Session {

    private static final SparkSession SHARED = SparkSession.builder()
            .master("local[2]")
            .appName("besom")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            // Code that cannot be compiled is an error here.
            .config("spark.sql.codegen.fallback", "false")
            .config("spark.sql.extensions", "dev.besom.spark.BesomExtensions,dev.besom.spark.SparksOwnFunctions")
            .getOrCreate();

    private Session() {}

    static SparkSession get() {
        return SHARED;
    }
}
