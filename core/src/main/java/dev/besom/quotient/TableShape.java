package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.spi.FilterImage;
import java.util.Map;

/**
 * What the tables of this family are made from, and the first parameters of their images in this order.
 *
 * @param capacity how many keys the table is planned for
 * @param load the part of the slots that are in use at that many keys. A higher load saves memory and costs time: the
 *     slots that an insert moves grow with 1 / (1 - load)^2
 * @param remainderBits bits of a remainder
 * @param seed what remainders are drawn from
 */
record TableShape(long capacity, double load, int remainderBits, long seed) {

    static final double DEFAULT_LOAD = 0.95;
    private static final double LEAST_LOAD = 0.05;
    private static final double MOST_LOAD = 0.98;

    static final int PARAMETER_COUNT = 4;

    static final Map<String, String> OPTIONS = Map.of(
            "load",
            "part of the slots in use at full capacity, 0.05 to 0.98, default 0.95; more saves memory and costs time",
            "remainderBits",
            "bits a slot stores of a hash, 1 to 32; default: as few as the false-positive rate allows");

    TableShape {
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

    static TableShape of(FilterSpec spec) {
        double load = spec.option("load", DEFAULT_LOAD, LEAST_LOAD, MOST_LOAD);
        int wanted = QuotientSizing.remainderBits(load, spec.fpp());
        int bits = (int) spec.option("remainderBits", wanted, 1, SlotLayout.MAX_REMAINDER_BITS);
        if (bits > SlotLayout.MAX_REMAINDER_BITS) {
            throw new IllegalArgumentException("a rate of " + spec.fpp() + " needs remainders of " + bits
                    + " bits; there are at most " + SlotLayout.MAX_REMAINDER_BITS);
        }
        return new TableShape(spec.capacity(), load, bits, spec.seed());
    }

    static TableShape of(FilterImage image) {
        long bits = image.parameter(2);
        if (bits < 1 || bits > SlotLayout.MAX_REMAINDER_BITS) {
            throw new MalformedFilterException("remainders of " + bits + " bits");
        }
        try {
            return new TableShape(image.parameter(0), image.doubleParameter(1), (int) bits, image.parameter(3));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException("no such table: " + e.getMessage(), e);
        }
    }

    /** The parameters of an image, with room for the kind's own behind them. */
    long[] parameters(long... own) {
        long[] all = new long[PARAMETER_COUNT + own.length];
        all[0] = capacity;
        all[1] = Double.doubleToRawLongBits(load);
        all[2] = remainderBits;
        all[3] = seed;
        System.arraycopy(own, 0, all, PARAMETER_COUNT, own.length);
        return all;
    }

    /** How many quotients there are. */
    long slotCount() {
        return QuotientSizing.slots(capacity, load);
    }

    /** The most keys a table takes: from 99 % on clusters grow so long that every step becomes a walk. */
    long limit() {
        long slots = slotCount();
        return slots - slots / 100;
    }

    TableShape withCapacity(long newCapacity) {
        return new TableShape(newCapacity, load, remainderBits, seed);
    }

    QuotientKeys keys() {
        return new QuotientKeys(slotCount(), remainderBits, seed);
    }

    /** The layout of the table's slots and spare slots. */
    SlotLayout layout(int metadataWords) {
        long slots = slotCount();
        long blocks =
                (slots + QuotientSizing.spareSlots(slots, load) + SlotLayout.SLOT_MASK) >>> SlotLayout.BLOCK_SHIFT;
        if (blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a table of " + slots + " slots is larger than an array; use several");
        }
        return new SlotLayout(metadataWords, remainderBits, slots, (int) blocks);
    }

    /** Slots over the first two sections of an image. */
    Slots slots(FilterImage image, int metadataWords) {
        try {
            return new Slots(
                    layout(metadataWords),
                    image.sections().get(0),
                    image.sections().get(1));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException("the table does not fit its parameters: " + e.getMessage(), e);
        }
    }
}
