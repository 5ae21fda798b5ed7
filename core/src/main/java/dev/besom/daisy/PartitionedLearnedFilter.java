package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.IndexScheme;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The partitioned learned filter, to compare others with: classes of keys in the order of a score are cut into a few
 * regions, and each region has a Bloom filter with a rate of its own, or none where every key is answered "maybe".
 *
 * <pre>
 *   score      low: rather queried than stored                            high: rather stored than queried
 *   region     0                1                  2                          3
 *   filter     Bloom, 0.1 %     Bloom, 0.8 %       Bloom, 6 %                 none
 * </pre>
 *
 * The score of a class is its share of the inserts over that of inserts and queries together, which is what the best
 * model could say of it. Cuts and rates are the paper's ({@link PartitionedMath}). No key is lost, whatever the scores.
 *
 * <p><b>Departure from the paper.</b> There the model is trained on the very keys to be stored. Here it is a distribution,
 * and keys may come later.
 *
 * <p><b>Cost.</b> That of the region's Bloom filter, after one lookup of the class. One writer at a time.
 *
 * <p>K. Vaidya, E. Knorr, T. Kraska, M. Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021.
 */
public final class PartitionedLearnedFilter extends DistributionFilter {

    static final String KIND = "partitioned-learned";

    private static final DaisyForm IMAGE = new DaisyForm(KIND, "region of each class", ClassNumbers::parts);
    static final ImageForm FORM = IMAGE.form;

    static {
        FORM.list("of each region: 1 if it has a filter, 0 if all of it is \"maybe\"");
        FORM.parts("Bloom filters, region by region");
    }

    /** More regions gain next to nothing, the paper finds. */
    static final int DEFAULT_REGIONS = 6;

    static final int MOST_REGIONS = 64;

    private static final long SEED_STEP = 0xB5C0FBCFEC4D3B2FL;
    private static final Inside<BloomFilter> BLOOM = Inside.bloom(BloomFilter.class);

    /** By region; null where everything is "maybe". */
    private final @Nullable BloomFilter[] regions;

    private PartitionedLearnedFilter(DaisyHeader header, @Nullable BloomFilter[] regions) {
        super(header);
        this.regions = regions;
    }

    /** An empty filter of keys that all are alike, with the options {@code universe} and {@code regions}. */
    static PartitionedLearnedFilter make(FilterSpec spec) {
        return make(spec, DaisyKinds.uniform(spec));
    }

    /** An empty filter that knows a distribution, with the option {@code regions}. */
    static PartitionedLearnedFilter make(FilterSpec spec, Distribution distribution) {
        int most = (int) spec.option("regions", DEFAULT_REGIONS, 1, MOST_REGIONS);
        DaisyKinds.checkRate(FORM.kind(), spec.fpp());
        DaisyKinds.checkShares(FORM.kind(), distribution);
        PartitionedMath.Partition partition = PartitionedMath.partition(distribution.classes(), spec.fpp(), most);
        @Nullable BloomFilter[] regions = new BloomFilter[partition.rate().size()];
        for (int region = 0; region < regions.length; region++) {
            double rate = partition.rate().get(region);
            if (rate < 1) {
                long capacity = roomFor(spec.capacity(), partition.insertShare().get(region));
                // Bits anywhere, as in the paper: regions may be small, and a baseline should not be larger than it
                // must.
                regions[region] = BLOOM.make(FilterSpec.of(capacity, rate)
                        .withSeed(spec.seed() + SEED_STEP * (region + 1))
                        .with("scheme", IndexScheme.ENHANCED_DOUBLE.label()));
            }
        }
        return new PartitionedLearnedFilter(
                DaisyHeader.of(spec, distribution, ClassNumbers.parts(partition.regionOfClass())), regions);
    }

    /** For the keys expected and three standard deviations more: a small region with one key too many is soon full. */
    private static long roomFor(long capacity, double share) {
        double expected = capacity * share;
        return Math.max(1, Math.min(capacity, (long) Math.ceil(expected + 3 * Math.sqrt(expected) + 8)));
    }

    @Override
    public boolean mightContainHash(long hash, int keyClass) {
        int region = numberToQuery(keyClass);
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
    boolean put(long hash, int keyClass) {
        int region = numberToInsert(keyClass);
        if (region >= 0) {
            BloomFilter filter = regions[region];
            return filter != null && filter.insertHash(hash);
        }
        boolean isNew = !mightBeInAny(hash);
        for (BloomFilter filter : regions) {
            if (filter != null) {
                filter.insertHash(hash);
            }
        }
        return isNew;
    }

    /** The number of regions, with and without a filter. */
    public int regionCount() {
        return regions.length;
    }

    @Override
    public PartitionedLearnedFilter bind(HashClassifier classifier) {
        return new PartitionedLearnedFilter(header().bind(classifier), regions);
    }

    @Override
    public long bitsWithoutDistribution() {
        long size = 0;
        for (BloomFilter filter : regions) {
            size += filter == null ? 0 : filter.sizeInBits();
        }
        return size;
    }

    @Override
    IntToDoubleFunction rates() {
        double[] rates = new double[regions.length];
        for (int region = 0; region < rates.length; region++) {
            BloomFilter filter = regions[region];
            rates[region] = filter == null ? 1 : filter.expectedFpp();
        }
        return keyClass -> rates[numberToQuery(keyClass)];
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = IMAGE.write(header());
        long[] hasFilter = new long[regions.length];
        for (int region = 0; region < regions.length; region++) {
            BloomFilter filter = regions[region];
            if (filter != null) {
                hasFilter[region] = 1;
                writer.part(filter.image());
            }
        }
        return writer.list(hasFilter).image();
    }

    static PartitionedLearnedFilter read(FilterImage image) {
        long[] hasFilter = image.list(FORM);
        image.check(hasFilter.length >= 1 && hasFilter.length <= MOST_REGIONS, hasFilter.length + " regions cannot be");
        List<BloomFilter> filters = BLOOM.read(FORM, image);
        Iterator<BloomFilter> next = filters.iterator();
        @Nullable BloomFilter[] regions = new BloomFilter[hasFilter.length];
        for (int region = 0; region < regions.length; region++) {
            image.check(
                    hasFilter[region] == 0 || (hasFilter[region] == 1 && next.hasNext()),
                    "region " + region + " has no filter");
            regions[region] = hasFilter[region] == 0 ? null : next.next();
        }
        image.check(!next.hasNext(), "there are filters of no region");
        return new PartitionedLearnedFilter(IMAGE.read(image, regions.length - 1), regions);
    }
}
