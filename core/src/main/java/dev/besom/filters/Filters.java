package dev.besom.filters;

import dev.besom.ApproximateMap;
import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.codec.ImageFile;
import dev.besom.daisy.DaisyKinds;
import dev.besom.distribution.Distribution;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.spi.FilterImage;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.spi.PersistentMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The door to every filter: makes filters by the name of their kind, and reads them from files.
 *
 * <p>Those who have keys call {@link #make(String, FilterSpec, KeyHasher)}, {@link #build(String, FilterSpec, KeyHasher, Iterable)}
 * and {@link #read(Path, KeyHasher)}, or the forms of them that take a {@link LongHasher}, and get a {@link KeyFilter}. Those
 * who have hashes of their own call {@link #makeHashFilter(String, FilterSpec)} and {@link #readHashFilter(Path)}.
 */
public final class Filters {

    private Filters() {}

    /**
     * Every kind of filter there is, Besom's own first, family by family, then those of other jars.
     *
     * @throws IllegalStateException if a provider of another jar fails or brings a kind whose name is taken; the message
     *     names the provider
     */
    public static List<Kind> kinds() {
        return KindRegistry.get().all();
    }

    /**
     * The kind of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Kind kind(String name) {
        return KindRegistry.get().named(name);
    }

    /**
     * An empty filter of keys.
     *
     * @param kind a name in {@link #kinds()}
     * @throws IllegalArgumentException if there is no such kind, it is static, or it cannot be as the spec says
     */
    public static <K> KeyFilter<K> make(String kind, FilterSpec spec, KeyHasher<K> hasher) {
        return make(kind, spec, hasher, StoredHashes.none());
    }

    /** An empty filter of keys before the store whose hashes these are; they must come from the same hasher. */
    public static <K> KeyFilter<K> make(String kind, FilterSpec spec, KeyHasher<K> hasher, StoredHashes stored) {
        return of(makeHashFilter(kind, spec, stored), hasher);
    }

    /** An empty filter of 64-bit numbers. */
    public static LongKeyFilter make(String kind, FilterSpec spec, LongHasher hasher) {
        return make(kind, spec, hasher, StoredHashes.none());
    }

    /** An empty filter of 64-bit numbers before the store whose hashes these are; they must come from the same hasher. */
    public static LongKeyFilter make(String kind, FilterSpec spec, LongHasher hasher, StoredHashes stored) {
        return of(makeHashFilter(kind, spec, stored), hasher);
    }

    /**
     * A filter that holds all the given keys: the way to static kinds, and the fastest way to some others. The keys are gone
     * through once, and their hashes are in memory meanwhile; who has too many for that gives
     * {@link #buildHashFilter(String, FilterSpec, HashSource)} a source.
     *
     * @param kind a name in {@link #kinds()}
     * @throws IllegalArgumentException if there is no such kind, or it cannot be as the spec says
     */
    public static <K> KeyFilter<K> build(
            String kind, FilterSpec spec, KeyHasher<K> hasher, Iterable<? extends K> keys) {
        return of(buildHashFilter(kind, spec, HashedKeys.of(keys, hasher)), hasher);
    }

    /** A filter that holds all the given numbers, as {@link #build(String, FilterSpec, KeyHasher, Iterable)}. */
    public static LongKeyFilter build(String kind, FilterSpec spec, LongHasher hasher, long... keys) {
        return of(buildHashFilter(kind, spec, HashedKeys.of(keys, hasher)), hasher);
    }

    /**
     * Reads a filter of keys from a file.
     *
     * @throws MalformedFilterException if the file is not a whole filter
     * @throws IllegalArgumentException if it was made with another hasher; the message names both
     */
    public static <K> KeyFilter<K> read(Path file, KeyHasher<K> hasher) throws IOException {
        return read(file, hasher, StoredHashes.none());
    }

    /** Reads a filter of keys from a file and binds it to the store whose hashes these are. */
    public static <K> KeyFilter<K> read(Path file, KeyHasher<K> hasher, StoredHashes stored) throws IOException {
        FilterFile content = readHashFilter(file, stored);
        requireStamp(file, content.hasher(), hasher);
        return of(content.filter(), hasher);
    }

    /**
     * Reads a filter of 64-bit numbers from a file.
     *
     * @throws MalformedFilterException if the file is not a whole filter
     * @throws IllegalArgumentException if it was made with another hasher; the message names both
     */
    public static LongKeyFilter read(Path file, LongHasher hasher) throws IOException {
        return read(file, hasher, StoredHashes.none());
    }

    /** Reads a filter of 64-bit numbers from a file and binds it to the store whose hashes these are. */
    public static LongKeyFilter read(Path file, LongHasher hasher, StoredHashes stored) throws IOException {
        FilterFile content = readHashFilter(file, stored);
        requireStamp(file, content.hasher(), hasher);
        return of(content.filter(), hasher);
    }

    private static void requireStamp(Path file, HasherStamp found, KeyHasher<?> hasher) {
        if (!found.equals(hasher.stamp())) {
            throw new IllegalArgumentException(
                    file + " was made with the hasher " + found + ", not with " + hasher.stamp());
        }
    }

    /** Binds a filter of hashes and the hasher whose hashes are in it. */
    public static <K> KeyFilter<K> of(MembershipFilter filter, KeyHasher<K> hasher) {
        return BoundKeyFilter.of(filter, hasher);
    }

    /** Binds a filter of hashes and the hasher whose hashes are in it. */
    public static LongKeyFilter of(MembershipFilter filter, LongHasher hasher) {
        return BoundLongKeyFilter.of(filter, hasher);
    }

    /**
     * An empty filter of hashes. What is put in has to be the hash of a key: a number whose bits are all alike random.
     *
     * @param kind a name in {@link #kinds()}
     * @throws IllegalArgumentException if there is no such kind, it is static, or it cannot be as the spec says
     */
    public static PersistentFilter makeHashFilter(String kind, FilterSpec spec) {
        return makeHashFilter(kind, spec, StoredHashes.none());
    }

    /** An empty filter of hashes before the store whose hashes these are. */
    public static PersistentFilter makeHashFilter(String kind, FilterSpec spec, StoredHashes stored) {
        return kind(kind).make(spec, stored);
    }

    /**
     * An empty filter of hashes by a type that it has.
     *
     * @throws IllegalArgumentException if filters of the kind do not have the type
     */
    public static <F> F makeHashFilter(String kind, FilterSpec spec, StoredHashes stored, Class<F> type) {
        if (!type.isAssignableFrom(kind(kind).type())) {
            throw new IllegalArgumentException("a filter of the kind " + kind + " is no " + type.getSimpleName());
        }
        return type.cast(makeHashFilter(kind, spec, stored));
    }

    /** A filter that holds every hash of a source: the way to static kinds, and the fastest way to some others. */
    public static PersistentFilter buildHashFilter(String kind, FilterSpec spec, HashSource hashes) {
        return kind(kind).build(spec, hashes, StoredHashes.none());
    }

    /**
     * A map of hashes that holds every entry of a source.
     *
     * @param kind one that {@linkplain Kind#holdsValues() holds values}
     * @throws IllegalArgumentException if there is no such kind, it holds no values or cannot be as the spec says; if a hash
     *     has two values, or a value is negative or too large
     */
    public static PersistentMap buildHashMap(String kind, FilterSpec spec, EntrySource entries) {
        return kind(kind).buildMap(spec, entries);
    }

    /**
     * A map of keys.
     *
     * @param kind one that {@linkplain Kind#holdsValues() holds values}
     * @param entries keys with their values
     * @param values every value that a key may have, each once; the map keeps the place in this list
     * @throws IllegalArgumentException if there is no such kind, it holds no values or cannot be as the spec says, or if a
     *     value is not in the list
     */
    public static <K, V> ApproximateMap<K, V> buildMap(
            String kind, FilterSpec spec, KeyHasher<K> hasher, Map<? extends K, V> entries, List<V> values) {
        return new BoundMap<>(kind(kind).buildMap(spec, BoundMap.entries(entries, hasher, values)), hasher, values);
    }

    /**
     * Reads a map of keys from a file.
     *
     * @param values those that the map was made with, in the same order
     * @throws MalformedFilterException if the file is not a whole filter
     * @throws IllegalArgumentException if it was made with another hasher, or holds no values
     */
    public static <K, V> ApproximateMap<K, V> readMap(Path file, KeyHasher<K> hasher, List<V> values)
            throws IOException {
        FilterFile content = readHashFilter(file);
        requireStamp(file, content.hasher(), hasher);
        if (content.filter() instanceof PersistentMap map) {
            return new BoundMap<>(map, hasher, values);
        }
        throw new IllegalArgumentException(file + " holds no values");
    }

    /**
     * A filter that holds every hash of one source and answers "no" for every hash of the other, without an error.
     *
     * @param kind one that {@linkplain Kind#separates() can}
     * @param spec its rate is that of hashes in neither
     * @throws IllegalArgumentException if there is no such kind, it cannot, or a hash is in both
     */
    public static PersistentFilter buildExactList(String kind, FilterSpec spec, HashSource yes, HashSource no) {
        return kind(kind).buildSeparating(spec, yes, no);
    }

    /**
     * A filter that holds all keys of one list and answers "no" for all of the other, without an error.
     *
     * @param kind one that {@linkplain Kind#separates() can}
     * @param spec its rate is that of keys in neither
     * @throws IllegalArgumentException if there is no such kind, it cannot, or a key is in both
     */
    public static <K> KeyFilter<K> buildExactList(
            String kind, FilterSpec spec, KeyHasher<K> hasher, Iterable<? extends K> yes, Iterable<? extends K> no) {
        return of(buildExactList(kind, spec, HashedKeys.of(yes, hasher), HashedKeys.of(no, hasher)), hasher);
    }

    /** Whether filters of the kind can be made for a distribution. */
    public static boolean takesDistribution(Kind kind) {
        return DaisyKinds.takesDistribution(kind);
    }

    /** An empty filter of hashes, of a kind that {@link #takesDistribution takes} a distribution. */
    public static PersistentFilter makeHashFilter(Kind kind, FilterSpec spec, Distribution distribution) {
        return DaisyKinds.make(kind, spec, distribution);
    }

    /**
     * Writes a filter of hashes to a file, whole or not at all.
     *
     * @param hasher where the hashes come from, which the file says: {@link HasherStamp#NONE} if nobody needs to know
     */
    public static void saveHashFilter(PersistentFilter filter, HasherStamp hasher, Path file) throws IOException {
        FilterCodec.write(filter, hasher, file);
    }

    /** Writes a filter of hashes and leaves the stream open. */
    public static void writeHashFilter(PersistentFilter filter, HasherStamp hasher, OutputStream out)
            throws IOException {
        FilterCodec.write(filter, hasher, out);
    }

    /** How many bytes {@link #writeHashFilter} is going to write. */
    public static long fileSizeInBytes(PersistentFilter filter, HasherStamp hasher) {
        return FilterCodec.serializedSizeInBytes(filter, hasher);
    }

    /** Reads a filter of hashes of a kind that does not adapt, or one to be queried only. */
    public static FilterFile readHashFilter(Path file) throws IOException {
        return readHashFilter(file, StoredHashes.none());
    }

    /**
     * Reads a file that holds one filter and nothing else.
     *
     * @throws MalformedFilterException if the file is not a whole filter
     */
    public static FilterFile readHashFilter(Path file, StoredHashes stored) throws IOException {
        return toFilter(FilterCodec.read(file), stored);
    }

    /** Reads a filter of hashes of a kind that does not adapt, or one to be queried only. */
    public static FilterFile readHashFilter(InputStream in) throws IOException {
        return readHashFilter(in, StoredHashes.none());
    }

    /** Reads one filter and leaves the stream right behind it. */
    public static FilterFile readHashFilter(InputStream in, StoredHashes stored) throws IOException {
        return toFilter(FilterCodec.read(in), stored);
    }

    private static FilterFile toFilter(ImageFile file, StoredHashes stored) {
        return new FilterFile(toFilter(file.image(), stored), file.hasher());
    }

    /**
     * The filter that an image was made from.
     *
     * @throws MalformedFilterException if no filter of a kind known here wrote it
     */
    public static PersistentFilter toFilter(FilterImage image, StoredHashes stored) {
        return KindRegistry.get()
                .find(image.kind())
                .orElseThrow(
                        () -> new MalformedFilterException("kind '" + image.kind() + "' is not known to this version"))
                .read(image, stored);
    }
}
