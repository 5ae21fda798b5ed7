package dev.besom.quotient;

import java.util.List;

/**
 * What an adaptive filter of this family has learned and given up.
 *
 * @param histogram how many slots in use have a selector, or an extension of a length, of 0, 1, 2 and so on
 * @param spilledBlocks blocks that keep tags beside the table
 * @param spillInBits the memory they take, reserves included
 * @param forgotten tags that were given up to make room since the filter was made or read
 * @param tombstones deleted keys whose tags are known for the case that they are inserted again
 */
public record TagStatistics(List<Long> histogram, int spilledBlocks, long spillInBits, long forgotten, int tombstones) {

    /** Copies the histogram. */
    public TagStatistics {
        histogram = List.copyOf(histogram);
    }
}
