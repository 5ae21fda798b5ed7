package dev.besom.lab.advice;

import dev.besom.spi.Kind;

/**
 * A kind that does what is wanted, with its size and what it is expected to waste.
 *
 * @param kind which
 * @param n for how many keys
 * @param plannedFpp the rate to make it for
 * @param expectedFpp the rate it then has when full
 * @param bitsPerKey what it takes
 * @param wastedReads the remote reads that find nothing, over all queries
 * @param comparableBitsPerKey what it would take to waste as little as the kind that wastes least; infinite if it cannot
 */
public record Candidate(
        Kind kind,
        long n,
        double plannedFpp,
        double expectedFpp,
        double bitsPerKey,
        double wastedReads,
        double comparableBitsPerKey) {

    public long sizeInBits() {
        return (long) Math.ceil(bitsPerKey * n);
    }
}
