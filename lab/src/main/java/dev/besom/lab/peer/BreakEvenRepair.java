package dev.besom.lab.peer;

import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;

/**
 * A telescoping filter that is not told of every false positive, but of each with the chance 1 / (1 + B), where a repair costs
 * as much as B reads of a key: one that never comes back is then seldom repaired, and one that comes back often soon is. On
 * average that costs less than twice as much as knowing the future would.
 *
 * <p>A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator: Competitive snoopy caching. Algorithmica 3, 1988.
 */
final class BreakEvenRepair implements Rival, DeletableFilter {

    private final AdaptiveFilter filter;
    private final double chance;
    private final long seed;
    private long coins;

    BreakEvenRepair(RivalPlan plan) {
        filter = (AdaptiveFilter)
                EqualMemory.make(Filters.kind("telescoping"), plan.spec(), plan.mostBits(), plan.stored());
        chance = 1 / (1 + plan.repairCost());
        seed = plan.spec().seed();
    }

    @Override
    public void learnMissing(long hash) {
        // The highest 53 bits are a number from 0 to 1.
        if ((Mix.expand(coins++, seed, 0) >>> 11) * 0x1p-53 < chance) {
            filter.repairHash(hash);
        }
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return filter.adaptationStatistics();
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainHash(hash);
    }

    @Override
    public boolean insertHash(long hash) {
        return filter.insertHash(hash);
    }

    @Override
    public boolean deleteHash(long hash) {
        return filter.deleteHash(hash);
    }

    @Override
    public long count() {
        return filter.count();
    }

    @Override
    public long sizeInBits() {
        return filter.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }
}
