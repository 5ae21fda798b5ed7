package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * The weighted Bloom filter, to compare others with: a key has log2(q / (p fpp)) probes, rounded to the nearest number
 * from 0 to 64. No key is lost, whatever the distribution says.
 *
 * <p><b>Its known failure.</b> Size and probes come from an optimum in which k may be negative. A class of keys that are
 * stored but hardly ever asked for has a k far below 0, which makes the filter smaller by as many bits as if those keys
 * took others' bits away; in truth they only set none. With one such class the filter can be all ones. And a key that is
 * asked for very often has as many probes as the logarithm says, not log2(1 / fpp) at most. {@link DaisyFilter} has
 * neither fault.
 *
 * <p>The bits, the classes and the cost are those of {@link DaisyFilter}. One writer at a time.
 *
 * <p>J. Bruck, J. Gao, A. Jiang: Weighted Bloom filter. ISIT 2006.
 */
public final class WeightedBloomFilter implements ClassifiedFilter, MergeableFilter, PersistentFilter {

    static final String KIND = "weighted-bloom";

    private static final int FIRST_DISTRIBUTION_SECTION = 2;

    private final FilterSpec spec;
    private final ProbedBits bits;
    private long count;

    private WeightedBloomFilter(FilterSpec spec, ProbedBits bits, long count) {
        this.spec = spec;
        this.bits = bits;
        this.count = count;
    }

    /** A filter of keys that all are alike, with the option {@code universe}. */
    public static WeightedBloomFilter of(FilterSpec spec) {
        return of(spec, DaisyKinds.uniform(spec));
    }

    /** A filter that knows a distribution. */
    public static WeightedBloomFilter of(FilterSpec spec, Distribution distribution) {
        DaisyKinds.checkRate(KIND, spec.fpp());
        DaisyKinds.checkShares(KIND, distribution);
        int[] probes = WeightedBloomMath.wholeProbes(distribution.classes(), spec.fpp());
        double size = WeightedBloomMath.bits(distribution.classes(), (double) spec.capacity(), spec.fpp());
        return new WeightedBloomFilter(
                DaisyKinds.plain(spec), ProbedBits.allocate(KIND, distribution, probes, size, spec.seed()), 0);
    }

    @Override
    public boolean mightContain(long hash, int keyClass) {
        return bits.areSet(hash, keyClass);
    }

    @Override
    public boolean insert(long hash, int keyClass) {
        boolean isNew = bits.set(hash, keyClass);
        count += isNew ? 1 : 0;
        return isNew;
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        if (!(other instanceof WeightedBloomFilter that)) {
            throw DaisyKinds.notMergeable(KIND, other);
        }
        DaisyKinds.requireSameSpec(spec, that.spec);
        bits.requireAlike(that.bits);
        bits.or(that.bits);
        count += that == this ? 0 : that.count;
    }

    @Override
    public Distribution distribution() {
        return bits.distribution();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return bits.sizeInBits();
    }

    /** Over the questions of the distribution. */
    @Override
    public double expectedFpp() {
        return bits.expectedFpp(count);
    }

    @Override
    public FilterImage image() {
        List<long[]> sections = new ArrayList<>(bits.sections());
        sections.addAll(new DistributionForm(distribution()).sections());
        return new FilterImage(KIND, DaisyKinds.parameters(spec, count, 0), sections);
    }

    static WeightedBloomFilter of(FilterImage image) {
        image.checkForm(DaisyKinds.PARAMETERS, FIRST_DISTRIBUTION_SECTION + DistributionForm.SECTION_COUNT);
        FilterSpec spec = DaisyKinds.readSpec(image);
        return new WeightedBloomFilter(
                spec, ProbedBits.read(image, FIRST_DISTRIBUTION_SECTION, spec.seed()), DaisyKinds.readCount(image));
    }
}
