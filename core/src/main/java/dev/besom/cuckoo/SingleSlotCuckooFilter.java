package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * A cuckoo filter of four tables, in each of which a key has one slot.
 *
 * <pre>
 *   hash  --&gt;  (row r, fingerprint f)
 *
 *   table 0   slot r             | f' |
 *   table 1   slot r + s1(f)     | f' |      shifts modulo the slots of a table
 *   table 2   slot r + s2(f)     | f  |      here
 *   table 3   slot r + s3(f)     |    |
 * </pre>
 *
 * The table that a slot is in tells by how far it was shifted, so the row, and with it the three other slots, follow from a
 * slot and its fingerprint.
 *
 * <p>Cost: f / 0.95 bits a key, at a rate of 3.8 / 2^f: a bit a key less than buckets of four slots take. A query reads up
 * to four cache lines instead of two.
 *
 * <p>D. Fotakis, R. Pagh, P. Sanders and P. Spirakis: Space efficient hash tables with worst case constant access time.
 * Theory of Computing Systems 2005.
 */
final class SingleSlotCuckooFilter extends PackedSlotsFilter {

    private static final int TABLES = 4;
    private static final long SEED_SALT = 0x923F82A4AF194F9BL;

    private final long factor1;
    private final long factor2;
    private final long factor3;
    private final KickSearch kicks = new KickSearch(new SlotMoves(), MOST_REACHED);
    private final long[] starts = new long[TABLES];

    SingleSlotCuckooFilter(PackedArray slots, long seed) {
        super(Placement.SINGLE_SLOTS, slots, seed);
        this.factor1 = Mix.factor(Mix.expand(1, seed, SEED_SALT));
        this.factor2 = Mix.factor(Mix.expand(2, seed, SEED_SALT));
        this.factor3 = Mix.factor(Mix.expand(3, seed, SEED_SALT));
    }

    static SingleSlotCuckooFilter make(FilterSpec spec) {
        return new SingleSlotCuckooFilter(Placement.SINGLE_SLOTS.slots(spec), spec.seed());
    }

    @Override
    SingleSlotCuckooFilter emptied(PackedArray newSlots) {
        return new SingleSlotCuckooFilter(newSlots, seed);
    }

    private long shift(int table, long fingerprint) {
        return switch (table) {
            case 0 -> 0;
            case 1 -> FastRange.place(Mix.scatter(fingerprint, factor1), placeCount);
            case 2 -> FastRange.place(Mix.scatter(fingerprint, factor2), placeCount);
            default -> FastRange.place(Mix.scatter(fingerprint, factor3), placeCount);
        };
    }

    private long slot(int table, long row, long fingerprint) {
        long shifted = row + shift(table, fingerprint) - placeCount;
        return table * placeCount + shifted + ((shifted >> 63) & placeCount);
    }

    /** The row of a fingerprint that is in a slot. */
    private long row(long slot, long fingerprint) {
        int table = (int) (slot / placeCount);
        long row = slot - table * placeCount - shift(table, fingerprint);
        return row + ((row >> 63) & placeCount);
    }

    @Override
    long tableSizeInBits() {
        return slots.sizeInBits();
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    /** Not 0 if the fingerprint of a hash is in one of its slots. */
    private long matches(long hash) {
        long scattered = scattered(hash);
        long row = place(scattered);
        long fingerprint = fingerprint(scattered);
        long differences = difference(0, row, fingerprint);
        differences &= difference(1, row, fingerprint);
        differences &= difference(2, row, fingerprint);
        differences &= difference(3, row, fingerprint);
        return differences + 1;
    }

    /** 0 - 1 if a slot holds something else, 0 if it holds the fingerprint. */
    private long difference(int table, long row, long fingerprint) {
        return -Buckets.bit(slots.get(slot(table, row, fingerprint)) ^ fingerprint);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                word |= matches(hashes[from + base + lane]) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    public boolean insertHash(long hash) {
        long scattered = scattered(hash);
        long row = place(scattered);
        long fingerprint = fingerprint(scattered);
        boolean isNew = true;
        long free = -1;
        for (int table = TABLES - 1; table >= 0; table--) {
            starts[table] = slot(table, row, fingerprint);
            long held = slots.get(starts[table]);
            free = held == 0 ? starts[table] : free;
            isNew &= held != fingerprint;
        }
        if (free < 0) {
            free = kicks.free(starts, starts.length);
        }
        return put(free, fingerprint, isNew, row, fingerprint);
    }

    @Override
    public boolean deleteHash(long hash) {
        long scattered = scattered(hash);
        long row = place(scattered);
        long fingerprint = fingerprint(scattered);
        for (int table = 0; table < TABLES; table++) {
            long slot = slot(table, row, fingerprint);
            if (slots.get(slot) == fingerprint) {
                if (!isUncounted(row, fingerprint)) {
                    take(slot);
                }
                return true;
            }
        }
        return false;
    }

    @Override
    TableForm form() {
        return CuckooFilter.FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        return writer.set(CuckooFilter.BUCKET_SLOTS, 1);
    }

    static SingleSlotCuckooFilter read(FilterImage image) {
        TableForm form = CuckooFilter.FORM;
        PackedArray slots = form.slots(image, Placement.SINGLE_SLOTS);
        SingleSlotCuckooFilter filter = new SingleSlotCuckooFilter(slots, form.seed(image));
        filter.readCount(image);
        return filter;
    }

    /** A fingerprint moves to its slot in another table. */
    private final class SlotMoves implements KickSearch.Moves {

        @Override
        public int collect(long slot, long[] targets) {
            long fingerprint = slots.get(slot);
            long row = row(slot, fingerprint);
            int found = 0;
            for (int table = 0; table < TABLES; table++) {
                long target = slot(table, row, fingerprint);
                if (slots.get(target) == 0) {
                    targets[0] = target;
                    return FREE;
                }
                if (target != slot) {
                    targets[found++] = target;
                }
            }
            return found;
        }

        @Override
        public void move(long from, long to) {
            slots.set(to, slots.get(from));
            slots.set(from, 0);
        }
    }
}
