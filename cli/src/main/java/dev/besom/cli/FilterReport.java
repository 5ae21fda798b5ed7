package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.LongApproximateMap;
import dev.besom.LossyRemovalFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.ClassifiedFilter;
import dev.besom.lab.advice.Need;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.util.List;
import java.util.StringJoiner;

/** What there is to say of any filter, as text and as JSON. */
final class FilterReport {

    /** Of the filter that is made to see how its kind counts: as small as any kind can be. */
    private static final int SMALL = 64;

    private static final long SEED = 0x636F756E74L;

    /** Where the values of a description begin. */
    private static final int LABEL_WIDTH = 15;

    private final PersistentFilter filter;
    private final long fileSizeInBytes;

    FilterReport(PersistentFilter filter, long fileSizeInBytes) {
        this.filter = filter;
        this.fileSizeInBytes = fileSizeInBytes;
    }

    /** The fields that all descriptions have in common. */
    void write(long keys, JsonWriter json) throws IOException {
        json.field("count", filter.count())
                .field("countIsEstimate", isCountEstimated())
                .field("sizeInBits", filter.sizeInBits())
                .field("bitsPerKey", bitsPerKey(keys))
                .field("expectedFpp", filter.expectedFpp())
                .field("fileSizeInBytes", fileSizeInBytes);
        if (filter instanceof LongApproximateMap map) {
            json.field("valueBits", map.valueBits());
        }
        if (filter instanceof ClassifiedFilter classified) {
            json.field("classes", classified.distribution().classCount())
                    .field("distributionBits", classified.distribution().sizeInBits());
        }
    }

    void print(long keys, Console console) throws IOException {
        line(console, "size", Numbers.whole(filter.sizeInBits()) + " bits");
        line(console, "bits a key", Numbers.fixed(bitsPerKey(keys), 2));
        line(
                console,
                "expected rate",
                Numbers.percent(filter.expectedFpp())
                        + (FilterFiles.kindOf(filter).separates() ? " of keys that the list was not told of" : ""));
        line(console, "file size", Numbers.bytes(fileSizeInBytes));
        if (filter instanceof LongApproximateMap map) {
            line(console, "values", "of " + map.valueBits() + (map.valueBits() == 1 ? " bit" : " bits"));
        }
        if (filter instanceof ClassifiedFilter classified) {
            int classes = classified.distribution().classCount();
            line(
                    console,
                    "distribution",
                    (classes == 1 ? "all keys alike, " : Numbers.whole(classes) + " classes of keys, ")
                            + Numbers.whole(classified.distribution().sizeInBits()) + " of the bits");
        }
    }

    /** How many keys the filter holds, as far as it can tell. */
    String count() {
        return (isCountEstimated() ? "about " : "") + Numbers.whole(filter.count());
    }

    /**
     * Whether the count is that of inserts which changed something, so that a new key which looked present already is left
     * out. Filters of such kinds do not count a key's second insert.
     */
    private boolean isCountEstimated() {
        Kind kind = FilterFiles.kindOf(filter);
        if (kind.isBuiltAtOnce() || filter.count() == 0) {
            return false;
        }
        HashSource twice = HashSource.of(SEED, SEED);
        try {
            return kind.build(FilterSpec.of(SMALL, 1.0 / SMALL), twice, StoredHashes.none())
                            .count()
                    < twice.count();
        } catch (IllegalArgumentException | FilterFullException e) {
            // A kind that cannot be so small, or keep one key twice, counts nothing that it did not store.
            return false;
        }
    }

    /** Not a number where there are no keys. */
    private double bitsPerKey(long keys) {
        return keys == 0 ? Double.NaN : (double) filter.sizeInBits() / keys;
    }

    /** A line of a description: what, and its value. */
    static void line(Console console, String what, String value) throws IOException {
        List<String> lines = Table.wrap(value, Table.TERMINAL_WIDTH - LABEL_WIDTH);
        for (int i = 0; i < lines.size(); i++) {
            console.print(
                    String.format("%-14s %s", i == 0 ? what : "", lines.get(i)).stripTrailing());
        }
    }

    /** What a kind can do, in the fields that every list of kinds has. */
    static void writeCapabilities(Kind kind, JsonWriter json) throws IOException {
        json.field("insert", kind.isInsertable())
                .field("delete", kind.isDeletable())
                .field("lossyRemoval", canRemoveLossily(kind))
                .field("grow", kind.isGrowable())
                .field("merge", kind.isMergeable())
                .field("static", kind.isStatic())
                .field("values", Need.VALUES.isMetBy(kind))
                .field("falseNegatives", kind.hasFalseNegatives())
                .field("adaptive", kind.adaptivity().label());
        json.name("adaptiveBudget");
        if (kind.adaptiveBudget() == Double.POSITIVE_INFINITY) {
            json.value("unbounded");
        } else {
            json.value(kind.adaptiveBudget());
        }
    }

    private static boolean canRemoveLossily(Kind kind) {
        return LossyRemovalFilter.class.isAssignableFrom(kind.type());
    }

    /** What a kind can do, in words. */
    static String capabilities(Kind kind) {
        StringJoiner words = new StringJoiner(", ");
        if (kind.isStatic()) {
            words.add("static");
        }
        if (kind.isInsertable()) {
            words.add("insert");
        }
        if (kind.isDeletable()) {
            words.add("delete");
        }
        if (canRemoveLossily(kind)) {
            words.add("lossy removal");
        }
        if (kind.isGrowable()) {
            words.add("grow");
        }
        if (kind.isMergeable()) {
            words.add("merge");
        }
        if (Need.VALUES.isMetBy(kind)) {
            words.add("values");
        }
        if (kind.hasFalseNegatives()) {
            words.add("FALSE NEGATIVES");
        }
        return words.toString();
    }
}
