package dev.besom.compact;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedFields;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.MergeCheck;
import dev.besom.spi.PersistentFilter;

/**
 * d-left hashing: four tables of buckets with eight cells. A key has one bucket in each table, and a new fingerprint goes to
 * the bucket with the fewest, the leftmost of equals, which fills buckets so evenly that a quarter of the cells
 * is room enough to spare.
 *
 * <pre>
 *   hash  --&gt;  (bucket b, fingerprint r)
 *
 *   table 0   bucket b          | r' | r' | r' |    |    |    |    |    |    5 free
 *   table 1   bucket b + s1(r)  | r' | r' |    |    |    |    |    |    |    6 free: here
 *   table 2   bucket b + s2(r)  | r' | r' |    |    |    |    |    |    |
 *   table 3   bucket b + s3(r)  | r' | r' | r' |    |    |    |    |    |
 * </pre>
 *
 * The picture of a cell is that of {@link DLeftCells}.
 *
 * <p><b>No double match.</b> With four independent buckets for each key, a key that is taken out may match cells of two
 * different keys, and nobody knows which is its own. Here a key's buckets follow from one bucket and the fingerprint, by
 * a shift that is the same for all keys with that fingerprint. So two keys that share a bucket and a fingerprint in one
 * table share all buckets: their cells are worth the same, and any of them may go.
 *
 * <p>Of the counting kind, up to three equal keys share a cell; the other kind gives each a cell of its own.
 *
 * <p>Departure from the paper: its permutations of (bucket, fingerprint) are shifts of the bucket by a function of the
 * fingerprint, which is a permutation for any number of buckets.
 *
 * <p>Cost: (4 / 3) (fingerprint + counter) bits a key at the usual six keys a bucket. A query reads four buckets. Not safe
 * for concurrent use.
 *
 * <p>F. Bonomi, M. Mitzenmacher, R. Panigrahy, S. Singh, G. Varghese: An improved construction for counting Bloom filters.
 * ESA 2006.
 */
public final class DLeftFilter implements DeletableFilter, GrowableFilter, MergeableFilter, PersistentFilter {

    private static final int TABLES = DLeftMath.TABLES;
    private static final int CELLS = DLeftMath.CELLS;
    private static final int WIDEST = DLeftMath.WIDEST;
    private static final long SEED_SALT = 0x152FECD8F70E5939L;
    private static final long LOW_HALF = 0xFFFFFFFFL;

    private final DLeftCells sort;
    private final PackedArray cells;
    private final int fingerprintBits;
    private final long bucketCount;
    private final double load;
    private final long seed;
    private final long fingerprintMask;

    /** How many cells are read at a time: a power of two, as a bucket is read in whole groups. */
    private final int group;

    private final long groupLows;
    private final long groupHighs;
    private final long groupFingerprints;
    private long count;
    private long usedCells;

    private DLeftFilter(DLeftCells sort, PackedArray cells, double load, long seed) {
        this.sort = sort;
        this.cells = cells;
        this.fingerprintBits = cells.widthInBits() - sort.counterBits;
        this.bucketCount = cells.length() / (TABLES * CELLS);
        this.load = load;
        this.seed = seed;
        this.fingerprintMask = (1L << fingerprintBits) - 1;
        int width = cells.widthInBits();
        this.group = Math.min(CELLS, Integer.highestOneBit(PackedFields.perWord(width)));
        long inGroup = -1L >>> (Long.SIZE - group * width);
        this.groupLows = PackedFields.lows(width) & inGroup;
        this.groupHighs = PackedFields.highs(width) & inGroup;
        this.groupFingerprints = fingerprintMask * groupLows;
    }

    /** An empty table with cells of that sort; the option {@code load} is the planned keys of a bucket. */
    static DLeftFilter make(FilterSpec spec, DLeftCells sort) {
        double load = spec.option("load", DLeftMath.USUAL_LOAD, 1, CELLS);
        int bits = DLeftMath.fingerprintBits(load, spec.fpp());
        if (bits > WIDEST) {
            throw new IllegalArgumentException(
                    "no d-left table has a false-positive rate of " + spec.fpp() + " with " + load + " keys a bucket");
        }
        return new DLeftFilter(sort, cells(spec.capacity(), load, bits + sort.counterBits), load, spec.seed());
    }

    /** Free cells for so many keys. */
    private static PackedArray cells(long capacity, double load, int width) {
        double buckets = Math.max(1, Math.ceil(capacity / (TABLES * load)));
        if (buckets * TABLES * CELLS * width > (Words.MAX_COUNT - 2) * 64.0) {
            throw new IllegalArgumentException(
                    "no d-left table holds " + capacity + " keys in cells of " + width + " bits");
        }
        double refused = DLeftMath.refusedKeys((double) capacity, load);
        if (refused > DLeftMath.NEGLIGIBLE) {
            throw new IllegalArgumentException("a d-left table with " + load + " keys a bucket is expected to refuse "
                    + refused + " of " + capacity + " keys");
        }
        return new PackedArray(TABLES * CELLS * (long) buckets, width);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Twice the capacity is what a table that refuses a key takes. Fingerprints are as long as in this one, and so is the
     * rate of a table that is as full as planned.
     */
    @Override
    public DLeftFilter grown(long newCapacity, StoredHashes stored) {
        DLeftFilter larger = new DLeftFilter(sort, cells(newCapacity, load, cells.widthInBits()), load, seed);
        stored.forEachBetween(0, -1, larger::insertHash);
        return larger;
    }

    private long bucket(long mixed) {
        return FastRange.place(mixed, bucketCount);
    }

    /** From 1 to the fingerprint mask. */
    private long fingerprint(long mixed) {
        return 1 + FastRange.placeOfHalf(mixed & LOW_HALF, fingerprintMask);
    }

    /** By how far a fingerprint's buckets in a table are shifted. */
    private long shift(long fingerprint, int table) {
        return table == 0 ? 0 : FastRange.place(Mix.expand(fingerprint, seed, table), bucketCount);
    }

    /** The first cell of a key's bucket in a table. */
    private long bucketAt(long bucket, long fingerprint, int table) {
        long shifted = bucket + shift(fingerprint, table);
        shifted -= shifted >= bucketCount ? bucketCount : 0;
        return (table * bucketCount + shifted) * CELLS;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        return find(bucket(mixed), fingerprint(mixed)) >= 0;
    }

    /** The first cell that holds a fingerprint; negative if there is none. */
    private long find(long bucket, long fingerprint) {
        for (int table = 0; table < TABLES; table++) {
            long at = bucketAt(bucket, fingerprint, table);
            for (int cell = 0; cell < CELLS; cell += group) {
                long equal = cellsThatHold(fingerprint, fingerprintsFrom(at + cell));
                if (equal != 0) {
                    return at + cell + lowestCell(equal);
                }
            }
        }
        return -1;
    }

    /** The fingerprints of a group of cells, in fields as wide as cells. */
    private long fingerprintsFrom(long at) {
        return cells.bitsFrom(at) & groupFingerprints;
    }

    /** The highest bit of the first cell that holds a fingerprint, and perhaps further bits; 0 if none does. */
    private long cellsThatHold(long fingerprint, long fingerprints) {
        return PackedFields.roughZeros(fingerprints ^ fingerprint * groupLows, groupLows, groupHighs);
    }

    /** Which cell of a group a bit belongs to. */
    private int lowestCell(long bits) {
        return Long.numberOfTrailingZeros(bits) / cells.widthInBits();
    }

    @Override
    public boolean insertHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        return insert(bucket(mixed), fingerprint(mixed));
    }

    private boolean insert(long bucket, long fingerprint) {
        boolean isNew = true;
        long freeGroup = -1;
        long freeCells = 0;
        int mostFree = 0;
        for (int table = 0; table < TABLES; table++) {
            long at = bucketAt(bucket, fingerprint, table);
            long firstGroup = -1;
            long firstFree = 0;
            int free = 0;
            for (int cell = CELLS - group; cell >= 0; cell -= group) {
                long fingerprints = fingerprintsFrom(at + cell);
                isNew &= cellsThatHold(fingerprint, fingerprints) == 0;
                long zeros = PackedFields.zeros(fingerprints, groupLows, groupHighs);
                if (zeros != 0) {
                    firstGroup = at + cell;
                    firstFree = zeros;
                    free += Long.bitCount(zeros);
                }
            }
            if (free > mostFree) {
                mostFree = free;
                freeGroup = firstGroup;
                freeCells = firstFree;
            }
        }
        long shared = isNew ? -1 : findWithRoom(bucket, fingerprint);
        if (shared >= 0) {
            cells.set(shared, cells.get(shared) + (1L << fingerprintBits));
        } else if (mostFree > 0) {
            cells.set(freeGroup + lowestCell(freeCells), sort.cellOf(fingerprint, fingerprintBits));
            usedCells++;
        } else {
            throw new FilterFullException("all " + TABLES * CELLS + " cells that a key may have are taken");
        }
        count++;
        return isNew;
    }

    /** A cell that holds a fingerprint and can stand for one key more; negative if there is none. */
    private long findWithRoom(long bucket, long fingerprint) {
        for (int table = TABLES - 1; table >= 0; table--) {
            long at = bucketAt(bucket, fingerprint, table);
            for (int cell = 0; cell < CELLS; cell++) {
                long value = cells.get(at + cell);
                if ((value & fingerprintMask) == fingerprint && sort.keysOf(value, fingerprintBits) < sort.mostKeys) {
                    return at + cell;
                }
            }
        }
        return -1;
    }

    @Override
    public boolean deleteHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        long at = find(bucket(mixed), fingerprint(mixed));
        if (at < 0) {
            return false;
        }
        long value = cells.get(at);
        boolean isLast = sort.keysOf(value, fingerprintBits) == 1;
        cells.set(at, isLast ? 0 : value - (1L << fingerprintBits));
        usedCells -= isLast ? 1 : 0;
        count--;
        return true;
    }

    /** Puts the keys of the other table into a copy of this one, which takes its place if there was room for all. */
    @Override
    public void mergeFrom(MergeableFilter other) {
        MergeCheck check = new MergeCheck(sort.form.kind());
        DLeftFilter that = check.type(DLeftFilter.class, other);
        check.same("kind", sort.form.kind(), that.sort.form.kind());
        check.same("buckets", bucketCount, that.bucketCount);
        check.same("bits of fingerprints", fingerprintBits, that.fingerprintBits);
        check.same("seed", seed, that.seed);
        long[] copy = cells.words().clone();
        PackedArray cellsOfUnion = new PackedArray(copy, cells.length(), cells.widthInBits());
        DLeftFilter union = new DLeftFilter(sort, cellsOfUnion, load, seed);
        for (long at = 0; at < that.cells.length(); at++) {
            long value = that.cells.get(at);
            if (value != 0) {
                long fingerprint = value & fingerprintMask;
                int table = (int) (at / CELLS / bucketCount);
                long bucket = at / CELLS % bucketCount - shift(fingerprint, table);
                for (long left = sort.keysOf(value, fingerprintBits); left > 0; left--) {
                    union.insert(bucket < 0 ? bucket + bucketCount : bucket, fingerprint);
                }
            }
        }
        System.arraycopy(copy, 0, cells.words(), 0, copy.length);
        count += union.count;
        usedCells += union.usedCells;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return cells.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return sort.rate((double) usedCells / bucketCount / fingerprintMask);
    }

    @Override
    public FilterImage image() {
        return sort.form
                .write()
                .set(sort.bucketsField, bucketCount)
                .set(sort.fingerprintBitsField, fingerprintBits)
                .set(sort.seedField, seed)
                .set(sort.countField, count)
                .set(sort.loadField, load)
                .set(sort.cellsSection, cells.words())
                .image();
    }

    static DLeftFilter read(FilterImage image, DLeftCells sort) {
        long buckets = image.get(sort.bucketsField, 1, Words.MAX_COUNT * Long.SIZE);
        int bits = (int) image.get(sort.fingerprintBitsField, 1, WIDEST);
        try {
            PackedArray cells =
                    new PackedArray(image.get(sort.cellsSection), TABLES * CELLS * buckets, bits + sort.counterBits);
            double load = image.get(sort.loadField, 1, CELLS);
            DLeftFilter filter = new DLeftFilter(sort, cells, load, image.get(sort.seedField));
            filter.takeStock();
            image.get(sort.countField, filter.count, filter.count);
            return filter;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MalformedFilterException(image.kind() + ": " + e.getMessage(), e);
        }
    }

    /** Counts keys and cells. */
    private void takeStock() {
        for (long at = 0; at < cells.length(); at++) {
            long value = cells.get(at);
            long keys = sort.keysOf(value, fingerprintBits);
            if ((keys == 0) != ((value & fingerprintMask) == 0)) {
                throw new IllegalStateException("cell " + at + " counts " + keys + " keys");
            }
            count += keys;
            usedCells += value == 0 ? 0 : 1;
        }
        long used = cells.length() * cells.widthInBits();
        long[] words = cells.words();
        int last = (int) (used >>> 6) + Words.LEAD;
        if (words[last] >>> used != 0 || words[words.length - 1] != 0) {
            throw new IllegalStateException("bits behind the last cell are set");
        }
    }
}
