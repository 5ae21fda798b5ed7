package dev.besom.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;

/**
 * Drops most rows of a table that have no partner in another one before the two are joined, so that they are not shuffled.
 *
 * <pre>{@code
 *   JoinReduction.by(orders, "customer").fpp(0.01).reduce(clicks).join(orders, "customer");
 * }</pre>
 *
 * The result of an inner or a left semi join is the same with and without it. Rows whose key is null go too, as they
 * have no partner. The smaller table is read twice: once for the filter, once for the join. It has to give the same rows both
 * times: cache one with a limit or a sample, or that somebody changes meanwhile. The session has to have
 * {@link BesomExtensions}.
 *
 * <p>The optimizer's rule does the same for all joins of a session: {@code spark.besom.joinReduction.enabled=true}.
 */
public final class JoinReduction {

    private static final double DEFAULT_FPP = 0.01;

    /** Spark's own, in the metadata of a column. */
    private static final String DECLARED_TYPE = "__CHAR_VARCHAR_TYPE_STRING";

    private final Dataset<?> small;
    private final List<String> columns;
    private double fpp = DEFAULT_FPP;
    private long expectedKeys;

    private JoinReduction(Dataset<?> small, List<String> columns) {
        this.small = small;
        this.columns = columns;
    }

    /** A reduction by the keys of the smaller table, which have the same names in both. */
    public static JoinReduction by(Dataset<?> small, String... columns) {
        if (columns.length == 0) {
            throw new IllegalArgumentException("a join is reduced by at least one column");
        }
        return new JoinReduction(small, List.copyOf(Arrays.asList(columns)));
    }

    /** The false-positive rate: how many of the rows without a partner stay; 0.01 by default. */
    public JoinReduction fpp(double newFpp) {
        fpp = newFpp;
        return this;
    }

    /** How many different keys the smaller table has, where there are more than 16,777,216 of them. */
    public JoinReduction expectedKeys(long keyCount) {
        expectedKeys = keyCount;
        return this;
    }

    /** The rows of the larger table that may have a partner. */
    public <T> Dataset<T> reduce(Dataset<T> large) {
        Column made = expectedKeys > 0
                ? BesomFunctions.besomAgg(keyOf(small, large), fpp, expectedKeys)
                : BesomFunctions.besomAgg(keyOf(small, large), fpp);
        return large.where(BesomFunctions.besomMightContain(small.select(made).scalar(), keyOf(large, small)));
    }

    private Column keyOf(Dataset<?> table, Dataset<?> other) {
        Column[] parts = columns.stream().map(name -> part(name, table, other)).toArray(Column[]::new);
        return parts.length == 1 ? parts[0] : functions.struct(parts);
    }

    /** Columns of the type {@code char} are compared as if the shorter one had blanks at its end, and so without those here. */
    private static Column part(String name, Dataset<?> table, Dataset<?> other) {
        Column column = table.col(name);
        return isPadded(table, name) && isPadded(other, name) ? functions.rtrim(column) : column;
    }

    private static boolean isPadded(Dataset<?> table, String name) {
        Metadata metadata = table.select(table.col(name)).schema().apply(0).metadata();
        return metadata.contains(DECLARED_TYPE)
                && metadata.getString(DECLARED_TYPE).startsWith("char");
    }
}
