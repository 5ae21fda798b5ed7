package dev.besom.distribution;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/** Classes of single hashes, exact: open addressing, at most half full. */
final class ClassTable {

    private static final int LEAST_PLACES = 16;
    private static final int CLASSES_PER_WORD = 4;

    /** A place is free where its class is 0; classes are stored one higher. */
    private final long[] places;

    private final char[] classes;
    private final int size;

    /** A table of distinct hashes. */
    ClassTable(long[] hashes, int[] classOfHash) {
        int length = LEAST_PLACES;
        while (length < 2L * hashes.length) {
            length *= 2;
        }
        places = new long[length];
        classes = new char[length];
        for (int i = 0; i < hashes.length; i++) {
            int place = placeOf(hashes[i]);
            if (classes[place] != 0) {
                throw new IllegalArgumentException("a hash is in the table twice");
            }
            places[place] = hashes[i];
            classes[place] = (char) (classOfHash[i] + 1);
        }
        size = hashes.length;
    }

    /** The class of a hash, or -1. */
    int find(long hash) {
        return classes[placeOf(hash)] - 1;
    }

    int size() {
        return size;
    }

    long sizeInBits() {
        return (long) places.length * (Long.SIZE + Character.SIZE);
    }

    private int placeOf(long hash) {
        int mask = places.length - 1;
        int place = (int) Mix.mix(hash) & mask;
        while (classes[place] != 0 && places[place] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** The hashes in ascending order, then their classes, four a word. */
    long[] toWords() {
        long[] words = Words.allocate(wordCount(size));
        int at = Words.LEAD;
        for (int place = 0; place < places.length; place++) {
            if (classes[place] != 0) {
                words[at++] = places[place];
            }
        }
        Arrays.sort(words, Words.LEAD, at);
        for (int i = 0; i < size; i++) {
            long keyClass = find(words[Words.LEAD + i]);
            words[at + i / CLASSES_PER_WORD] |= keyClass << (i % CLASSES_PER_WORD * Character.SIZE);
        }
        return words;
    }

    private static long wordCount(long size) {
        return size + (size + CLASSES_PER_WORD - 1) / CLASSES_PER_WORD;
    }

    /**
     * The table of {@link #toWords()}.
     *
     * @throws IllegalArgumentException if no table wrote the words
     */
    static ClassTable of(long[] words, long size, int classCount) {
        if (size < 1 || size > Words.count(words) || wordCount(size) != Words.count(words)) {
            throw new IllegalArgumentException(Words.count(words) + " words are no table of " + size + " hashes");
        }
        long[] hashes = Arrays.copyOfRange(words, Words.LEAD, Words.LEAD + (int) size);
        int[] classOfHash = new int[hashes.length];
        int first = Words.LEAD + hashes.length;
        for (int i = 0; i < hashes.length; i++) {
            if (i > 0 && hashes[i - 1] >= hashes[i]) {
                throw new IllegalArgumentException("the hashes of a table are not in order");
            }
            long word = words[first + i / CLASSES_PER_WORD] >>> (i % CLASSES_PER_WORD * Character.SIZE);
            classOfHash[i] = (int) word & 0xFFFF;
            if (classOfHash[i] >= classCount) {
                throw new IllegalArgumentException("class " + classOfHash[i] + " of a table is not known");
            }
        }
        int used = hashes.length % CLASSES_PER_WORD;
        if (used != 0 && words[words.length - 1] >>> (used * Character.SIZE) != 0) {
            throw new IllegalArgumentException("bits past the end of a table are set");
        }
        return new ClassTable(hashes, classOfHash);
    }
}
