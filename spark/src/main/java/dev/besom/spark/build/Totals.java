package dev.besom.spark.build;

import java.io.Serializable;

/**
 * What was seen of a column.
 *
 * @param rows all of them
 * @param keys those that have a key
 */
public record Totals(long rows, long keys) implements Serializable {

    /** Nothing at all. */
    static final Totals NONE = new Totals(0, 0);

    Totals plus(Totals more) {
        return new Totals(rows + more.rows, keys + more.keys);
    }
}
