package dev.besom.quotient.slots;

import dev.besom.FilterSpec;
import java.util.Map;

/**
 * What the tables of this family are made from.
 *
 * @param capacity how many keys the table is planned for
 * @param load the part of the slots that are in use at that many keys. A higher load saves memory and costs time: the
 *     slots that an insert moves grow with 1 / (1 - load)^2
 * @param remainderBits bits of a remainder
 * @param seed what remainders are drawn from
 */
public record TableShape(long capacity, double load, int remainderBits, long seed) {

    static final double DEFAULT_LOAD = 0.95;
    private static final double LEAST_LOAD = 0.05;
    private static final double MOST_LOAD = 0.98;

    /** The options that all kinds of this family have. */
    public static final Map<String, String> OPTIONS = Map.of(
            "load",
            "part of the slots in use at full capacity, 0.05 to 0.98, default 0.95; more saves memory and costs time",
            "remainderBits",
            "bits a slot stores of a hash, 1 to 32, whatever the rate; default: as few as it allows");

    /** Refuses what no table is made from. */
    public TableShape {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        if (!(load >= LEAST_LOAD && load <= MOST_LOAD)) {
            throw new IllegalArgumentException("load must be from 0.05 to 0.98, not " + load);
        }
        if (remainderBits < 1 || remainderBits > SlotLayout.MAX_REMAINDER_BITS) {
            throw new IllegalArgumentException("remainders have from 1 to 32 bits, not " + remainderBits);
        }
    }

    /** The shape that a specification asks for. */
    public static TableShape of(FilterSpec spec) {
        double load = spec.option("load", DEFAULT_LOAD, LEAST_LOAD, MOST_LOAD);
        int wanted = QuotientSizing.remainderBits(load, spec.fpp());
        int bits = (int) spec.option("remainderBits", wanted, 1, SlotLayout.MAX_REMAINDER_BITS);
        if (bits > SlotLayout.MAX_REMAINDER_BITS) {
            throw new IllegalArgumentException("a rate of " + spec.fpp() + " needs remainders of " + bits
                    + " bits; there are at most " + SlotLayout.MAX_REMAINDER_BITS);
        }
        return new TableShape(spec.capacity(), load, bits, spec.seed());
    }

    /** How many quotients there are. */
    public long slotCount() {
        return QuotientSizing.slots(capacity, load);
    }

    /** The most keys a table takes: from 99 % on clusters grow so long that every step becomes a walk. */
    public long limit() {
        long slots = slotCount();
        return slots - slots / 100;
    }

    /** The same for another number of keys. */
    public TableShape withCapacity(long newCapacity) {
        return new TableShape(newCapacity, load, remainderBits, seed);
    }

    /** What the table takes from a hash. */
    public QuotientKeys keys() {
        return new QuotientKeys(slotCount(), remainderBits, seed);
    }

    /** The layout of the table's slots and spare slots. */
    public SlotLayout layout(int metadataWords) {
        long slots = slotCount();
        long blocks =
                (slots + QuotientSizing.spareSlots(slots, load) + SlotLayout.SLOT_MASK) >>> SlotLayout.BLOCK_SHIFT;
        if (blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a table of " + slots + " slots is larger than an array; use several");
        }
        return new SlotLayout(metadataWords, remainderBits, slots, (int) blocks);
    }
}
