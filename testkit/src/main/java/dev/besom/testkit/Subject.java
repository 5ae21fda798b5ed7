package dev.besom.testkit;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.spi.Kind;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A kind of filter at one point of its parameter grid, as {@link FilterContract} tests it: how to make one, and what it
 * promises beyond its interfaces.
 *
 * <p>Subjects are immutable; the {@code with} methods give changed copies.
 */
public final class Subject {

    /** Below so many keys the predictions of rates are rough, and rates are not asserted. */
    public static final long FEWEST_KEYS_FOR_RATES = 1_000;

    private static final long MOST_KEYS_UNDER_CHURN = 5_000;

    /** Makes an empty filter that keys can be put into. */
    @FunctionalInterface
    public interface Maker {
        /** An empty filter; kinds that do not adapt ignore the stored hashes. */
        InsertableFilter make(FilterSpec spec, StoredHashes stored);
    }

    /** Makes a filter of given keys. */
    @FunctionalInterface
    private interface Builder {
        MembershipFilter build(FilterSpec spec, StoredHashes stored, long[] hashes);
    }

    private final String name;
    private final Class<? extends MembershipFilter> type;
    private final FilterSpec spec;
    private final Builder builder;
    private final boolean keepsRateAsked;
    private final double predictionSlack;
    private final int rangeReadsPerRepair;

    private Subject(
            String name,
            Class<? extends MembershipFilter> type,
            FilterSpec spec,
            Builder builder,
            boolean keepsRateAsked,
            double predictionSlack,
            int rangeReadsPerRepair) {
        this.name = name;
        this.type = type;
        this.spec = spec;
        this.builder = builder;
        this.keepsRateAsked = keepsRateAsked;
        this.predictionSlack = predictionSlack;
        this.rangeReadsPerRepair = rangeReadsPerRepair;
    }

    /** A kind of filter, Besom's own or another's: made empty and filled, or built from all its keys if it takes none. */
    public static Subject of(Kind kind, FilterSpec spec) {
        if (kind.isBuiltAtOnce()) {
            return new Subject(
                    kind.name(),
                    kind.type(),
                    spec,
                    (s, stored, hashes) -> kind.build(s, HashSource.of(hashes), stored),
                    true,
                    0,
                    1);
        }
        return of(kind.name(), kind.type(), spec, (s, stored) -> (InsertableFilter) kind.make(s, stored));
    }

    /** A filter that is not in the facade, or made in a way of its own. */
    public static Subject of(String name, Class<? extends MembershipFilter> type, FilterSpec spec, Maker maker) {
        Builder builder = (s, stored, hashes) -> {
            InsertableFilter filter = maker.make(s, stored);
            for (long hash : hashes) {
                filter.insertHash(hash);
            }
            return filter;
        };
        return new Subject(name, type, spec, builder, true, 0, 1);
    }

    /** A filter that is built from all of its keys at once. */
    public static Subject builtFrom(
            String name,
            Class<? extends MembershipFilter> type,
            FilterSpec spec,
            Function<long[], ? extends MembershipFilter> build) {
        return new Subject(name, type, spec, (s, stored, hashes) -> build.apply(hashes), true, 0, 1);
    }

    /** A grid that fits any kind: few and many keys, high and low rates. Thorough runs take more of the many. */
    public static Stream<Subject> usualGridOf(Kind kind) {
        int many = Seeds.repetitions(9_000, 30_000);
        int fewer = Seeds.repetitions(7_001, 20_001);
        return Stream.of(
                        List.of(FilterSpec.of(1, 0.01), FilterSpec.of(100, 0.05).withSeed(1)),
                        List.of(
                                FilterSpec.of(1_000, 0.01),
                                FilterSpec.of(3_001, 0.1).withSeed(-1)),
                        List.of(FilterSpec.of(many, 0.02).withSeed(77), FilterSpec.of(fewer, 0.001)))
                .flatMap(List::stream)
                .map(spec -> of(kind, spec));
    }

    /** For a kind whose rate at capacity may be above the rate asked for. */
    public Subject withoutPromiseOfRateAsked() {
        return new Subject(name, type, spec, builder, false, predictionSlack, rangeReadsPerRepair);
    }

    /**
     * For a kind whose {@code expectedFpp()} is a formula of the load and not a reading of the state, so that the rate
     * of one filter is not exactly it.
     *
     * @param slack how far the prediction may be off, as a part of itself
     */
    public Subject withPredictionSlack(double slack) {
        return new Subject(name, type, spec, builder, keepsRateAsked, slack, rangeReadsPerRepair);
    }

    /** For an adaptive kind that reads more than one range of the store in a repair. */
    public Subject withRangeReadsPerRepair(int reads) {
        return new Subject(name, type, spec, builder, keepsRateAsked, predictionSlack, reads);
    }

    /** The same kind at another point of the grid. */
    public Subject withSpec(FilterSpec changed) {
        return new Subject(name, type, changed, builder, keepsRateAsked, predictionSlack, rangeReadsPerRepair);
    }

    /** The point of the grid. */
    public FilterSpec spec() {
        return spec;
    }

    /** The class of the filters, whose interfaces are what is promised. */
    public Class<? extends MembershipFilter> type() {
        return type;
    }

    /** A seed of this check and this point of the grid. */
    long seed(long literal) {
        return Seeds.of(literal, name.hashCode(), spec.capacity(), Double.doubleToRawLongBits(spec.fpp()), spec.seed());
    }

    /** The planned number of keys. */
    int capacity() {
        return Math.toIntExact(spec.capacity());
    }

    boolean is(Class<?> capability) {
        return capability.isAssignableFrom(type);
    }

    boolean isInsertable() {
        return is(InsertableFilter.class);
    }

    boolean keepsRateAsked() {
        return keepsRateAsked && hasRates();
    }

    boolean hasRates() {
        return spec.capacity() >= FEWEST_KEYS_FOR_RATES;
    }

    /** Whether rates are asserted after many changes too; of many keys that takes long. */
    boolean hasRatesUnderChurn() {
        return hasRates() && (spec.capacity() <= MOST_KEYS_UNDER_CHURN || Seeds.isThorough());
    }

    double predictionSlack() {
        return predictionSlack;
    }

    int rangeReadsPerRepair() {
        return rangeReadsPerRepair;
    }

    /** A filter of these keys beside a store of these keys. */
    Filled filledWith(long... hashes) {
        HashMultiset stored = HashMultiset.of(hashes);
        return new Filled(builder.build(spec, stored, hashes), stored, hashes);
    }

    /** A filter without keys beside a store that is filled later. */
    MembershipFilter emptyBeside(HashMultiset stored) {
        return builder.build(spec, stored, new long[0]);
    }

    /** A filter without keys. */
    Filled empty() {
        return filledWith();
    }

    /** A filter that holds as many keys as it is planned for. */
    Filled full(long seed) {
        return filledWith(HashStream.stored(seed).next(capacity()));
    }

    @Override
    public String toString() {
        return name + " n=" + spec.capacity() + " fpp=" + spec.fpp() + " seed=" + spec.seed()
                + (spec.options().isEmpty() ? "" : " " + spec.options());
    }
}
