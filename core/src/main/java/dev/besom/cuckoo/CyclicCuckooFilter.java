package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * The cyclic adaptive cuckoo filter: a slot says which of 2, 4 or 8 remainders of its key it holds, and a false positive
 * makes it hold the next one.
 *
 * <pre>
 *   four tables of single slots, of which a key has one each ({@link FourTables})
 *
 *   a slot   | selector, 1 to 3 bits | remainder number "selector" of the key, 0 where the slot is free |
 * </pre>
 *
 * A repair takes the next selector, cyclically, under which the query is told from the key; going past the last one forgets.
 * If there is none, which takes remainders of a few bits, the key moves to another of its slots.
 *
 * <p>Cost: f / 0.95 bits a key with slots of f bits, of which s are selectors, at a rate of 3.8 / 2^(f - s) for fresh
 * queries; and the index of {@link SlotOwners} beside it. A query reads four slots.
 *
 * <p>M. Mitzenmacher, S. Pontarelli and P. Reviriego: Adaptive cuckoo filters. ALENEX 2018. The name is that of T. Kopelowitz,
 * S. McCauley and E. Porat: Support optimality and adaptive cuckoo filters. WADS 2021.
 */
public final class CyclicCuckooFilter extends AdaptiveCuckooFilter {

    static final String KIND = "cuckoo-cyclic";

    static final OwnedTableForm FORM = OwnedTableForm.of(KIND, "slots of each of the four tables");

    private static final ImageForm.LongField SELECTOR_BITS =
            FORM.table().fields.whole("selector bits", "bits of a slot's selector, 1 to 3");

    private static final int MOST_SELECTOR_BITS = 3;
    private static final int USUAL_SELECTOR_BITS = 2;

    private final FourTables tables;
    private final int selectorBits;
    private final Remainders remainders;

    private CyclicCuckooFilter(PackedArray slots, int selectorBits, StoredHashes stored, long seed) {
        super(Placement.SINGLE_SLOTS, slots, stored, seed);
        this.tables = new FourTables(placeCount, seed);
        this.selectorBits = selectorBits;
        this.remainders = new Remainders(slots.widthInBits() - selectorBits);
    }

    static CyclicCuckooFilter make(FilterSpec spec, StoredHashes stored) {
        int selectorBits = (int) spec.option("selectors", USUAL_SELECTOR_BITS, 1, MOST_SELECTOR_BITS);
        return new CyclicCuckooFilter(
                slots(spec, Placement.SINGLE_SLOTS, selectorBits), selectorBits, stored, spec.seed());
    }

    @Override
    CyclicCuckooFilter emptied(PackedArray newSlots, StoredHashes newStored) {
        return new CyclicCuckooFilter(newSlots, selectorBits, newStored, seed);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    /** 1 if one of the slots of a hash holds the remainder that it says it holds; 0 if none does. */
    private long matches(long hash) {
        long first = tables.word(hash, 0);
        return matches(tables.slot(first, 0), first)
                | matches(tables.slot(tables.word(hash, 1), 1), first)
                | matches(tables.slot(tables.word(hash, 2), 2), first)
                | matches(tables.slot(tables.word(hash, 3), 3), first);
    }

    private long matches(long slot, long first) {
        long code = slots.get(slot);
        return Buckets.bit((code & remainders.mask()) ^ remainders.of(first, selector(code))) ^ 1;
    }

    private long selector(long code) {
        return code >>> remainders.bits();
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
        return remainders.of(tables.word(hash, 0), 0);
    }

    @Override
    long movedCode(long hash, long code, long to) {
        return code;
    }

    @Override
    boolean isHit(long hash, long slot, long code) {
        return (code & remainders.mask()) == remainders.of(tables.word(hash, 0), selector(code));
    }

    @Override
    int remainderBits() {
        return remainders.bits();
    }

    @Override
    boolean repairSlot(long slot, long owner, long falsePositive) {
        long ownersWord = tables.word(owner, 0);
        long queryWord = tables.word(falsePositive, 0);
        long selectors = 1L << selectorBits;
        long before = selector(slots.get(slot));
        for (long step = 1; step < selectors; step++) {
            long selector = (before + step) & (selectors - 1);
            long remainder = remainders.of(ownersWord, selector);
            if (remainder != remainders.of(queryWord, selector)) {
                slots.set(slot, (selector << remainders.bits()) | remainder);
                if (selector < before) {
                    forget();
                }
                owners().touch(slot);
                return true;
            }
        }
        return relocate(slot, owner);
    }

    @Override
    OwnedTableForm form() {
        return FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        return writer.set(SELECTOR_BITS, selectorBits);
    }

    static CyclicCuckooFilter read(FilterImage image, StoredHashes stored) {
        PackedArray slots = FORM.table().slots(image, Placement.SINGLE_SLOTS);
        int selectorBits = (int) image.get(SELECTOR_BITS, 1, MOST_SELECTOR_BITS);
        CyclicCuckooFilter filter =
                new CyclicCuckooFilter(slots, selectorBits, stored, FORM.table().seed(image));
        filter.readCount(image);
        return filter;
    }
}
