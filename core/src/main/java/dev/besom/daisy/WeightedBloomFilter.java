package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.MergeCheck;
import java.util.function.IntToDoubleFunction;

/**
 * The weighted Bloom filter, to compare others with: a key has log2(q / (p fpp)) probes, rounded to the nearest number
 * from 0 to 64. No key is lost, whatever the distribution says.
 *
 * <p><b>Its known failure.</b> Size and probes come from an optimum in which k may be negative. A class of keys that are
 * stored but hardly ever queried has a k far below 0, which makes the filter smaller by as many bits as if those keys
 * took others' bits away; in truth they only set none. With one such class the filter can be all ones. And a key that is
 * queried very often has as many probes as the logarithm says, not log2(1 / fpp) at most. {@link DaisyFilter} has
 * neither fault.
 *
 * <p>The bits, the classes and the cost are those of {@link DaisyFilter}. One writer at a time.
 *
 * <p>J. Bruck, J. Gao, A. Jiang: Weighted Bloom filter. ISIT 2006.
 */
public final class WeightedBloomFilter extends DistributionFilter implements MergeableFilter {

    static final String KIND = "weighted-bloom";

    private static final DaisyForm IMAGE = new DaisyForm(KIND, "probes of each class", ClassNumbers::probes);
    static final ImageForm FORM = IMAGE.form;
    private static final ImageForm.Section BITS = FORM.section("bits", "the bits, as in daisy");

    private final VariedBits bits;

    private WeightedBloomFilter(DaisyHeader header, VariedBits bits) {
        super(header);
        this.bits = bits;
    }

    /** An empty filter of keys that all are alike, with the option {@code universe}. */
    static WeightedBloomFilter make(FilterSpec spec) {
        return make(spec, DaisyKinds.uniform(spec));
    }

    /** An empty filter that knows a distribution. */
    static WeightedBloomFilter make(FilterSpec spec, Distribution distribution) {
        DaisyKinds.checkRate(FORM.kind(), spec.fpp());
        DaisyKinds.checkShares(FORM.kind(), distribution);
        int[] probes = WeightedBloomMath.wholeProbes(distribution.classes(), spec.fpp());
        double size = WeightedBloomMath.bits(distribution.classes(), (double) spec.capacity(), spec.fpp());
        return new WeightedBloomFilter(
                DaisyHeader.of(spec, distribution, ClassNumbers.probes(probes)),
                VariedBits.allocate(FORM.kind(), size, spec.seed()));
    }

    @Override
    public boolean mightContainHash(long hash, int keyClass) {
        return bits.areSet(hash, numberToQuery(keyClass));
    }

    @Override
    boolean put(long hash, int keyClass) {
        return bits.set(hash, numberToInsert(keyClass), numberToQuery(keyClass));
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        WeightedBloomFilter that = new MergeCheck(FORM.kind()).type(WeightedBloomFilter.class, other);
        header().requireMergeable(FORM.kind(), that.header());
        if (that != this) {
            bits.or(that.bits);
            addCountsOf(that);
        }
    }

    @Override
    public WeightedBloomFilter bind(HashClassifier classifier) {
        return new WeightedBloomFilter(header().bind(classifier), bits);
    }

    @Override
    public long bitsWithoutDistribution() {
        return bits.sizeInBits();
    }

    @Override
    IntToDoubleFunction rates() {
        double fill = bits.fill();
        return keyClass -> Math.pow(fill, numberToQuery(keyClass));
    }

    @Override
    public FilterImage image() {
        return IMAGE.write(header()).set(BITS, bits.words()).image();
    }

    static WeightedBloomFilter read(FilterImage image) {
        DaisyHeader header = IMAGE.read(image, DaisyMath.MAX_PROBES);
        return new WeightedBloomFilter(
                header, VariedBits.read(image, BITS, header.spec().seed()));
    }
}
