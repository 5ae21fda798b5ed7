package dev.besom.quotient;

import java.util.List;

/**
 * What a telescoping filter has learned and where it keeps it.
 *
 * @param histogram how many used slots have the selector 0, 1, 2 and so on; the last number is not 0
 * @param spilledBlocks blocks whose selectors lie beside the table
 * @param spillInBits the memory they take
 * @param forgottenSelectors selectors that were taken back to make room since the filter was made or read
 */
public record SelectorStatistics(List<Long> histogram, int spilledBlocks, long spillInBits, long forgottenSelectors) {

    public SelectorStatistics {
        histogram = List.copyOf(histogram);
    }
}
