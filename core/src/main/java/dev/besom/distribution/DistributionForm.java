package dev.besom.distribution;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A distribution as three sections of a filter's image.
 *
 * <pre>
 *   numbers   source: 0 nothing but table, sketch and rest, 1 ranks, 2 the caller's classifier, 3 the caller's model
 *             whether shares are known | rest class | hashes in the table | key bits | query bits of the sketch
 *             number of classes, then of each: p, q, share of inserts, share of questions (as doubles)
 *             ranks: seed, the last rank of each class but the rest      caller: check value, length of id, id, 8 a word
 *   table     hashes ascending, then their classes, 16 bits each
 *   sketch    cells of 2 bits, those of inserts first
 * </pre>
 */
public final class DistributionForm {

    /** How many sections a distribution takes. */
    public static final int SECTION_COUNT = 3;

    private static final int REST = 0;
    private static final int RANKS = 1;
    private static final int CLASSIFIER = 2;
    private static final int MODEL = 3;

    private static final int FIXED_NUMBERS = 7;
    private static final int NUMBERS_PER_CLASS = 4;

    private final Distribution distribution;

    /** The form of that distribution. */
    public DistributionForm(Distribution distribution) {
        this.distribution = distribution;
    }

    /** The sections, made anew. */
    public List<long[]> sections() {
        ClassTable table = distribution.table();
        LevelSketch sketch = distribution.sketch();
        return List.of(
                numbers(),
                table == null ? Words.allocate(0) : table.toWords(),
                sketch == null ? Words.allocate(0) : sketch.words());
    }

    private long[] numbers() {
        long[] source = source();
        int classCount = distribution.classCount();
        long[] words = Words.allocate((long) FIXED_NUMBERS + (long) NUMBERS_PER_CLASS * classCount + source.length);
        int at = Words.LEAD;
        words[at++] = sourceNumber();
        words[at++] = distribution.areSharesKnown() ? 1 : 0;
        words[at++] = distribution.restClass();
        ClassTable table = distribution.table();
        words[at++] = table == null ? 0 : table.size();
        LevelSketch sketch = distribution.sketch();
        words[at++] = sketch == null ? 0 : sketch.keyBits();
        words[at++] = sketch == null ? 0 : sketch.queryBits();
        words[at++] = classCount;
        for (KeyClass keys : distribution.classes()) {
            words[at++] = Double.doubleToRawLongBits(keys.insertProbability());
            words[at++] = Double.doubleToRawLongBits(keys.queryProbability());
            words[at++] = Double.doubleToRawLongBits(keys.insertShare());
            words[at++] = Double.doubleToRawLongBits(keys.queryShare());
        }
        System.arraycopy(source, 0, words, at, source.length);
        return words;
    }

    private int sourceNumber() {
        CallerClasses caller = distribution.caller();
        if (caller == null) {
            return distribution.ranks() != null ? RANKS : REST;
        }
        return switch (caller.code()) {
            case CLASSIFIER -> CLASSIFIER;
            case MODEL -> MODEL;
        };
    }

    private long[] source() {
        RankClasses ranks = distribution.ranks();
        if (ranks != null) {
            long[] words = new long[1 + ranks.lastRanks().length];
            words[0] = ranks.seed();
            System.arraycopy(ranks.lastRanks(), 0, words, 1, ranks.lastRanks().length);
            return words;
        }
        CallerClasses caller = distribution.caller();
        if (caller == null) {
            return new long[0];
        }
        byte[] id = caller.id().getBytes(StandardCharsets.US_ASCII);
        long[] words = new long[2 + (id.length + Long.BYTES - 1) / Long.BYTES];
        words[0] = caller.check();
        words[1] = id.length;
        for (int i = 0; i < id.length; i++) {
            words[2 + i / Long.BYTES] |= (long) id[i] << (i % Long.BYTES * Byte.SIZE);
        }
        return words;
    }

    /**
     * The distribution whose sections start at that one.
     *
     * @throws MalformedFilterException if no distribution wrote them
     */
    public static Distribution read(FilterImage image, int firstSection) {
        try {
            return read(
                    image.sections().get(firstSection),
                    image.sections().get(firstSection + 1),
                    image.sections().get(firstSection + 2));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(image.kind() + ": no such distribution: " + e.getMessage(), e);
        }
    }

    private static Distribution read(long[] numbers, long[] tableWords, long[] sketchWords) {
        check(Words.count(numbers) >= FIXED_NUMBERS, "it is too short");
        int at = Words.LEAD;
        long source = numbers[at++];
        long sharesKnown = numbers[at++];
        long restClass = numbers[at++];
        long tableSize = numbers[at++];
        long keyBits = numbers[at++];
        long queryBits = numbers[at++];
        long classCount = numbers[at++];
        check(source >= REST && source <= MODEL, "source " + source + " is not known");
        check(sharesKnown == 0 || sharesKnown == 1, "shares are neither known nor unknown");
        check(classCount >= 1 && classCount <= Distribution.MAX_CLASSES, classCount + " classes cannot be");
        check(restClass >= 0 && restClass < classCount, "the rest class " + restClass + " cannot be");
        check(Words.count(numbers) >= FIXED_NUMBERS + NUMBERS_PER_CLASS * classCount, "it is too short");
        List<KeyClass> classes = new ArrayList<>();
        for (int i = 0; i < classCount; i++) {
            classes.add(new KeyClass(
                    Double.longBitsToDouble(numbers[at]),
                    Double.longBitsToDouble(numbers[at + 1]),
                    Double.longBitsToDouble(numbers[at + 2]),
                    Double.longBitsToDouble(numbers[at + 3])));
            at += NUMBERS_PER_CLASS;
        }
        long[] own = Arrays.copyOfRange(numbers, at, numbers.length);
        return new Distribution(
                classes,
                sharesKnown == 1,
                (int) restClass,
                tableSize == 0 && Words.count(tableWords) == 0
                        ? null
                        : ClassTable.of(tableWords, tableSize, (int) classCount),
                sketch(sketchWords, keyBits, queryBits),
                source == RANKS ? ranks(own) : null,
                switch ((int) source) {
                    case CLASSIFIER -> classifier(own);
                    case MODEL -> caller(CallerClasses.Code.MODEL, own);
                    default -> checkedNone(source, own);
                });
    }

    private static @Nullable LevelSketch sketch(long[] words, long keyBits, long queryBits) {
        check(
                keyBits >= 0
                        && keyBits <= LevelSketch.MOST_BITS
                        && queryBits >= 0
                        && queryBits <= LevelSketch.MOST_BITS,
                "rows of 2^" + keyBits + " and 2^" + queryBits + " cells cannot be");
        if (keyBits == 0 && queryBits == 0) {
            check(Words.count(words) == 0, "a sketch with no rows has cells");
            return null;
        }
        return new LevelSketch(words, (int) keyBits, (int) queryBits);
    }

    private static RankClasses ranks(long[] own) {
        check(own.length >= 1, "it is too short");
        return new RankClasses(own[0], Arrays.copyOfRange(own, 1, own.length));
    }

    /** Files of old have models among the classifiers, with no check of their answers. */
    private static CallerClasses classifier(long[] own) {
        CallerClasses read = caller(CallerClasses.Code.CLASSIFIER, own);
        check(
                read.check() != 0,
                "the model '" + read.id() + "' was saved without a check of its answers; build the filter anew");
        return read;
    }

    private static CallerClasses caller(CallerClasses.Code code, long[] own) {
        check(own.length >= 2, "it is too short");
        long length = own[1];
        check(
                length >= 1
                        && length <= CallerClasses.MOST_CHARACTERS
                        && own.length == 2 + (length + Long.BYTES - 1) / Long.BYTES,
                "an id of " + length + " characters cannot be");
        byte[] id = new byte[(int) length];
        long[] used = new long[own.length];
        for (int i = 0; i < length; i++) {
            int word = 2 + i / Long.BYTES;
            int shift = i % Long.BYTES * Byte.SIZE;
            id[i] = (byte) (own[word] >>> shift);
            used[word] |= own[word] & 0xFFL << shift;
        }
        check(used[own.length - 1] == own[own.length - 1], "bits past the end of an id are set");
        return new CallerClasses(code, new String(id, StandardCharsets.ISO_8859_1), own[0], null);
    }

    private static @Nullable CallerClasses checkedNone(long source, long[] own) {
        check(source == RANKS || own.length == 0, "it is too long");
        return null;
    }

    private static void check(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
