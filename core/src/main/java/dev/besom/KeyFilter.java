package dev.besom;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * A filter of keys: a hasher and a hash filter that belong together, and are saved and read together. This is the front
 * door; {@code dev.besom.filters.Filters} opens it.
 *
 * <pre>{@code
 *   var seen = Filters.make("bloom", FilterSpec.of(1_000_000, 0.01), KeyHasher.utf8()).asInsertable();
 *   seen.add("besom");
 *   seen.mightContain("broom");
 *   seen.save(Path.of("seen.besom"));
 *
 *   var again = Filters.read(Path.of("seen.besom"), KeyHasher.utf8()).asInsertable();
 * }</pre>
 *
 * <p>What else can be done is a matter of types. {@link #asInsertable()} and its sisters give the same filter by the type
 * that has the methods, or say that the kind cannot do it.
 *
 * <p>It adds nothing to the hash filter's promises, those about threads included.
 *
 * @param <K> the keys
 */
public interface KeyFilter<K> {

    /** False: certainly not there. True: maybe. */
    boolean mightContain(K key);

    /** Queries many keys at once: bit {@code i} is set if {@code keys.get(i)} may be there. */
    BitSet mightContainEach(List<? extends K> keys);

    /** How many keys the filter holds, as far as its structure can count; see {@link MembershipFilter#count()}. */
    long count();

    /** The memory that holds the filter's contents. */
    long sizeInBits();

    /** The chance that a key which was never put in is answered "maybe", in the filter's present state. */
    double expectedFpp();

    /** The hasher whose hashes are in the filter. */
    KeyHasher<? super K> hasher();

    /** The filter of hashes underneath. */
    MembershipFilter hashFilter();

    /**
     * Writes the filter and what is needed to know its hasher again to a file, whole or not at all: to a temporary file in
     * the same folder, forced to disk, then renamed over whatever was there.
     */
    void save(Path file) throws IOException;

    /** Writes what {@link #save(Path)} writes to a stream, and leaves the stream open. */
    void writeTo(OutputStream out) throws IOException;

    /**
     * This filter as one that takes keys.
     *
     * @throws IllegalStateException if its kind takes none; the message names the kind
     */
    InsertableKeyFilter<K> asInsertable();

    /**
     * This filter as one that any number of threads may add to at once; see {@link ShareableFilter#shared()}. As long as
     * several threads add keys, all of them do so through what this gives.
     *
     * @throws IllegalStateException if its kind has no such form; the message names the kind
     */
    InsertableKeyFilter<K> asConcurrent();

    /**
     * This filter as one that gives keys up again.
     *
     * @throws IllegalStateException if its kind does not; the message names the kind
     */
    DeletableKeyFilter<K> asDeletable();

    /**
     * This filter as one that can be had in another capacity.
     *
     * @throws IllegalStateException if its kind cannot grow; the message names the kind
     */
    GrowableKeyFilter<K> asGrowable();

    /**
     * This filter as one that can take in the keys of another.
     *
     * @throws IllegalStateException if its kind cannot; the message names the kind
     */
    MergeableKeyFilter<K> asMergeable();

    /**
     * This filter as one that repairs its false positives.
     *
     * @throws IllegalStateException if its kind does not; the message names the kind
     */
    AdaptiveKeyFilter<K> asAdaptive();
}
