package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.hash.Mix;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/**
 * The Bloom filter of Apache Commons Collections. The library leaves hashing to its user; two mixers stand in for that
 * here.
 */
record CommonsBloom(SimpleBloomFilter filter, long count, double expectedFpp) implements MembershipFilter {

    static CommonsBloom fill(FilterSpec spec, long[] keys) {
        Shape shape = Shape.fromNP(Math.toIntExact(spec.capacity()), spec.fpp());
        SimpleBloomFilter filter = new SimpleBloomFilter(shape);
        for (long key : keys) {
            filter.merge(hasher(key));
        }
        return new CommonsBloom(filter, keys.length, shape.getProbability(keys.length));
    }

    private static EnhancedDoubleHasher hasher(long key) {
        return new EnhancedDoubleHasher(Mix.expand(key, 0, 0), Mix.expand(key, 0, 1));
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.contains(hasher(hash));
    }

    @Override
    public long sizeInBits() {
        return filter.getShape().getNumberOfBits();
    }
}
