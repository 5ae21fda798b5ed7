package dev.besom.distribution;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A distribution as fields and sections of a filter's image.
 *
 * <pre>
 *   classes   of each class, as doubles: p, q, share of inserts, share of queries
 *   rule      ranks: seed, the last rank of each class but the rest      caller: check value, length of id, id, 8 a word
 *   table     hashes ascending, then their classes, 16 bits each
 *   sketch    cells of 2 bits, those of inserts first
 * </pre>
 */
public final class DistributionForm {

    private static final int REST = 0;
    private static final int RANKS = 1;
    private static final int CLASSIFIER = 2;
    private static final int MODEL = 3;

    private static final int NUMBERS_PER_CLASS = 4;

    /** The form of a distribution that is compared, and is no part of a filter. */
    private static final ImageForm ALONE = new ImageForm("distribution");

    private static final DistributionForm COMPARED = new DistributionForm(ALONE);

    private final ImageForm.LongField source;
    private final ImageForm.LongField sharesKnown;
    private final ImageForm.LongField restClass;
    private final ImageForm.LongField tableSize;
    private final ImageForm.LongField keyRowBits;
    private final ImageForm.LongField queryRowBits;
    private final ImageForm.LongField callerBits;
    private final ImageForm.Section classesSection;
    private final ImageForm.Section ruleSection;
    private final ImageForm.Section tableSection;
    private final ImageForm.Section sketchSection;

    /** Declares the fields and sections of a distribution in the form of a filter's images. */
    public DistributionForm(ImageForm form) {
        source = form.whole(
                "source",
                "of classes: 0 table, sketch and rest only, 1 ranks, 2 caller's classifier, 3 caller's model");
        sharesKnown = form.whole("sharesKnown", "1 if the classes' shares are known, 0 otherwise");
        restClass = form.whole("restClass", "class of hashes that nothing else tells");
        tableSize = form.whole("tableSize", "hashes in the table");
        keyRowBits = form.whole("keyRowBits", "bits of a row of the sketch of inserts: 5 to 24, 0 for none");
        queryRowBits = form.whole("queryRowBits", "bits of a row of the sketch of queries: 5 to 24, 0 for none");
        callerBits = form.whole("callerBits", "memory of the caller's classifier or model, in bits");
        classesSection = form.section(
                "classes",
                "of each class as f64: insert probability, query probability, shares of inserts and queries");
        ruleSection = form.section(
                "rule", "ranks: seed, last rank of each class but the last; caller's: check value, length of id, id");
        tableSection = form.section("table", "hashes ascending as signed numbers, then their classes, 16 bits each");
        sketchSection = form.section("sketch", "cells of two bits, three rows of inserts, then three of queries");
    }

    /** Sets the fields and sections of a distribution. */
    public ImageForm.Writer write(ImageForm.Writer writer, Distribution distribution) {
        ClassTable table = distribution.table();
        LevelSketch sketch = distribution.sketch();
        CallerClasses caller = distribution.caller();
        return writer.set(source, sourceNumber(distribution))
                .set(sharesKnown, distribution.areSharesKnown() ? 1 : 0)
                .set(restClass, distribution.restClass())
                .set(tableSize, table == null ? 0 : table.size())
                .set(keyRowBits, sketch == null ? 0 : sketch.keyBits())
                .set(queryRowBits, sketch == null ? 0 : sketch.queryBits())
                .set(callerBits, caller == null ? 0 : caller.sizeInBits())
                .set(classesSection, classes(distribution.classes()))
                .set(ruleSection, rule(distribution))
                .set(tableSection, table == null ? Words.allocate(0) : table.toWords())
                .set(sketchSection, sketch == null ? Words.allocate(0) : sketch.words());
    }

    /** Whether two distributions are written alike. */
    static boolean areSame(Distribution one, Distribution other) {
        FilterImage image = COMPARED.write(ALONE.write(), one).image();
        FilterImage otherImage = COMPARED.write(ALONE.write(), other).image();
        return COMPARED.wholeFields().allMatch(field -> image.get(field) == otherImage.get(field))
                && ALONE.sections().stream()
                        .allMatch(section -> Arrays.equals(image.get(section), otherImage.get(section)));
    }

    private Stream<ImageForm.LongField> wholeFields() {
        return Stream.of(source, sharesKnown, restClass, tableSize, keyRowBits, queryRowBits, callerBits);
    }

    private static int sourceNumber(Distribution distribution) {
        CallerClasses caller = distribution.caller();
        if (caller == null) {
            return distribution.ranks() != null ? RANKS : REST;
        }
        return switch (caller.code()) {
            case CLASSIFIER -> CLASSIFIER;
            case MODEL -> MODEL;
        };
    }

    private static long[] classes(List<KeyClass> classes) {
        long[] words = Words.allocate((long) NUMBERS_PER_CLASS * classes.size());
        int at = Words.LEAD;
        for (KeyClass keys : classes) {
            words[at++] = Double.doubleToRawLongBits(keys.insertProbability());
            words[at++] = Double.doubleToRawLongBits(keys.queryProbability());
            words[at++] = Double.doubleToRawLongBits(keys.insertShare());
            words[at++] = Double.doubleToRawLongBits(keys.queryShare());
        }
        return words;
    }

    private static long[] rule(Distribution distribution) {
        RankClasses ranks = distribution.ranks();
        if (ranks != null) {
            long[] words = Words.allocate(1 + ranks.lastRanks().length);
            words[Words.LEAD] = ranks.seed();
            System.arraycopy(ranks.lastRanks(), 0, words, Words.LEAD + 1, ranks.lastRanks().length);
            return words;
        }
        CallerClasses caller = distribution.caller();
        if (caller == null) {
            return Words.allocate(0);
        }
        byte[] id = caller.id().getBytes(StandardCharsets.US_ASCII);
        long[] words = Words.allocate(2 + (id.length + Long.BYTES - 1) / Long.BYTES);
        words[Words.LEAD] = caller.check();
        words[Words.LEAD + 1] = id.length;
        for (int i = 0; i < id.length; i++) {
            words[Words.LEAD + 2 + i / Long.BYTES] |= (long) id[i] << (i % Long.BYTES * Byte.SIZE);
        }
        return words;
    }

    /**
     * The distribution of an image.
     *
     * @throws MalformedFilterException if no distribution wrote it
     */
    public Distribution read(FilterImage image) {
        long sourceNumber = image.get(source, REST, MODEL);
        boolean areSharesKnown = image.get(sharesKnown, 0, 1) == 1;
        try {
            List<KeyClass> classes = readClasses(image.get(classesSection));
            return new Distribution(
                    classes,
                    areSharesKnown,
                    (int) image.get(restClass, 0, classes.size() - 1L),
                    readTable(image, classes.size()),
                    readSketch(image),
                    sourceNumber == RANKS ? readRanks(image.get(ruleSection)) : null,
                    readCaller(image, sourceNumber));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(image.kind() + ": no such distribution: " + e.getMessage(), e);
        }
    }

    private static List<KeyClass> readClasses(long[] words) {
        int count = Words.count(words) / NUMBERS_PER_CLASS;
        check(
                count >= 1 && count <= Distribution.MAX_CLASSES && count * NUMBERS_PER_CLASS == Words.count(words),
                Words.count(words) + " words are not those of classes");
        List<KeyClass> classes = new ArrayList<>();
        for (int at = Words.LEAD; at < words.length; at += NUMBERS_PER_CLASS) {
            classes.add(new KeyClass(
                    Double.longBitsToDouble(words[at]),
                    Double.longBitsToDouble(words[at + 1]),
                    Double.longBitsToDouble(words[at + 2]),
                    Double.longBitsToDouble(words[at + 3])));
        }
        return classes;
    }

    private @Nullable ClassTable readTable(FilterImage image, int classCount) {
        long size = image.get(tableSize);
        long[] words = image.get(tableSection);
        return size == 0 && Words.count(words) == 0 ? null : ClassTable.of(words, size, classCount);
    }

    private @Nullable LevelSketch readSketch(FilterImage image) {
        int keyBits = (int) image.get(keyRowBits, 0, LevelSketch.MOST_BITS);
        int queryBits = (int) image.get(queryRowBits, 0, LevelSketch.MOST_BITS);
        long[] words = image.get(sketchSection);
        return keyBits == 0 && queryBits == 0 && Words.count(words) == 0
                ? null
                : new LevelSketch(words, keyBits, queryBits);
    }

    private static RankClasses readRanks(long[] rule) {
        check(Words.count(rule) >= 1, "there are no ranks");
        return new RankClasses(rule[Words.LEAD], Arrays.copyOfRange(rule, Words.LEAD + 1, rule.length));
    }

    private @Nullable CallerClasses readCaller(FilterImage image, long sourceNumber) {
        long[] rule = image.get(ruleSection);
        long sizeInBits = image.get(callerBits);
        return switch ((int) sourceNumber) {
            case CLASSIFIER -> readCaller(CallerClasses.Code.CLASSIFIER, rule, sizeInBits);
            case MODEL -> readCaller(CallerClasses.Code.MODEL, rule, sizeInBits);
            default -> {
                check(sizeInBits == 0, "nobody's rule has a size");
                check(sourceNumber == RANKS || Words.count(rule) == 0, "there is a rule and nobody's");
                yield null;
            }
        };
    }

    private static CallerClasses readCaller(CallerClasses.Code code, long[] rule, long sizeInBits) {
        check(Words.count(rule) >= 2, "there is no id");
        long length = rule[Words.LEAD + 1];
        check(
                length >= 1
                        && length <= CallerClasses.MOST_CHARACTERS
                        && Words.count(rule) == 2 + (length + Long.BYTES - 1) / Long.BYTES,
                "an id of " + length + " characters cannot be");
        byte[] id = new byte[(int) length];
        for (int i = 0; i < length; i++) {
            id[i] = (byte) (rule[Words.LEAD + 2 + i / Long.BYTES] >>> (i % Long.BYTES * Byte.SIZE));
        }
        int used = (int) length % Long.BYTES * Byte.SIZE;
        check(used == 0 || rule[rule.length - 1] >>> used == 0, "bits past the end of an id are set");
        return new CallerClasses(code, new String(id, StandardCharsets.ISO_8859_1), rule[Words.LEAD], sizeInBits, null);
    }

    private static void check(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
