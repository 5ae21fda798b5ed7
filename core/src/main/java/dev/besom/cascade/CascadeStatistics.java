package dev.besom.cascade;

/**
 * What a cascade looks like now.
 *
 * @param levels filters, the table of whole hashes not counted
 * @param dead dead cells or fingerprints of all levels
 * @param moved keys that have left level 0
 * @param generation how often all hash functions have changed
 * @param indexSizeInBits memory beside the filter for finding the keys of a cell or fingerprint; not part of its size
 */
public record CascadeStatistics(int levels, long dead, long moved, long generation, long indexSizeInBits) {}
