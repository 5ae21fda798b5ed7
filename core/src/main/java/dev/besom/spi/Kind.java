package dev.besom.spi;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.LongApproximateMap;
import dev.besom.LossyRemovalFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MergeableFilter;
import dev.besom.ScalableFilter;
import dev.besom.StoredHashes;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One kind of filter: its name, what it can do, how to make one and how to read one.
 *
 * <p>What a kind can do follows from the interfaces that its class implements. There are two ways to make a filter: empty,
 * to be filled by inserts, and built from all its hashes at once. A kind knows one of them or both; one that knows only the
 * second is <i>static</i>.
 *
 * <pre>{@code
 *   Kind.of("bloom", BloomFilter.class)
 *           .family("bloom")
 *           .paper("Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 1970")
 *           .option("probes", "bits a key sets, 1 to 64")
 *           .makes(BloomFilter::make)
 *           .reads(BloomFilter.FORM, BloomFilter::read)
 *           .toKind();
 * }</pre>
 */
public final class Kind {

    /** How well a kind withstands repeated false positives. */
    public enum Adaptivity {
        /** A false positive stays one. */
        NO,
        /** False positives are repaired; an adversary who knows the scheme can bring them back. */
        HEURISTIC,
        /** No choice of queries raises the rate, within the kind's {@link Kind#adaptiveBudget()}. */
        PROVABLE;

        /** The name in machine-readable output. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Makes an empty filter. */
    @FunctionalInterface
    public interface Maker {
        /** An empty filter; kinds that do not adapt ignore the stored hashes. */
        PersistentFilter make(FilterSpec spec, StoredHashes stored);
    }

    /** Builds a filter from all its hashes. */
    @FunctionalInterface
    public interface Constructor {
        /** A filter that holds every hash of the source; kinds that do not adapt ignore the stored hashes. */
        PersistentFilter build(FilterSpec spec, HashSource hashes, StoredHashes stored);
    }

    /** Builds a map from all its entries. */
    @FunctionalInterface
    public interface MapConstructor {
        /**
         * A map that holds every entry of the source.
         *
         * @throws IllegalArgumentException if a hash has two values, or a value is negative or too large
         */
        PersistentMap build(FilterSpec spec, EntrySource entries);
    }

    /** Builds a filter that is right about known keys which are not in it. */
    @FunctionalInterface
    public interface Separator {
        /**
         * A filter that holds every hash of one source and answers "no" for every hash of the other.
         *
         * @throws IllegalArgumentException if a hash is in both
         */
        PersistentFilter build(FilterSpec spec, HashSource yes, HashSource no);
    }

    /** Makes a filter from an image. */
    @FunctionalInterface
    public interface Reader {
        /**
         * The filter of an image; kinds that do not adapt ignore the stored hashes.
         *
         * @throws MalformedFilterException if no filter of the kind wrote it
         */
        PersistentFilter read(FilterImage image, StoredHashes stored);
    }

    private final String name;
    private final Class<? extends PersistentFilter> type;
    private final String family;
    private final String paper;
    private final Supplier<Map<String, String>> declaredOptions;
    private volatile @Nullable Map<String, String> options;
    private final Adaptivity adaptivity;
    private final double adaptiveBudget;
    private final boolean keepsRepairs;
    private final boolean tradesTimeForSpace;
    private final @Nullable Maker maker;
    private final @Nullable Constructor constructor;
    private final @Nullable MapConstructor mapConstructor;
    private final @Nullable Separator separator;
    private final Supplier<ImageForm> form;
    private final Reader reader;

    private Kind(Builder builder) {
        this.name = builder.name;
        this.type = builder.type;
        this.family = builder.family;
        this.paper = builder.paper;
        this.declaredOptions = builder.allOptions();
        this.adaptivity = builder.adaptivity;
        this.adaptiveBudget = builder.adaptiveBudget;
        this.keepsRepairs = builder.keepsRepairs;
        this.tradesTimeForSpace = builder.tradesTimeForSpace;
        this.maker = builder.maker;
        this.constructor = builder.constructor;
        this.mapConstructor = builder.mapConstructor;
        this.separator = builder.separator;
        this.form = Objects.requireNonNull(builder.form, "form");
        this.reader = Objects.requireNonNull(builder.reader, "reader");
        if (maker == null && constructor == null) {
            throw new IllegalStateException("kind " + name + " has no way to make a filter");
        }
        if ((mapConstructor != null) != holdsValues()) {
            throw new IllegalStateException("kind " + name + " is " + (holdsValues() ? "" : "not ") + "a map, and has "
                    + (mapConstructor == null ? "no" : "a") + " way to build one");
        }
        if ((adaptivity != Adaptivity.NO) != isAdaptive()) {
            throw new IllegalStateException("kind " + name + " is " + (isAdaptive() ? "" : "not ")
                    + "an adaptive filter," + " and declared adaptive: " + adaptivity.label());
        }
    }

    /**
     * Begins the description of a kind.
     *
     * @param name as used in files and on the command line: printable ASCII without blanks
     * @param type the class of its filters
     */
    public static Builder of(String name, Class<? extends PersistentFilter> type) {
        return new Builder(name, type);
    }

    /** The name in files and on the command line. */
    public String name() {
        return name;
    }

    /** The class of its filters; what the kind can do follows from the interfaces it implements. */
    public Class<? extends PersistentFilter> type() {
        return type;
    }

    /** The name that it shares with its relatives. */
    public String family() {
        return family;
    }

    /** Where it comes from. */
    public String paper() {
        return paper;
    }

    /** The names of its own options with what each one means, in order. */
    public Map<String, String> options() {
        Map<String, String> known = options;
        if (known == null) {
            known = Collections.unmodifiableMap(declaredOptions.get());
            options = known;
        }
        return known;
    }

    /** Whether false positives can be repaired, and what that is worth. */
    public Adaptivity adaptivity() {
        return adaptivity;
    }

    /**
     * Up to how many unique queries a key the rate of a filter that repairs its false positives stays at the planned one,
     * whatever is asked. Infinite where there is no bound, and {@code NaN} for kinds that promise nothing.
     */
    public double adaptiveBudget() {
        return adaptiveBudget;
    }

    /**
     * Whether a false positive is mostly paid for once. A kind that changes its hash functions all at once when it runs
     * out of room forgets its repairs then, and one that repairs by moving keys brings other false positives back.
     */
    public boolean keepsRepairs() {
        return keepsRepairs;
    }

    /** Whether queries or changes take several times as long as with its rivals, so that keys take fewer bits. */
    public boolean tradesTimeForSpace() {
        return tradesTimeForSpace;
    }

    /** The fields and sections of its images. */
    public ImageForm form() {
        return form.get();
    }

    /** Whether filters are built from all their hashes at once and never change. */
    public boolean isStatic() {
        return maker == null;
    }

    /**
     * Whether filters come from all their hashes at once: those of static kinds, and maps that change, to which hashes come
     * with their values only.
     */
    public boolean isBuiltAtOnce() {
        return isStatic() || !isInsertable();
    }

    /** Whether keys can be inserted one by one. */
    public boolean isInsertable() {
        return isA(InsertableFilter.class);
    }

    /** Whether keys can be deleted again. */
    public boolean isDeletable() {
        return isA(DeletableFilter.class);
    }

    /** Whether filters of one shape can be united. */
    public boolean isMergeable() {
        return isA(MergeableFilter.class);
    }

    /** Whether filters take more keys than planned and keep their rate, by themselves or by reading the hashes again. */
    public boolean isGrowable() {
        return isA(GrowableFilter.class) || isA(ScalableFilter.class);
    }

    /** Whether false positives can be repaired. */
    public boolean isAdaptive() {
        return isA(AdaptiveFilter.class);
    }

    /** Whether a stored key can be answered "no" after removals. */
    public boolean hasFalseNegatives() {
        return isA(LossyRemovalFilter.class);
    }

    /** Whether keys have values: whether filters of the kind are {@link LongApproximateMap}s. */
    public boolean holdsValues() {
        return isA(LongApproximateMap.class);
    }

    /** Whether filters can be built that are right about known keys which are not in them. */
    public boolean separates() {
        return separator != null;
    }

    private boolean isA(Class<?> capability) {
        return capability.isAssignableFrom(type);
    }

    /**
     * Makes an empty filter.
     *
     * @throws IllegalArgumentException if the kind is static, or does not know an option, or cannot be as the spec says
     */
    public PersistentFilter make(FilterSpec spec, StoredHashes stored) {
        checkOptions(spec);
        if (maker == null) {
            throw new IllegalArgumentException("kind " + name + " is built from all its keys at once, never empty");
        }
        return maker.make(spec, stored);
    }

    /**
     * Builds a filter that holds every hash of the source. Kinds that are not static and have no way of their own to build
     * one are made empty and filled.
     *
     * @throws IllegalArgumentException if the kind does not know an option, or cannot be as the spec says
     */
    public PersistentFilter build(FilterSpec spec, HashSource hashes, StoredHashes stored) {
        checkOptions(spec);
        if (constructor != null) {
            return constructor.build(spec, hashes, stored);
        }
        PersistentFilter filter = make(spec, stored);
        hashes.forEach(((InsertableFilter) filter)::insertHash);
        return filter;
    }

    /**
     * Builds a map that holds every entry of the source.
     *
     * @throws IllegalArgumentException if the kind holds no values, does not know an option, or cannot be as the spec says;
     *     if a hash has two values, or a value is negative or too large
     */
    public PersistentMap buildMap(FilterSpec spec, EntrySource entries) {
        checkOptions(spec);
        if (mapConstructor == null) {
            throw new IllegalArgumentException("kind " + name + " holds no values");
        }
        return mapConstructor.build(spec, entries);
    }

    /**
     * Builds a filter that holds every hash of one source and answers "no" for every hash of the other.
     *
     * @throws IllegalArgumentException if the kind {@linkplain #separates() cannot}, does not know an option, or cannot be as
     *     the spec says; if a hash is in both
     */
    public PersistentFilter buildSeparating(FilterSpec spec, HashSource yes, HashSource no) {
        checkOptions(spec);
        if (separator == null) {
            throw new IllegalArgumentException("kind " + name + " cannot be told of keys that are not in it");
        }
        return separator.build(spec, yes, no);
    }

    /**
     * Makes a filter from an image.
     *
     * @throws MalformedFilterException if no filter of the kind wrote it
     */
    public PersistentFilter read(FilterImage image, StoredHashes stored) {
        return reader.read(form().check(image), stored);
    }

    private void checkOptions(FilterSpec spec) {
        for (String option : spec.options().keySet()) {
            if (!options().containsKey(option)) {
                throw new IllegalArgumentException("kind " + name + " has no option '" + option + "'"
                        + (options().isEmpty()
                                ? ""
                                : "; it has " + String.join(", ", options().keySet())));
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** The description of a kind in the making. */
    public static final class Builder {

        private final String name;
        private final Class<? extends PersistentFilter> type;
        private final Map<String, String> options = new TreeMap<>();
        private Supplier<Map<String, String>> moreOptions = Map::of;
        private String family = "other";
        private String paper = "";
        private Adaptivity adaptivity = Adaptivity.NO;
        private double adaptiveBudget = Double.NaN;
        private boolean keepsRepairs;
        private boolean tradesTimeForSpace;
        private @Nullable Maker maker;
        private @Nullable Constructor constructor;
        private @Nullable MapConstructor mapConstructor;
        private @Nullable Separator separator;
        private @Nullable Supplier<ImageForm> form;
        private @Nullable Reader reader;

        private Builder(String name, Class<? extends PersistentFilter> type) {
            this.name = Objects.requireNonNull(name, "name");
            this.type = Objects.requireNonNull(type, "type");
            if (!name.matches("[!-~]+")) {
                throw new IllegalArgumentException(
                        "a kind's name is printable ASCII without blanks, not '" + name + "'");
            }
        }

        /** Names the relatives of the kind. */
        public Builder family(String newFamily) {
            family = newFamily;
            return this;
        }

        /** Says where the kind comes from. */
        public Builder paper(String newPaper) {
            paper = newPaper;
            return this;
        }

        /** Adds an option of the kind's own, with what it means. */
        public Builder option(String option, String meaning) {
            options.put(option, meaning);
            return this;
        }

        /** Adds options of the kind's own, with what they mean. They are asked for when somebody needs them. */
        public Builder options(Supplier<Map<String, String>> more) {
            moreOptions = Objects.requireNonNull(more, "more");
            return this;
        }

        private Supplier<Map<String, String>> allOptions() {
            Map<String, String> single = new TreeMap<>(options);
            Supplier<Map<String, String>> more = moreOptions;
            return () -> {
                Map<String, String> all = new TreeMap<>(more.get());
                all.putAll(single);
                return all;
            };
        }

        /**
         * Says how well the kind withstands repeated false positives.
         *
         * @param budget see {@link Kind#adaptiveBudget()}
         */
        public Builder adapts(Adaptivity newAdaptivity, double budget) {
            adaptivity = newAdaptivity;
            adaptiveBudget = budget;
            keepsRepairs = true;
            return this;
        }

        /** Says that repairs are undone again: by a change of all hash functions now and then, or by later repairs. */
        public Builder forgetsRepairs() {
            keepsRepairs = false;
            return this;
        }

        /** Says that queries or changes take several times as long as with its rivals, so that keys take fewer bits. */
        public Builder slowAndSmall() {
            tradesTimeForSpace = true;
            return this;
        }

        /** Says how an empty filter is made. */
        public Builder makes(Maker newMaker) {
            maker = newMaker;
            return this;
        }

        /** Says how a filter is built from all its hashes. */
        public Builder builds(Constructor newConstructor) {
            constructor = newConstructor;
            return this;
        }

        /**
         * Says how a map is built from all its entries. A filter of the kind, where nobody brings values, is a map in which
         * all hashes have the value 0.
         */
        public Builder buildsMaps(MapConstructor newConstructor) {
            mapConstructor = newConstructor;
            constructor = (spec, hashes, stored) -> newConstructor.build(spec, EntrySource.of(hashes, 0));
            return this;
        }

        /**
         * Says how a filter is built that is right about known keys which are not in it. Where nobody knows such keys, there
         * are none.
         */
        public Builder buildsSeparating(Separator newSeparator) {
            separator = newSeparator;
            constructor = (spec, hashes, stored) -> newSeparator.build(spec, hashes, HashSource.of());
            return this;
        }

        /** Says how a filter is read from an image of a form. */
        public Builder reads(ImageForm newForm, Reader newReader) {
            return reads(() -> newForm, newReader);
        }

        /** The same, with a form that is fetched at its first use, so that a kind that is not used loads no class. */
        public Builder reads(Supplier<ImageForm> newForm, Reader newReader) {
            form = newForm;
            reader = newReader;
            return this;
        }

        /**
         * The kind.
         *
         * @throws IllegalStateException if the description lacks a way to make or to read a filter
         */
        public Kind toKind() {
            return new Kind(this);
        }
    }
}
