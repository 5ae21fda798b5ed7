package dev.besom.bench;

import dev.besom.FilterSpec;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.LongHasher;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Preimages;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.LongUnaryOperator;

/** The keys that benchmarks work on, and filters filled with them. */
final class Stock {

    static final KeySpace SPACE = new KeySpace(0x62656E6368L);

    /** What {@code limit:memory} takes for each key: about as much as a filter of a rate of 1 %. */
    private static final long LIMIT_BITS_PER_KEY = 10;

    private Stock() {}

    /** A filter planned for {@code capacity} keys that holds the given ones. */
    static MembershipFilter fill(String kind, long capacity, double fpp, StoredHashes stored, long[] keys) {
        return Contenders.find(kind, LIMIT_BITS_PER_KEY * capacity).fill(FilterSpec.of(capacity, fpp), stored, keys);
    }

    /** A filter as its users query it, with keys: those of Besom's kinds are hashed before, the others hash by themselves. */
    static LongKeyFilter asked(String kind, MembershipFilter filter) {
        return Filters.of(filter, takesHashes(kind) ? Preimages.HASHER : Unhashed.INSTANCE);
    }

    /** What to query for numbers of {@link #SPACE}. */
    static LongUnaryOperator keys(String kind) {
        return takesHashes(kind) ? Preimages::of : LongUnaryOperator.identity();
    }

    private static boolean takesHashes(String kind) {
        return Contenders.find(kind, 1).takesHashes();
    }

    /** For filters that hash what they are given. */
    private enum Unhashed implements LongHasher {
        INSTANCE;

        @Override
        public long hash(long key) {
            return key;
        }

        @Override
        public HasherStamp stamp() {
            return HasherStamp.NONE;
        }
    }

    static byte[] save(MembershipFilter filter) throws IOException {
        if (!(filter instanceof PersistentFilter persistent)) {
            throw new IllegalArgumentException(filter.getClass() + " cannot be saved");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FilterCodec.write(persistent, HasherStamp.NONE, bytes);
        return bytes.toByteArray();
    }

    static PersistentFilter load(byte[] bytes, StoredHashes stored) throws IOException {
        return Filters.readHashFilter(new ByteArrayInputStream(bytes), stored).filter();
    }
}
