package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.bloom.BlockedBloomMath;
import org.fastfilter.Filter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.cuckoo.Cuckoo16;
import org.fastfilter.cuckoo.Cuckoo8;
import org.fastfilter.gcs.GolombCompressedSet;
import org.fastfilter.xor.Xor16;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xor.XorFuse8;

/**
 * The filters of fastfilter_java. Its fingerprint filters have their width in their name and are not planned for a
 * rate: about 1/256 and 1/65536 for the xor filters, eight times that for the cuckoo filters.
 */
final class FastFilter {

    /** More than the blocked filter needs for any rate that somebody plans for in earnest. */
    private static final int MOST_BITS = 256;

    private FastFilter() {}

    static MembershipFilter xor8(long[] keys) {
        return new OfXor8(Xor8.construct(keys), keys.length, 1.0 / 256);
    }

    static MembershipFilter xor16(long[] keys) {
        return new OfXor16(Xor16.construct(keys), keys.length, 1.0 / 65536);
    }

    static MembershipFilter xorFuse8(long[] keys) {
        return new OfXorFuse8(XorFuse8.construct(keys), keys.length, 1.0 / 256);
    }

    static MembershipFilter bloom(FilterSpec spec, long[] keys) {
        Bloom filter = Bloom.construct(keys, bitsPerKey(spec, keys));
        double bitsPerKey = filter.getBitCount() / (double) keys.length;
        return new OfBloom(filter, keys.length, Math.exp(-bitsPerKey * Math.log(2) * Math.log(2)));
    }

    static MembershipFilter blockedBloom(FilterSpec spec, long[] keys) {
        int bitsPerKey = (int) Math.ceil(bitsPerKey(spec, keys));
        while (blockedRate(bitsPerKey * (double) keys.length / spec.capacity()) > spec.fpp()
                && bitsPerKey < MOST_BITS) {
            bitsPerKey++;
        }
        BlockedBloom filter = BlockedBloom.construct(keys, bitsPerKey);
        return new OfBlockedBloom(filter, keys.length, blockedRate(filter.getBitCount() / (double) keys.length));
    }

    static MembershipFilter golomb(FilterSpec spec, long[] keys) {
        int bits = (int) Math.max(1, Math.ceil(-Math.log(spec.fpp()) / Math.log(2) - 1e-9));
        return new OfGolomb(GolombCompressedSet.construct(keys, bits), keys.length, Math.scalb(1.0, -bits));
    }

    static MembershipFilter cuckoo8(long[] keys) {
        return new OfCuckoo8(Cuckoo8.construct(keys), keys.length, 8.0 / 256);
    }

    static MembershipFilter cuckoo16(long[] keys) {
        return new OfCuckoo16(Cuckoo16.construct(keys), keys.length, 8.0 / 65536);
    }

    /**
     * The rate of the blocked filter, which takes whole bits a key and always sets four of them, two in each of two words:
     * a word gets the bits of Poisson(2 * 64 / bitsPerKey) keys, which are as many as one word of eight gets of eight times
     * as many keys a block.
     */
    private static double blockedRate(double bitsPerKey) {
        double inOneWord = BlockedBloomMath.fppOfAnyBits(
                Math.min(8 * 2 * 64 / bitsPerKey, BlockedBloomMath.MOST_KEYS_PER_BLOCK), 1, 2);
        return inOneWord * inOneWord;
    }

    /** The bits that a Bloom filter of the best number of hash functions needs for each key. */
    private static double bitsPerKey(FilterSpec spec, long[] keys) {
        double forCapacity = -Math.log(spec.fpp()) / (Math.log(2) * Math.log(2));
        return forCapacity * spec.capacity() / keys.length;
    }

    /** What the adapters share. Each filter has a class of its own, so that a measured loop sees one all the way down. */
    private interface Adapter extends MembershipFilter {

        Filter filter();

        @Override
        default long sizeInBits() {
            return filter().getBitCount();
        }
    }

    private record OfXor8(Xor8 filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfXor16(Xor16 filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfXorFuse8(XorFuse8 filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfGolomb(GolombCompressedSet filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfBloom(Bloom filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfBlockedBloom(BlockedBloom filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfCuckoo8(Cuckoo8 filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }

    private record OfCuckoo16(Cuckoo16 filter, long count, double expectedFpp) implements Adapter {
        @Override
        public boolean mightContainHash(long hash) {
            return filter.mayContain(hash);
        }
    }
}
