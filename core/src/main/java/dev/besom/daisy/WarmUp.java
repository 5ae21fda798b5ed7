package dev.besom.daisy;

import dev.besom.bits.Words;
import dev.besom.distribution.Distribution;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import java.util.Arrays;

/**
 * The first draws of a stream of keys, exactly, with how many of them were of each class: enough to say what part of the
 * stream each class is, and few enough to keep.
 *
 * <p>The number of draws is (log2 n)^3: a class of one key in a hundred is then known to about a tenth of itself for a
 * million keys. The paper's exponent, above four, would be a quarter of a million draws there.
 */
final class WarmUp {

    private static final int FEWEST_DRAWS = 64;

    /** The places of the index are at most half full. */
    private static final int LEAST_PLACES = 16;

    private final long limit;
    private final long[] drawsOfClass;
    private long draws;

    /** Distinct hashes with their classes in the order in which they came. */
    private long[] hashes = new long[LEAST_PLACES / 2];

    private int[] classes = new int[LEAST_PLACES / 2];
    private int size;

    /** One more than the number of a hash, by its place; 0 marks a free place. */
    private int[] places = new int[LEAST_PLACES];

    WarmUp(long limit, int classCount) {
        this.limit = limit;
        this.drawsOfClass = new long[classCount];
    }

    /** How many draws are enough for a filter of n keys. */
    static long drawsFor(long n) {
        double log = Math.log((double) n) / Math.log(2);
        return Math.min(n, Math.max(FEWEST_DRAWS, (long) Math.ceil(log * log * log)));
    }

    boolean contains(long hash) {
        return places[placeOf(hash)] != 0;
    }

    /** Takes a draw; true if the hash is new. A hash that comes in two classes gets the unknown one. */
    boolean add(long hash, int keyClass) {
        draws++;
        if (keyClass != Distribution.UNKNOWN) {
            drawsOfClass[keyClass]++;
        }
        int place = placeOf(hash);
        if (places[place] != 0) {
            int number = places[place] - 1;
            classes[number] = classes[number] == keyClass ? keyClass : Distribution.UNKNOWN;
            return false;
        }
        if (size == hashes.length) {
            grow();
            place = placeOf(hash);
        }
        hashes[size] = hash;
        classes[size] = keyClass;
        size++;
        places[place] = size;
        return true;
    }

    /** Takes all draws of another one. */
    void addAll(WarmUp other) {
        for (int i = 0; i < other.size; i++) {
            add(other.hashes[i], other.classes[i]);
        }
        // The draws of each hash but the first are known by class only.
        draws += other.draws - other.size;
        long[] first = new long[drawsOfClass.length];
        for (int i = 0; i < other.size; i++) {
            if (other.classes[i] != Distribution.UNKNOWN) {
                first[other.classes[i]]++;
            }
        }
        for (int i = 0; i < drawsOfClass.length; i++) {
            drawsOfClass[i] += other.drawsOfClass[i] - first[i];
        }
    }

    long draws() {
        return draws;
    }

    private void grow() {
        hashes = Arrays.copyOf(hashes, 2 * size);
        classes = Arrays.copyOf(classes, 2 * size);
        places = new int[4 * size];
        for (int number = 0; number < size; number++) {
            places[placeOf(hashes[number])] = number + 1;
        }
    }

    private int placeOf(long hash) {
        int mask = places.length - 1;
        int place = (int) Mix.mix(hash) & mask;
        while (places[place] != 0 && hashes[places[place] - 1] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    boolean isOver() {
        return draws >= limit;
    }

    int size() {
        return size;
    }

    long hash(int number) {
        return hashes[number];
    }

    int classOf(int number) {
        return classes[number];
    }

    long[] drawsOfClass() {
        return drawsOfClass;
    }

    long limit() {
        return limit;
    }

    long sizeInBits() {
        return (long) hashes.length * (Long.SIZE + Integer.SIZE)
                + (long) places.length * Integer.SIZE
                + (long) drawsOfClass.length * Long.SIZE;
    }

    /** Each hash with its class, in the order in which they came. */
    long[] hashWords() {
        long[] words = Words.allocate(2L * size);
        for (int i = 0; i < size; i++) {
            words[Words.LEAD + 2 * i] = hashes[i];
            words[Words.LEAD + 2 * i + 1] = classes[i];
        }
        return words;
    }

    /** The draws of each class, then all of them. */
    long[] drawWords() {
        long[] words = Words.allocate(drawsOfClass.length + 1L);
        System.arraycopy(drawsOfClass, 0, words, Words.LEAD, drawsOfClass.length);
        words[words.length - 1] = draws;
        return words;
    }

    /** Fills this one, which is empty, with what {@link #hashWords()} and {@link #drawWords()} gave. */
    void fill(FilterImage image, long[] hashWords, long[] drawWords) {
        int classCount = drawsOfClass.length;
        image.check(Words.count(drawWords) == classCount + 1, "the draws are not those of " + classCount + " classes");
        image.check((Words.count(hashWords) & 1) == 0, "a hash has no class");
        for (int i = Words.LEAD; i < hashWords.length; i += 2) {
            long keyClass = hashWords[i + 1];
            image.check(
                    keyClass >= Distribution.UNKNOWN && keyClass < classCount, "class " + keyClass + " is not known");
            image.check(add(hashWords[i], (int) keyClass), "a hash came first twice");
        }
        draws = drawWords[drawWords.length - 1];
        image.check(draws >= size && draws < limit, draws + " draws are not before " + limit);
        for (int i = 0; i < classCount; i++) {
            long ofClass = drawWords[Words.LEAD + i];
            image.check(ofClass >= 0 && ofClass <= draws, ofClass + " draws of a class cannot be");
            drawsOfClass[i] = ofClass;
        }
    }
}
