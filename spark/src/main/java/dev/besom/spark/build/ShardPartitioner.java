package dev.besom.spark.build;

import org.apache.spark.Partitioner;

/** Sends each shard's hashes to the task of its number. */
final class ShardPartitioner extends Partitioner {

    private final int shardCount;

    ShardPartitioner(int shardCount) {
        this.shardCount = shardCount;
    }

    @Override
    public int numPartitions() {
        return shardCount;
    }

    @Override
    public int getPartition(Object shard) {
        return Math.max(0, (Integer) shard);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardPartitioner same && shardCount == same.shardCount;
    }

    @Override
    public int hashCode() {
        return shardCount;
    }
}
