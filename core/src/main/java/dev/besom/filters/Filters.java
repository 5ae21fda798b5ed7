package dev.besom.filters;

import dev.besom.FilterSpec;
import dev.besom.LossyRemovalFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bloom.BalancedBloomFilter;
import dev.besom.bloom.BlockedBloomFilter;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.BloomKinds;
import dev.besom.bloom.CompositeBloomFilter;
import dev.besom.bloom.CountingBloomFilter;
import dev.besom.bloom.ScalableBloomFilter;
import dev.besom.bloom.VariableIncrementFilter;
import dev.besom.broom.BroomFilter;
import dev.besom.broom.BroomKinds;
import dev.besom.cascade.AdaptiveBloomFilter;
import dev.besom.cascade.CascadeFilter;
import dev.besom.cascade.CascadeKinds;
import dev.besom.compact.CompactKinds;
import dev.besom.compact.DLeftFilter;
import dev.besom.compact.RankIndexedFilter;
import dev.besom.compact.TinySetFilter;
import dev.besom.daisy.DaisyFilter;
import dev.besom.daisy.DaisyFingerprintFilter;
import dev.besom.daisy.DaisyKinds;
import dev.besom.daisy.PartitionedLearnedFilter;
import dev.besom.daisy.WeightedBloomFilter;
import dev.besom.distribution.Distribution;
import dev.besom.quotient.CompactTelescopingFilter;
import dev.besom.quotient.ExtensionFilter;
import dev.besom.quotient.QuotientFilter;
import dev.besom.quotient.QuotientKinds;
import dev.besom.quotient.TelescopingFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facade: every kind of filter by name, and factories that give filters their own types. */
public final class Filters {

    private static final List<Kind> KINDS = Stream.of(
                    BloomKinds.all(),
                    QuotientKinds.all(),
                    BroomKinds.all(),
                    CascadeKinds.all(),
                    CompactKinds.all(),
                    DaisyKinds.all())
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Kind> BY_NAME =
            KINDS.stream().collect(Collectors.toUnmodifiableMap(Kind::name, Function.identity()));

    private Filters() {}

    /** Every kind of filter that this version has, family by family. */
    public static List<Kind> kinds() {
        return KINDS;
    }

    /**
     * The kind of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Kind kind(String name) {
        Kind kind = BY_NAME.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("unknown kind '" + name + "'; known: "
                    + KINDS.stream().map(Kind::name).collect(Collectors.joining(", ")));
        }
        return kind;
    }

    /** A classic Bloom filter. */
    public static BloomFilter bloom(FilterSpec spec) {
        return make("bloom", BloomFilter.class, spec);
    }

    /** A Bloom filter that touches one cache line a question. */
    public static BlockedBloomFilter blockedBloom(FilterSpec spec) {
        return make("blocked-bloom", BlockedBloomFilter.class, spec);
    }

    /** A Bloom filter with deletes, at four times the memory. */
    public static CountingBloomFilter countingBloom(FilterSpec spec) {
        return make("counting-bloom", CountingBloomFilter.class, spec);
    }

    /** A Bloom filter with removals that can hide keys which are there: see {@link LossyRemovalFilter}. */
    public static CompositeBloomFilter compositeBloom(FilterSpec spec) {
        return make("composite-bloom", CompositeBloomFilter.class, spec);
    }

    /** A Bloom filter that takes more keys than planned and keeps its rate. */
    public static ScalableBloomFilter scalableBloom(FilterSpec spec) {
        return make("scalable-bloom", ScalableBloomFilter.class, spec);
    }

    /** A Bloom filter in half cache lines that are kept from getting too full. */
    public static BalancedBloomFilter balancedBloom(FilterSpec spec) {
        return make("balanced-bloom", BalancedBloomFilter.class, spec);
    }

    /** A Bloom filter with deletes, in less memory than plain counters take. */
    public static VariableIncrementFilter variableIncrement(FilterSpec spec) {
        return make("vi-counting-bloom", VariableIncrementFilter.class, spec);
    }

    /** A quotient filter: deletes, merges and counts. */
    public static QuotientFilter quotient(FilterSpec spec) {
        return make("quotient", QuotientFilter.class, spec);
    }

    /** A filter that repairs its false positives, in front of the dictionary whose hashes these are. */
    public static TelescopingFilter telescoping(FilterSpec spec, StoredHashes stored) {
        return TelescopingFilter.class.cast(kind("telescoping").make(spec, stored));
    }

    /** A telescoping filter in less memory; questions for present keys take longer. */
    public static CompactTelescopingFilter compactTelescoping(FilterSpec spec, StoredHashes stored) {
        return CompactTelescopingFilter.class.cast(kind("telescoping-compact").make(spec, stored));
    }

    /** A filter that repairs its false positives by lengthening fingerprints. */
    public static ExtensionFilter extension(FilterSpec spec, StoredHashes stored) {
        return ExtensionFilter.class.cast(kind("extension").make(spec, stored));
    }

    /** A hash table of fingerprints that get shorter as it fills, in cache lines: deletes and merges. */
    public static TinySetFilter tinySet(FilterSpec spec) {
        return make("tinyset", TinySetFilter.class, spec);
    }

    /** A hash table of fingerprints in chains that are found by counting bits: deletes. */
    public static RankIndexedFilter rankIndexed(FilterSpec spec) {
        return make("rank-indexed", RankIndexedFilter.class, spec);
    }

    /** A hash table of fingerprints with four buckets a key: deletes and merges. */
    public static DLeftFilter dLeft(FilterSpec spec) {
        return make("dleft", DLeftFilter.class, spec);
    }

    /** The same, in which up to three equal keys share a cell. */
    public static DLeftFilter countingDLeft(FilterSpec spec) {
        return make("dleft-counting", DLeftFilter.class, spec);
    }

    /** A Bloom filter that spends its bits on the keys that deserve them. */
    public static DaisyFilter daisy(FilterSpec spec, Distribution distribution) {
        return DaisyFilter.of(spec, distribution);
    }

    /** Fingerprints as long as each class of keys deserves. */
    public static DaisyFingerprintFilter daisyFingerprint(FilterSpec spec, Distribution distribution) {
        return DaisyFingerprintFilter.of(spec, distribution);
    }

    /** The weighted Bloom filter, to compare others with. */
    public static WeightedBloomFilter weightedBloom(FilterSpec spec, Distribution distribution) {
        return WeightedBloomFilter.of(spec, distribution);
    }

    /** A Bloom filter for each region of scores, to compare others with. */
    public static PartitionedLearnedFilter partitionedLearned(FilterSpec spec, Distribution distribution) {
        return PartitionedLearnedFilter.of(spec, distribution);
    }

    /** Whether filters of the kind can be made for a distribution. */
    public static boolean takesDistribution(Kind kind) {
        return DaisyKinds.takesDistribution(kind);
    }

    /** An empty filter of a kind that {@link #takesDistribution takes} a distribution. */
    public static PersistentFilter make(Kind kind, FilterSpec spec, Distribution distribution) {
        return DaisyKinds.make(kind, spec, distribution);
    }

    /** A filter whose rate no choice of questions can raise: a broom filter. */
    public static BroomFilter broom(FilterSpec spec, StoredHashes stored) {
        return BroomFilter.class.cast(kind("broom").make(spec, stored));
    }

    /** A Bloom filter that repairs its false positives by moving keys to smaller ones. */
    public static AdaptiveBloomFilter adaptiveBloom(FilterSpec spec, StoredHashes stored) {
        return AdaptiveBloomFilter.class.cast(kind("adaptive-bloom").make(spec, stored));
    }

    /** A filter of another kind, by option, that repairs its false positives by moving keys to smaller ones. */
    public static CascadeFilter cascade(FilterSpec spec, StoredHashes stored) {
        return CascadeFilter.class.cast(kind("cascade").make(spec, stored));
    }

    private static <F extends PersistentFilter> F make(String kind, Class<F> type, FilterSpec spec) {
        return type.cast(kind(kind).make(spec, StoredHashes.none()));
    }

    /**
     * The filter that an image was made from.
     *
     * @throws MalformedFilterException if no filter of a kind known here wrote it
     */
    public static PersistentFilter read(FilterImage image, StoredHashes stored) {
        Kind kind = BY_NAME.get(image.kind());
        if (kind == null) {
            throw new MalformedFilterException("kind '" + image.kind() + "' is not known to this version");
        }
        return kind.reader().read(image, stored);
    }
}
