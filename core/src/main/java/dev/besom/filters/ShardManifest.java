package dev.besom.filters;

import dev.besom.MalformedFilterException;
import dev.besom.codec.FilterCodec;
import dev.besom.codec.ImageFile;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.SectionWords;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What a sharded filter is made of: the file that is written last into its folder, so that a folder without it is not
 * taken for a whole filter.
 *
 * <p>It has the format of a filter file, with a section of {@value #WORDS_PER_SHARD} words a shard:
 *
 * <pre>
 *   kind        sharded:KIND, where KIND is that of every shard
 *   hasher      that of every shard
 *   parameter   how many shards
 *
 *   word        0          1               2 .. 5
 *             +----------+---------------+-----------------------------------------+
 *             | keys     | file size in  | SHA-256 of the file, 8 bytes a word,    |
 *             |          | bytes         | the first byte highest                  |
 *             +----------+---------------+-----------------------------------------+
 * </pre>
 *
 * A checksum of the codec's own would not do for the last part: a CRC over bytes that end in their CRC says nothing about
 * them.
 *
 * @param kind the kind of every shard
 * @param hasher the hasher whose hashes are in the shards
 * @param shards what is known of each shard, in the order of their hashes
 */
public record ShardManifest(String kind, HasherStamp hasher, List<Entry> shards) {

    /** The name of the file in its folder. */
    public static final String FILE_NAME = "manifest.besom";

    /** The most shards of a filter: their names have six digits. */
    public static final int MOST_SHARDS = 1_000_000;

    private static final String KIND_PREFIX = "sharded:";
    private static final int WORDS_PER_SHARD = 6;
    private static final int DIGEST_AT = 2;
    private static final int DIGEST_BYTES = 32;

    /** What images of manifests are made of. Their kind, and so their form, follows from that of the shards. */
    private static final class Form {
        private final ImageForm form;
        private final ImageForm.LongField shards;
        private final ImageForm.Section entries;

        Form(String kind) {
            form = new ImageForm(kind);
            shards = form.whole("shards", "how many there are");
            entries = form.section("entries", WORDS_PER_SHARD + " words a shard");
        }
    }

    /**
     * What is known of one shard.
     *
     * @param count the keys in it, by their different hashes
     * @param sizeInBytes the length of its file
     * @param sha256 of its file, in lower-case hexadecimal digits
     */
    public record Entry(long count, long sizeInBytes, String sha256) {

        /** Refuses what cannot be. */
        public Entry {
            if (count < 0 || sizeInBytes < 0 || !sha256.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException(
                        "no shard has " + count + " keys, " + sizeInBytes + " bytes and the SHA-256 " + sha256);
            }
        }
    }

    /** Refuses a filter without shards, and one with more than there are names for. */
    public ShardManifest {
        if (shards.isEmpty() || shards.size() > MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "a sharded filter has 1 to " + MOST_SHARDS + " shards, not " + shards.size());
        }
        shards = List.copyOf(shards);
    }

    /** The name of a shard's file: {@code shard-000000.besom} and so on. */
    public static String fileName(int shard) {
        return String.format(Locale.ROOT, "shard-%06d.besom", shard);
    }

    /** How many shards there are. */
    public int shardCount() {
        return shards.size();
    }

    /** The keys of all shards. */
    public long count() {
        return shards.stream().mapToLong(Entry::count).sum();
    }

    /** The bytes of all shards. */
    public long sizeInBytes() {
        return shards.stream().mapToLong(Entry::sizeInBytes).sum();
    }

    /** Writes the manifest and leaves the stream open. */
    public void writeTo(OutputStream out) throws IOException {
        long[] words = SectionWords.allocate((long) WORDS_PER_SHARD * shards.size());
        int at = SectionWords.FIRST;
        for (Entry shard : shards) {
            words[at] = shard.count();
            words[at + 1] = shard.sizeInBytes();
            ByteBuffer.wrap(HexFormat.of().parseHex(shard.sha256()))
                    .asLongBuffer()
                    .get(words, at + DIGEST_AT, DIGEST_BYTES / Long.BYTES);
            at += WORDS_PER_SHARD;
        }
        Form form = new Form(KIND_PREFIX + kind);
        FilterImage image = form.form
                .write()
                .set(form.shards, shards.size())
                .set(form.entries, words)
                .image();
        FilterCodec.write(image, hasher, out);
    }

    /**
     * Reads what {@link #writeTo} wrote, to the end of the stream.
     *
     * @throws MalformedFilterException if it is anything else
     */
    public static ShardManifest read(InputStream in) throws IOException {
        ImageFile file = FilterCodec.read(in);
        if (in.read() >= 0) {
            throw new MalformedFilterException("bytes follow the end of the manifest");
        }
        FilterImage image = file.image();
        if (!image.kind().startsWith(KIND_PREFIX)) {
            throw new MalformedFilterException("it holds a filter of the kind " + image.kind() + ", no manifest");
        }
        Form form = new Form(image.kind());
        form.form.check(image);
        long shardCount = image.get(form.shards, 1, MOST_SHARDS);
        long[] words = image.get(form.entries);
        image.check(
                SectionWords.count(words) == shardCount * WORDS_PER_SHARD,
                shardCount + " shards do not have " + SectionWords.count(words) + " words");
        return new ShardManifest(image.kind().substring(KIND_PREFIX.length()), file.hasher(), entries(words));
    }

    private static List<Entry> entries(long[] words) {
        List<Entry> entries = new ArrayList<>();
        for (int at = SectionWords.FIRST; at < words.length; at += WORDS_PER_SHARD) {
            ByteBuffer digest = ByteBuffer.allocate(DIGEST_BYTES);
            digest.asLongBuffer().put(words, at + DIGEST_AT, DIGEST_BYTES / Long.BYTES);
            if (words[at] < 0 || words[at + 1] < 0) {
                throw new MalformedFilterException(
                        "a shard of " + words[at] + " keys and " + words[at + 1] + " bytes cannot be");
            }
            entries.add(new Entry(words[at], words[at + 1], HexFormat.of().formatHex(digest.array())));
        }
        return entries;
    }
}
