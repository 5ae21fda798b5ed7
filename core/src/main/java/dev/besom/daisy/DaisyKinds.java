package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The kinds of this family, and what they have in common. */
public final class DaisyKinds {

    private static final String FAMILY = "daisy";
    private static final String PAPER = "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024";
    private static final String UNIVERSE =
            "how many keys there could be, all alike, if no distribution is given; default 2^64";

    private static final double LEAST_RATE = Math.scalb(1.0, -DaisyMath.MAX_PROBES);

    /** Capacity, rate, seed and count, with which the parameters of an image begin. */
    static final int PARAMETERS = 4;

    private DaisyKinds() {}

    public static List<Kind> all() {
        return List.of(
                Kind.of(DaisyFilter.KIND, DaisyFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .option("universe", UNIVERSE)
                        .option(
                                "sizing",
                                "ceil: for probes rounded up, which keeps the rate; formula: the paper's LB / ln 2")
                        .makes((spec, stored) -> DaisyFilter.of(spec))
                        .reads(new ImageForm(DaisyFilter.KIND), (image, stored) -> DaisyFilter.of(image))
                        .toKind(),
                Kind.of(DaisyFingerprintFilter.KIND, DaisyFingerprintFilter.class)
                        .family(FAMILY)
                        .paper(PAPER)
                        .option("universe", UNIVERSE)
                        .makes((spec, stored) -> DaisyFingerprintFilter.of(spec))
                        .reads(
                                new ImageForm(DaisyFingerprintFilter.KIND),
                                (image, stored) -> DaisyFingerprintFilter.of(image))
                        .toKind(),
                Kind.of(WeightedBloomFilter.KIND, WeightedBloomFilter.class)
                        .family(FAMILY)
                        .paper("Bruck, Gao, Jiang: Weighted Bloom filter. ISIT 2006")
                        .option("universe", UNIVERSE)
                        .makes((spec, stored) -> WeightedBloomFilter.of(spec))
                        .reads(
                                new ImageForm(WeightedBloomFilter.KIND),
                                (image, stored) -> WeightedBloomFilter.of(image))
                        .toKind(),
                Kind.of(PartitionedLearnedFilter.KIND, PartitionedLearnedFilter.class)
                        .family(FAMILY)
                        .paper("Vaidya, Knorr, Kraska, Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021")
                        .option("universe", UNIVERSE)
                        .option("regions", "the most regions, 1 to 64, default 6")
                        .makes((spec, stored) -> PartitionedLearnedFilter.of(spec))
                        .reads(
                                new ImageForm(PartitionedLearnedFilter.KIND),
                                (image, stored) -> PartitionedLearnedFilter.of(image))
                        .toKind());
    }

    /** Whether filters of the kind can be made for a distribution. */
    public static boolean takesDistribution(Kind kind) {
        return kind.type().getPackage() == DaisyKinds.class.getPackage();
    }

    /**
     * An empty filter that knows a distribution.
     *
     * @throws IllegalArgumentException if the kind is not of this family, or does not like the spec
     */
    public static PersistentFilter make(Kind kind, FilterSpec spec, Distribution distribution) {
        if (spec.options().containsKey("universe")) {
            throw new IllegalArgumentException("option universe must be left out where a distribution is given");
        }
        // For its complaints about options.
        kind.make(spec.withCapacity(1), StoredHashes.none());
        return switch (kind.name()) {
            case DaisyFilter.KIND -> DaisyFilter.of(spec, distribution);
            case DaisyFingerprintFilter.KIND -> DaisyFingerprintFilter.of(spec, distribution);
            case WeightedBloomFilter.KIND -> WeightedBloomFilter.of(spec, distribution);
            case PartitionedLearnedFilter.KIND -> PartitionedLearnedFilter.of(spec, distribution);
            default -> throw new IllegalArgumentException("kind " + kind.name() + " knows no distributions");
        };
    }

    static Distribution uniform(FilterSpec spec) {
        return Distribution.uniform(
                spec.option("universe", Distribution.WHOLE_UNIVERSE, 1, Distribution.WHOLE_UNIVERSE));
    }

    static boolean isSizedByFormula(FilterSpec spec) {
        String sizing = spec.option("sizing", "ceil");
        if (!sizing.equals("ceil") && !sizing.equals("formula")) {
            throw new IllegalArgumentException("option sizing must be ceil or formula, not '" + sizing + "'");
        }
        return sizing.equals("formula");
    }

    static FilterSpec plain(FilterSpec spec) {
        return new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
    }

    /** Capacity, rate and seed from the first three parameters. */
    static FilterSpec readSpec(FilterImage image) {
        image.check(image.parameterCount() >= 3, "too few parameters");
        long capacity = image.parameter(0);
        double fpp = image.doubleParameter(1);
        image.check(capacity >= 1, "a capacity of " + capacity + " cannot be");
        image.check(fpp > 0 && fpp < 1, "a rate of " + fpp + " cannot be");
        return new FilterSpec(capacity, fpp, image.parameter(2), Map.of());
    }

    /** Capacity, rate, seed and count, and room for more. */
    static long[] parameters(FilterSpec spec, long count, int more) {
        long[] parameters = new long[PARAMETERS + more];
        parameters[0] = spec.capacity();
        parameters[1] = Double.doubleToRawLongBits(spec.fpp());
        parameters[2] = spec.seed();
        parameters[3] = count;
        return parameters;
    }

    /** The count from the fourth parameter. */
    static long readCount(FilterImage image) {
        long count = image.parameter(3);
        image.check(count >= 0, "a count of " + count + " cannot be");
        return count;
    }

    static void checkRate(String kind, double fpp) {
        if (fpp < LEAST_RATE) {
            throw new IllegalArgumentException("a " + kind + " filter has no rate below 2^-64, such as " + fpp);
        }
    }

    static void checkShares(String kind, Distribution distribution) {
        if (!distribution.areSharesKnown()) {
            throw new IllegalArgumentException(
                    "a " + kind + " filter needs to know the classes' shares; only daisy finds them out by itself");
        }
    }

    static void requireSame(String what, Object mine, Object others) {
        if (!Objects.equals(mine, others)) {
            throw new IllegalArgumentException(what + " differ: " + mine + " and " + others);
        }
    }

    static void requireSameSpec(FilterSpec mine, FilterSpec others) {
        requireSame("capacities", mine.capacity(), others.capacity());
        requireSame("rates", mine.fpp(), others.fpp());
        requireSame("seeds", mine.seed(), others.seed());
    }

    static IllegalArgumentException notMergeable(String kind, MergeableFilter other) {
        return new IllegalArgumentException("a " + kind + " filter does not merge with a "
                + other.getClass().getSimpleName());
    }
}
