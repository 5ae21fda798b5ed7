package dev.besom.filters;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.bits.FastRange;
import dev.besom.codec.AtomicFile;
import dev.besom.codec.FilterCodec;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the hashes of a sharded filter are divided, and how each shard is built from its own.
 *
 * <pre>
 *   hash * shardCount    |  shard  |  local hash  |      a product of 128 bits: fastrange and its rest
 * </pre>
 *
 * A shard is a contiguous range of hashes in unsigned order. Its filter holds <i>local hashes</i>, which keep their order
 * and fill the whole range of 64 bits, so that a kind needs to know nothing of shards. A shard's bytes follow from its set
 * of hashes alone: neither their order nor how often each is there matters, and so it does not matter who builds it.
 *
 * <p>A kind is planned for exactly the shard's keys. Where chance makes that too few for a kind that can be full, a sixteenth
 * is added until they fit.
 *
 * @param kind the kind of every shard, a name in {@link Filters#kinds()}
 * @param spec the rate, the seed and the kind's own options; its capacity is not used
 * @param hasher the hasher whose hashes these are
 * @param shardCount how many shards there are
 */
public record ShardPlan(String kind, FilterSpec spec, HasherStamp hasher, int shardCount) {

    /** How often room is added to a shard that is full: three times its keys, more than any kind needs. */
    private static final int MOST_ATTEMPTS = 32;

    /** Refuses an unknown kind, and shards that nobody can name. */
    public ShardPlan {
        Filters.kind(kind);
        if (shardCount < 1 || shardCount > ShardManifest.MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "shards must be from 1 to " + ShardManifest.MOST_SHARDS + ", not " + shardCount);
        }
    }

    /** The shard that a hash belongs to. */
    public int shardOf(long hash) {
        return shardOf(hash, shardCount);
    }

    static int shardOf(long hash, int shardCount) {
        return (int) FastRange.place(hash, shardCount);
    }

    /** What a shard's filter knows a hash by. */
    public long localHash(long hash) {
        return localHash(hash, shardCount);
    }

    static long localHash(long hash, int shardCount) {
        return hash * shardCount;
    }

    /**
     * A shard that was built.
     *
     * @param filter of its local hashes
     * @param count its keys, by their different hashes
     */
    public record Shard(PersistentFilter filter, long count) {}

    /**
     * Builds a shard.
     *
     * @param hashes of keys of that shard, in any order, each as often as it likes; the array is changed
     * @param count how many of the array's numbers are meant, from its start
     */
    public Shard build(long[] hashes, int count) {
        for (int i = 0; i < count; i++) {
            // The sign is turned over, so that the order of signed numbers is the one that is wanted.
            hashes[i] = localHash(hashes[i]) ^ Long.MIN_VALUE;
        }
        Arrays.sort(hashes, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            long local = hashes[i] ^ Long.MIN_VALUE;
            if (distinct == 0 || hashes[distinct - 1] != local) {
                hashes[distinct++] = local;
            }
        }
        return new Shard(build(HashSource.of(hashes, 0, distinct)), distinct);
    }

    private PersistentFilter build(HashSource sorted) {
        Kind made = Filters.kind(kind);
        StoredHashes stored = made.isAdaptive() ? copyOf(sorted) : StoredHashes.none();
        long capacity = Math.max(1, sorted.count());
        for (int attempt = 1; ; attempt++) {
            try {
                return made.build(spec.withCapacity(capacity), sorted, stored);
            } catch (FilterFullException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                capacity += capacity / 16 + 1;
            }
        }
    }

    private static StoredHashes copyOf(HashSource hashes) {
        MemoryHashes copy = new MemoryHashes();
        hashes.forEach(copy::add);
        return copy;
    }

    /**
     * Writes a shard's filter and leaves the stream open.
     *
     * @return what the manifest says of the shard
     */
    public ShardManifest.Entry write(Shard shard, OutputStream out) throws IOException {
        DigestedOutput digested = new DigestedOutput(out);
        FilterCodec.write(shard.filter(), hasher, digested);
        return new ShardManifest.Entry(shard.count(), digested.length(), digested.sha256());
    }

    /**
     * Builds all shards from hashes in memory, eight bytes for each, and writes the folder. For keys that one machine has;
     * a cluster calls {@link #build} and {@link #write} for each shard where its hashes are, and gets the same files.
     *
     * @param folder to be made
     * @throws FileAlreadyExistsException if there is something of that name
     * @throws IllegalStateException if the source does not give the same hashes twice; the folder has no manifest then
     */
    public ShardManifest writeFolder(Path folder, HashSource hashes) throws IOException {
        Files.createDirectory(folder);
        int[] starts = new int[shardCount + 1];
        hashes.forEach(hash -> starts[shardOf(hash) + 1]++);
        Arrays.parallelPrefix(starts, Integer::sum);
        long[] ordered = new long[starts[shardCount]];
        int[] ends = starts.clone();
        hashes.forEach(hash -> {
            int shard = shardOf(hash);
            requireAsBefore(ends[shard] < starts[shard + 1]);
            ordered[ends[shard]++] = hash;
        });
        requireAsBefore(Arrays.equals(ends, 0, shardCount, starts, 1, shardCount + 1));
        List<ShardManifest.Entry> entries = new ArrayList<>();
        for (int i = 0; i < shardCount; i++) {
            Shard shard = build(Arrays.copyOfRange(ordered, starts[i], starts[i + 1]), starts[i + 1] - starts[i]);
            writeFile(folder.resolve(ShardManifest.fileName(i)), out -> entries.add(write(shard, out)));
        }
        ShardManifest manifest = new ShardManifest(kind, hasher, entries);
        writeFile(folder.resolve(ShardManifest.FILE_NAME), manifest::writeTo);
        return manifest;
    }

    private static void requireAsBefore(boolean isAsBefore) {
        if (!isAsBefore) {
            throw new IllegalStateException("a source gave other hashes than in the pass before");
        }
    }

    /** Writes to a stream. */
    private interface Writing {
        void writeTo(OutputStream out) throws IOException;
    }

    private static void writeFile(Path file, Writing contents) throws IOException {
        AtomicFile.write(file, channel -> contents.writeTo(Channels.newOutputStream(channel)));
    }
}
