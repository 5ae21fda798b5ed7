package dev.besom.guard.shard;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.filters.Filters;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of uncertain puts that {@link UncertainPuts} has no room for: a Bloom filter of a fixed size that forgets
 * nothing, so the more there are, the more queries it answers "maybe". It goes with the guard. Queries read it as they read
 * the {@linkplain SeqlockFilter filter beside it}; all else belongs to whoever holds the shard's changes.
 */
final class Overflow {

    /** It sends one query in a hundred on to the store when it has so many hashes. */
    private static final FilterSpec SPEC = FilterSpec.of(1 << 13, 0.01);

    /** Null as long as there are none. */
    private @Nullable BloomFilter hashes;

    private long slotCount;
    private boolean hasDoubts;

    /** Whether a query is to be answered "maybe", whatever the filter says. */
    boolean mightContainHash(long localHash) {
        BloomFilter current = hashes;
        return current != null && current.mightContainHash(localHash);
    }

    long sizeInBits() {
        BloomFilter current = hashes;
        return current == null ? 0 : current.sizeInBits();
    }

    /** Adds a hash; to be called by whoever writes beside queries. */
    void insertHash(long localHash) {
        Objects.requireNonNull(hashes).insertHash(localHash);
    }

    /** Takes the oldest puts over where there are too many. */
    void relieve(UncertainPuts<?> uncertain, SeqlockFilter beside) {
        while (uncertain.areTooMany()) {
            if (hashes == null) {
                hashes = Filters.makeHashFilter("bloom", SPEC, StoredHashes.none(), BloomFilter.class);
            }
            // In this order: whatever fails in between, it is known to one of them.
            UncertainPuts.UncertainPut<?> oldest = uncertain.oldest();
            beside.insertIntoOverflow(oldest.localHash());
            uncertain.removeOldest();
            if (!oldest.isStored()) {
                slotCount++;
                hasDoubts = true;
            }
        }
    }

    /** Whether it has ever got the hash of a key that may not be stored. */
    boolean hasDoubts() {
        return hasDoubts;
    }

    /** How many of the filter's slots are of keys that are here: a new filter has none of them. */
    long slotCount() {
        return slotCount;
    }

    /** Notes that there is a new filter. */
    void noteNewFilter() {
        slotCount = 0;
    }
}
