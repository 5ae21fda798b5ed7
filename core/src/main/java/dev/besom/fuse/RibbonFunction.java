package dev.besom.fuse;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToIntFunction;

/**
 * A function of hashes that is stored without them, in layers of {@link RibbonFilter}: what a hash is mapped to has 1 to 32
 * bits. It is the small sibling of {@link FuseFunction}, and can be queried only for whether a hash is mapped to a payload,
 * which ends at the first bit that differs.
 *
 * <p>A layer sees another word of a hash, {@code Mix.expand(hash, seed, layer)}, from which the way back leads to the hash and
 * its payload.
 *
 * <p>Cost: 1.004 times the width and a sixty-fourth of a bit for each hash from a million hashes on; with 10,000 hashes of
 * one bit 6 % more than a bit. Building takes 20 bytes a hash beside the hashes.
 */
public final class RibbonFunction {

    private static final long SEED_SALT = 0x9B05688C2B3E6C1FL;

    /** The part of an image that a function is. */
    public static final ImageForm FORM = new ImageForm("ribbon-function");

    private static final LongField WIDTH = FORM.whole("width", "bits of a payload, 1 to 32");
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField LAST_ATTEMPT = FORM.whole("lastAttempt", "the number of the last layer's function");
    private static final LongField COUNT = FORM.whole("count", "hashes that are mapped");

    private static final Section BUMPED =
            FORM.section("bumped", "two bits for each bucket of 128 starts, in whole words for each layer");
    private static final Section WORDS = FORM.section("words", "the words of each layer, as those of a ribbon-layer");

    static {
        FORM.list("slots of each layer, from the first to the last; multiples of 64");
    }

    private final int width;
    private final long seed;
    private final int lastAttempt;
    private final long count;
    private final RibbonLayer[] layers;

    private RibbonFunction(int width, long seed, int lastAttempt, long count, List<RibbonLayer> layers) {
        this.width = width;
        this.seed = seed;
        this.lastAttempt = lastAttempt;
        this.count = count;
        this.layers = layers.toArray(RibbonLayer[]::new);
    }

    /**
     * Builds a function.
     *
     * @param hashes different ones, in any order
     * @param payloads what each hash is mapped to; only the low bits count
     * @param width of a payload
     * @throws IllegalArgumentException if there are more than 2^30 hashes
     */
    public static RibbonFunction build(long[] hashes, LongToIntFunction payloads, int width, long seed) {
        if (hashes.length > RibbonFilter.MOST_SLOTS) {
            throw new IllegalArgumentException(
                    "a function maps at most " + RibbonFilter.MOST_SLOTS + " hashes, not " + hashes.length);
        }
        List<RibbonLayer> layers = new ArrayList<>();
        if (hashes.length == 0) {
            return new RibbonFunction(width, seed, 0, 0, layers);
        }
        long[] left = hashes;
        while (left.length > RibbonFilter.LAST_KEYS && layers.size() < RibbonFilter.MOST_LAYERS - 1) {
            int layer = layers.size();
            RibbonSystem system = new RibbonSystem(
                    width,
                    RibbonFilter.layerSlots(left.length),
                    word -> payloads.applyAsInt(hashOf(word, seed, layer)));
            system.add(words(left, seed, layer), left.length, true);
            layers.add(system.solve());
            left = system.next();
            for (int i = 0; i < left.length; i++) {
                left[i] = hashOf(left[i], seed, layer);
            }
        }
        for (int attempt = 0; attempt < RibbonFilter.MOST_LAST_ATTEMPTS; attempt++) {
            int layer = lastLayer(attempt);
            RibbonSystem system = new RibbonSystem(
                    width,
                    RibbonFilter.lastSlots(left.length, attempt),
                    word -> payloads.applyAsInt(hashOf(word, seed, layer)));
            if (system.add(words(left, seed, layer), left.length, false)) {
                layers.add(system.solve());
                return new RibbonFunction(width, seed, attempt, hashes.length, layers);
            }
        }
        throw new IllegalStateException(left.length + " hashes could not be told apart");
    }

    /** Words of the last layer are those of no other. */
    private static int lastLayer(int attempt) {
        return RibbonFilter.MOST_LAYERS + attempt;
    }

    private static long[] words(long[] hashes, long seed, int layer) {
        long[] words = new long[hashes.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(hashes[i], seed, layer);
        }
        return RibbonFilter.sorted(words);
    }

    private static long word(long hash, long seed, int layer) {
        return Mix.expand(hash, seed + SEED_SALT, layer);
    }

    private static long hashOf(long word, long seed, int layer) {
        return Mix.unexpand(word, seed + SEED_SALT, layer);
    }

    /**
     * Whether a hash is mapped to a payload: for one of the function's hashes the truth, for any other true with probability
     * {@code 2^-width}, and false if the function has no hashes at all.
     */
    public boolean maps(long hash, long payload) {
        int last = layers.length - 1;
        for (int layer = 0; layer < last; layer++) {
            long word = word(hash, seed, layer);
            long start = RibbonLayer.start(word, layers[layer].slots());
            if (!layers[layer].isBumped(start)) {
                return layers[layer].maps(word, start, payload);
            }
        }
        if (last < 0) {
            return false;
        }
        long word = word(hash, seed, lastLayer(lastAttempt));
        return layers[last].maps(word, RibbonLayer.start(word, layers[last].slots()), payload);
    }

    /** The bits of a payload. */
    public int width() {
        return width;
    }

    /** How many hashes are mapped. */
    public long count() {
        return count;
    }

    /** The memory of all layers. */
    public long sizeInBits() {
        return Arrays.stream(layers).mapToLong(RibbonLayer::sizeInBits).sum();
    }

    /** The function as a part of an image. */
    public FilterImage image() {
        long[] bumped = Words.allocate(
                Arrays.stream(layers).mapToLong(layer -> layer.bumped().length).sum());
        long[] words = Words.allocate(Arrays.stream(layers)
                .mapToLong(layer -> Words.count(layer.words()))
                .sum());
        int nextBumped = Words.LEAD;
        int nextWord = Words.LEAD;
        for (RibbonLayer layer : layers) {
            System.arraycopy(layer.bumped(), 0, bumped, nextBumped, layer.bumped().length);
            nextBumped += layer.bumped().length;
            int count = Words.count(layer.words());
            System.arraycopy(layer.words(), Words.LEAD, words, nextWord, count);
            nextWord += count;
        }
        return FORM.write()
                .set(WIDTH, width)
                .set(SEED, seed)
                .set(LAST_ATTEMPT, lastAttempt)
                .set(COUNT, count)
                .set(BUMPED, bumped)
                .set(WORDS, words)
                .list(Arrays.stream(layers).mapToLong(RibbonLayer::slots).toArray())
                .image();
    }

    /** The function of a part of an image. */
    public static RibbonFunction read(FilterImage image) {
        FORM.check(image);
        int width = (int) image.get(WIDTH, 1, Integer.SIZE);
        int lastAttempt = (int) image.get(LAST_ATTEMPT, 0, RibbonFilter.MOST_LAST_ATTEMPTS - 1L);
        long[] slots = image.list(FORM);
        image.check(slots.length <= RibbonFilter.MOST_LAYERS, slots.length + " layers cannot be");
        List<RibbonLayer> layers = new ArrayList<>();
        int nextBumped = Words.LEAD;
        int nextWord = Words.LEAD;
        long allSlots = 0;
        for (long layerSlots : slots) {
            image.check(
                    layerSlots >= 2 * RibbonLayer.BAND
                            && layerSlots <= 2L * RibbonFilter.MOST_SLOTS
                            && (layerSlots & 63) == 0,
                    "a layer cannot have " + layerSlots + " slots");
            long bumpedCount = (RibbonLayer.bucketCount(layerSlots) + 31) >>> 5;
            long wordCount = width * (layerSlots / Long.SIZE + 1);
            image.check(bumpedCount <= image.get(BUMPED).length - nextBumped, "too few buckets");
            image.check(wordCount <= image.get(WORDS).length - nextWord, "too few words");
            long[] words = Words.allocate(wordCount);
            System.arraycopy(image.get(WORDS), nextWord, words, Words.LEAD, (int) wordCount);
            long[] bumped = Arrays.copyOfRange(image.get(BUMPED), nextBumped, nextBumped + (int) bumpedCount);
            layers.add(new RibbonLayer(width, layerSlots, bumped, words));
            nextBumped += (int) bumpedCount;
            nextWord += (int) wordCount;
            allSlots += layerSlots;
        }
        image.check(nextBumped == image.get(BUMPED).length, "too many buckets");
        image.check(nextWord == image.get(WORDS).length, "too many words");
        // Each hash has a slot of its own, but for those that follow from others by chance.
        long count = image.get(COUNT, 0, 2 * allSlots);
        image.check(layers.isEmpty() == (count == 0), count + " hashes in " + layers.size() + " layers");
        return new RibbonFunction(width, image.get(SEED), lastAttempt, count, layers);
    }
}
