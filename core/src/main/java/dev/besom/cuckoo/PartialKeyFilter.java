package dev.besom.cuckoo;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.GrowableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;

/**
 * Partial-key cuckoo hashing: a table of fingerprints in which each key has a few slots, all of which follow from its
 * fingerprint and any one of them. So a fingerprint can move on to another of its slots when a new key needs room, though
 * nobody knows its key.
 *
 * <pre>
 *   hash  --scatter--&gt;  x  --&gt;  place, by fastrange of x or its upper half;  fingerprint from 1 on, by fastrange of x's halves, combined
 * </pre>
 *
 * What a <i>place</i> is (a bucket, a window, a row of single slots) and how a slot holds a fingerprint is the matter of the
 * filters built on this.
 *
 * <p><b>Full.</b> An insert first finds the row of moves that makes room ({@link KickSearch}) and then makes them, so one that
 * fails has changed nothing, and no fingerprint is ever without a slot.
 *
 * <p><b>Equal keys</b> take a slot each, as long as there is room, and so does every key with the same places and fingerprint.
 * Beyond that they are counted ({@link Copies}), so a key may be put in any number of times.
 *
 * <p><b>Deleting</b> a hash that is not in the filter, but that the filter takes for present, takes out the entry of another
 * key, which is lost then. Delete only what is certainly in: what was inserted and not deleted since. Of two keys with the same
 * place and fingerprint either's entry may go, for they are worth the same.
 *
 * <p>One writer at a time, and no queries beside it.
 */
public abstract sealed class PartialKeyFilter implements DeletableFilter, GrowableFilter, PersistentFilter
        permits CuckooFilter, PackedSlotsFilter {

    /** The slots that an insert reaches before it fails: with fewer, windows would not be filled to 0.95 each time. */
    static final int MOST_REACHED = 1 << 16;

    private static final long SEED_SALT = 0x59F111F1B605D019L;
    private static final long LOW_HALF = 0xFFFFFFFFL;

    /** With more places the upper half of a hash would prefer some of them by more than one in a hundred. */
    private static final long MOST_PLACES_OF_HALF = 1L << 25;

    final Placement placement;
    final long slotCount;
    final int slotBits;
    final long placeCount;
    final long seed;
    private long used;
    private Copies copies = new Copies();

    private final long factor;
    private final long fingerprints;
    private final boolean isHalfEnough;

    PartialKeyFilter(Placement placement, PackedArray slots, long seed) {
        this.placement = placement;
        this.slotCount = slots.length();
        this.slotBits = slots.widthInBits();
        this.placeCount = placement.placeCountOf(slotCount);
        this.fingerprints = placement.fingerprints(slotBits);
        this.seed = seed;
        this.isHalfEnough = placeCount <= MOST_PLACES_OF_HALF;
        this.factor = Mix.factor(seed + SEED_SALT);
    }

    /** What a hash's place and fingerprint are made from. */
    final long scattered(long hash) {
        return Mix.scatter(hash, factor);
    }

    final long place(long scattered) {
        return isHalfEnough
                ? FastRange.placeOfHalf(scattered >>> Integer.SIZE, placeCount)
                : FastRange.place(scattered, placeCount);
    }

    /** From 1 to the number of fingerprints. */
    final long fingerprint(long scattered) {
        return 1 + ((((scattered ^ (scattered >>> 32)) & LOW_HALF) * fingerprints) >>> 32);
    }

    abstract TableForm form();

    /** The slots, as files have them. */
    abstract PackedArray slots();

    abstract void setSlot(long slot, long code);

    /** The memory of the slots, and of what tells a key's places from each other. */
    abstract long tableSizeInBits();

    /** An empty filter of another size, with this one's options and seed. */
    abstract PartialKeyFilter emptied(PackedArray newSlots);

    @Override
    public final PartialKeyFilter grown(long newCapacity, StoredHashes stored) {
        PartialKeyFilter grown = emptied(placement.slots(newCapacity, slotBits));
        stored.forEachBetween(0, -1L, grown::insertHash);
        return grown;
    }

    @Override
    public final long count() {
        return used + copies.total();
    }

    @Override
    public final long sizeInBits() {
        return tableSizeInBits() + copies.sizeInBits();
    }

    /** The chance that a fresh place and fingerprint are those of a key. */
    @Override
    public final double expectedFpp() {
        return placement.fpp(used, placeCount, slotBits);
    }

    /**
     * Writes a new key's slot, or counts the key where none was found and it looks like one that has a slot.
     *
     * @param slot -1 if none was found
     * @param isNew whether it looks like no key
     * @param place the lowest of the key's places
     * @return whether it looks like no key
     */
    final boolean put(long slot, long code, boolean isNew, long place, long fingerprint) {
        if (slot >= 0) {
            setSlot(slot, code);
            used++;
        } else if (isNew) {
            throw new FilterFullException(used + " fingerprints are in " + slotCount
                    + " slots, and none of those that this key may have can be freed");
        } else {
            copies.add(look(place, fingerprint));
        }
        return isNew;
    }

    /** Whether a key was counted, and is not any more. */
    final boolean isUncounted(long place, long fingerprint) {
        return copies.remove(look(place, fingerprint));
    }

    private long look(long place, long fingerprint) {
        return place * (fingerprints + 1) + fingerprint;
    }

    /** Counts a key whose slot was written. */
    final void countSlot() {
        used++;
    }

    /** Frees the slot of a key that is taken out. */
    final void take(long slot) {
        setSlot(slot, 0);
        used--;
    }

    @Override
    public final FilterImage image() {
        return extended(form().write(placeCount, slots(), used, copies, seed)).image();
    }

    /** Sets the fields that the kind has beside those of the form. */
    abstract ImageForm.Writer extended(ImageForm.Writer writer);

    /** Takes over the count of an image that this filter was made from, and checks it all. */
    final void readCount(FilterImage image) {
        copies = form().copies(image);
        used = form().count(image) - copies.total();
        image.checkInvariants(this::checkInvariants);
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        long inUse = Buckets.used(slots());
        if (inUse != used) {
            throw new IllegalStateException(inUse + " slots are in use, where " + used + " fingerprints are counted");
        }
    }
}
