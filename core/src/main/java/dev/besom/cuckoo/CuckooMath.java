package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import java.util.Map;

/**
 * Cuckoo tables in numbers: how many slots hold so many keys, how wide they are for a rate, and what the rate is.
 *
 * <p><b>Rate.</b> Keys with the same places and the same fingerprint are a <i>class</i>; a query is a false positive if its
 * class has a key. With n keys in c classes that happens with probability 1 - exp(-n / c), wherever the fingerprints have
 * moved to.
 *
 * <p><b>Slots.</b> A table takes keys up to a load that depends only on the placement, its <i>threshold</i>. Around it the number of
 * keys that fit scatters with a standard deviation of up to 0.24 sqrt(slots), as measured, and in tables of a hundred slots
 * one crowded place counts as well. So a table has the slots that the usual load of 0.95 asks for, and in small ones
 * those of eight standard deviations and a dozen more.
 *
 * <p><b>Crowded classes.</b> Of a class with more keys than slots some are counted outside of the table. Where fingerprints are
 * so few that this is to be expected, as with a million keys at a rate of a third, they are wider than the rate asks for.
 */
public final class CuckooMath {

    /** The load of a table that is not small. */
    public static final double USUAL_LOAD = 0.95;

    static final int NARROWEST = 4;
    static final int WIDEST = 32;
    static final Map<String, String> OPTIONS =
            Map.of("fingerprint", "bits of a slot, 4 to 32, whatever the rate; default: the fewest that keep it");

    /** With four bits the other window of a key is one of seven: two tables in a hundred are full before their time. */
    static final Map<String, String> OPTIONS_OF_WINDOWS =
            Map.of("fingerprint", "bits of a slot, 5 to 32, whatever the rate; default: the fewest that keep it");

    private static final double SCATTER = 2;
    private static final double SMALL_TABLE = 12;
    private static final double MOST_CROWDED_CLASSES = 0.01;

    /** The load up to which the fullest range of buckets is planned, and how far from the mean it is. */
    private static final double RANGE_LOAD = 0.97;

    private static final double RANGE_SCATTER = 1.5;
    private static final int SMALLEST_RANGE_SHIFT = 3;
    private static final long FEWEST_BUCKETS_WITH_RANGES = 1 << 16;

    private CuckooMath() {}

    /** The ways to place fingerprints. */
    public enum Placement {
        /** One of the four slots of one of two buckets. */
        BUCKETS(8, 2, 0.980),
        /** One slot in each of four tables. */
        SINGLE_SLOTS(4, 1, 0.976),
        /** One of the two slots of one of two windows, which overlap; a bit of each slot says which. */
        WINDOWS(4, 2, 0.965);

        private final int slotsPerKey;
        private final int placesPerKey;
        private final double threshold;

        Placement(int slotsPerKey, int placesPerKey, double threshold) {
            this.slotsPerKey = slotsPerKey;
            this.placesPerKey = placesPerKey;
            this.threshold = threshold;
        }

        private int narrowest() {
            return this == WINDOWS ? NARROWEST + 1 : NARROWEST;
        }

        /** How many slots a key may have. */
        public int slotsPerKey() {
            return slotsPerKey;
        }

        /** How many different fingerprints slots of a width hold, beside that they are free. */
        public long fingerprints(int slotBits) {
            long values = (1L << slotBits) - 1;
            return this == WINDOWS ? values / 2 : values;
        }

        /** How many classes of keys there are. */
        public double classes(long placeCount, int slotBits) {
            return (double) placeCount / placesPerKey * (double) fingerprints(slotBits);
        }

        /** The chance that a fresh query is answered "maybe". */
        public double fpp(long keys, long placeCount, int slotBits) {
            return -Math.expm1(-(double) keys / classes(placeCount, slotBits));
        }

        /** How many slots hold so many keys. */
        double slots(long capacity) {
            return Math.max(
                    capacity / USUAL_LOAD, capacity / threshold + SCATTER * Math.sqrt((double) capacity) + SMALL_TABLE);
        }

        /** How many places hold so many keys. An even number of buckets or windows, so that no place is its own pair. */
        public long placeCount(long capacity) {
            return switch (this) {
                case BUCKETS -> 2 * (long) Math.ceil(slots(capacity) / (2 * Buckets.SLOTS));
                case SINGLE_SLOTS -> (long) Math.ceil(slots(capacity) / slotsPerKey);
                case WINDOWS -> 2 * (long) Math.ceil((slots(capacity) - 1) / 2);
            };
        }

        /** How many slots so many places have. */
        long slotCount(long placeCount) {
            return switch (this) {
                case BUCKETS -> placeCount << Buckets.SLOT_SHIFT;
                case SINGLE_SLOTS -> placeCount * slotsPerKey;
                case WINDOWS -> placeCount + 1;
            };
        }

        /** How many places so many slots are. */
        long placeCountOf(long slotCount) {
            return switch (this) {
                case BUCKETS -> slotCount >>> Buckets.SLOT_SHIFT;
                case SINGLE_SLOTS -> slotCount / slotsPerKey;
                case WINDOWS -> slotCount - 1;
            };
        }

        /** The fewest bits with which so many keys keep the rate and fit; 33 if there is none. */
        public int slotBits(long capacity, double fpp) {
            long placeCount = placeCount(capacity);
            int bits = narrowest();
            while (bits <= WIDEST
                    && (fpp(capacity, placeCount, bits) > fpp
                            || crowdedClasses(capacity, classes(placeCount, bits)) > MOST_CROWDED_CLASSES)) {
                bits++;
            }
            return bits;
        }

        /** How many classes are expected to have more keys than slots. */
        private double crowdedClasses(long keys, double classes) {
            double crowded = classes;
            for (int i = 1; i <= slotsPerKey + 1; i++) {
                crowded *= keys / classes / i;
            }
            return crowded;
        }

        /**
         * The empty slots of a filter for a spec.
         *
         * @throws IllegalArgumentException if there can be none
         */
        PackedArray slots(FilterSpec spec) {
            int bits = (int) spec.option("fingerprint", slotBits(spec.capacity(), spec.fpp()), narrowest(), WIDEST);
            if (bits > WIDEST || slots(spec.capacity()) * bits > (Words.MAX_COUNT - 2) * (double) Long.SIZE) {
                throw new IllegalArgumentException(
                        "no cuckoo table holds " + spec.capacity() + " keys at a false-positive rate of " + spec.fpp());
            }
            return slots(spec.capacity(), bits);
        }

        /** Empty slots for so many keys. */
        PackedArray slots(long capacity, int slotBits) {
            return new PackedArray(slotCount(placeCount(capacity)), slotBits);
        }
    }

    /**
     * The sizes of the ranges of {@link Pairing}, as base-2 logarithms: for class i of four the smallest with which the fullest
     * range is not expected to overflow, if it had only its share of the keys of this class and those after it. The keys
     * of the classes before it have larger ranges and go where there is room. Tables that are small enough for a cache
     * have one range.
     */
    static int[] rangeShifts(long bucketCount) {
        int[] shifts = new int[Pairing.CLASSES];
        for (int i = 0; i < shifts.length; i++) {
            double part = 1 - (double) i / shifts.length;
            int shift = bucketCount < FEWEST_BUCKETS_WITH_RANGES ? Pairing.WHOLE : SMALLEST_RANGE_SHIFT;
            while (shift < Pairing.WHOLE && !isEnough(1L << shift, bucketCount, part)) {
                shift++;
            }
            shifts[i] = shift;
        }
        // The last class has so few keys that the fullest of its ranges is further from the mean than the others'.
        shifts[shifts.length - 1] = Math.min(Pairing.WHOLE, shifts[shifts.length - 1] + 1);
        return shifts;
    }

    private static boolean isEnough(long size, long bucketCount, double part) {
        if (size >= bucketCount) {
            return true;
        }
        double slots = (double) Buckets.SLOTS * size;
        double keys = USUAL_LOAD * part * slots;
        double ranges = (double) bucketCount / size;
        return keys + RANGE_SCATTER * Math.sqrt(2 * keys * Math.log(ranges)) < RANGE_LOAD * slots;
    }
}
