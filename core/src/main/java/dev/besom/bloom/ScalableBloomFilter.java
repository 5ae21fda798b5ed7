package dev.besom.bloom;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.ScalableFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
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
 * Costs: a miss asks every layer, log2(keys / capacity) of them, newest and largest first. Each layer is filled to its
 * plan but the last; from the second layer on a key takes about 1.44 bits more for each doubling.
 *
 * <p>One writer at a time; questions beside the writer are safe if they happen after the insert they rely on.
 *
 * <p>P. S. Almeida, C. Baquero, N. Preguiça, D. Hutchison: Scalable Bloom filters. Information Processing Letters 101(6),
 * 2007, with growth 2 and tightening ratio 1/2.
 */
public final class ScalableBloomFilter implements ScalableFilter, PersistentFilter {

    static final String KIND = "scalable-bloom";

    private static final int OWN_PARAMETERS = 3;
    private static final int BLOOM_PARAMETERS = 5;

    /** With capacities that double this is never reached. */
    private static final int MAX_LAYERS = 62;

    private final FilterSpec spec;

    /** Replaced, never changed, when a layer is added; the newest layer is last. */
    private volatile BloomFilter[] layers;

    private ScalableBloomFilter(FilterSpec spec, BloomFilter[] layers) {
        this.spec = spec;
        this.layers = layers;
    }

    public static ScalableBloomFilter of(FilterSpec spec) {
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        return new ScalableBloomFilter(plain, new BloomFilter[] {newLayer(plain, 0)});
    }

    private static BloomFilter newLayer(FilterSpec spec, int index) {
        return BloomFilter.forCounted(spec.withCapacity(capacityOf(spec, index))
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
        BloomFilter[] all = layers;
        long[] parameters = new long[OWN_PARAMETERS + BLOOM_PARAMETERS * all.length];
        parameters[0] = spec.capacity();
        parameters[1] = Double.doubleToRawLongBits(spec.fpp());
        parameters[2] = spec.seed();
        List<long[]> sections = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            FilterImage layer = all[i].image();
            for (int j = 0; j < BLOOM_PARAMETERS; j++) {
                parameters[OWN_PARAMETERS + i * BLOOM_PARAMETERS + j] = layer.parameter(j);
            }
            sections.add(layer.sections().get(0));
        }
        return new FilterImage(KIND, parameters, sections);
    }

    static ScalableBloomFilter of(FilterImage image) {
        int layerCount = image.sections().size();
        image.check(layerCount >= 1 && layerCount <= MAX_LAYERS, layerCount + " layers cannot be");
        image.checkForm(OWN_PARAMETERS + BLOOM_PARAMETERS * layerCount, layerCount);
        long capacity = image.parameter(0);
        double fpp = image.doubleParameter(1);
        image.check(
                capacity >= 1 && capacity <= Long.MAX_VALUE >>> layerCount, "a capacity of " + capacity + " cannot be");
        image.check(fpp > 0 && fpp < 1, "a rate of " + fpp + " cannot be");
        BloomFilter[] layers = new BloomFilter[layerCount];
        for (int i = 0; i < layerCount; i++) {
            layers[i] = BloomFilter.of(image, OWN_PARAMETERS + BLOOM_PARAMETERS * i, i);
        }
        return new ScalableBloomFilter(new FilterSpec(capacity, fpp, image.parameter(2), Map.of()), layers);
    }
}
