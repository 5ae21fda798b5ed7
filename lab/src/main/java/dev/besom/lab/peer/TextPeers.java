package dev.besom.lab.peer;

import com.google.common.hash.Funnels;
import dev.besom.FilterSpec;
import dev.besom.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.io.api.Binary;

/** Those of the {@link Peers} that take texts, by name. */
public final class TextPeers {

    private static final Set<String> NAMES =
            new TreeSet<>(Set.of("guava", "datasketches", "spark", "parquet", "commons-collections"));

    private TextPeers() {}

    /**
     * Makes sure that a peer takes texts.
     *
     * @throws IllegalArgumentException if it does not; the message lists those that do
     */
    public static void check(String name) {
        // Finding it also lets the module see the class path.
        Peers.find(name);
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "peer:" + name + " takes no texts; peers that do: " + String.join(", ", NAMES));
        }
    }

    /** An empty filter of the peer of that name, which takes texts. */
    public static TextFilter empty(String name, FilterSpec spec) {
        check(name);
        int capacity = Math.toIntExact(spec.capacity());
        return switch (name) {
            case "guava" -> guava(capacity, spec.fpp());
            case "datasketches" -> dataSketches(capacity, spec.fpp());
            case "spark" -> spark(capacity, spec.fpp());
            case "parquet" -> parquet(capacity, spec.fpp());
            default -> commons(capacity, spec.fpp());
        };
    }

    private static TextFilter guava(int capacity, double fpp) {
        com.google.common.hash.BloomFilter<CharSequence> filter =
                com.google.common.hash.BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), capacity, fpp);
        return new TextFilter(filter::put, filter::mightContain);
    }

    private static TextFilter dataSketches(int capacity, double fpp) {
        var filter = BloomFilterBuilder.createByAccuracy(capacity, fpp, 1);
        return new TextFilter(filter::update, filter::query);
    }

    private static TextFilter spark(int capacity, double fpp) {
        var filter = org.apache.spark.util.sketch.BloomFilter.create(capacity, fpp);
        return new TextFilter(filter::putString, filter::mightContainString);
    }

    private static TextFilter parquet(int capacity, double fpp) {
        BloomFilter filter = new BlockSplitBloomFilter(BlockSplitBloomFilter.optimalNumOfBits(capacity, fpp) / 8);
        return new TextFilter(
                text -> filter.insertHash(filter.hash(Binary.fromString(text))),
                text -> filter.findHash(filter.hash(Binary.fromString(text))));
    }

    /** It comes without a hash function; it gets ours of chars, the fastest. */
    private static TextFilter commons(int capacity, double fpp) {
        KeyHasher<CharSequence> hasher = KeyHasher.chars();
        SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(capacity, fpp));
        return new TextFilter(
                text -> filter.merge(hasher(hasher, text)), text -> filter.contains(hasher(hasher, text)));
    }

    private static EnhancedDoubleHasher hasher(KeyHasher<CharSequence> hasher, String text) {
        long hash = hasher.hash(text);
        return new EnhancedDoubleHasher(hash, Long.rotateLeft(hash, 32));
    }
}
