package dev.besom.bloom;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.ScalableFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A Bloom filter that grows: when it holds as many keys as it was planned for, a new layer of twice the capacity and
 * half the rate takes the keys that follow.
 *
 * <pre>
 *   layer      0        1             2
 *   keys       n        2 n           4 n            ...
 *   rate       fpp / 2  fpp / 4       fpp / 8        ...      their sum stays below fpp for ever
 * </pre>
 *
 * Costs: a miss queries every layer, log2(keys / capacity) of them, newest and largest first. Each layer is filled to its
 * plan but the last; from the second layer on a key takes about 1.44 bits more for each doubling.
 *
 * <p>One writer at a time; queries beside the writer are safe if they happen after the insert they rely on.
 *
 * <p>P. S. Almeida, C. Baquero, N. Preguiça, D. Hutchison: Scalable Bloom filters. Information Processing Letters 101(6),
 * 2007, with growth 2 and tightening ratio 1/2.
 */
public final class ScalableBloomFilter implements ScalableFilter, PersistentFilter {

    static final String KIND = "scalable-bloom";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final LongField CAPACITY = FORM.whole("capacity", "keys of the first layer");
    private static final DoubleField RATE = FORM.real("rate", "rate of the whole");
    private static final LongField SEED = FORM.whole("seed", "seed");

    static {
        FORM.parts("the layers, each a Bloom filter of twice the capacity and half the rate of the one before");
    }

    /** With capacities that double this is never reached. */
    private static final int MAX_LAYERS = 62;

    private final FilterSpec spec;

    /** Replaced, never changed, when a layer is added; the newest layer is last. */
    private volatile BloomFilter[] layers;

    private ScalableBloomFilter(FilterSpec spec, BloomFilter[] layers) {
        this.spec = spec;
        this.layers = layers;
    }

    /** A filter whose first layer is sized for the spec. */
    static ScalableBloomFilter make(FilterSpec spec) {
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        return new ScalableBloomFilter(plain, new BloomFilter[] {newLayer(plain, 0)});
    }

    private static BloomFilter newLayer(FilterSpec spec, int index) {
        return BloomFilter.makeForCounted(spec.withCapacity(capacityOf(spec, index))
                .withFpp(Math.scalb(spec.fpp(), -(index + 1)))
                .withSeed(spec.seed() + index));
    }

    /** A layer after the first, whose size is not what the caller chose. */
    private BloomFilter nextLayer(int index) {
        try {
            return newLayer(spec, index);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new FilterFullException("a scalable Bloom filter of " + index + " layers and " + count()
                    + " keys cannot get another: " + e.getMessage());
        }
    }

    private static long capacityOf(FilterSpec spec, int layer) {
        return Math.multiplyExact(spec.capacity(), 1L << layer);
    }

    @Override
    public boolean mightContainHash(long hash) {
        BloomFilter[] all = layers;
        for (int i = all.length - 1; i >= 0; i--) {
            if (all[i].mightContainHash(hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean insertHash(long hash) {
        if (mightContainHash(hash)) {
            return false;
        }
        BloomFilter[] all = layers;
        int last = all.length - 1;
        if (all[last].count() >= capacityOf(spec, last)) {
            BloomFilter[] more = Arrays.copyOf(all, all.length + 1);
            last++;
            more[last] = nextLayer(last);
            layers = more;
            all = more;
        }
        all[last].insertHash(hash);
        return true;
    }

    /** How many layers there are. */
    public int layerCount() {
        return layers.length;
    }

    @Override
    public long count() {
        long count = 0;
        for (BloomFilter layer : layers) {
            count += layer.count();
        }
        return count;
    }

    @Override
    public long sizeInBits() {
        long size = 0;
        for (BloomFilter layer : layers) {
            size += layer.sizeInBits();
        }
        return size;
    }

    @Override
    public double expectedFpp() {
        double none = 1;
        for (BloomFilter layer : layers) {
            none *= 1 - layer.expectedFpp();
        }
        return 1 - none;
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = FORM.write()
                .set(CAPACITY, spec.capacity())
                .set(RATE, spec.fpp())
                .set(SEED, spec.seed());
        for (BloomFilter layer : layers) {
            writer.part(layer.image());
        }
        return writer.image();
    }

    static ScalableBloomFilter read(FilterImage image) {
        List<FilterImage> parts = image.parts(FORM, BloomFilter.FORM);
        int layerCount = parts.size();
        image.check(layerCount >= 1 && layerCount <= MAX_LAYERS, layerCount + " layers cannot be");
        long capacity = image.get(CAPACITY, 1, Long.MAX_VALUE >>> layerCount);
        double fpp = image.get(RATE, Double.MIN_VALUE, Math.nextDown(1.0));
        BloomFilter[] layers = parts.stream().map(BloomFilter::read).toArray(BloomFilter[]::new);
        return new ScalableBloomFilter(new FilterSpec(capacity, fpp, image.get(SEED), Map.of()), layers);
    }
}
