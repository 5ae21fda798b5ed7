package dev.besom.compact;

import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.bits.BitMoves;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.compact.RankIndexedMath.Sizes;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;

/**
 * Rank-indexed hashing: a table of fingerprints in chains that are found by counting bits, in buckets that borrow room
 * from each other.
 *
 * <pre>
 *   a bucket's index   | level 1: 64 chains    1 0 1 1 0 ... | level 2   1 0 0 ... | level 3   0 ... |
 *                        the chain has a first               the chain of the      and of the
 *                        fingerprint                         i-th first has a      i-th second a
 *                                                            second                third
 *   its fingerprints   all firsts in the order of their chains, then all seconds, ...
 * </pre>
 *
 * A bit that is set stands for a fingerprint, and its rank is the place of the fingerprint among those of its level. All
 * levels together have a bit for each chain and one for each fingerprint. Where the bits lie, and how a bucket with many
 * fingerprints borrows room, is drawn in {@link RankBuckets}.
 *
 * <p>Departures from the paper: what a multiset holds twice is stored twice, so taking keys out needs no counters; and
 * the pools of extensions belong to groups of {@value RankIndexedMath#GROUP} buckets, which makes their numbers short.
 *
 * <p>Cost: {@link RankIndexedMath}, 10.5 bits a key at 1 % if each key comes once, and 11.1 if each comes
 * twice, which is what it is sized for by default. Groups that are out of extensions refuse keys, which at the
 * planned load happens to one in 10^10 of them. One writer at a time, and nobody who asks beside it.
 *
 * <p>N. Hua, H. C. Zhao, B. Lin, J. Xu: Rank-indexed hashing: a compact construction of Bloom filters and variants. ICNP
 * 2008.
 */
public final class RankIndexedFilter implements DeletableFilter, PersistentFilter {

    static final String KIND = "rank-indexed";

    private static final int CHAINS = RankIndexedMath.CHAINS;
    private static final int CHAIN_BITS = 6;
    private static final int PARAMETERS = 11;
    private static final int SECTIONS = 6;
    private static final int USUAL_COPIES = 2;
    private static final int MOST_COPIES = 2;
    private static final long SEED_SALT = 0x629A292A367CD507L;
    private static final long DRAW = 0x9159015A3070DD17L;

    private final RankBuckets buckets;
    private final Sizes sizes;
    private final long seed;
    private final int fingerprintMask;

    /** The index of the bucket that is being changed. */
    private final long[] index = new long[RankBuckets.INDEX_WORDS + 1];

    private long count;

    private RankIndexedFilter(RankBuckets buckets, long seed, long count) {
        this.buckets = buckets;
        this.sizes = buckets.sizes;
        this.seed = seed;
        this.fingerprintMask = (int) (-1L >>> (Long.SIZE - sizes.fingerprintBits()));
        this.count = count;
    }

    /** The smallest table for the spec; the option {@code copies} says how often each key may be put in. */
    public static RankIndexedFilter of(FilterSpec spec) {
        int copies = (int) spec.option("copies", USUAL_COPIES, 1, MOST_COPIES);
        if (spec.fpp() < RankIndexedMath.LEAST_RATE) {
            throw new IllegalArgumentException("a rate of " + spec.fpp() + " is too low for fingerprints of at most "
                    + RankIndexedMath.WIDEST + " bits");
        }
        Sizes sizes = RankIndexedMath.smallest(spec.fpp(), spec.capacity(), copies);
        double count = Math.max(1, Math.ceil(spec.capacity() / sizes.keysPerBucket()));
        int largest = Math.max(sizes.indexBits(), sizes.own() * sizes.fingerprintBits());
        if (count * largest > (Words.MAX_COUNT - 2) * 64.0) {
            throw new IllegalArgumentException("no rank-indexed table holds " + spec.capacity() + " keys");
        }
        return new RankIndexedFilter(new RankBuckets(sizes, (int) count), spec.seed(), 0);
    }

    private int bucket(long mixed) {
        return (int) FastRange.place(mixed, buckets.bucketCount);
    }

    private static int chain(long mixed) {
        return (int) ((mixed * DRAW) >>> (Long.SIZE - CHAIN_BITS));
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        return find(bucket(mixed), chain(mixed), (int) mixed & fingerprintMask) >= 0;
    }

    /** The place of a fingerprint of a chain among all of the bucket; negative if there is none. */
    private int find(int bucket, int chain, int fingerprint) {
        int bit = chain;
        int width = CHAINS;
        int start = 0;
        int before = 0;
        while (width > 0) {
            long level = level(bucket, start, width);
            if ((level >>> bit & 1) == 0) {
                return -1;
            }
            int rank = Long.bitCount(level & ChainBlock.lowest(bit));
            if (buckets.fingerprint(bucket, before + rank) == fingerprint) {
                return before + rank;
            }
            start += width;
            width = Long.bitCount(level);
            before += width;
            bit = rank;
        }
        return -1;
    }

    private long level(int bucket, int start, int width) {
        return firstBits(buckets.readIndex(bucket, start), width);
    }

    private static long firstBits(long bits, int count) {
        return count == Long.SIZE ? bits : bits & ChainBlock.lowest(count);
    }

    /** How many fingerprints a bucket has: as many as its index has bits set. */
    private int keys(int bucket) {
        int width = CHAINS;
        int keys = 0;
        int start = 0;
        while (width > 0 && keys <= RankIndexedMath.MOST_KEYS) {
            int set = Long.bitCount(level(bucket, start, width));
            start += width;
            width = set;
            keys += set;
        }
        return keys;
    }

    @Override
    public boolean insertHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        int bucket = bucket(mixed);
        int fingerprint = (int) mixed & fingerprintMask;
        boolean isNew = find(bucket, chain(mixed), fingerprint) < 0;
        int keys = keys(bucket);
        buckets.makeRoom(bucket, keys);
        buckets.loadIndex(bucket, index);
        // Down the chain to the first bit that is not set.
        int bit = chain(mixed);
        int width = CHAINS;
        int start = 0;
        int before = 0;
        long level = index[0];
        while ((level >>> bit & 1) != 0) {
            bit = Long.bitCount(level & ChainBlock.lowest(bit));
            start += width;
            width = Long.bitCount(level);
            before += width;
            level = firstBits(ChainBlock.read(index, start), width);
        }
        int rank = Long.bitCount(level & ChainBlock.lowest(bit));
        putBit(start + bit, 1);
        // The new fingerprint's own bit, on the next level: its chain ends with it.
        int own = start + width + rank;
        BitMoves.up(index, 0, own, CHAINS + keys, 1);
        putBit(own, 0);
        buckets.storeIndex(bucket, index);
        for (int place = keys; place > before + rank; place--) {
            buckets.setFingerprint(bucket, place, buckets.fingerprint(bucket, place - 1));
        }
        buckets.setFingerprint(bucket, before + rank, fingerprint);
        count++;
        return isNew;
    }

    private void putBit(int place, long bit) {
        index[place >>> 6] = (index[place >>> 6] & ~(1L << place)) | (bit << place);
    }

    @Override
    public boolean deleteHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        int bucket = bucket(mixed);
        int found = find(bucket, chain(mixed), (int) mixed & fingerprintMask);
        if (found < 0) {
            return false;
        }
        int keys = keys(bucket);
        buckets.loadIndex(bucket, index);
        // Down to the chain's last fingerprint: it takes the place of the one that goes.
        int bit = chain(mixed);
        int width = CHAINS;
        int start = 0;
        int before = 0;
        long level = index[0];
        int rank = Long.bitCount(level & ChainBlock.lowest(bit));
        while ((ChainBlock.read(index, start + width + rank) & 1) != 0) {
            bit = rank;
            start += width;
            width = Long.bitCount(level);
            before += width;
            level = firstBits(ChainBlock.read(index, start), width);
            rank = Long.bitCount(level & ChainBlock.lowest(bit));
        }
        int last = before + rank;
        buckets.setFingerprint(bucket, found, buckets.fingerprint(bucket, last));
        for (int place = last; place < keys - 1; place++) {
            buckets.setFingerprint(bucket, place, buckets.fingerprint(bucket, place + 1));
        }
        buckets.setFingerprint(bucket, keys - 1, 0);
        BitMoves.down(index, 0, start + width + rank + 1, CHAINS + keys, 1);
        putBit(CHAINS + keys - 1, 0);
        putBit(start + bit, 0);
        buckets.storeIndex(bucket, index);
        buckets.giveRoomBack(bucket, keys - 1);
        count--;
        return true;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return buckets.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        long distinct = 0;
        for (int bucket = 0; bucket < buckets.bucketCount; bucket++) {
            for (int chain = 0; chain < CHAINS; chain++) {
                distinct += distinctInChain(bucket, chain);
            }
        }
        return (double) distinct / CHAINS / buckets.bucketCount / ((fingerprintMask & 0xFFFFFFFFL) + 1);
    }

    /** How many different fingerprints a chain has: those that are found at their own place. */
    private int distinctInChain(int bucket, int chain) {
        int bit = chain;
        int width = CHAINS;
        int start = 0;
        int before = 0;
        int distinct = 0;
        while (width > 0) {
            long level = level(bucket, start, width);
            if ((level >>> bit & 1) == 0) {
                break;
            }
            bit = Long.bitCount(level & ChainBlock.lowest(bit));
            if (find(bucket, chain, buckets.fingerprint(bucket, before + bit)) == before + bit) {
                distinct++;
            }
            start += width;
            width = Long.bitCount(level);
            before += width;
        }
        return distinct;
    }

    @Override
    public FilterImage image() {
        long[] parameters = {
            sizes.fingerprintBits(),
            Double.doubleToRawLongBits(sizes.keysPerBucket()),
            sizes.group(),
            sizes.own(),
            sizes.first(),
            sizes.firstPool(),
            sizes.second(),
            sizes.secondPool(),
            buckets.bucketCount,
            seed,
            count
        };
        return new FilterImage(KIND, parameters, buckets.sections());
    }

    static RankIndexedFilter read(FilterImage image) {
        image.checkForm(PARAMETERS, SECTIONS);
        for (int i = 2; i < 8; i++) {
            long size = image.parameter(i);
            image.check(size >= 0 && size <= RankIndexedMath.GROUP, "a size of " + size + " cannot be");
        }
        long bits = image.parameter(0);
        double keysPerBucket = image.doubleParameter(1);
        long bucketCount = image.parameter(8);
        image.check(bits >= 1 && bits <= RankIndexedMath.WIDEST, "fingerprints of " + bits + " bits cannot be");
        image.check(keysPerBucket > 0 && keysPerBucket <= CHAINS, keysPerBucket + " keys a bucket cannot be");
        image.check(bucketCount >= 1 && bucketCount <= Integer.MAX_VALUE, bucketCount + " buckets cannot be");
        image.check(image.parameter(2) >= 1, "groups of no buckets cannot be");
        Sizes sizes = new Sizes(
                (int) bits,
                keysPerBucket,
                (int) image.parameter(2),
                (int) image.parameter(3),
                (int) image.parameter(4),
                (int) image.parameter(5),
                (int) image.parameter(6),
                (int) image.parameter(7));
        image.check(sizes.most() <= RankIndexedMath.MOST_KEYS, sizes.most() + " fingerprints a bucket cannot be");
        image.check(
                Words.count(image.sections().get(0)) == RankBuckets.indexWords(sizes, bucketCount),
                "its index has a wrong length");
        image.check(
                sizes.firstPool() <= sizes.group() && sizes.secondPool() <= sizes.group(),
                "more extensions than buckets cannot be");
        try {
            RankBuckets buckets = new RankBuckets(sizes, (int) bucketCount, image);
            RankIndexedFilter filter = new RankIndexedFilter(buckets, image.parameter(9), image.parameter(10));
            for (int bucket = 0; bucket < bucketCount; bucket++) {
                buckets.noteExtensions(bucket);
            }
            filter.checkInvariants();
            return filter;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MalformedFilterException(KIND + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        long all = 0;
        for (int bucket = 0; bucket < buckets.bucketCount; bucket++) {
            int keys = keys(bucket);
            require(
                    keys <= sizes.most() && buckets.hasExactlyTheExtensionsFor(bucket, keys),
                    "bucket " + bucket + " has other extensions than " + keys + " fingerprints need");
            for (int start = CHAINS + keys; start < CHAINS + RankIndexedMath.MOST_KEYS; start += Long.SIZE) {
                require(buckets.readIndex(bucket, start) == 0, "bucket " + bucket + " has bits behind its levels");
            }
            all += keys;
        }
        require(all == count, count + " keys are counted and " + all + " are there");
        require(buckets.isCleanBehindTheEnd(), "bits behind the last bucket are set");
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalStateException(complaint);
        }
    }
}
