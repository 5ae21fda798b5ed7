package dev.besom.guard;

/**
 * Which false positives a guard repairs. A repair costs reads of the store too, so one that is never queried again is
 * cheaper left alone, and nobody knows beforehand which those are: to rent or to buy.
 *
 * <p>Let a repair cost as much as B reads of a key. The best that somebody could do who knows that a false positive will
 * come n times is min(n, 1 + B) reads: let it be, or repair it when it first shows.
 *
 * <pre>
 *                    n times           once        for ever      at worst, times the best
 *   at once          1 + B             1 + B       1 + B         1 + B
 *   never            n                 1           without end   without end
 *   at break-even    at most           1 + B/(1+B) 1 + 2 B       2 - 1 / (1 + B), on average
 *                    n + n B / (1+B)
 * </pre>
 *
 * At break-even each false positive is repaired with the chance 1 / (1 + B), which takes no memory of what was seen, and
 * which nobody can play against who does not see the coin. The coin comes from a counter, so a run can be repeated.
 *
 * <p>A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator: Competitive snoopy caching. Algorithmica 3, 1988. (The bound
 * of two; there with a count in place of the coin.)
 */
public final class RepairPolicy {

    private static final RepairPolicy AT_ONCE = new RepairPolicy(0);

    /** Stands for the cost that the guard measures. */
    private static final double MEASURED = -1;

    private final double repairCost;

    private RepairPolicy(double repairCost) {
        this.repairCost = repairCost;
    }

    /** Every false positive is repaired when it shows, so that it is paid for once. */
    public static RepairPolicy atOnce() {
        return AT_ONCE;
    }

    /** A false positive is repaired at break-even, from the times that reads and repairs take at this guard. */
    public static RepairPolicy atBreakEven() {
        return new RepairPolicy(MEASURED);
    }

    /**
     * A false positive is repaired at break-even.
     *
     * @param repairCost what a repair costs, in reads of one key; 0 is the same as {@link #atOnce()}
     */
    public static RepairPolicy atBreakEven(double repairCost) {
        if (!(repairCost >= 0)) {
            throw new IllegalArgumentException("a repair cannot cost " + repairCost + " reads");
        }
        return new RepairPolicy(repairCost);
    }

    /** Whether costs are measured. */
    boolean isMeasured() {
        return repairCost < 0;
    }

    /**
     * Whether a false positive is repaired.
     *
     * @param measuredCost what a repair costs, in reads of one key
     * @param coin uniform over all numbers
     */
    boolean isDue(double measuredCost, long coin) {
        double cost = isMeasured() ? measuredCost : repairCost;
        // The highest 53 bits are a number from 0 to 1.
        return cost == 0 || (coin >>> 11) * 0x1p-53 * (1 + cost) < 1;
    }
}
