package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * The swapping adaptive cuckoo filter: a key has two buckets of four slots, and each slot of a bucket has a remainder
 * function of its own. A false positive makes a key swap slots with another one of its bucket.
 *
 * <pre>
 *   bucket   | remainder 0 of a key | remainder 1 of a key | remainder 2 of a key | remainder 3 of a key |     0: free
 * </pre>
 *
 * No bit of a slot is spent on repairs. With whom to swap is left to chance, among those swaps after which the query hits
 * neither key. If there is none, which takes remainders of a few bits, the key moves to its other bucket.
 *
 * <p>Cost: f / 0.95 bits a key with slots of f bits, at most 16, at a rate of 7.6 / 2^f for fresh queries; and the index of
 * {@link SlotOwners} beside it. A query reads two buckets, a word at a time.
 *
 * <p>M. Mitzenmacher, S. Pontarelli and P. Reviriego: Adaptive cuckoo filters. ALENEX 2018. The name is that of T. Kopelowitz,
 * S. McCauley and E. Porat: Support optimality and adaptive cuckoo filters. WADS 2021.
 */
public final class SwappingCuckooFilter extends AdaptiveCuckooFilter {

    static final String KIND = "cuckoo-swapping";

    static final OwnedTableForm FORM = OwnedTableForm.of(KIND, "buckets of four slots");

    private static final long SEED_SALT = 0xD807AA98A3030242L;
    private static final int SLOT_MASK = Buckets.SLOTS - 1;

    private final Buckets buckets;
    private final Remainders remainders;
    private final long firstFactor;
    private final long secondFactor;

    private SwappingCuckooFilter(PackedArray slots, StoredHashes stored, long seed) {
        super(Placement.BUCKETS, slots, stored, seed);
        this.buckets = new Buckets(slots);
        this.remainders = new Remainders(slots.widthInBits());
        this.firstFactor = Mix.factor(Mix.expand(1, seed, SEED_SALT));
        this.secondFactor = Mix.factor(Mix.expand(2, seed, SEED_SALT));
    }

    static SwappingCuckooFilter make(FilterSpec spec, StoredHashes stored) {
        return new SwappingCuckooFilter(slots(spec, Placement.BUCKETS, 0), stored, spec.seed());
    }

    @Override
    SwappingCuckooFilter emptied(PackedArray newSlots, StoredHashes newStored) {
        return new SwappingCuckooFilter(newSlots, newStored, seed);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    /** Not 0 if a slot of one of the two buckets of a hash holds the remainder of the hash there. */
    private long matches(long hash) {
        long first = Mix.scatter(hash, firstFactor);
        long pattern = remainders.four(Mix.mix(first));
        return buckets.matchesEach(FastRange.place(first, placeCount), pattern)
                | buckets.matchesEach(secondBucket(hash, FastRange.place(first, placeCount)), pattern);
    }

    /** Any bucket but the first one, if there are two. */
    private long secondBucket(long hash, long firstBucket) {
        long second = firstBucket + 1 + FastRange.place(Mix.scatter(hash, secondFactor), Math.max(1, placeCount - 1));
        return second < placeCount ? second : second - placeCount;
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

    @Override
    int collect(long hash, long[] into) {
        long bucket = FastRange.place(Mix.scatter(hash, firstFactor), placeCount);
        long first = bucket << Buckets.SLOT_SHIFT;
        long second = secondBucket(hash, bucket) << Buckets.SLOT_SHIFT;
        for (int i = 0; i < Buckets.SLOTS; i++) {
            into[i] = first + i;
            into[Buckets.SLOTS + i] = second + i;
        }
        return first == second ? Buckets.SLOTS : 2 * Buckets.SLOTS;
    }

    @Override
    long code(long hash, long slot) {
        return remainders.quarter(Mix.mix(Mix.scatter(hash, firstFactor)), (int) slot & SLOT_MASK);
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
        long bucketStart = slot & ~(long) SLOT_MASK;
        long turn = dice(slot);
        for (int step = 0; step < Buckets.SLOTS; step++) {
            long other = bucketStart + ((turn + step) & SLOT_MASK);
            if (other != slot && swap(slot, other, owner, falsePositive)) {
                return true;
            }
        }
        return relocate(slot, owner);
    }

    /** Lets a key swap slots with another, or take a free slot; false, and no change, if the query would hit one of them. */
    private boolean swap(long slot, long other, long owner, long falsePositive) {
        SlotOwners owners = owners();
        boolean isFree = slots.get(other) == 0;
        if (isHit(falsePositive, other, code(owner, other))
                || (!isFree && !owners.isKnown(other))
                || (!isFree && isHit(falsePositive, slot, code(owners.hash(other), slot)))) {
            return false;
        }
        touch(slot);
        if (isFree) {
            slots.set(slot, 0);
            owners.move(slot, other);
        } else {
            touch(other);
            long partner = owners.hash(other);
            slots.set(slot, code(partner, slot));
            owners.set(slot, partner);
            owners.set(other, owner);
        }
        slots.set(other, code(owner, other));
        return true;
    }

    @Override
    OwnedTableForm form() {
        return FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        return writer;
    }

    static SwappingCuckooFilter read(FilterImage image, StoredHashes stored) {
        PackedArray slots = FORM.table().slots(image, Placement.BUCKETS);
        image.check(slots.widthInBits() <= Buckets.NARROW, "slots cannot have " + slots.widthInBits() + " bits");
        SwappingCuckooFilter filter =
                new SwappingCuckooFilter(slots, stored, FORM.table().seed(image));
        filter.readCount(image);
        return filter;
    }
}
