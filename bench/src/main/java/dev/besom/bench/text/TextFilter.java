package dev.besom.bench.text;

import com.google.common.hash.Funnels;
import dev.besom.FilterSpec;
import dev.besom.InsertableKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.io.api.Binary;

/**
 * A filter that takes texts, each as its makers mean it to be used.
 *
 * @param add puts a text in
 * @param mightContain asks for one
 */
record TextFilter(Consumer<String> add, Predicate<String> mightContain) {

    /** An empty filter: of a kind, whose hasher is that of UTF-8 or, with {@code :chars}, of chars; or a peer. */
    static TextFilter make(String name, int capacity, double fpp) {
        return switch (name) {
            case "peer:guava" -> guava(capacity, fpp);
            case "peer:datasketches" -> dataSketches(capacity, fpp);
            case "peer:spark" -> spark(capacity, fpp);
            case "peer:parquet" -> parquet(capacity, fpp);
            case "peer:commons-collections" -> commons(capacity, fpp);
            default -> ofKind(name, capacity, fpp);
        };
    }

    private static TextFilter ofKind(String name, int capacity, double fpp) {
        String kind = name.replace(":chars", "");
        KeyHasher<CharSequence> hasher = kind.equals(name) ? KeyHasher.utf8() : KeyHasher.chars();
        InsertableKeyFilter<CharSequence> filter =
                Filters.make(kind, FilterSpec.of(capacity, fpp), hasher).asInsertable();
        return new TextFilter(filter::add, filter::mightContain);
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
