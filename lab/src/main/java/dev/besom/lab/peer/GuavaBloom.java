package dev.besom.lab.peer;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Guava's Bloom filter. */
final class GuavaBloom implements MembershipFilter {

    /** What Guava writes before the words: a strategy, a number of hash functions, a number of words. */
    private static final int HEADER_BYTES = 6;

    private final BloomFilter<Long> filter;
    private final long sizeInBits;

    private GuavaBloom(BloomFilter<Long> filter) {
        this.filter = filter;
        this.sizeInBits = (serialBytes(filter) - HEADER_BYTES) * Byte.SIZE;
    }

    static GuavaBloom fill(FilterSpec spec, long[] keys) {
        BloomFilter<Long> filter = BloomFilter.create(Funnels.longFunnel(), spec.capacity(), spec.fpp());
        for (long key : keys) {
            filter.put(key);
        }
        return new GuavaBloom(filter);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContain(hash);
    }

    @Override
    public long count() {
        return filter.approximateElementCount();
    }

    @Override
    public long sizeInBits() {
        return sizeInBits;
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }

    /** Guava does not tell a filter's size, but the bytes that it writes do. */
    private static long serialBytes(BloomFilter<Long> filter) {
        CountingOutput counting = new CountingOutput();
        try {
            filter.writeTo(counting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return counting.bytes;
    }

    private static final class CountingOutput extends OutputStream {
        private long bytes;

        @Override
        public void write(int b) {
            bytes++;
        }

        @Override
        public void write(byte[] b, int off, int len) {
            bytes += len;
        }
    }
}
