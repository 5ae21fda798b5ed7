package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** The Bloom filter of Apache DataSketches. */
record DataSketchesBloom(BloomFilter filter, long count, double expectedFpp) implements MembershipFilter {

    static DataSketchesBloom fill(FilterSpec spec, long[] keys) {
        BloomFilter filter = BloomFilterBuilder.createByAccuracy(spec.capacity(), spec.fpp(), spec.seed());
        for (long key : keys) {
            filter.update(key);
        }
        return new DataSketchesBloom(filter, keys.length, spec.fpp());
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.query(hash);
    }

    @Override
    public long sizeInBits() {
        return filter.getCapacity();
    }
}
