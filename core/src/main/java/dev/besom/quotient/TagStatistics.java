package dev.besom.quotient;

import java.util.List;

/**
 * What a filter with packed tags has learned and given up.
 *
 * @param histogram how many slots in use have a selector, or an extension of a length, of 0, 1, 2 and so on
 * @param spilledBlocks blocks that need a second word
 * @param spillInBits memory that second words take, reserves included
 * @param forgotten tags that were given up to make room
 */
public record TagStatistics(List<Long> histogram, int spilledBlocks, long spillInBits, long forgotten) {

    public TagStatistics {
        histogram = List.copyOf(histogram);
    }
}
