package dev.besom.filters;

import dev.besom.MembershipFilter;
import java.util.List;

/** All shards of a sharded filter in memory. A query goes to the one shard that its hash belongs to. */
final class ShardedFilter implements MembershipFilter {

    private final MembershipFilter[] shards;
    private final long count;

    /** @param count the keys of all shards, which the manifest knows and not every kind can count */
    ShardedFilter(List<? extends MembershipFilter> shards, long count) {
        this.shards = shards.toArray(MembershipFilter[]::new);
        this.count = count;
    }

    @Override
    public boolean mightContainHash(long hash) {
        int shardCount = shards.length;
        return shards[ShardPlan.shardOf(hash, shardCount)].mightContainHash(ShardPlan.localHash(hash, shardCount));
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        long sum = 0;
        for (MembershipFilter shard : shards) {
            sum += shard.sizeInBits();
        }
        return sum;
    }

    /** A hash belongs to each shard with the same chance. */
    @Override
    public double expectedFpp() {
        double sum = 0;
        for (MembershipFilter shard : shards) {
            sum += shard.expectedFpp();
        }
        return sum / shards.length;
    }
}
