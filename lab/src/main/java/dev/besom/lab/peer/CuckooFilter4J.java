package dev.besom.lab.peer;

import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.Funnels;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;

/** The cuckoo filter of CuckooFilter4J. */
record CuckooFilter4J(CuckooFilter<Long> filter, double expectedFpp) implements MembershipFilter {

    static CuckooFilter4J fill(FilterSpec spec, long[] keys) {
        CuckooFilter<Long> filter = new CuckooFilter.Builder<>(Funnels.longFunnel(), spec.capacity())
                .withFalsePositiveRate(spec.fpp())
                .build();
        for (int i = 0; i < keys.length; i++) {
            if (!filter.put(keys[i])) {
                throw new FilterFullException("full after " + i + " keys");
            }
        }
        return new CuckooFilter4J(filter, spec.fpp());
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContain(hash);
    }

    @Override
    public long count() {
        return filter.getCount();
    }

    @Override
    public long sizeInBits() {
        return filter.getStorageSize();
    }
}
