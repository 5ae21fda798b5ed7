package dev.besom.compact;

import dev.besom.math.Gamma;

/**
 * Rank-indexed hash tables in numbers. A bucket has {@value #CHAINS} chains and on average m keys, with fingerprints of f
 * bits; a fresh query is wrong with probability 1 - exp(-m / {@value #CHAINS} 2^-f).
 *
 * <p>A bucket has room for N1 fingerprints of its own. One with more borrows an extension of N2, and then another of N3,
 * from pools that a group of buckets shares; an extension has an index bit more for each fingerprint. As few buckets borrow at a time, the pools are much smaller than the group:
 * their sizes are the fewest that are exceeded with a probability below {@value #OVERFLOW} a group.
 *
 * <p>N. Hua, H. C. Zhao, B. Lin, J. Xu: Rank-indexed hashing: a compact construction of Bloom filters and variants. ICNP
 * 2008.
 */
public final class RankIndexedMath {

    /** Chains of a bucket: its first bitmap is one word. */
    public static final int CHAINS = Long.SIZE;

    /** Buckets that share their extensions. */
    public static final int GROUP = 1024;

    /** More fingerprints than this a bucket's index has no bits for. */
    public static final int MOST_KEYS = 3 * CHAINS;

    /** The widest fingerprint. */
    public static final int WIDEST = 32;

    /** How likely a group may be out of room. */
    private static final double OVERFLOW = 1e-10;

    private static final double FEWEST_KEYS_PER_CHAIN = 0.3;

    /** Below this rate the widest fingerprints would stand alone in chains of which nearly all are empty. */
    public static final double LEAST_RATE = FEWEST_KEYS_PER_CHAIN * 0x1p-32;

    private static final double MOST_KEYS_PER_CHAIN = 1.0;

    private RankIndexedMath() {}

    /**
     * The sizes of a table.
     *
     * @param fingerprintBits f
     * @param keysPerBucket m, planned
     * @param own fingerprints that each bucket has room for, N1
     * @param shared what buckets borrow
     */
    public record Sizes(int fingerprintBits, double keysPerBucket, int own, Shared shared) {

        /** The most fingerprints a bucket can have. */
        public int most() {
            return own + shared.first.length + shared.second.length;
        }

        /** A bucket's own index: a bit for each chain and each fingerprint, and which extensions it has. */
        public int indexBits() {
            return CHAINS + own + pointerBits(shared.first.count) + pointerBits(shared.second.count);
        }

        /** The memory that a key takes at the planned load. */
        public double bitsPerKey() {
            double extensions = (shared.first.room() + shared.second.room()) * (fingerprintBits + 1.0);
            int group = shared.group;
            return (group * (double) (indexBits() + own * fingerprintBits) + extensions) / (group * keysPerBucket);
        }
    }

    /**
     * What a group of buckets shares.
     *
     * @param group how many buckets
     * @param first extensions of buckets with more fingerprints than their own
     * @param second extensions of those that need another one
     */
    public record Shared(int group, Pool first, Pool second) {}

    /**
     * Extensions of one length.
     *
     * @param length fingerprints of an extension, N2 or N3
     * @param count extensions of a group
     */
    public record Pool(int length, int count) {

        static final Pool NONE = new Pool(0, 0);

        private int room() {
            return length * count;
        }
    }

    /** The bits that name one of so many extensions, or none. */
    public static int pointerBits(int pool) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(pool);
    }

    /**
     * The smallest table for a rate and that many keys.
     *
     * @param copies how often each key may be put in: all of them meet in one bucket, so that buckets are filled less
     *     evenly
     */
    public static Sizes smallest(double fpp, long keys, int copies) {
        double perFingerprint = -Math.log1p(-fpp);
        int bits = 1;
        while (bits < WIDEST && perFingerprint * Math.scalb(1.0, bits) < FEWEST_KEYS_PER_CHAIN) {
            bits++;
        }
        Sizes best = smallest(bits, keysPerBucket(perFingerprint, bits), keys, copies);
        while (bits < WIDEST && perFingerprint * Math.scalb(1.0, bits) < MOST_KEYS_PER_CHAIN) {
            bits++;
            Sizes wider = smallest(bits, keysPerBucket(perFingerprint, bits), keys, copies);
            best = wider.bitsPerKey() < best.bitsPerKey() ? wider : best;
        }
        return best;
    }

    private static double keysPerBucket(double perFingerprint, int bits) {
        return CHAINS * Math.min(MOST_KEYS_PER_CHAIN, perFingerprint * Math.scalb(1.0, bits));
    }

    /** The smallest table with fingerprints of that width and that many keys a bucket, by trying all. */
    static Sizes smallest(int fingerprintBits, double keysPerBucket, long keys, int copies) {
        double[] above = tails(keysPerBucket, copies);
        int group = (int) Math.min(GROUP, Math.max(1, Math.ceil(keys / keysPerBucket)));
        int most = 1;
        while (most < MOST_KEYS && group * above[most] > OVERFLOW / 2) {
            most++;
        }
        int[] pools = new int[most + 1];
        for (int room = 0; room <= most; room++) {
            pools[room] = pool(group, above[room]);
        }
        Sizes best = new Sizes(fingerprintBits, keysPerBucket, most, new Shared(group, Pool.NONE, Pool.NONE));
        for (int own = (int) (keysPerBucket / 2); own < most; own++) {
            for (int first = 1; first <= most - own; first++) {
                int secondCount = pools[own + first];
                int second = secondCount == 0 ? 0 : most - own - first;
                Shared shared = new Shared(group, new Pool(first, pools[own]), new Pool(second, secondCount));
                Sizes sizes = new Sizes(fingerprintBits, keysPerBucket, own, shared);
                best = sizes.bitsPerKey() < best.bitsPerKey() ? sizes : best;
            }
        }
        return best;
    }

    /** The fewest extensions that a group runs out of with a negligible probability, if each bucket needs one with p. */
    private static int pool(int group, double p) {
        if (p >= 1) {
            return group;
        }
        // From the top: the first number whose tail is not negligible is needed.
        double tail = 0;
        for (int needed = group; needed > 0; needed--) {
            tail += Math.exp(Gamma.logChoose(group, needed) + needed * Math.log(p) + (group - needed) * Math.log1p(-p));
            if (tail > OVERFLOW / 4) {
                return needed;
            }
        }
        return 0;
    }

    /** For each number: how likely a bucket has more keys, of which each is there so many times. */
    private static double[] tails(double mean, int copies) {
        double[] above = new double[MOST_KEYS + 1];
        double different = mean / copies;
        double tail = 0;
        int next = MOST_KEYS;
        for (int keys = 4 * MOST_KEYS; keys > 0; keys--) {
            while (next >= keys * copies) {
                above[next--] = tail;
            }
            tail += Math.exp(keys * Math.log(different) - different - Gamma.logFactorial(keys));
        }
        while (next >= 0) {
            above[next--] = tail;
        }
        return above;
    }
}
