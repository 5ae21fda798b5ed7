package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.List;

/** The kinds of the daisy family, and what their options and plans have in common. */
public final class DaisyKinds {

    private static final String FAMILY = "daisy";
    private static final String PAPER = "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024";
    private static final String UNIVERSE =
            "how many keys there could be, all alike, if no distribution is given; default 2^64";

    private static final double LEAST_RATE = Math.scalb(1.0, -DaisyMath.MAX_PROBES);

    private static final List<Member> MEMBERS = List.of(
            new Member(
                    Kind.of(DaisyFilter.KIND, DaisyFilter.class)
                            .family(FAMILY)
                            .paper(PAPER)
                            .option("universe", UNIVERSE)
                            .option(
                                    "sizing",
                                    "ceil: for probes rounded up, which keeps the rate; formula: the paper's LB / ln 2")
                            .makes((spec, stored) -> DaisyFilter.make(spec))
                            .reads(() -> DaisyFilter.FORM, (image, stored) -> DaisyFilter.read(image))
                            .toKind(),
                    DaisyFilter::make),
            new Member(
                    Kind.of(DaisyFingerprintFilter.KIND, DaisyFingerprintFilter.class)
                            .family(FAMILY)
                            .paper(PAPER)
                            .option("universe", UNIVERSE)
                            .makes((spec, stored) -> DaisyFingerprintFilter.make(spec))
                            .reads(
                                    () -> DaisyFingerprintFilter.FORM,
                                    (image, stored) -> DaisyFingerprintFilter.read(image))
                            .toKind(),
                    DaisyFingerprintFilter::make),
            new Member(
                    Kind.of(DaisyCountingFilter.KIND, DaisyCountingFilter.class)
                            .family(FAMILY)
                            .paper(PAPER)
                            .option("universe", UNIVERSE)
                            .option("counterBits", "bits of a counter, 2 to 16, default 4")
                            .makes((spec, stored) -> DaisyCountingFilter.make(spec))
                            .reads(() -> DaisyCountingFilter.FORM, (image, stored) -> DaisyCountingFilter.read(image))
                            .toKind(),
                    DaisyCountingFilter::make),
            new Member(
                    Kind.of(WeightedBloomFilter.KIND, WeightedBloomFilter.class)
                            .family(FAMILY)
                            .paper("Bruck, Gao, Jiang: Weighted Bloom filter. ISIT 2006")
                            .option("universe", UNIVERSE)
                            .makes((spec, stored) -> WeightedBloomFilter.make(spec))
                            .reads(() -> WeightedBloomFilter.FORM, (image, stored) -> WeightedBloomFilter.read(image))
                            .toKind(),
                    WeightedBloomFilter::make),
            new Member(
                    Kind.of(PartitionedLearnedFilter.KIND, PartitionedLearnedFilter.class)
                            .family(FAMILY)
                            .paper("Vaidya, Knorr, Kraska, Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021")
                            .option("universe", UNIVERSE)
                            .option("regions", "the most regions, 1 to 64, default 6")
                            .makes((spec, stored) -> PartitionedLearnedFilter.make(spec))
                            .reads(
                                    () -> PartitionedLearnedFilter.FORM,
                                    (image, stored) -> PartitionedLearnedFilter.read(image))
                            .toKind(),
                    PartitionedLearnedFilter::make));

    /** A kind, and how its filters are made for a distribution. */
    private record Member(Kind kind, Maker maker) {}

    @FunctionalInterface
    private interface Maker {
        PersistentFilter make(FilterSpec spec, Distribution distribution);
    }

    private DaisyKinds() {}

    /** Every kind of the family. */
    public static List<Kind> all() {
        return MEMBERS.stream().map(Member::kind).toList();
    }

    /** Whether filters of the kind can be made for a distribution. */
    public static boolean takesDistribution(Kind kind) {
        return MEMBERS.stream().anyMatch(member -> member.kind.name().equals(kind.name()));
    }

    /**
     * An empty filter that knows a distribution.
     *
     * @throws IllegalArgumentException if the kind is not of this family, or cannot be as the spec says
     */
    public static PersistentFilter make(Kind kind, FilterSpec spec, Distribution distribution) {
        Member member = MEMBERS.stream()
                .filter(one -> one.kind.name().equals(kind.name()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kind " + kind.name() + " takes no distributions"));
        if (spec.options().containsKey("universe")) {
            throw new IllegalArgumentException("option universe must be left out where a distribution is given");
        }
        // Refuses options that the kind does not have.
        member.kind.make(spec.withCapacity(1), StoredHashes.none());
        return member.maker.make(spec, distribution);
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

    static void checkRate(String kind, double fpp) {
        if (fpp < LEAST_RATE) {
            throw new IllegalArgumentException("a " + kind + " filter has no rate below 2^-64, such as " + fpp);
        }
    }

    static void checkShares(String kind, Distribution distribution) {
        if (!distribution.areSharesKnown()) {
            throw new IllegalArgumentException(
                    "a " + kind
                            + " filter needs to know the classes' shares; only daisy and daisy-fingerprint find them out by themselves");
        }
    }
}
