package dev.besom.daisy;

import dev.besom.bits.Words;
import dev.besom.distribution.Distribution;
import dev.besom.spi.FilterImage;
import java.util.List;

/**
 * A small number for each class of keys, saved with the filter: computed anew on another machine, a logarithm could come
 * out on the other side of a whole number, and keys would be lost.
 */
final class ClassNumbers {

    private static final int NUMBERS_PER_WORD = 8;

    /** By class + 1, so that the unknown class has a place too. */
    private final byte[] toQuery;

    private final byte[] toInsert;

    private ClassNumbers(int[] numbers, int unknownToQuery, int unknownToInsert) {
        toQuery = new byte[numbers.length + 1];
        toInsert = new byte[numbers.length + 1];
        for (int i = 0; i < numbers.length; i++) {
            toQuery[i + 1] = (byte) numbers[i];
            toInsert[i + 1] = (byte) numbers[i];
        }
        toQuery[0] = (byte) unknownToQuery;
        toInsert[0] = (byte) unknownToInsert;
    }

    /** Probes of each class. A hash of unknown class is inserted with the most and queried with the fewest of them. */
    static ClassNumbers probes(int[] probes) {
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (int number : probes) {
            fewest = Math.min(fewest, number);
            most = Math.max(most, number);
        }
        return new ClassNumbers(probes, fewest, most);
    }

    /** The part of a filter that each class belongs to; the unknown class has number -1. */
    static ClassNumbers parts(int[] parts) {
        return new ClassNumbers(parts, -1, -1);
    }

    static ClassNumbers parts(List<Integer> parts) {
        return parts(parts.stream().mapToInt(Integer::intValue).toArray());
    }

    int toQuery(int keyClass) {
        return toQuery[keyClass - Distribution.UNKNOWN];
    }

    int toInsert(int keyClass) {
        return toInsert[keyClass - Distribution.UNKNOWN];
    }

    /** The numbers by class. */
    int[] toArray() {
        int[] numbers = new int[toQuery.length - 1];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = toQuery[i + 1];
        }
        return numbers;
    }

    long sizeInBits() {
        return (long) Byte.SIZE * (toQuery.length + toInsert.length);
    }

    /** Eight a word. */
    long[] toWords() {
        int[] numbers = toArray();
        long[] words = Words.allocate((numbers.length + NUMBERS_PER_WORD - 1) / NUMBERS_PER_WORD);
        for (int i = 0; i < numbers.length; i++) {
            words[Words.LEAD + i / NUMBERS_PER_WORD] |= (long) numbers[i] << (i % NUMBERS_PER_WORD * Byte.SIZE);
        }
        return words;
    }

    /** The number of each class from a section, none above the highest that can be. */
    static int[] read(FilterImage image, long[] words, int classCount, int highest) {
        image.check(
                Words.count(words) == (classCount + NUMBERS_PER_WORD - 1) / NUMBERS_PER_WORD,
                Words.count(words) + " words hold no numbers of " + classCount + " classes");
        int[] numbers = new int[classCount];
        for (int i = 0; i < words.length - Words.LEAD; i++) {
            for (int j = 0; j < NUMBERS_PER_WORD; j++) {
                long number = words[Words.LEAD + i] >>> (j * Byte.SIZE) & 0xFF;
                int keyClass = i * NUMBERS_PER_WORD + j;
                image.check(number <= (keyClass < classCount ? highest : 0), "number " + number + " cannot be");
                if (keyClass < classCount) {
                    numbers[keyClass] = (int) number;
                }
            }
        }
        return numbers;
    }
}
