package dev.besom.lab.advice;

import dev.besom.spi.Kind;

/**
 * A kind that does what is wanted, with its size and what it is expected to waste.
 *
 * @param kind which
 * @param n for how many keys
 * @param trial its rates and bits a key
 * @param loss what it wastes
 */
public record Candidate(Kind kind, long n, Trial trial, Loss loss) {

    /** The rate that budgets of kinds are stated for; for others they are inversely proportional. */
    private static final double BUDGET_RATE = 0.01;

    /**
     * What a filter wastes.
     *
     * @param wastedReads the remote reads that find nothing, over all queries
     * @param cost what they cost: one each, unless a log tells more
     * @param comparableBitsPerKey what the kind would take to waste as little as the one that wastes least; infinite if it
     *     cannot
     */
    public record Loss(double wastedReads, double cost, double comparableBitsPerKey) {}

    /** The rate to make it for. */
    public double plannedFpp() {
        return trial.plannedFpp();
    }

    /** The rate it then has when full. */
    public double expectedFpp() {
        return trial.expectedFpp();
    }

    /** What it takes. */
    public double bitsPerKey() {
        return trial.bitsPerKey();
    }

    /** The remote reads that find nothing, over all queries. */
    public double wastedReads() {
        return loss.wastedReads;
    }

    double comparableBitsPerKey() {
        return loss.comparableBitsPerKey;
    }

    /** What its wasted reads cost; where less than one is expected, what one costs: nobody would notice the difference. */
    double comparableCost() {
        return loss.wastedReads > 0 && loss.wastedReads < 1 ? loss.cost / loss.wastedReads : loss.cost;
    }

    /**
     * Up to how many unique queries a key the rate stays as planned whatever is asked: infinite where there is no bound,
     * {@code NaN} for kinds that promise nothing.
     */
    public double adaptiveBudget() {
        return kind.adaptiveBudget() * BUDGET_RATE / plannedFpp();
    }

    /** All that a filter for so many keys takes. */
    public long sizeInBits() {
        return (long) Math.ceil(trial.wholeBitsPerKey() * n);
    }
}
