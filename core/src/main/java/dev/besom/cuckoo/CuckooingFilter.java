package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * The cuckooing adaptive cuckoo filter: a key has a slot and a remainder in each of four tables, and a false positive makes it
 * move to another table.
 *
 * <pre>
 *   four tables of single slots, of which a key has one each ({@link FourTables})
 *
 *   a slot of table i   | remainder i of the key, 0 where the slot is free |
 * </pre>
 *
 * No bit of a slot is spent on repairs. A key that moves makes others move on where its slot is taken, so one repair changes
 * several keys, and none of them is put where the query would hit it.
 *
 * <p>Cost: f / 0.95 bits a key with slots of f bits, at a rate of 3.8 / 2^f for fresh queries; and the index of
 * {@link SlotOwners} beside it. A query reads four slots.
 *
 * <p>T. Kopelowitz, S. McCauley and E. Porat: Support optimality and adaptive cuckoo filters. WADS 2021.
 */
public final class CuckooingFilter extends AdaptiveCuckooFilter {

    static final String KIND = "cuckoo-cuckooing";

    static final OwnedTableForm FORM = OwnedTableForm.of(KIND, "slots of each of the four tables");

    private final FourTables tables;
    private final Remainders remainders;

    private CuckooingFilter(PackedArray slots, StoredHashes stored, long seed) {
        super(Placement.SINGLE_SLOTS, slots, stored, seed);
        this.tables = new FourTables(placeCount, seed);
        this.remainders = new Remainders(slots.widthInBits());
    }

    static CuckooingFilter make(FilterSpec spec, StoredHashes stored) {
        return new CuckooingFilter(slots(spec, Placement.SINGLE_SLOTS, 0), stored, spec.seed());
    }

    @Override
    CuckooingFilter emptied(PackedArray newSlots, StoredHashes newStored) {
        return new CuckooingFilter(newSlots, newStored, seed);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    /** 1 if one of the slots of a hash holds its remainder there; 0 if none does. */
    private long matches(long hash) {
        return matches(hash, 0) | matches(hash, 1) | matches(hash, 2) | matches(hash, 3);
    }

    private long matches(long hash, int table) {
        long word = tables.word(hash, table);
        return Buckets.bit(slots.get(tables.slot(word, table)) ^ remainders.of(word)) ^ 1;
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
    int collect(long hash, long[] into) {
        return tables.collect(hash, into);
    }

    @Override
    long code(long hash, long slot) {
        return remainders.of(tables.word(hash, tables.table(slot)));
    }

    @Override
    long movedCode(long hash, long code, long to) {
        return code(hash, to);
    }

    @Override
    boolean isHit(long hash, long slot, long code) {
        return code == code(hash, slot);
    }

    @Override
    int remainderBits() {
        return remainders.bits();
    }

    @Override
    boolean repairSlot(long slot, long owner, long falsePositive) {
        return relocate(slot, owner);
    }

    @Override
    OwnedTableForm form() {
        return FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        return writer;
    }

    static CuckooingFilter read(FilterImage image, StoredHashes stored) {
        CuckooingFilter filter = new CuckooingFilter(
                FORM.table().slots(image, Placement.SINGLE_SLOTS),
                stored,
                FORM.table().seed(image));
        filter.readCount(image);
        return filter;
    }
}
