package dev.besom.spark;

import dev.besom.spark.sql.FilterAggregate;
import dev.besom.spark.sql.MightContain;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * The functions of SQL for those who write Java or Scala. They are called by their names, so the session, or the server
 * behind a session of Spark Connect, has to have {@link BesomExtensions}.
 *
 * <pre>{@code
 *   byte[] filter = keys.agg(besomAgg(col("id"), 0.01)).first().getAs(0);
 *   rows.where(besomMightContain(lit(filter), col("id")));
 * }</pre>
 */
public final class BesomFunctions {

    private BesomFunctions() {}

    /**
     * A filter of a column's keys, as binary: {@code besom_agg(column, fpp)}. The aggregation keeps eight bytes for each
     * different key, of which there may be 16,777,216.
     */
    public static Column besomAgg(Column column, double fpp) {
        return functions.call_function(FilterAggregate.NAME, column, functions.lit(fpp));
    }

    /**
     * A filter of a column's keys, as binary: {@code besom_agg(column, fpp, expectedKeys)}. The aggregation keeps the filter
     * alone. If there are more keys than expected, the rate is higher.
     */
    public static Column besomAgg(Column column, double fpp, long expectedKeys) {
        return functions.call_function(FilterAggregate.NAME, column, functions.lit(fpp), functions.lit(expectedKeys));
    }

    /** Whether a key may be in a filter: {@code besom_might_contain(filter, key)}. */
    public static Column besomMightContain(Column filter, Column key) {
        return functions.call_function(MightContain.NAME, filter, key);
    }
}
