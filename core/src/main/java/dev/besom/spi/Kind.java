package dev.besom.spi;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * One kind of filter: its name, what it can do, how to make one and how to read one.
 *
 * @param name as used in files and on the command line
 * @param family the package it lives in
 * @param type the class; what the kind can do follows from the interfaces it implements
 * @param traits what no interface tells
 * @param paper where it comes from
 * @param options the names of its own options with what each one means
 * @param maker makes an empty filter
 * @param reader makes a filter from an image; throws {@link MalformedFilterException} on one that no filter wrote
 */
public record Kind(
        String name,
        String family,
        Class<? extends PersistentFilter> type,
        Traits traits,
        String paper,
        Map<String, String> options,
        Maker maker,
        Reader reader) {

    /** How well a kind withstands repeated false positives. */
    public enum Adaptivity {
        NO,
        HEURISTIC,
        PROVABLE;

        /** The name in machine-readable output. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What no interface tells of a kind.
     *
     * @param grows takes more keys than planned and keeps its rate, by itself or by reading the stored hashes again
     * @param falseNegatives can answer "no" for a key that was put in and not removed
     * @param adaptivity whether false positives can be repaired
     * @param keepsRepairs whether a false positive is mostly paid for once; a kind that changes its hash functions all at
     *     once when it runs out of room forgets its repairs then
     */
    public record Traits(boolean grows, boolean falseNegatives, Adaptivity adaptivity, boolean keepsRepairs) {
        /** Neither grows, nor errs on stored keys, nor adapts. */
        public static final Traits PLAIN = new Traits(false, false, Adaptivity.NO);

        /** Kinds that adapt keep what they have repaired. */
        public Traits(boolean grows, boolean falseNegatives, Adaptivity adaptivity) {
            this(grows, falseNegatives, adaptivity, adaptivity != Adaptivity.NO);
        }
    }

    /** Makes an empty filter; kinds that do not adapt ignore the stored hashes. */
    @FunctionalInterface
    public interface Maker {
        PersistentFilter make(FilterSpec spec, StoredHashes stored);
    }

    /** Makes a filter from an image; kinds that do not adapt ignore the stored hashes. */
    @FunctionalInterface
    public interface Reader {
        PersistentFilter read(FilterImage image, StoredHashes stored);
    }

    /** Makes an empty filter, after a check that the kind knows every option of the spec. */
    public PersistentFilter make(FilterSpec spec, StoredHashes stored) {
        for (String option : spec.options().keySet()) {
            if (!options.containsKey(option)) {
                throw new IllegalArgumentException("kind " + name + " has no option '" + option + "'"
                        + (options.isEmpty() ? "" : "; it has " + String.join(", ", new TreeSet<>(options.keySet()))));
            }
        }
        return maker.make(spec, stored);
    }

    public boolean isInsertable() {
        return InsertableFilter.class.isAssignableFrom(type);
    }

    public boolean isDeletable() {
        return DeletableFilter.class.isAssignableFrom(type);
    }

    public boolean isMergeable() {
        return MergeableFilter.class.isAssignableFrom(type);
    }

    public boolean isAdaptive() {
        return AdaptiveFilter.class.isAssignableFrom(type);
    }
}
