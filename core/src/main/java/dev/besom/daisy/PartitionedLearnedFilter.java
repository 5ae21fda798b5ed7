package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.bloom.BloomFilter;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The partitioned learned filter, to compare others with: classes of keys in the order of a score are cut into a few
 * regions, and each region has a Bloom filter with a rate of its own, or none where every key is answered "maybe".
 *
 * <pre>
 *   score      low: rather asked than stored                                  high: rather stored than asked
 *   region     0                1                  2                          3
 *   filter     Bloom, 0.1 %     Bloom, 0.8 %       Bloom, 6 %                 none
 * </pre>
 *
 * The score of a class is its share of the inserts over that of inserts and questions together, which is what the best
 * model could say of it. Cuts and rates are the paper's ({@link PartitionedMath}). No key is lost, whatever the scores.
 *
 * <p><b>Departure from the paper.</b> There the model is trained on the very keys to be stored. Here it is a distribution,
 * and keys may come later.
 *
 * <p><b>Cost.</b> That of the region's Bloom filter, after one look-up of the class. One writer at a time.
 *
 * <p>K. Vaidya, E. Knorr, T. Kraska, M. Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021.
 */
public final class PartitionedLearnedFilter implements ClassifiedFilter, PersistentFilter {

    static final String KIND = "partitioned-learned";

    /** More regions gain next to nothing, the paper finds. */
    static final int DEFAULT_REGIONS = 6;

    static final int MOST_REGIONS = 64;

    private static final int OWN_PARAMETERS = DaisyKinds.PARAMETERS + 1;
    private static final int BLOOM_PARAMETERS = 5;
    private static final long SEED_STEP = 0xB5C0FBCFEC4D3B2FL;

    private final FilterSpec spec;
    private final Distribution distribution;
    private final ClassNumbers regionOfClass;

    /** By region; null where everything is "maybe". */
    private final @Nullable BloomFilter[] regions;

    private long count;

    private PartitionedLearnedFilter(
            FilterSpec spec,
            Distribution distribution,
            ClassNumbers regionOfClass,
            @Nullable BloomFilter[] regions,
            long count) {
        this.spec = spec;
        this.distribution = distribution;
        this.regionOfClass = regionOfClass;
        this.regions = regions;
        this.count = count;
    }

    /** A filter of keys that all are alike, with the options {@code universe} and {@code regions}. */
    public static PartitionedLearnedFilter of(FilterSpec spec) {
        return of(spec, DaisyKinds.uniform(spec));
    }

    /** A filter that knows a distribution, with the option {@code regions}. */
    public static PartitionedLearnedFilter of(FilterSpec spec, Distribution distribution) {
        int most = (int) spec.option("regions", DEFAULT_REGIONS, 1, MOST_REGIONS);
        DaisyKinds.checkRate(KIND, spec.fpp());
        DaisyKinds.checkShares(KIND, distribution);
        PartitionedMath.Partition partition = PartitionedMath.partition(distribution.classes(), spec.fpp(), most);
        @Nullable BloomFilter[] regions = new BloomFilter[partition.rate().size()];
        for (int region = 0; region < regions.length; region++) {
            double rate = partition.rate().get(region);
            if (rate < 1) {
                long capacity = roomFor(spec.capacity(), partition.insertShare().get(region));
                regions[region] =
                        Inside.bloom(new FilterSpec(capacity, rate, spec.seed() + SEED_STEP * (region + 1), Map.of()));
            }
        }
        return new PartitionedLearnedFilter(
                DaisyKinds.plain(spec), distribution, ClassNumbers.parts(partition.regionOfClass()), regions, 0);
    }

    /** For the keys expected and three standard deviations more: a small region with one key too many is soon full. */
    private static long roomFor(long capacity, double share) {
        double expected = capacity * share;
        return Math.max(1, Math.min(capacity, (long) Math.ceil(expected + 3 * Math.sqrt(expected) + 8)));
    }

    @Override
    public boolean mightContain(long hash, int keyClass) {
        int region = regionOfClass.toAsk(keyClass);
        if (region < 0) {
            return mightBeInAny(hash);
        }
        BloomFilter filter = regions[region];
        return filter == null || filter.mightContainHash(hash);
    }

    /** For a hash of unknown class. */
    private boolean mightBeInAny(long hash) {
        for (BloomFilter filter : regions) {
            if (filter == null || filter.mightContainHash(hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean insert(long hash, int keyClass) {
        int region = regionOfClass.toSet(keyClass);
        boolean isNew = false;
        if (region < 0) {
            isNew = !mightBeInAny(hash);
            for (BloomFilter filter : regions) {
                if (filter != null) {
                    filter.insertHash(hash);
                }
            }
        } else {
            BloomFilter filter = regions[region];
            isNew = filter != null && filter.insertHash(hash);
        }
        count += isNew ? 1 : 0;
        return isNew;
    }

    @Override
    public Distribution distribution() {
        return distribution;
    }

    public int regionCount() {
        return regions.length;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        long size = regionOfClass.sizeInBits() + distribution.sizeInBits();
        for (BloomFilter filter : regions) {
            size += filter == null ? 0 : filter.sizeInBits();
        }
        return size;
    }

    /** Over the questions of the distribution. */
    @Override
    public double expectedFpp() {
        double[] rates = new double[regions.length];
        for (int region = 0; region < rates.length; region++) {
            BloomFilter filter = regions[region];
            rates[region] = filter == null ? 1 : filter.expectedFpp();
        }
        return regionOfClass.meanOverQuestions(distribution, count, rates);
    }

    @Override
    public FilterImage image() {
        int filters = 0;
        long[] parameters = DaisyKinds.parameters(spec, count, 1 + (1 + BLOOM_PARAMETERS) * regions.length);
        parameters[OWN_PARAMETERS - 1] = regions.length;
        List<long[]> sections = new ArrayList<>();
        for (int region = 0; region < regions.length; region++) {
            BloomFilter filter = regions[region];
            int first = OWN_PARAMETERS + (1 + BLOOM_PARAMETERS) * region;
            if (filter != null) {
                filters++;
                FilterImage inner = filter.image();
                parameters[first] = filters;
                for (int i = 0; i < BLOOM_PARAMETERS; i++) {
                    parameters[first + 1 + i] = inner.parameter(i);
                }
                sections.add(inner.sections().get(0));
            }
        }
        sections.add(regionOfClass.toWords());
        sections.addAll(new DistributionForm(distribution).sections());
        return new FilterImage(KIND, parameters, sections);
    }

    static PartitionedLearnedFilter of(FilterImage image) {
        image.check(image.parameterCount() >= OWN_PARAMETERS, "too few parameters");
        FilterSpec spec = DaisyKinds.readSpec(image);
        long count = DaisyKinds.readCount(image);
        long regionCount = image.parameter(OWN_PARAMETERS - 1);
        image.check(
                regionCount >= 1
                        && regionCount <= MOST_REGIONS
                        && image.parameterCount() == OWN_PARAMETERS + (1 + BLOOM_PARAMETERS) * regionCount,
                regionCount + " regions cannot be");
        @Nullable BloomFilter[] regions = new BloomFilter[(int) regionCount];
        int filters = 0;
        for (int region = 0; region < regions.length; region++) {
            int first = OWN_PARAMETERS + (1 + BLOOM_PARAMETERS) * region;
            if (image.parameter(first) != 0) {
                image.check(image.parameter(first) == filters + 1, "the filters of the regions are not in order");
                image.check(filters < image.sections().size(), "a region has no bits");
                regions[region] = Inside.bloom(image, first + 1, filters);
                filters++;
            } else {
                for (int i = 1; i <= BLOOM_PARAMETERS; i++) {
                    image.check(image.parameter(first + i) == 0, "a region without a filter has numbers of one");
                }
            }
        }
        image.checkForm(image.parameterCount(), filters + 1 + DistributionForm.SECTION_COUNT);
        Distribution distribution = DistributionForm.read(image, filters + 1);
        int[] regionOfClass = ClassNumbers.read(image, filters, distribution.classCount(), regions.length - 1);
        return new PartitionedLearnedFilter(spec, distribution, ClassNumbers.parts(regionOfClass), regions, count);
    }
}
