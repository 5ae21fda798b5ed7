package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.bits.BatchRoom;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * A cuckoo filter with buckets of four slots: a key's fingerprint is in one of two buckets.
 *
 * <pre>
 *   hash  --&gt;  (bucket b, fingerprint f);  the other bucket is {@link Pairing#other}(b, f)
 *
 *   bucket b         | f' | f' | f' | f' |       taken by others
 *   other bucket     | f' | f  |    | f' |       here
 * </pre>
 *
 * Any number of buckets, fingerprints of 4 to 32 bits. A query reads both buckets, a word at a time, before it branches. A bulk
 * query of fingerprints of 8 bits finds the buckets of a batch first, and then reads them.
 *
 * <p>Of the kind {@code vacuum}, both buckets are in the same range of the table, mostly a small one, so that inserts and
 * queries find the second bucket in memory that is near the first.
 *
 * <p>Departures from the papers: pairs for any number of buckets ({@link Pairing}); moves by breadth-first search
 * ({@link KickSearch}) and no victim that is kept outside of the table. Fingerprints of a bucket are not sorted to save a bit
 * each: overlapping windows ({@link WindowedCuckooFilter}) save as much without decoding.
 *
 * <p>Cost: f / 0.95 bits a key, and at most a 128th more for a table of {@link Pairing} unless f is 8, at a rate of 7.6 / 2^f. Two
 * cache misses a query.
 *
 * <p>B. Fan, D. G. Andersen, M. Kaminsky and M. D. Mitzenmacher: Cuckoo filter: practically better than Bloom. CoNEXT 2014.
 * M. Wang, M. Zhou, S. Shi and C. Qian: Vacuum filters: more space-efficient and faster replacement for Bloom and cuckoo
 * filters. VLDB 2020.
 */
public final class CuckooFilter extends PartialKeyFilter {

    static final String KIND = "cuckoo";
    static final String VACUUM_KIND = "vacuum";

    static final TableForm FORM = new TableForm(
            KIND, "buckets; if they have one slot, those of each of the four tables, of which a key has one each");

    /** Tells the images of these filters from those of {@link SingleSlotCuckooFilter}. */
    static final ImageForm.LongField BUCKET_SLOTS = FORM.fields.whole("bucket slots", "slots of a bucket, 4 or 1");

    static final TableForm VACUUM_FORM = new TableForm(VACUUM_KIND, "buckets of four slots");

    private static final ImageForm.LongField RANGES = VACUUM_FORM.fields.whole(
            "ranges", "base-2 logarithms of the sizes of the four classes of ranges, 8 bits each, 1 to 63");

    private static final int RANGE_BITS = 8;

    /** Buckets of slots of 8 bits; of another width they are in the other ones. */
    private final ByteBuckets bytes;

    private final Buckets buckets;
    private final boolean isOfBytes;
    private final boolean isFarInBytes;
    private final boolean isRanged;
    private final Pairing pairing;
    private final KickSearch kicks = new KickSearch(new BucketMoves(), MOST_REACHED);
    private final long[] starts = new long[2 * Buckets.SLOTS];

    CuckooFilter(PackedArray slots, Pairing pairing, long seed) {
        super(Placement.BUCKETS, slots, seed);
        this.isOfBytes = slotBits == ByteBuckets.WIDTH && placeCount <= ByteBuckets.MOST;
        PackedArray none = new PackedArray(0, slotBits);
        this.bytes = new ByteBuckets(isOfBytes ? slots : none);
        this.isFarInBytes = Bitmaps.isFar(bytes.sizeInBits());
        this.buckets = new Buckets(isOfBytes ? none : slots);
        this.pairing = pairing;
        this.isRanged = pairing.isRanged();
    }

    private static long bucketCount(PackedArray slots) {
        return Placement.BUCKETS.placeCountOf(slots.length());
    }

    /** An empty filter of buckets with four slots. */
    static CuckooFilter make(FilterSpec spec) {
        PackedArray slots = Placement.BUCKETS.slots(spec);
        return new CuckooFilter(slots, Pairing.of(bucketCount(slots), spec.seed(), slots), spec.seed());
    }

    /** An empty filter whose pairs of buckets are near each other. */
    static CuckooFilter makeVacuum(FilterSpec spec) {
        return vacuum(Placement.BUCKETS.slots(spec), spec.seed());
    }

    private static CuckooFilter vacuum(PackedArray slots, long seed) {
        long bucketCount = bucketCount(slots);
        return new CuckooFilter(slots, Pairing.ranged(bucketCount, seed, CuckooMath.rangeShifts(bucketCount)), seed);
    }

    @Override
    CuckooFilter emptied(PackedArray newSlots) {
        return pairing.isRanged()
                ? vacuum(newSlots, seed)
                : new CuckooFilter(newSlots, Pairing.of(bucketCount(newSlots), seed, newSlots), seed);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return isOfBytes ? matchesOfBytes(hash) != 0 : matches(hash) != 0;
    }

    /** Not 0 if the fingerprint of a hash is in one of its buckets, which are not of bytes. */
    private long matches(long hash) {
        long scattered = scattered(hash);
        long bucket = place(scattered);
        long fingerprint = fingerprint(scattered);
        return buckets.matches(bucket, fingerprint) | buckets.matches(pairing.other(bucket, fingerprint), fingerprint);
    }

    /** {@link #matches} where slots are bytes. */
    private int matchesOfBytes(long hash) {
        long scattered = scattered(hash);
        int bucket = (int) place(scattered);
        int fingerprint = (int) fingerprint(scattered);
        int other = otherOfByte(bucket, fingerprint);
        return ByteBuckets.matches(bytes.bucket(bucket), fingerprint)
                | ByteBuckets.matches(bytes.bucket(other), fingerprint);
    }

    private int otherOfByte(int bucket, int fingerprint) {
        return isRanged ? (int) pairing.other(bucket, fingerprint) : pairing.otherOfByte(bucket, fingerprint);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        if (isFarInBytes && count >= Long.SIZE) {
            int[] room = BatchRoom.ofThread();
            for (int base = 0; base < count; base += BatchRoom.BATCH) {
                int batch = Math.min(BatchRoom.BATCH, count - base);
                locate(hashes, from + base, batch, room);
                for (int lane = 0; lane < batch; lane += Long.SIZE) {
                    int lanes = Math.min(Long.SIZE, batch - lane);
                    // What was read goes where the answers will, lest the loop be left out.
                    result[(base + lane) >>> 6] = fetched(room, lane, lanes);
                    result[(base + lane) >>> 6] = located(room, lane, lanes);
                }
            }
            return;
        }
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            // No branch depends on what is in memory, so the processor reads on for the next hashes.
            for (int lane = 0; lane < lanes; lane++) {
                long hash = hashes[from + base + lane];
                word |= Buckets.bit(isOfBytes ? matchesOfBytes(hash) : matches(hash)) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    /** Notes the fingerprints and both buckets of some hashes. */
    private void locate(long[] hashes, int from, int count, int[] room) {
        for (int i = 0; i < count; i++) {
            long scattered = scattered(hashes[from + i]);
            int bucket = (int) place(scattered);
            int fingerprint = (int) fingerprint(scattered);
            room[i] = fingerprint;
            room[BatchRoom.BATCH + i] = bucket;
            room[2 * BatchRoom.BATCH + i] = otherOfByte(bucket, fingerprint);
        }
    }

    /** Reads the buckets of what was located and does nothing else; something that depends on all of them. */
    private long fetched(int[] room, int from, int lanes) {
        int all = 0;
        for (int lane = from; lane < from + lanes; lane++) {
            all ^= bytes.bucket(room[BatchRoom.BATCH + lane]) ^ bytes.bucket(room[2 * BatchRoom.BATCH + lane]);
        }
        return all;
    }

    /** Up to 64 answers for what was located. */
    private long located(int[] room, int from, int lanes) {
        long word = 0;
        for (int lane = 0; lane < lanes; lane++) {
            int at = from + lane;
            int fingerprint = room[at];
            long matches = ByteBuckets.matches(bytes.bucket(room[BatchRoom.BATCH + at]), fingerprint)
                    | ByteBuckets.matches(bytes.bucket(room[2 * BatchRoom.BATCH + at]), fingerprint);
            word |= Buckets.bit(matches) << lane;
        }
        return word;
    }

    @Override
    public boolean insertHash(long hash) {
        long scattered = scattered(hash);
        long bucket = place(scattered);
        long fingerprint = fingerprint(scattered);
        if (isOfBytes) {
            return insertByte((int) bucket, (int) fingerprint);
        }
        long other = pairing.other(bucket, fingerprint);
        boolean isNew = (buckets.matches(bucket, fingerprint) | buckets.matches(other, fingerprint)) == 0;
        long slot = buckets.find(buckets.freeCount(bucket) >= buckets.freeCount(other) ? bucket : other, 0);
        if (slot < 0) {
            slot = freed(bucket, other);
        }
        return put(slot, fingerprint, isNew, Math.min(bucket, other), fingerprint);
    }

    private boolean insertByte(int bucket, int fingerprint) {
        int other = otherOfByte(bucket, fingerprint);
        int here = bytes.bucket(bucket);
        int there = bytes.bucket(other);
        boolean isNew = (ByteBuckets.matches(here, fingerprint) | ByteBuckets.matches(there, fingerprint)) == 0;
        int freeHere = ByteBuckets.free(here);
        int freeThere = ByteBuckets.free(there);
        boolean isHere = Integer.bitCount(freeHere) >= Integer.bitCount(freeThere);
        int free = isHere ? freeHere : freeThere;
        if (free == 0) {
            return put(freedByte(bucket, other), fingerprint, isNew, Math.min(bucket, other), fingerprint);
        }
        bytes.fill(isHere ? bucket : other, ByteBuckets.slotOf(free), fingerprint);
        countSlot();
        return isNew;
    }

    /** {@link #freed} where slots are bytes: a free slot that is one move away is looked for everywhere at once. */
    private long freedByte(int bucket, int other) {
        int movable = bytes.movable(bucket, pairing) | bytes.movable(other, pairing) << Buckets.SLOTS;
        setStarts(bucket, other);
        if (movable == 0) {
            return kicks.freeByMoves(starts, starts.length);
        }
        long slot = starts[Integer.numberOfTrailingZeros(movable)];
        int moved = bytes.get(slot);
        bytes.set(bytes.find((int) pairing.other(slot >>> Buckets.SLOT_SHIFT, moved), 0), moved);
        bytes.set(slot, 0);
        return slot;
    }

    /** A slot of two full buckets that is free now; -1 if there is none. */
    private long freed(long bucket, long other) {
        setStarts(bucket, other);
        return kicks.free(starts, starts.length);
    }

    private void setStarts(long bucket, long other) {
        for (int i = 0; i < Buckets.SLOTS; i++) {
            starts[i] = (bucket << Buckets.SLOT_SHIFT) + i;
            starts[Buckets.SLOTS + i] = (other << Buckets.SLOT_SHIFT) + i;
        }
    }

    @Override
    public boolean deleteHash(long hash) {
        long scattered = scattered(hash);
        long bucket = place(scattered);
        long fingerprint = fingerprint(scattered);
        long other = pairing.other(bucket, fingerprint);
        long slot = find(bucket, fingerprint);
        if (slot < 0) {
            slot = find(other, fingerprint);
        }
        if (slot < 0) {
            return false;
        }
        if (!isUncounted(Math.min(bucket, other), fingerprint)) {
            take(slot);
        }
        return true;
    }

    /** The first slot of a bucket that holds a value, or that is free; -1 if there is none. */
    private long find(long bucket, long value) {
        return isOfBytes ? bytes.find((int) bucket, (int) value) : buckets.find(bucket, value);
    }

    private long slot(long slot) {
        return isOfBytes ? bytes.get(slot) : buckets.slots.get(slot);
    }

    @Override
    void setSlot(long slot, long code) {
        if (isOfBytes) {
            bytes.set(slot, (int) code);
        } else {
            buckets.slots.set(slot, code);
        }
    }

    @Override
    PackedArray slots() {
        return isOfBytes ? bytes.packed() : buckets.slots;
    }

    @Override
    long tableSizeInBits() {
        return (isOfBytes ? bytes.sizeInBits() : buckets.slots.sizeInBits()) + pairing.sizeInBits();
    }

    @Override
    TableForm form() {
        return pairing.isRanged() ? VACUUM_FORM : FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        if (!pairing.isRanged()) {
            return writer.set(BUCKET_SLOTS, Buckets.SLOTS);
        }
        long ranges = 0;
        for (int i = 0; i < Pairing.CLASSES; i++) {
            ranges |= (long) pairing.shift(i) << (RANGE_BITS * i);
        }
        return writer.set(RANGES, ranges);
    }

    /** The filter of an image of the kind {@link #KIND}, with buckets of four slots. */
    static CuckooFilter read(FilterImage image) {
        PackedArray slots = FORM.slots(image, Placement.BUCKETS);
        return checked(image, FORM, slots, Pairing.of(FORM.placeCount(image), FORM.seed(image), slots));
    }

    /** The filter of an image of the kind {@link #VACUUM_KIND}. */
    static CuckooFilter readVacuum(FilterImage image) {
        long ranges = image.get(RANGES, 0, -1L >>> (Long.SIZE - RANGE_BITS * Pairing.CLASSES));
        int[] shifts = new int[Pairing.CLASSES];
        for (int i = 0; i < shifts.length; i++) {
            shifts[i] = (int) (ranges >>> (RANGE_BITS * i)) & ((1 << RANGE_BITS) - 1);
            image.check(
                    shifts[i] >= 1 && shifts[i] <= Pairing.WHOLE, "ranges cannot be of 2^" + shifts[i] + " buckets");
        }
        long seed = VACUUM_FORM.seed(image);
        PackedArray slots = VACUUM_FORM.slots(image, Placement.BUCKETS);
        return checked(image, VACUUM_FORM, slots, Pairing.ranged(VACUUM_FORM.placeCount(image), seed, shifts));
    }

    private static CuckooFilter checked(FilterImage image, TableForm form, PackedArray slots, Pairing pairing) {
        image.checkInvariants(() -> Buckets.used(slots));
        CuckooFilter filter = new CuckooFilter(slots, pairing, form.seed(image));
        filter.readCount(image);
        return filter;
    }

    /** A fingerprint moves to any slot of its other bucket. */
    private final class BucketMoves implements KickSearch.Moves {

        @Override
        public int collect(long slot, long[] targets) {
            long bucket = slot >>> Buckets.SLOT_SHIFT;
            long other = pairing.other(bucket, slot(slot));
            long free = find(other, 0);
            if (free >= 0) {
                targets[0] = free;
                return FREE;
            }
            if (other == bucket) {
                return 0;
            }
            for (int i = 0; i < Buckets.SLOTS; i++) {
                targets[i] = (other << Buckets.SLOT_SHIFT) + i;
            }
            return Buckets.SLOTS;
        }

        @Override
        public void move(long from, long to) {
            setSlot(to, slot(from));
            setSlot(from, 0);
        }
    }
}
