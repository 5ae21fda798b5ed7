package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.IncrementallyGrowableFilter;
import dev.besom.StoredHashes;
import dev.besom.spi.Kind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which filter the shards of a guard have.
 *
 * @param kind the kind of filter
 * @param spec with any capacity: each shard has its own
 */
public record FilterChoice(Kind kind, FilterSpec spec) {

    /** Checks that a guard can have filters of the kind. */
    public FilterChoice {
        if (!isPossible(kind)) {
            throw new IllegalArgumentException(
                    "a guard needs a filter that repairs its false positives and grows, which " + kind.name()
                            + " does not");
        }
    }

    /** Whether a guard can have filters of a kind. */
    public static boolean isPossible(Kind kind) {
        return kind.isAdaptive() && kind.isGrowable();
    }

    /** A filter without keys. */
    public AdaptiveFilter empty(StoredHashes hashes, long capacity) {
        return (AdaptiveFilter) kind.make(spec.withCapacity(capacity), hashes);
    }

    /**
     * A filter that holds all the stored hashes, from one pass over them.
     *
     * @throws FilterFullException if they do not fit
     */
    AdaptiveFilter filled(StoredHashes hashes, long capacity) {
        if (IncrementallyGrowableFilter.class.isAssignableFrom(kind.type())
                && empty(hashes, 1) instanceof IncrementallyGrowableFilter small) {
            return small.grown(capacity, hashes);
        }
        AdaptiveFilter filter = empty(hashes, capacity);
        hashes.forEachBetween(0, -1L, filter::insertHash);
        return filter;
    }

    /** Everything but the capacity, as bytes: those of two choices are the same if and only if the choices are alike. */
    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(kind.name());
            out.writeDouble(spec.fpp());
            out.writeLong(spec.seed());
            for (Map.Entry<String, String> option : new TreeMap<>(spec.options()).entrySet()) {
                out.writeUTF(option.getKey());
                out.writeUTF(option.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
