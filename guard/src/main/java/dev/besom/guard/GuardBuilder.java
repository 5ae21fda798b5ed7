package dev.besom.guard;

import dev.besom.FilterSpec;
import dev.besom.Rehash;
import dev.besom.RehashableHashes;
import dev.besom.StoredHashes;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The choices of a guard. Made by {@link Guard#builder}. */
public final class GuardBuilder<K, V> {

    private static final double DEFAULT_FPP = 1.0 / 256;

    /** Small shards are quickly built anew; below this their own cost counts. */
    private static final long KEYS_PER_SHARD = 1 << 16;

    private static final int MIN_SHARD_BITS = 4;
    private static final int MAX_SHARD_BITS = 12;

    /** A shard's share of the keys exceeds the mean by more than so many standard deviations about once in 30,000. */
    private static final double DEVIATIONS = 4;

    private static final int LEAST_CAPACITY = 64;

    private final Dictionary<K, V> dictionary;
    private final KeyHasher<? super K> hasher;
    private FilterSpec spec = FilterSpec.of(1, DEFAULT_FPP);
    private long capacity;
    private int shardBits;
    private @Nullable Path snapshot;
    private @Nullable Executor executor;
    private Progress progress = (done, total) -> {};

    /** Told how far priming has come. */
    @FunctionalInterface
    public interface Progress {
        /** Called after each shard, by the thread that primes. */
        void shardsPrimed(int done, int total);
    }

    GuardBuilder(Dictionary<K, V> dictionary, KeyHasher<? super K> hasher) {
        this.dictionary = Objects.requireNonNull(dictionary, "dictionary");
        this.hasher = Objects.requireNonNull(hasher, "hasher");
    }

    /** The false-positive rate; 1/256 by default. */
    public GuardBuilder<K, V> fpp(double fpp) {
        spec = spec.withFpp(fpp);
        return this;
    }

    /** For how many keys there is room before anything grows; by default a quarter more than are stored. */
    public GuardBuilder<K, V> capacity(long keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + keys);
        }
        capacity = keys;
        return this;
    }

    /** How many shards there are, a power of two from 2 to 4096; by default one for each 65,536 keys and 16 at least. */
    public GuardBuilder<K, V> shards(int count) {
        if (Integer.bitCount(count) != 1 || count < 2 || count > 1 << MAX_SHARD_BITS) {
            throw new IllegalArgumentException("shards must be a power of two from 2 to 4096, not " + count);
        }
        shardBits = Integer.numberOfTrailingZeros(count);
        return this;
    }

    /** An option of the telescoping filter, such as {@code load}. */
    public GuardBuilder<K, V> option(String name, String value) {
        spec = spec.with(name, value);
        return this;
    }

    /** Starts from this file, if {@link Guard#snapshot} wrote it and nothing was written to the dictionary since. */
    public GuardBuilder<K, V> snapshot(Path file) {
        snapshot = file;
        return this;
    }

    /** Primes there instead of before {@link #open()} returns; the guard sends all lookups on until that is done. */
    public GuardBuilder<K, V> primeOn(Executor where) {
        executor = where;
        return this;
    }

    public GuardBuilder<K, V> progress(Progress listener) {
        progress = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Makes the guard.
     *
     * @throws IllegalArgumentException if the dictionary's hashes are those of another hasher, or have changed to another
     *     hash function for a filter that is not a guard's
     */
    public Guard<K, V> open() {
        KeyHasher<? super K> chosen = GuardHasher.choose(hasher, dictionary.notes());
        StoredHashes hashes = dictionary.hashes();
        if (hashes instanceof RehashableHashes able && !able.rehash().equals(Rehash.NONE)) {
            throw new IllegalArgumentException(
                    "the dictionary's hashes have changed to another hash function, which no guard does");
        }
        long stored = hashes.count();
        long planned = Math.max(capacity, capacity > 0 ? stored : stored + stored / 4);
        int bits = shardBits > 0 ? shardBits : defaultShardBits(planned);
        double mean = (double) planned / (1 << bits);
        long shardCapacity = Math.max(LEAST_CAPACITY, (long) (mean + DEVIATIONS * Math.sqrt(mean)));
        Counters counters = new Counters();
        Shard<K, V>[] shards = newArray(1 << bits);
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard<>(
                    dictionary, new ShardHashes(hashes, bits, i), spec.withCapacity(shardCapacity), counters);
        }
        SnapshotNote note = new SnapshotNote(dictionary.notes());
        boolean isLoaded = snapshot != null && note.load(snapshot, chosen.stamp(), spec, shards);
        Guard<K, V> guard = new Guard<>(dictionary, chosen, shards, counters, note);
        if (isLoaded) {
            progress.shardsPrimed(shards.length, shards.length);
        } else if (executor != null) {
            executor.execute(() -> prime(shards));
        } else {
            prime(shards);
        }
        return guard;
    }

    private void prime(Shard<K, V>[] shards) {
        for (int i = 0; i < shards.length; i++) {
            shards[i].prime();
            progress.shardsPrimed(i + 1, shards.length);
        }
    }

    private static int defaultShardBits(long keys) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(keys / KEYS_PER_SHARD);
        return Math.max(MIN_SHARD_BITS, Math.min(MAX_SHARD_BITS, bits));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Shard<K, V>[] newArray(int length) {
        return (Shard<K, V>[]) new Shard[length];
    }
}
