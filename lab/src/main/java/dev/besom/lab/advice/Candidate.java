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

    /** The rate that budgets of kinds are stated for; for others they are inversely proportional. */
    private static final double BUDGET_RATE = 0.01;

    /**
     * Up to how many unique queries a key the rate stays as planned whatever is asked: infinite where there is no bound,
     * {@code NaN} for kinds that promise nothing.
     */
    public double adaptiveBudget() {
        return kind.adaptiveBudget() * BUDGET_RATE / plannedFpp;
    }

    public long sizeInBits() {
        return (long) Math.ceil(bitsPerKey * n);
    }
}
