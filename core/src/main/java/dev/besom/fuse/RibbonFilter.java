package dev.besom.fuse;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A bumped ribbon filter: the smallest static filter here, within half a percent of the bound of {@code width} bits a key
 * from a million keys on.
 *
 * <pre>
 *   layer 0   | slots for 96.5 % of the keys: all but about one in a thousand of them are used                       |
 *   layer 1   | the same for the keys that found no slot |
 *   layer 2   | ... |
 *   last      | a few thousand keys or fewer, with slots to spare |
 * </pre>
 *
 * A layer's picture is in {@link RibbonLayer}. A query looks at two bits of its bucket and then at the layer that its key
 * must be in: about one in 27 goes on to the next.
 *
 * <p>Departures from the paper: the thresholds of buckets are constant; a last layer whose functions are changed until all
 * keys are in; equal hashes are equal equations and cost nothing.
 *
 * <p>Cost: about 1.004 * width bits a key from a million keys on, for widths from 4 on, and some hundreds of slots more with
 * fewer keys. A miss reads its bucket's bits and one or two pairs of words, a hit as many pairs as fingerprints have bits,
 * side by side. Building takes 20 bytes a key.
 *
 * <p>P. C. Dillinger, L. Hübschle-Schneider, P. Sanders and S. Walzer: Fast succinct retrieval and approximate membership
 * using ribbon. SEA 2022.
 */
public final class RibbonFilter implements PersistentFilter {

    static final String KIND = "ribbon";

    /** Slots for each key of a layer that is not the last one. */
    private static final double OVERLOAD = 0.965;

    /** So few keys go into the last layer, with this many slots each. */
    static final int LAST_KEYS = 2_000;

    private static final double LAST_ROOM = 1.15;
    private static final int LAST_SPARE = 64;
    static final int MOST_LAST_ATTEMPTS = 64;

    static final int MOST_LAYERS = 16;
    static final int MOST_SLOTS = 1 << 30;

    /** The part of a layer: its slots, its buckets' bits, its words. */
    private static final ImageForm LAYER_FORM = new ImageForm("ribbon-layer");

    private static final LongField LAYER_SLOTS = LAYER_FORM.whole("slots", "a multiple of 64");
    private static final Section LAYER_BUMPED = LAYER_FORM.section("bumped", "two bits for each bucket of 128 starts");
    private static final Section LAYER_WORDS = LAYER_FORM.section(
            "words", "for each 64 slots a word for each bit of a fingerprint; a block of 0 at the end");

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField WIDTH = FORM.whole("fingerprintBits", "bits of a slot, 1 to 32");
    private static final LongField MIXED = FORM.whole("mixed", "1 if hashes are mixed before use, else 0");
    private static final LongField SEED = FORM.whole("seed", "what the functions are drawn from");
    private static final LongField LAST_ATTEMPT = FORM.whole("lastAttempt", "the number of the last layer's function");
    private static final LongField COUNT = FORM.whole("count", "hashes that were put in, repeated ones included");

    static {
        FORM.parts("layers, from the first to the last, each with the form ribbon-layer");
    }

    private final int width;
    private final boolean isMixed;
    private final long seed;
    private final int lastAttempt;
    private final long count;
    private final RibbonLayer[] layers;

    private RibbonFilter(int width, boolean isMixed, long seed, int lastAttempt, long count, RibbonLayer[] layers) {
        this.width = width;
        this.isMixed = isMixed;
        this.seed = seed;
        this.lastAttempt = lastAttempt;
        this.count = count;
        this.layers = layers;
    }

    static RibbonFilter build(FilterSpec spec, HashSource source) {
        int width = FuseFilter.width(spec);
        long keys = source.count();
        if (keys > MOST_SLOTS) {
            throw new IllegalArgumentException(
                    "a ribbon filter holds at most " + MOST_SLOTS + " keys, not " + keys + "; fuse holds more");
        }
        long[] hashes = new long[(int) keys];
        int[] next = {0};
        source.forEach(hash -> hashes[next[0]++] = hash);
        RibbonFilter filter = build(width, spec.seed(), sorted(hashes), false);
        // Where hashes are uneven most of them are bumped. Mixed they are even.
        return filter.layers.length > 1 && filter.layers[1].slots() > keys / 4 + 1_000
                ? build(width, spec.seed(), mixed(hashes), true)
                : filter;
    }

    private static long[] mixed(long[] hashes) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = Mix.mix(hashes[i]);
        }
        return sorted(hashes);
    }

    /** In unsigned order, in place. */
    static long[] sorted(long[] hashes) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(hashes);
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] ^= Long.MIN_VALUE;
        }
        return hashes;
    }

    private static RibbonFilter build(int width, long seed, long[] sorted, boolean isMixed) {
        List<RibbonLayer> layers = new ArrayList<>();
        long[] left = sorted;
        // Hashes of a layer are made from those of the layer before, so no key has to be remembered.
        while (left.length > LAST_KEYS && layers.size() < MOST_LAYERS - 1) {
            RibbonSystem system = new RibbonSystem(width, layerSlots(left.length));
            system.add(left, left.length, true);
            layers.add(system.solve());
            long[] next = system.next();
            for (int i = 0; i < next.length; i++) {
                next[i] = nextHash(next[i], seed);
            }
            left = sorted(next);
        }
        if (sorted.length == 0) {
            return new RibbonFilter(width, isMixed, seed, 0, sorted.length, layers.toArray(RibbonLayer[]::new));
        }
        for (int attempt = 0; attempt < MOST_LAST_ATTEMPTS; attempt++) {
            long[] last = left.clone();
            for (int i = 0; i < last.length; i++) {
                last[i] = lastHash(last[i], seed, attempt);
            }
            RibbonSystem system = new RibbonSystem(width, lastSlots(last.length, attempt));
            if (system.add(sorted(last), last.length, false)) {
                layers.add(system.solve());
                return new RibbonFilter(
                        width, isMixed, seed, attempt, sorted.length, layers.toArray(RibbonLayer[]::new));
            }
        }
        throw new IllegalStateException(left.length + " hashes could not be told apart");
    }

    /** The slots of a layer that is not the last one. */
    static int layerSlots(int keys) {
        return slots(keys * OVERLOAD);
    }

    /** The slots of the last layer: more with each attempt. */
    static int lastSlots(int keys, int attempt) {
        return slots(keys * (LAST_ROOM + attempt / 16.0) + LAST_SPARE);
    }

    private static int slots(double wanted) {
        return (int) Math.max(2 * RibbonLayer.BAND, Math.ceil(wanted / RibbonLayer.BAND) * RibbonLayer.BAND);
    }

    private static long nextHash(long hash, long seed) {
        return Mix.expand(hash, seed, 0);
    }

    private static long lastHash(long hash, long seed, int attempt) {
        return Mix.expand(hash, seed, 1 + (long) attempt);
    }

    @Override
    public boolean mightContainHash(long hash) {
        long spread = isMixed ? Mix.mix(hash) : hash;
        if (layers.length > 1) {
            RibbonLayer first = layers[0];
            long start = RibbonLayer.start(spread, first.slots());
            return first.isBumped(start) ? isInLaterLayer(spread) : first.matches(spread, start);
        }
        return layers.length == 1 && isInLast(spread);
    }

    /** Whether a hash that is bumped from the first layer is in the one that it must be in. */
    private boolean isInLaterLayer(long spread) {
        int last = layers.length - 1;
        int layer = 1;
        long hash = nextHash(spread, seed);
        while (layer < last && layers[layer].isBumped(RibbonLayer.start(hash, layers[layer].slots()))) {
            hash = nextHash(hash, seed);
            layer++;
        }
        return layer == last
                ? isInLast(hash)
                : layers[layer].matches(hash, RibbonLayer.start(hash, layers[layer].slots()));
    }

    private boolean isInLast(long before) {
        RibbonLayer last = layers[layers.length - 1];
        long hash = lastHash(before, seed, lastAttempt);
        return last.matches(hash, RibbonLayer.start(hash, last.slots()));
    }

    /** How many hashes were put in; equal ones count as often as they were given. */
    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return Arrays.stream(layers).mapToLong(RibbonLayer::sizeInBits).sum();
    }

    @Override
    public double expectedFpp() {
        return count == 0 ? 0 : Math.scalb(1.0, -width);
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = FORM.write()
                .set(WIDTH, width)
                .set(MIXED, isMixed ? 1 : 0)
                .set(SEED, seed)
                .set(LAST_ATTEMPT, lastAttempt)
                .set(COUNT, count);
        for (RibbonLayer layer : layers) {
            long[] bumped = Words.allocate(layer.bumped().length);
            System.arraycopy(layer.bumped(), 0, bumped, Words.LEAD, layer.bumped().length);
            writer.part(LAYER_FORM
                    .write()
                    .set(LAYER_SLOTS, layer.slots())
                    .set(LAYER_BUMPED, bumped)
                    .set(LAYER_WORDS, layer.words())
                    .image());
        }
        return writer.image();
    }

    static RibbonFilter read(FilterImage image) {
        FORM.check(image);
        int width = (int) image.get(WIDTH, 1, FuseFilter.MOST_WIDTH);
        boolean isMixed = image.get(MIXED, 0, 1) != 0;
        int lastAttempt = (int) image.get(LAST_ATTEMPT, 0, MOST_LAST_ATTEMPTS - 1);
        long count = image.get(COUNT, 0, MOST_SLOTS);
        List<FilterImage> parts = image.parts(FORM, LAYER_FORM);
        image.check(parts.size() <= MOST_LAYERS, parts.size() + " layers cannot be");
        image.check(parts.isEmpty() == (count == 0), count + " keys in " + parts.size() + " layers");
        RibbonLayer[] layers = new RibbonLayer[parts.size()];
        for (int i = 0; i < layers.length; i++) {
            FilterImage part = parts.get(i);
            long slots = part.get(LAYER_SLOTS, 2 * RibbonLayer.BAND, MOST_SLOTS * 2L);
            part.check((slots & 63) == 0, slots + " slots are no whole number of blocks");
            long[] bumped = part.get(LAYER_BUMPED);
            long[] words = part.get(LAYER_WORDS);
            part.check(Words.count(bumped) == (RibbonLayer.bucketCount(slots) + 31) >>> 5, "a wrong number of buckets");
            part.check(Words.count(words) == width * (slots / Long.SIZE + 1), "a wrong number of words");
            layers[i] = new RibbonLayer(width, slots, Arrays.copyOfRange(bumped, Words.LEAD, bumped.length), words);
        }
        return new RibbonFilter(width, isMixed, image.get(SEED), lastAttempt, count, layers);
    }
}
