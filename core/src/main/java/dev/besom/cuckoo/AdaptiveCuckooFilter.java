package dev.besom.cuckoo;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of the adaptive cuckoo filters: insert, delete, repair, images. How queries are answered, what a slot
 * holds of its owner, and how a repair changes it is the matter of the filters built on this.
 *
 * <p><b>Owners.</b> Slots of a key are independent of what its slots hold, so nothing can be moved without knowing whole
 * hashes. {@link SlotOwners} has them, slot by slot. A filter that was read from a file finds its owners out again when it is
 * first changed, in one pass over the stored hashes and those {@linkplain InFlight in flight} ({@link OwnerSearch}), and in another
 * one where that was not possible for all because deletes were under way. With them, a delete of a hash that was never put in
 * changes nothing, and a repair never touches the slot of a key whose owner is not certain; whatever is in flight.
 *
 * <p><b>Heuristics.</b> A repair changes a key to one of few states, and nobody knows which of them were left because of an
 * earlier false positive. An adversary who goes on asking finds hashes that are false positives in many states. A repair
 * says {@link Adaptation#FORGOT} if it moves a key that a repair had moved before.
 *
 * <p>Equal hashes share a slot and are counted ({@link Copies}).
 *
 * <p>One writer at a time. A query meanwhile ends, with any answer.
 *
 * <p>M. Mitzenmacher, S. Pontarelli and P. Reviriego: Adaptive cuckoo filters. ALENEX 2018. T. Kopelowitz, S. McCauley and
 * E. Porat: Support optimality and adaptive cuckoo filters. WADS 2021.
 */
public abstract sealed class AdaptiveCuckooFilter implements AdaptiveFilter, GrowableFilter, PersistentFilter
        permits CyclicCuckooFilter, SwappingCuckooFilter, CuckooingFilter {

    /** The slots that a search for room reaches before it fails. */
    private static final int MOST_REACHED = 1 << 16;

    /** How many slots that a query hits are repaired before it counts as inseparable. */
    private static final int MOST_CHANGES = 32;

    /** A repair may search for owners, which reads all stored hashes, after one repair for each of so many keys. */
    private static final long KEYS_PER_REPAIR = 64;

    private static final long NO_SLOT = -1;
    private static final int NARROWEST_REMAINDER = CuckooMath.NARROWEST;

    final PackedArray slots;
    final long placeCount;
    final long seed;
    private final Placement placement;
    private final StoredHashes stored;
    private final KickSearch kicks = new KickSearch(new OwnerMoves(), MOST_REACHED);
    private final long[] mine = new long[KickSearch.MOST_MOVES];
    private final long[] starts = new long[KickSearch.MOST_MOVES];
    private final long[] hit = new long[KickSearch.MOST_MOVES];
    private @Nullable SlotOwners owners;
    private long used;
    private Copies copies = new Copies();

    /** Whether moves are made for a repair, which must not let the query hit what is moved. */
    private boolean isRepairing;

    private long query;
    private boolean hasForgotten;

    /** Slots in use whose owners are not known. */
    private long unknownCount;

    private long repairsSinceSearch;

    private final RepairCounts counts = new RepairCounts();
    private final InFlight inFlight;

    AdaptiveCuckooFilter(Placement placement, PackedArray slots, StoredHashes stored, long seed) {
        this.placement = placement;
        this.slots = slots;
        this.placeCount = placement.placeCountOf(slots.length());
        this.stored = stored;
        this.inFlight = new InFlight(stored, counts);
        this.seed = seed;
    }

    /** Empty slots for a spec, with so many bits beside the remainder. */
    static PackedArray slots(FilterSpec spec, Placement placement, int otherBits) {
        long slotCount = placement.slotCount(placement.placeCount(spec.capacity()));
        int bits = NARROWEST_REMAINDER;
        while (bits <= CuckooMath.WIDEST && fpp((double) spec.capacity() / slotCount, placement, bits) > spec.fpp()) {
            bits++;
        }
        int slotBits =
                (int) spec.option("fingerprint", bits + otherBits, NARROWEST_REMAINDER + otherBits, CuckooMath.WIDEST);
        if (slotBits > widest(placement) || slotCount > Words.MAX_COUNT) {
            throw new IllegalArgumentException("no adaptive cuckoo table holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        return new PackedArray(slotCount, slotBits);
    }

    private static int widest(Placement placement) {
        return placement == Placement.BUCKETS ? Buckets.NARROW : CuckooMath.WIDEST;
    }

    /** The chance that a fresh query meets its remainder in one of the slots that it has. */
    private static double fpp(double load, Placement placement, int remainderBits) {
        double values = Math.scalb(1.0, remainderBits) - 1;
        return -Math.expm1(placement.slotsPerKey() * Math.log1p(-load / values));
    }

    /** The slots of a hash. */
    abstract int collect(long hash, long[] into);

    /** What a slot holds of a hash that is just put into it. */
    abstract long code(long hash, long slot);

    /** What a slot holds of a hash that is moved there, and of which another slot held a code. */
    abstract long movedCode(long hash, long code, long to);

    /** Whether a query that has a slot among its own is answered "maybe" because of what the slot holds. */
    abstract boolean isHit(long hash, long slot, long code);

    /** The bits of a slot's remainder. */
    abstract int remainderBits();

    /** Changes a slot, or moves its owner, so that the query does not hit it; false, and no change, if that cannot be. */
    abstract boolean repairSlot(long slot, long owner, long falsePositive);

    abstract OwnedTableForm form();

    abstract ImageForm.Writer extended(ImageForm.Writer writer);

    /** An empty filter of another size with this one's options and seed. */
    abstract AdaptiveCuckooFilter emptied(PackedArray newSlots, StoredHashes newStored);

    @Override
    public final AdaptiveCuckooFilter grown(long newCapacity, StoredHashes newStored) {
        AdaptiveCuckooFilter grown = emptied(placement.slots(newCapacity, slots.widthInBits()), newStored);
        newStored.forEachBetween(0, -1L, grown::insertHash);
        return grown;
    }

    /** The owners of the slots, found out first if need be. */
    final SlotOwners owners() {
        SlotOwners known = owners;
        if (known == null) {
            known = new SlotOwners(slots.length());
            unknownCount = used;
            complete(known);
            owners = known;
        }
        return known;
    }

    /** Finds out what owners are not known, as far as the store can tell. */
    private void complete(SlotOwners known) {
        if (unknownCount > 0) {
            counts.countRangeRead();
            repairsSinceSearch = 0;
            unknownCount = OwnerSearch.complete(new Contents(), known, stored, inFlight.between(0, -1L));
        }
    }

    @Override
    public final boolean insertHash(long hash) {
        inFlight.makeRoom(count());
        SlotOwners known = owners();
        boolean isNew = !mightContainHash(hash);
        if (!isNew && ownedSlot(hash) != NO_SLOT) {
            copies.add(hash);
            return false;
        }
        long slot = place(hash, 0, NO_SLOT);
        if (slot < 0) {
            throw new FilterFullException(used + " keys are in " + slots.length()
                    + " slots, and none of those that this key may have can be freed");
        }
        slots.set(slot, code(hash, slot));
        known.set(slot, hash);
        inFlight.inserted(hash);
        used++;
        return isNew;
    }

    /**
     * A free slot for a hash.
     *
     * @param code what a slot held of it before; 0 if it is new
     * @param except a slot that it must not have
     * @return -1, and no change, if there is none
     */
    private long place(long hash, long code, long except) {
        int startCount = 0;
        int all = collect(hash, mine);
        for (int i = 0; i < all; i++) {
            long slot = mine[i];
            if (slot == except || isAvoided(slot, code == 0 ? code(hash, slot) : movedCode(hash, code, slot))) {
                continue;
            }
            if (slots.get(slot) == 0) {
                return slot;
            }
            if (owners().isKnown(slot)) {
                starts[startCount++] = slot;
            }
        }
        return kicks.free(starts, startCount);
    }

    /** Whether a slot must not hold a code, because the query that is being repaired would hit it. */
    private boolean isAvoided(long slot, long code) {
        return isRepairing && isOf(query, slot) && isHit(query, slot, code);
    }

    private boolean isOf(long hash, long slot) {
        int all = collect(hash, hit);
        for (int i = 0; i < all; i++) {
            if (hit[i] == slot) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a hash out, if it was put in and not taken out since; whatever the store holds. After the filter was read from a
     * file, a slot stays behind if its key has left the store before its owner was found out: it might be of any key that leaves
     * just then. Nothing is lost by that but the slot, and repairs of queries that hit it.
     *
     * @return true if a slot was taken out
     */
    @Override
    public final boolean deleteHash(long hash) {
        if (!mightContainHash(hash)) {
            return false;
        }
        if (copies.remove(hash)) {
            return true;
        }
        long slot = ownedSlot(hash);
        if (slot == NO_SLOT && unknownCount > 0) {
            complete(owners());
            slot = ownedSlot(hash);
        }
        if (slot == NO_SLOT) {
            return false;
        }
        slots.set(slot, 0);
        owners().clear(slot);
        inFlight.deleted(hash);
        used--;
        return true;
    }

    /** The slot that a hash is known to own; -1 if there is none. */
    private long ownedSlot(long hash) {
        SlotOwners known = owners();
        int all = collect(hash, mine);
        for (int i = 0; i < all; i++) {
            if (known.isOwner(mine[i], hash)) {
                return mine[i];
            }
        }
        return NO_SLOT;
    }

    @Override
    public final Adaptation repairHash(long hash) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        repairsSinceSearch++;
        if (hitsUnknown(hash) && repairsSinceSearch > used / KEYS_PER_REPAIR) {
            complete(owners());
        }
        counts.countRangeRead();
        if (stored.between(hash, hash).length > 0 || !isRepaired(hash)) {
            return counts.counted(Adaptation.INSEPARABLE);
        }
        return counts.counted(hasForgotten ? Adaptation.FORGOT : Adaptation.FIXED);
    }

    /** Whether a hash that is hit somewhere is hit nowhere now. */
    private boolean isRepaired(long hash) {
        query = hash;
        isRepairing = true;
        hasForgotten = false;
        try {
            for (int i = 0; i < MOST_CHANGES; i++) {
                long slot = hitSlot(hash);
                if (slot == NO_SLOT) {
                    return true;
                }
                SlotOwners known = owners();
                if (!known.isKnown(slot) || known.hash(slot) == hash || !repairSlot(slot, known.hash(slot), hash)) {
                    return false;
                }
            }
            return hitSlot(hash) == NO_SLOT;
        } finally {
            isRepairing = false;
        }
    }

    /** Whether a hash hits a slot whose owner is not known. */
    private boolean hitsUnknown(long hash) {
        SlotOwners known = owners();
        int all = collect(hash, mine);
        for (int i = 0; i < all; i++) {
            long code = slots.get(mine[i]);
            if (code != 0 && !known.isKnown(mine[i]) && isHit(hash, mine[i], code)) {
                return true;
            }
        }
        return false;
    }

    /** A slot that a hash hits; -1 if there is none. */
    private long hitSlot(long hash) {
        int all = collect(hash, mine);
        for (int i = 0; i < all; i++) {
            long code = slots.get(mine[i]);
            if (code != 0 && isHit(hash, mine[i], code)) {
                return mine[i];
            }
        }
        return NO_SLOT;
    }

    /** Notes that a repair changes or moves what is in a slot. */
    final void touch(long slot) {
        hasForgotten |= owners().isTouched(slot);
        owners().touch(slot);
    }

    /** Notes that a repair brings a slot back to where it was before. */
    final void forget() {
        hasForgotten = true;
    }

    /** Moves a slot's owner to another of its slots, with kicks if need be; false, and no change, if that cannot be. */
    final boolean relocate(long slot, long owner) {
        SlotOwners known = owners();
        long code = slots.get(slot);
        boolean wasTouched = known.isTouched(slot);
        slots.set(slot, 0);
        known.clear(slot);
        long to = place(owner, code, slot);
        boolean isMoved = to >= 0;
        if (isMoved) {
            hasForgotten |= wasTouched;
            slots.set(to, movedCode(owner, code, to));
        } else {
            to = slot;
            slots.set(slot, code);
        }
        known.set(to, owner);
        if (isMoved || wasTouched) {
            known.touch(to);
        }
        return isMoved;
    }

    /** A number that looks random, and differs from repair to repair. */
    final long dice(long slot) {
        return Mix.expand(slot, seed, counts.repairs());
    }

    @Override
    public final AdaptationStatistics adaptationStatistics() {
        return counts.statistics();
    }

    /** The memory of the index by bucket, which is none of {@link #sizeInBits()}; 0 before it is needed. */
    public final long ownersSizeInBits() {
        return owners == null ? 0 : owners.sizeInBits();
    }

    @Override
    public final long indexSizeInBits() {
        return ownersSizeInBits();
    }

    @Override
    public final long count() {
        return used + copies.total();
    }

    @Override
    public final long sizeInBits() {
        return slots.sizeInBits() + copies.sizeInBits();
    }

    @Override
    public final double expectedFpp() {
        return fpp((double) used / slots.length(), placement, remainderBits());
    }

    @Override
    public final FilterImage image() {
        return extended(form().table().write(placeCount, slots, used, copies, seed))
                .set(form().inFlight(), inFlight.section())
                .image();
    }

    final void readCount(FilterImage image) {
        copies = form().table().copies(image);
        used = form().table().count(image) - copies.total();
        image.check(slots.length() <= Words.MAX_COUNT, slots.length() + " slots are too many");
        image.checkInvariants(() -> {
            checkInvariants();
            inFlight.restore(image.get(form().inFlight()), this::mightContainHash);
        });
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public final void checkInvariants() {
        long inUse = Buckets.used(slots);
        if (inUse != used) {
            throw new IllegalStateException(inUse + " slots are in use, where " + used + " are counted");
        }
        for (long slot = 0; slot < slots.length(); slot++) {
            long code = slots.get(slot);
            if (code != 0 && (code & ((1L << remainderBits()) - 1)) == 0) {
                throw new IllegalStateException("slot " + slot + " is in use without a remainder");
            }
            if (owners != null && owners.isKnown(slot)) {
                checkOwner(slot, code, owners.hash(slot));
            }
        }
    }

    private void checkOwner(long slot, long code, long owner) {
        if (code == 0 || !isOf(owner, slot) || !isHit(owner, slot, code)) {
            throw new IllegalStateException("slot " + slot + " does not hold what it should of its owner");
        }
    }

    /** An owner moves to another of its slots, unless the query that is being repaired would hit it there. */
    private final class OwnerMoves implements KickSearch.Moves {

        @Override
        public int collect(long slot, long[] targets) {
            SlotOwners known = owners();
            long owner = known.hash(slot);
            int all = AdaptiveCuckooFilter.this.collect(owner, targets);
            int found = 0;
            for (int i = 0; i < all; i++) {
                long target = targets[i];
                if (target == slot || isAvoided(target, movedCode(owner, slots.get(slot), target))) {
                    continue;
                }
                if (slots.get(target) == 0) {
                    targets[0] = target;
                    return FREE;
                }
                if (known.isKnown(target)) {
                    targets[found++] = target;
                }
            }
            return found;
        }

        @Override
        public void move(long from, long to) {
            SlotOwners known = owners();
            if (isRepairing) {
                touch(from);
            }
            slots.set(to, movedCode(known.hash(from), slots.get(from), to));
            slots.set(from, 0);
            known.move(from, to);
        }
    }

    /** The table as its owners are searched. */
    private final class Contents implements OwnerSearch.Table {

        @Override
        public long slotCount() {
            return slots.length();
        }

        @Override
        public boolean isUsed(long slot) {
            return slots.get(slot) != 0;
        }

        @Override
        public int collectOwnable(long hash, long[] into) {
            int all = AdaptiveCuckooFilter.this.collect(hash, into);
            int found = 0;
            for (int i = 0; i < all; i++) {
                long code = slots.get(into[i]);
                if (code != 0 && isHit(hash, into[i], code)) {
                    into[found++] = into[i];
                }
            }
            return found;
        }
    }
}
