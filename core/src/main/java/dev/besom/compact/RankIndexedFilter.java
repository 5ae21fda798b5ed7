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
import dev.besom.spi.ImageForm;
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
 * A bit that is set stands for a fingerprint, and its rank, the number of set bits before it, is the place of the
 * fingerprint. All levels together have a bit for each chain and then one for each fingerprint, in the order of their places,
 * so the way down a chain is short: from a bit that is set to the bit of its fingerprint, which is bit
 * {@value RankIndexedMath#CHAINS} + rank, until one is not set. Where the bits lie, and how a bucket with many fingerprints
 * borrows room, is drawn in {@link RankBuckets}.
 *
 * <p>Departures from the paper: what a multiset holds twice is stored twice, so taking keys out needs no counters; and
 * the pools of extensions belong to groups of {@value RankIndexedMath#GROUP} buckets, which makes their numbers short.
 *
 * <p>Cost: {@link RankIndexedMath}, 10.5 bits a key at 1 % if each key comes once, and 11.1 if each comes
 * twice, which is what it is sized for by default. Groups that are out of extensions refuse keys, which at the
 * planned load happens to one in 10^10 of them. Not safe for concurrent
 * use.
 *
 * <p>N. Hua, H. C. Zhao, B. Lin, J. Xu: Rank-indexed hashing: a compact construction of Bloom filters and variants. ICNP
 * 2008.
 */
public final class RankIndexedFilter implements DeletableFilter, PersistentFilter {

    static final String KIND = "rank-indexed";

    static final ImageForm FORM = new ImageForm(KIND);

    private static final ImageForm.LongField FINGERPRINT_BITS =
            FORM.whole("fingerprintBits", "bits of a fingerprint, 1 to 32");
    private static final ImageForm.DoubleField KEYS_PER_BUCKET = FORM.real("keysPerBucket", "planned keys of a bucket");
    private static final ImageForm.LongField GROUP = FORM.whole("group", "buckets that share their extensions");
    private static final ImageForm.LongField OWN = FORM.whole("own", "fingerprints that a bucket has room for itself");
    private static final ImageForm.LongField FIRST = FORM.whole("first", "fingerprints of a first extension");
    private static final ImageForm.LongField FIRST_POOL = FORM.whole("firstPool", "first extensions of a group");
    private static final ImageForm.LongField SECOND = FORM.whole("second", "fingerprints of a second extension");
    private static final ImageForm.LongField SECOND_POOL = FORM.whole("secondPool", "second extensions of a group");
    private static final ImageForm.LongField BUCKETS = FORM.whole("buckets", "number of buckets");
    private static final ImageForm.LongField SEED = FORM.whole("seed", "seed of the hash function");
    private static final ImageForm.LongField COUNT = FORM.whole("count", "keys in the table");

    private static final RankBuckets.Sections SECTIONS = new RankBuckets.Sections(FORM);

    private static final int CHAINS = RankIndexedMath.CHAINS;
    private static final int CHAIN_BITS = 6;
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

    /** The smallest empty table for the spec; the option {@code copies} says how often each key may be put in. */
    static RankIndexedFilter make(FilterSpec spec) {
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
        while (buckets.isSet(bucket, bit)) {
            int place = buckets.rank(bucket, bit);
            if (buckets.fingerprint(bucket, place) == fingerprint) {
                return place;
            }
            bit = bitOf(place);
        }
        return -1;
    }

    /** The bit that says whether the chain of the fingerprint at a place goes on. */
    private static int bitOf(int place) {
        return CHAINS + place;
    }

    /** How many fingerprints can be reached in a bucket, level by level; all it has, unless it is damaged. */
    private int reachable(int bucket) {
        int above = 0;
        int keys = buckets.rank(bucket, CHAINS);
        while (keys > above && keys <= RankIndexedMath.MOST_KEYS) {
            above = keys;
            keys = buckets.rank(bucket, bitOf(above));
        }
        return keys;
    }

    @Override
    public boolean insertHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        int bucket = bucket(mixed);
        int fingerprint = (int) mixed & fingerprintMask;
        boolean isNew = true;
        int bit = chain(mixed);
        int newPlace = buckets.rank(bucket, bit);
        while (buckets.isSet(bucket, bit)) {
            isNew &= buckets.fingerprint(bucket, newPlace) != fingerprint;
            bit = bitOf(newPlace);
            newPlace = buckets.rank(bucket, bit);
        }
        int keys = buckets.keys(bucket);
        buckets.makeRoom(bucket, keys);
        buckets.loadIndex(bucket, index);
        putBit(bit, 1);
        // The new fingerprint's own bit, on the next level: its chain ends with it.
        int own = bitOf(newPlace);
        BitMoves.up(index, 0, own, CHAINS + keys, 1);
        putBit(own, 0);
        buckets.storeIndex(bucket, index);
        for (int place = keys; place > newPlace; place--) {
            buckets.setFingerprint(bucket, place, buckets.fingerprint(bucket, place - 1));
        }
        buckets.setFingerprint(bucket, newPlace, fingerprint);
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
        int keys = buckets.keys(bucket);
        buckets.loadIndex(bucket, index);
        // The chain's last fingerprint takes the place of the one that goes.
        int lastBit;
        int last;
        int bit = chain(mixed);
        do {
            lastBit = bit;
            last = buckets.rank(bucket, bit);
            bit = bitOf(last);
        } while (buckets.isSet(bucket, bit));
        buckets.setFingerprint(bucket, found, buckets.fingerprint(bucket, last));
        for (int place = last; place < keys - 1; place++) {
            buckets.setFingerprint(bucket, place, buckets.fingerprint(bucket, place + 1));
        }
        buckets.setFingerprint(bucket, keys - 1, 0);
        BitMoves.down(index, 0, bit + 1, CHAINS + keys, 1);
        putBit(CHAINS + keys - 1, 0);
        putBit(lastBit, 0);
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
        int distinct = 0;
        int bit = chain;
        while (buckets.isSet(bucket, bit)) {
            int place = buckets.rank(bucket, bit);
            if (find(bucket, chain, buckets.fingerprint(bucket, place)) == place) {
                distinct++;
            }
            bit = bitOf(place);
        }
        return distinct;
    }

    @Override
    public FilterImage image() {
        RankIndexedMath.Shared shared = sizes.shared();
        ImageForm.Writer writer = FORM.write()
                .set(FINGERPRINT_BITS, sizes.fingerprintBits())
                .set(KEYS_PER_BUCKET, sizes.keysPerBucket())
                .set(GROUP, shared.group())
                .set(OWN, sizes.own())
                .set(FIRST, shared.first().length())
                .set(FIRST_POOL, shared.first().count())
                .set(SECOND, shared.second().length())
                .set(SECOND_POOL, shared.second().count())
                .set(BUCKETS, buckets.bucketCount)
                .set(SEED, seed)
                .set(COUNT, count);
        buckets.write(writer, SECTIONS);
        return writer.image();
    }

    private static RankIndexedMath.Pool pool(FilterImage image, ImageForm.LongField length, ImageForm.LongField count) {
        return new RankIndexedMath.Pool(
                (int) image.get(length, 0, RankIndexedMath.MOST_KEYS), (int) image.get(count, 0, image.get(GROUP)));
    }

    static RankIndexedFilter read(FilterImage image) {
        int group = (int) image.get(GROUP, 1, RankIndexedMath.GROUP);
        Sizes sizes = new Sizes(
                (int) image.get(FINGERPRINT_BITS, 1, RankIndexedMath.WIDEST),
                image.get(KEYS_PER_BUCKET, Double.MIN_VALUE, CHAINS),
                (int) image.get(OWN, 0, RankIndexedMath.MOST_KEYS),
                new RankIndexedMath.Shared(group, pool(image, FIRST, FIRST_POOL), pool(image, SECOND, SECOND_POOL)));
        image.check(sizes.most() <= RankIndexedMath.MOST_KEYS, sizes.most() + " fingerprints a bucket cannot be");
        int bucketCount = (int) image.get(BUCKETS, 1, Integer.MAX_VALUE);
        try {
            RankBuckets buckets = RankBuckets.read(sizes, bucketCount, image, SECTIONS);
            RankIndexedFilter filter = new RankIndexedFilter(buckets, image.get(SEED), image.get(COUNT));
            filter.checkInvariants();
            return filter;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MalformedFilterException(image.kind() + ": " + e.getMessage(), e);
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
            int keys = reachable(bucket);
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
