package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import org.apache.spark.util.sketch.BloomFilter;

/** The Bloom filter of Apache Spark's sketches. */
record SparkBloom(BloomFilter filter, long count) implements MembershipFilter {

    static SparkBloom fill(FilterSpec spec, long[] keys) {
        BloomFilter filter = BloomFilter.create(spec.capacity(), spec.fpp());
        for (long key : keys) {
            filter.putLong(key);
        }
        return new SparkBloom(filter, keys.length);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainLong(hash);
    }

    @Override
    public long sizeInBits() {
        return filter.bitSize();
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }
}
