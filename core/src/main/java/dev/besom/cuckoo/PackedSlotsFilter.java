package dev.besom.cuckoo;

import dev.besom.bits.PackedArray;
import dev.besom.cuckoo.CuckooMath.Placement;

/** A cuckoo filter that works on its slots as files have them. */
abstract sealed class PackedSlotsFilter extends PartialKeyFilter permits SingleSlotCuckooFilter, WindowedCuckooFilter {

    final PackedArray slots;

    PackedSlotsFilter(Placement placement, PackedArray slots, long seed) {
        super(placement, slots, seed);
        this.slots = slots;
    }

    @Override
    final PackedArray slots() {
        return slots;
    }

    @Override
    final void setSlot(long slot, long code) {
        slots.set(slot, code);
    }
}
