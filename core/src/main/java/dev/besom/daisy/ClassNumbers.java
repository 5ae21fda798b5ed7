package dev.besom.daisy;

import dev.besom.bits.Words;
import dev.besom.distribution.DaisyMath;
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
    private final byte[] toAsk;

    private final byte[] toSet;

    private ClassNumbers(int[] numbers, int unknownToAsk, int unknownToSet) {
        toAsk = new byte[numbers.length + 1];
        toSet = new byte[numbers.length + 1];
        for (int i = 0; i < numbers.length; i++) {
            toAsk[i + 1] = (byte) numbers[i];
            toSet[i + 1] = (byte) numbers[i];
        }
        toAsk[0] = (byte) unknownToAsk;
        toSet[0] = (byte) unknownToSet;
    }

    /** Probes of each class. A hash of unknown class is put in with the most and asked for with the fewest of them. */
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

    int toAsk(int keyClass) {
        return toAsk[keyClass - Distribution.UNKNOWN];
    }

    int toSet(int keyClass) {
        return toSet[keyClass - Distribution.UNKNOWN];
    }

    /** The numbers by class. */
    int[] toArray() {
        int[] numbers = new int[toAsk.length - 1];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = toAsk[i + 1];
        }
        return numbers;
    }

    long sizeInBits() {
        return (long) Byte.SIZE * (toAsk.length + toSet.length);
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

    /** The numbers of a section, none above the highest that can be. */
    static int[] read(FilterImage image, int section, int classCount, int highest) {
        long[] words = image.sections().get(section);
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

    /**
     * The part of a distribution's questions that are answered wrongly, with a rate for each number.
     *
     * @param count how many keys are stored, so that questions for them are not counted as wrong
     */
    double meanOverQuestions(Distribution distribution, long count, double[] rates) {
        return DaisyMath.rate(distribution.classes(), (double) count, keyClass -> rates[toAsk(keyClass)]);
    }
}
