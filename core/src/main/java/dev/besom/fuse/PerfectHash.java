package dev.besom.fuse;

import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;

/**
 * A minimal perfect hash function: gives each of n hashes a number of its own below n, in 2.4 bits a hash. Any other hash gets
 * some number below n.
 *
 * <pre>
 *   slots    | 3 | 0 | 3 | 2 | 1 | ...     2 bits each; 3: no hash has this slot for its own
 *
 *   (sum of a hash's three slots) mod 3    which of the three is its own
 *   number of a hash                       how many slots before its own are not 3
 * </pre>
 *
 * When the slots are peeled each hash is the last of some slot; that one is its own. Counts of the slots up to each 256th make
 * the number a matter of eight words at most.
 *
 * <p>F. C. Botelho, R. Pagh and N. Ziviani: Simple and space-efficient minimal perfect hash functions. WADS 2007; here with
 * the layout of binary fuse filters.
 */
public final class PerfectHash {

    private static final int COUNTED_BITS = 8;
    private static final int COUNT_BITS = 31;
    private static final int SLOTS_OF_WORD_BITS = 5;
    private static final long LOW_BITS = 0x5555555555555555L;

    /** The part of an image that a function is. */
    public static final ImageForm FORM = new ImageForm("perfect-hash");

    private static final LongField SEGMENT_BITS = FORM.whole("segmentBits", "log2 of the slots of a segment");
    private static final LongField SEGMENTS = FORM.whole("segments", "segments that first slots are in");
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField ATTEMPT = FORM.whole("attempt", "the number of the function");
    private static final LongField COUNT = FORM.whole("count", "hashes");
    private static final Section SLOTS = FORM.section("slots", "2 bits each, and one word more");

    private final FuseShape shape;
    private final PackedArray slots;
    private final PackedArray counts;
    private final long seed;
    private final int attempt;
    private final long factor;
    private final long count;

    private PerfectHash(FuseShape shape, PackedArray slots, long seed, int attempt, long count) {
        this.shape = shape;
        this.slots = slots;
        this.seed = seed;
        this.attempt = attempt;
        this.factor = FuseShape.factor(seed, attempt);
        this.count = count;
        this.counts = new PackedArray((shape.slotCount() >>> COUNTED_BITS) + 1, COUNT_BITS);
        long before = 0;
        for (long i = 0; i < counts.length(); i++) {
            counts.set(i, before);
            long end = Math.min(shape.slotCount(), (i + 1) << COUNTED_BITS);
            before += usedBetween(i << COUNTED_BITS, end);
        }
    }

    /**
     * Builds a function.
     *
     * @param hashes different ones, in ascending (signed) order
     */
    public static PerfectHash build(long[] hashes, long seed) {
        FuseShape shape = FuseShape.of(hashes.length, 3);
        PackedArray slots = new PackedArray(shape.slotCount(), 2);
        Arrays.fill(slots.words(), Words.LEAD, slots.words().length, -1L);
        int attempt = FuseFunction.peel(hashes, shape, seed, (slot, fraction, scattered) -> {
            int own = 0;
            long sum = 0;
            for (int i = 0; i < 3; i++) {
                long other = shape.slot(fraction, scattered, i);
                if (other == slot) {
                    own = i;
                } else {
                    sum += slots.get(other);
                }
            }
            slots.set(slot, Math.floorMod(own - sum, 3L));
        });
        return new PerfectHash(shape, slots, seed, attempt, hashes.length);
    }

    /** The number of a hash, or -1 if there are no hashes. */
    public long indexOf(long hash) {
        if (count == 0) {
            return -1;
        }
        long fraction = FuseFunction.fraction(hash, seed);
        long scattered = FuseShape.scatter(fraction, factor);
        long first = FuseShape.first(fraction, shape.firstSlots());
        long second = FuseShape.second(first, scattered, shape.segmentBits());
        long third = FuseShape.third(first, scattered, shape.segmentBits());
        int own = (int) (slots.get(first) + slots.get(second) + slots.get(third)) % 3;
        long slot = own == 0 ? first : own == 1 ? second : third;
        long block = slot >>> COUNTED_BITS;
        return Math.min(count - 1, counts.get(block) + usedBetween(block << COUNTED_BITS, slot));
    }

    /**
     * How many slots are some hash's own.
     *
     * @param from a multiple of 32
     */
    private long usedBetween(long from, long to) {
        long used = 0;
        long[] words = slots.words();
        int at = (int) (from >>> SLOTS_OF_WORD_BITS) + Words.LEAD;
        int last = (int) (to >>> SLOTS_OF_WORD_BITS) + Words.LEAD;
        for (; at < last; at++) {
            used += 32 - Long.bitCount(words[at] & (words[at] >>> 1) & LOW_BITS);
        }
        int left = (int) to & 31;
        long free = words[at] & (words[at] >>> 1) & LOW_BITS & ((1L << (2 * left)) - 1);
        return used + left - Long.bitCount(free);
    }

    /** How many hashes there are. */
    public long count() {
        return count;
    }

    /** The memory of the slots and counts. */
    public long sizeInBits() {
        return slots.sizeInBits() + counts.sizeInBits();
    }

    /** The function as a part of an image. */
    public FilterImage image() {
        return FORM.write()
                .set(SEGMENT_BITS, shape.segmentBits())
                .set(SEGMENTS, shape.segmentCount())
                .set(SEED, seed)
                .set(ATTEMPT, attempt)
                .set(COUNT, count)
                .set(SLOTS, slots.words())
                .image();
    }

    /** The function of a part of an image. */
    public static PerfectHash read(FilterImage image) {
        FORM.check(image);
        FuseShape shape = new FuseShape(3, (int) image.get(SEGMENT_BITS, 0, FuseShape.MOST_SEGMENT_BITS), (int)
                image.get(SEGMENTS, 0, 1 << 30));
        long slotCount = shape.slotCount();
        long[] words = image.get(SLOTS);
        image.check(
                slotCount <= Integer.MAX_VALUE && Words.count(words) == PackedArray.wordCount(slotCount, 2),
                "a wrong number of words");
        long count = image.get(COUNT, 0, slotCount);
        image.check((count == 0) == (slotCount == 0), count + " hashes in " + slotCount + " slots");
        int attempt = (int) image.get(ATTEMPT, 0, FuseBuilder.MOST_ATTEMPTS - 1L);
        PackedArray slots = new PackedArray(words, slotCount, 2);
        PerfectHash function = new PerfectHash(shape, slots, image.get(SEED), attempt, count);
        image.check(function.usedBetween(0, slotCount) == count, "slots of another number of hashes");
        for (long at = 2 * slotCount; at < (long) Words.count(words) << 6; at++) {
            image.check(
                    (words[(int) (at >>> 6) + Words.LEAD] >>> at & 1) == 1, "bits behind the last slot are not set");
        }
        return function;
    }
}
