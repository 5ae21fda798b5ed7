package dev.besom.cuckoo;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedFields;
import dev.besom.bits.Words;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;

/**
 * A filter for a set that is known ahead: a cuckoo table of whole hashes is built, each hash in one of two windows of two slots,
 * and then all but a signature of each is thrown away.
 *
 * <pre>
 *   while it is built   | hash | hash |      | hash |        a hash has four slots: two windows, by independent functions
 *   the filter          | sig. | sig. | 0    | sig. |        f bits each
 * </pre>
 *
 * Signatures have nothing to do with places, because nothing has to move any more; so no bit tells which window a slot
 * belongs to, and the table is fuller than one that keys are inserted into.
 *
 * <p>Equal hashes count once. If the table cannot be filled, which is very rare, it is built again with another seed.
 *
 * <p>Cost: f / 0.96 bits a key with slots of f bits, at a rate of 3.84 / 2^f; while it is built 66 bits a key more. A query
 * reads two windows. A filter never changes, so any number of threads may query it.
 *
 * <p>A. Pagh, R. Pagh and S. S. Rao: An optimal Bloom filter replacement. SODA 2005, for signatures; R. Pagh and F. F. Rodler:
 * Cuckoo hashing. Journal of Algorithms 2004; windows as in {@link WindowedCuckooFilter}.
 */
public final class StaticCuckooFilter implements PersistentFilter {

    static final String KIND = "cuckoo-static";

    static final TableForm FORM = new TableForm(KIND, "windows, one fewer than slots");

    private static final double LOAD = 0.96;
    private static final double SCATTER = 2;
    private static final double SMALL_TABLE = 12;
    private static final int SLOTS_OF_A_HASH = 4;
    private static final int MOST_BUILDS = 64;
    private static final int MOST_REACHED = 1 << 18;
    private static final long SEED_SALT = 0x12835B0145706FBEL;

    private final PackedArray slots;
    private final long windowCount;
    private final long seed;
    private final long count;
    private final long firstFactor;
    private final long secondFactor;
    private final Remainders signatures;
    private final long lows;
    private final long highs;

    private StaticCuckooFilter(PackedArray slots, long seed, long count) {
        this.slots = slots;
        this.windowCount = slots.length() - 1;
        this.seed = seed;
        this.count = count;
        this.firstFactor = firstFactor(seed);
        this.secondFactor = secondFactor(seed);
        this.signatures = new Remainders(slots.widthInBits());
        this.lows = 1 | (1L << slots.widthInBits());
        this.highs = lows << (slots.widthInBits() - 1);
    }

    private static long firstFactor(long seed) {
        return Mix.factor(Mix.expand(1, seed, SEED_SALT));
    }

    private static long secondFactor(long seed) {
        return Mix.factor(Mix.expand(2, seed, SEED_SALT));
    }

    /**
     * A filter of all hashes of a source, as large as they need.
     *
     * @throws FilterFullException if no seed was found with which they fit
     */
    static StaticCuckooFilter build(FilterSpec spec, HashSource hashes) {
        double wanted = Math.ceil(hashes.count() / LOAD + SCATTER * Math.sqrt((double) hashes.count()) + SMALL_TABLE);
        int bits = CuckooMath.NARROWEST;
        while (bits <= CuckooMath.WIDEST && fpp(hashes.count() / wanted, bits) > spec.fpp()) {
            bits++;
        }
        bits = (int) spec.option("fingerprint", bits, CuckooMath.NARROWEST, CuckooMath.WIDEST);
        if (bits > CuckooMath.WIDEST || wanted > Words.MAX_COUNT) {
            throw new IllegalArgumentException(
                    "no cuckoo table holds " + hashes.count() + " keys at a false-positive rate of " + spec.fpp());
        }
        for (int i = 0; i < MOST_BUILDS; i++) {
            HashTable table = new HashTable((long) wanted, spec.seed() + i);
            hashes.forEach(table::add);
            if (!table.isOverfull) {
                return table.toFilter(bits);
            }
        }
        throw new FilterFullException(hashes.count() + " hashes do not fit into " + (long) wanted
                + " slots with any of " + MOST_BUILDS + " seeds");
    }

    /** The chance that a fresh query meets its signature in one of its four slots. */
    private static double fpp(double load, int bits) {
        return -Math.expm1(SLOTS_OF_A_HASH * Math.log1p(-load / (Math.scalb(1.0, bits) - 1)));
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    /** Not 0 if the signature of a hash is in one of its windows. */
    private long matches(long hash) {
        long first = Mix.scatter(hash, firstFactor);
        long second = Mix.scatter(hash, secondFactor);
        long pattern = signatures.of(first) * lows;
        return matches(FastRange.place(first, windowCount), pattern)
                | matches(FastRange.place(second, windowCount), pattern);
    }

    private long matches(long window, long pattern) {
        return PackedFields.roughZeros(slots.bitsFrom(window) ^ pattern, lows, highs);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                word |= Buckets.bit(matches(hashes[from + base + lane])) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    /** How many different hashes the filter was built from. */
    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return slots.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return fpp((double) count / slots.length(), slots.widthInBits());
    }

    @Override
    public FilterImage image() {
        return FORM.write(windowCount, slots, count, new Copies(), seed).image();
    }

    static StaticCuckooFilter read(FilterImage image) {
        PackedArray slots = FORM.slots(image, Placement.WINDOWS);
        StaticCuckooFilter filter = new StaticCuckooFilter(slots, FORM.seed(image), FORM.count(image));
        image.check(FORM.copies(image).total() == 0, "hashes count once");
        image.checkInvariants(filter::checkInvariants);
        return filter;
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        long used = Buckets.used(slots);
        if (used != count) {
            throw new IllegalStateException(used + " slots are in use, where " + count + " hashes are counted");
        }
    }

    /** The cuckoo table of whole hashes. */
    private static final class HashTable implements KickSearch.Moves {

        private final long[] hashes;
        private final BitVector used;
        private final long windowCount;
        private final long seed;
        private final long firstFactor;
        private final long secondFactor;
        private final long[] mine = new long[SLOTS_OF_A_HASH];
        private final KickSearch kicks = new KickSearch(this, MOST_REACHED);
        private long count;
        private boolean isOverfull;

        HashTable(long slotCount, long seed) {
            this.hashes = new long[(int) slotCount];
            this.used = new BitVector(slotCount);
            this.windowCount = slotCount - 1;
            this.seed = seed;
            this.firstFactor = firstFactor(seed);
            this.secondFactor = secondFactor(seed);
        }

        private void slotsOf(long hash, long[] into) {
            into[0] = FastRange.place(Mix.scatter(hash, firstFactor), windowCount);
            into[1] = into[0] + 1;
            into[2] = FastRange.place(Mix.scatter(hash, secondFactor), windowCount);
            into[3] = into[2] + 1;
        }

        void add(long hash) {
            if (isOverfull) {
                return;
            }
            slotsOf(hash, mine);
            long free = -1;
            for (long slot : mine) {
                if (!used.get(slot)) {
                    free = slot;
                } else if (hashes[(int) slot] == hash) {
                    return;
                }
            }
            if (free < 0) {
                free = kicks.free(mine, mine.length);
            }
            if (free < 0) {
                isOverfull = true;
                return;
            }
            put(free, hash);
            count++;
        }

        private void put(long slot, long hash) {
            used.set(slot);
            hashes[(int) slot] = hash;
        }

        @Override
        public int collect(long slot, long[] targets) {
            slotsOf(hashes[(int) slot], targets);
            for (int i = 0; i < SLOTS_OF_A_HASH; i++) {
                if (!used.get(targets[i])) {
                    targets[0] = targets[i];
                    return FREE;
                }
            }
            return SLOTS_OF_A_HASH;
        }

        @Override
        public void move(long from, long to) {
            put(to, hashes[(int) from]);
            used.clear(from);
        }

        StaticCuckooFilter toFilter(int bits) {
            PackedArray slots = new PackedArray(hashes.length, bits);
            Remainders signatures = new Remainders(bits);
            for (int slot = 0; slot < hashes.length; slot++) {
                if (used.get(slot)) {
                    slots.set(slot, signatures.of(Mix.scatter(hashes[slot], firstFactor)));
                }
            }
            return new StaticCuckooFilter(slots, seed, count);
        }
    }
}
