package dev.besom.fuse;

import dev.besom.HashSource;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/**
 * A function of hashes that is stored without them: the exclusive or of a hash's three or four slots is what belongs to it,
 * a payload of any width from 1 to 64 bits. Any other hash gets arbitrary bits. The slots are those of {@link FuseFilter}.
 *
 * <p>Cost: 1.125 times the width for each hash with 3 slots from a million hashes on, 1.075 times with 4. Building takes 15
 * bytes a hash beside the hashes and payloads.
 */
public final class FuseFunction {

    private static final long SEED_SALT = 0x510E527FADE682D1L;
    private static final int MOST_KEYS = 1 << 30;

    /** The part of an image that a function is. */
    public static final ImageForm FORM = new ImageForm("fuse-function");

    private static final LongField ARITY = FORM.whole("arity", "slots a hash has, 3 or 4");
    private static final LongField WIDTH = FORM.whole("width", "bits of a slot, 1 to 64");
    private static final LongField SEGMENT_BITS = FORM.whole("segmentBits", "log2 of the slots of a segment");
    private static final LongField SEGMENTS = FORM.whole("segments", "segments that first slots are in");
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField ATTEMPT = FORM.whole("attempt", "the number of the function");
    private static final Section SLOTS = FORM.section("slots", "payloads, and one word more");

    private final FuseShape shape;
    private final PackedArray slots;
    private final long seed;
    private final int attempt;
    private final long factor;
    private final long firstSlots;
    private final int segmentBits;
    private final boolean isFourWise;

    private FuseFunction(FuseShape shape, PackedArray slots, long seed, int attempt) {
        this.shape = shape;
        this.slots = slots;
        this.seed = seed;
        this.attempt = attempt;
        this.factor = FuseShape.factor(seed, attempt);
        this.firstSlots = shape.firstSlots();
        this.segmentBits = shape.segmentBits();
        this.isFourWise = shape.arity() == 4;
    }

    /**
     * Builds a function.
     *
     * @param sorted the hashes
     * @param payloads of the hash with each index; only its low bits count
     * @param width of a payload
     * @param arity slots a hash has, 3 or 4
     */
    public static FuseFunction build(SortedHashes sorted, IntToLongFunction payloads, int width, int arity, long seed) {
        long[] hashes = sorted.hashes();
        FuseShape shape = FuseShape.of(hashes.length, arity);
        PackedArray slots = new PackedArray(shape.slotCount(), width);
        int attempt = peel(
                hashes,
                shape,
                seed,
                new FusePeeling.XorFiller(
                        shape,
                        slots,
                        0,
                        (fraction, scattered) -> payloads.applyAsLong(sorted.indexOf(hashOf(fraction, seed)))));
        return new FuseFunction(shape, slots, seed, attempt);
    }

    /** Peels until it succeeds; returns the number of the attempt. */
    static int peel(long[] hashes, FuseShape shape, long seed, FusePeeling.SlotFiller filler) {
        if (hashes.length > MOST_KEYS) {
            throw new IllegalArgumentException("a map holds at most " + MOST_KEYS + " keys, not " + hashes.length);
        }
        if (hashes.length == 0) {
            return 0;
        }
        FusePeeling peeling = new FusePeeling(shape);
        HashSource fractions = new HashSource() {
            @Override
            public long count() {
                return hashes.length;
            }

            @Override
            public void forEach(LongConsumer action) {
                for (long hash : hashes) {
                    action.accept(fraction(hash, seed));
                }
            }
        };
        for (int attempt = 0; attempt < FuseBuilder.MOST_ATTEMPTS; attempt++) {
            if (peeling.fill(fractions, FuseShape.factor(seed, attempt), filler) >= 0) {
                return attempt;
            }
        }
        throw new IllegalStateException(hashes.length + " hashes could not be told apart");
    }

    static long fraction(long hash, long seed) {
        return Mix.mix(hash + seed + SEED_SALT);
    }

    /** The hash that has become a fraction. */
    private static long hashOf(long fraction, long seed) {
        return Mix.unmix(fraction) - seed - SEED_SALT;
    }

    /** What belongs to a hash; arbitrary bits if it is none of the function's, and 0 if there are none at all. */
    public long get(long hash) {
        if (firstSlots == 0) {
            return 0;
        }
        long fraction = fraction(hash, seed);
        long scattered = FuseShape.scatter(fraction, factor);
        long first = FuseShape.first(fraction, firstSlots);
        long sum = slots.get(first)
                ^ slots.get(FuseShape.second(first, scattered, segmentBits))
                ^ slots.get(FuseShape.third(first, scattered, segmentBits));
        return isFourWise ? sum ^ slots.get(FuseShape.fourth(first, scattered, segmentBits)) : sum;
    }

    /** The bits of a payload. */
    public int width() {
        return slots.widthInBits();
    }

    /** How many slots there are: at least as many as hashes. */
    public long slotCount() {
        return shape.slotCount();
    }

    /** The memory of the slots. */
    public long sizeInBits() {
        return slots.sizeInBits();
    }

    /** The function as a part of an image. */
    public FilterImage image() {
        return FORM.write()
                .set(ARITY, shape.arity())
                .set(WIDTH, slots.widthInBits())
                .set(SEGMENT_BITS, shape.segmentBits())
                .set(SEGMENTS, shape.segmentCount())
                .set(SEED, seed)
                .set(ATTEMPT, attempt)
                .set(SLOTS, slots.words())
                .image();
    }

    /** The function of a part of an image. */
    public static FuseFunction read(FilterImage image) {
        FORM.check(image);
        FuseShape shape = new FuseShape(
                (int) image.get(ARITY, 3, 4), (int) image.get(SEGMENT_BITS, 0, FuseShape.MOST_SEGMENT_BITS), (int)
                        image.get(SEGMENTS, 0, 1 << 30));
        int width = (int) image.get(WIDTH, 1, Long.SIZE);
        long[] words = image.get(SLOTS);
        image.check(
                shape.slotCount() <= (Words.MAX_COUNT - 1) * Long.SIZE / width
                        && Words.count(words) == PackedArray.wordCount(shape.slotCount(), width),
                "a wrong number of words");
        int attempt = (int) image.get(ATTEMPT, 0, FuseBuilder.MOST_ATTEMPTS - 1L);
        PackedArray slots = image.checked(() -> PackedArray.checked(words, shape.slotCount(), width));
        return new FuseFunction(shape, slots, image.get(SEED), attempt);
    }
}
