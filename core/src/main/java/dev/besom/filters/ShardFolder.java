package dev.besom.filters;

import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MembershipFilter;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A sharded filter in its folder: a {@linkplain ShardManifest manifest} and one filter file a shard. It is opened whole, for
 * queries at the speed of its kind, or shard by shard, for those who have less memory than the filter takes or need only
 * some of it.
 *
 * <pre>{@code
 *   ShardFolder folder = ShardFolder.open(Path.of("keys"));
 *   LongKeyFilter whole = folder.read(KeyHasher.longs());
 *
 *   long hash = KeyHasher.longs().hash(42);
 *   int shard = folder.shardOf(hash);
 *   boolean maybe = folder.readShard(shard).filter().mightContainHash(folder.localHash(hash));
 * }</pre>
 *
 * A shard that is missing, cut, damaged or from another filter is a {@link MalformedFilterException} that names its file.
 * Shards are read when they are asked for, so opening a folder costs no more than its manifest.
 */
public final class ShardFolder {

    private final String name;
    private final Opener opener;
    private final ShardManifest manifest;

    /** Opens the files of a folder, wherever it is. */
    @FunctionalInterface
    public interface Opener {
        /**
         * The contents of a file of the folder.
         *
         * @throws NoSuchFileException or {@link FileNotFoundException} if it is not there
         */
        InputStream open(String fileName) throws IOException;
    }

    private ShardFolder(String name, Opener opener, ShardManifest manifest) {
        this.name = name;
        this.opener = opener;
        this.manifest = manifest;
    }

    /** Whether a folder has a manifest, which may still be one that cannot be read. */
    public static boolean isAt(Path folder) {
        return Files.isRegularFile(folder.resolve(ShardManifest.FILE_NAME));
    }

    /**
     * Opens a folder of the file system.
     *
     * @throws MalformedFilterException if it has no manifest, or not a whole one
     */
    public static ShardFolder open(Path folder) throws IOException {
        return open(folder.toString(), file -> Files.newInputStream(folder.resolve(file)));
    }

    /**
     * Opens a folder by way of its files.
     *
     * @param name of the folder, for messages
     * @throws MalformedFilterException if it has no manifest, or not a whole one
     */
    public static ShardFolder open(String name, Opener opener) throws IOException {
        String file = name + "/" + ShardManifest.FILE_NAME;
        try (InputStream in = new BufferedInputStream(opener.open(ShardManifest.FILE_NAME))) {
            return new ShardFolder(name, opener, ShardManifest.read(in));
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new MalformedFilterException(
                    file + " is missing: the folder is no sharded filter, or was not written to its end", e);
        } catch (MalformedFilterException e) {
            throw new MalformedFilterException(file + ": not a whole manifest: " + e.getMessage(), e);
        }
    }

    /** What the folder says it holds. */
    public ShardManifest manifest() {
        return manifest;
    }

    /** The shard that a hash belongs to. */
    public int shardOf(long hash) {
        return ShardPlan.shardOf(hash, manifest.shardCount());
    }

    /** What a shard's filter knows a hash by. */
    public long localHash(long hash) {
        return ShardPlan.localHash(hash, manifest.shardCount());
    }

    /**
     * Reads a shard and checks every byte of it. Its filter is asked for {@linkplain #localHash local hashes}.
     *
     * @throws MalformedFilterException if its file is missing or is not the one that the manifest means
     */
    public FilterFile readShard(int shard) throws IOException {
        ShardManifest.Entry entry = manifest.shards().get(shard);
        String file = name + "/" + ShardManifest.fileName(shard);
        try (InputStream raw = opener.open(ShardManifest.fileName(shard))) {
            DigestedInput in = new DigestedInput(new BufferedInputStream(raw));
            FilterFile content = null;
            String complaint = "";
            try {
                content = Filters.readHashFilter(in);
            } catch (MalformedFilterException e) {
                complaint = ": " + e.getMessage();
            }
            in.readUpTo(entry.sizeInBytes() + 1);
            if (in.length() < entry.sizeInBytes()) {
                throw new MalformedFilterException(
                        file + " is cut: it has " + in.length() + " of " + entry.sizeInBytes() + " bytes");
            }
            if (content == null
                    || in.length() > entry.sizeInBytes()
                    || !in.sha256().equals(entry.sha256())) {
                throw new MalformedFilterException(file
                        + " is not the file that the manifest means: it is damaged or from another filter" + complaint);
            }
            return content;
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new MalformedFilterException(file + " is missing", e);
        }
    }

    /** Reads all shards into memory: a filter of hashes, not of local ones. */
    public MembershipFilter readHashFilter() throws IOException {
        List<MembershipFilter> shards = new ArrayList<>();
        for (int shard = 0; shard < manifest.shardCount(); shard++) {
            shards.add(readShard(shard).filter());
        }
        return new ShardedFilter(shards, manifest.count());
    }

    /**
     * Reads all shards into memory.
     *
     * @throws IllegalArgumentException if the filter was made with another hasher; the message names both
     */
    public <K> KeyFilter<K> read(KeyHasher<K> hasher) throws IOException {
        requireStamp(hasher.stamp());
        return Filters.of(readHashFilter(), hasher);
    }

    /** Reads all shards of a filter of 64-bit numbers into memory. */
    public LongKeyFilter read(LongHasher hasher) throws IOException {
        requireStamp(hasher.stamp());
        return Filters.of(readHashFilter(), hasher);
    }

    private void requireStamp(HasherStamp given) {
        if (!manifest.hasher().equals(given)) {
            throw new IllegalArgumentException(
                    name + " was made with the hasher " + manifest.hasher() + ", not with " + given);
        }
    }
}
