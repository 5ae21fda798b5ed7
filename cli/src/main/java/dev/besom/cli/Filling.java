package dev.besom.cli;

import dev.besom.EntrySource;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.lab.advice.Alternatives;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a filter of one kind is filled: a static kind is built from all hashes at once, any other is made empty and given batch
 * after batch. Kinds that adapt need no stored hashes for that, and find none in a file either: whoever reads the file to
 * repair false positives binds it to a dictionary then.
 */
final class Filling {

    private final Kind kind;
    private final FilterSpec spec;
    private final Optional<DistributionLearner> learner;

    /**
     * @param spec what the filter should be
     * @param learner what a kind that knows the distribution learned, if anything
     */
    Filling(Kind kind, FilterSpec spec, Optional<DistributionLearner> learner) {
        this.kind = kind;
        this.spec = spec;
        this.learner = learner;
    }

    /**
     * A filter with keys in it.
     *
     * @param keys how many were put in, each as often as it came
     * @param capacity how many it was planned for
     */
    record Filled(PersistentFilter filter, long keys, long capacity) {}

    /** Refuses options that the kind does not like. */
    static void checkOptions(Kind kind, FilterSpec spec) {
        if (!spec.options().isEmpty()) {
            refusing(
                    "--kind " + kind.name(),
                    () -> kind.build(spec.withCapacity(1), HashSource.of(1L), StoredHashes.none()));
        }
    }

    Kind kind() {
        return kind;
    }

    /** The same for so many keys. */
    Filling withCapacity(long keys) {
        return new Filling(kind, spec.withCapacity(keys), learner);
    }

    /**
     * Fills a filter.
     *
     * @throws FilterFullException if it has no room for all of the hashes
     */
    Filled fill(HashBatches hashes, Progress progress) throws IOException {
        return kind.isBuiltAtOnce() ? build(hashes.toSource(), progress) : insert(hashes, progress);
    }

    private Filled build(HashSource hashes, Progress progress) throws IOException {
        try {
            PersistentFilter filter = refusing(culprit(), () -> kind.build(spec, hashes, StoredHashes.none()));
            progress.step(hashes.count());
            return new Filled(filter, hashes.count(), spec.capacity());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Builds a map of these entries. */
    Filled fillMap(long[] hashes, long[] values) {
        PersistentFilter filter = refusing(culprit(), () -> kind.buildMap(spec, EntrySource.of(hashes, values)));
        return new Filled(filter, hashes.length, spec.capacity());
    }

    /** Builds a filter that is right about keys which are not in it. */
    Filled fillSeparating(long[] yes, long[] no) {
        PersistentFilter filter =
                refusing(culprit(), () -> kind.buildSeparating(spec, HashSource.of(yes), HashSource.of(no)));
        return new Filled(filter, yes.length, spec.capacity());
    }

    private Filled insert(HashBatches hashes, Progress progress) throws IOException {
        PersistentFilter filter = makeOrNameAnother();
        if (!(filter instanceof InsertableFilter target)) {
            throw new InputException("--kind " + kind.name() + ": takes no keys, neither one by one nor all at once");
        }
        long[] keys = new long[1];
        hashes.forEachBatch((batch, count) -> {
            target.insertHashes(batch, 0, count);
            keys[0] += count;
            progress.step(count);
        });
        return new Filled(filter, keys[0], spec.capacity());
    }

    private PersistentFilter make() {
        return learner.isPresent()
                ? Filters.makeHashFilter(kind, spec, learner.get().learn((double) spec.capacity(), spec.fpp()))
                : kind.make(spec, StoredHashes.none());
    }

    private PersistentFilter makeOrNameAnother() {
        try {
            return make();
        } catch (IllegalArgumentException e) {
            String another = Alternatives.toImpossibleRate(kind, spec.fpp())
                    .map(other ->
                            "; " + other.kind() + " does with " + Numbers.fixed(other.bitsPerKey(), 1) + " bits a key")
                    .orElse("");
            throw new InputException(culprit() + ": " + e.getMessage() + another, e);
        }
    }

    private String culprit() {
        return "--kind " + kind.name() + " --n " + spec.capacity() + " --fpp " + spec.fpp();
    }

    private static PersistentFilter refusing(String culprit, Supplier<PersistentFilter> making) {
        try {
            return making.get();
        } catch (IllegalArgumentException e) {
            throw new InputException(culprit + ": " + e.getMessage(), e);
        }
    }

    /** What to tell the user when it is full. */
    InputException refuse(FilterFullException full) {
        return new InputException(
                "--n: more keys, or one key more often, than a filter of kind " + kind.name() + " for "
                        + spec.capacity() + " keys can take: " + full.getMessage(),
                full);
    }
}
