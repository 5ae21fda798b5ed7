package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;

/** The split-block Bloom filter of Apache Parquet, whose size is a power of two. */
record ParquetBloom(BlockSplitBloomFilter filter, long count, double expectedFpp) implements MembershipFilter {

    static ParquetBloom fill(FilterSpec spec, long[] keys) {
        int bytes = BlockSplitBloomFilter.optimalNumOfBits(spec.capacity(), spec.fpp()) / Byte.SIZE;
        BlockSplitBloomFilter filter =
                new BlockSplitBloomFilter(bytes, Math.max(bytes, BlockSplitBloomFilter.UPPER_BOUND_BYTES));
        for (long key : keys) {
            filter.insertHash(filter.hash(key));
        }
        return new ParquetBloom(filter, keys.length, spec.fpp());
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.findHash(filter.hash(hash));
    }

    @Override
    public long sizeInBits() {
        return (long) filter.getBitsetSize() * Byte.SIZE;
    }
}
