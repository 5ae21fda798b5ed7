package dev.besom.spark;

import java.util.Locale;

/**
 * What a build has seen and written.
 *
 * @param rows the rows of the table
 * @param nulls those without a key, which are left out: a null, or a struct with a null in it
 * @param count the keys in the filter, as far as its kind can count; a key of several rows counts once
 * @param shards how many shards there are; 1 for one file
 * @param sizeInBytes the bytes of all filter files
 */
public record BuildReport(long rows, long nulls, long count, int shards, long sizeInBytes) {

    /** The numbers in a line. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d rows, %,d without a key, %,d keys in %d %s of %,d bytes",
                rows,
                nulls,
                count,
                shards,
                shards == 1 ? "file" : "shards",
                sizeInBytes);
    }
}
