package dev.besom.cascade;

import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;

/**
 * The hashes that were inserted last, as they are: those whose keys may not be stored yet.
 *
 * <p>A key goes into the filter first and into the store second. Until it is there its fingerprint, or its cells, look like
 * something that a key has left behind. A filter that knows the hash itself is not deceived: it neither gives the fingerprint to
 * another hash nor loses it. So {@value #MOST} inserts may be in flight at once; who has waited for as many others that came
 * later counts as one whose insert was given up.
 *
 * <p>At most 2 kB, saved with the filter and not counted as its size.
 */
final class RecentInserts {

    static final int MOST = 256;

    private static final int FIRST_ROOM = 16;

    private long[] hashes;

    /** Where the oldest one is; the others follow, and go on at the start of the array. */
    private int oldest;

    private int size;

    RecentInserts() {
        this.hashes = new long[FIRST_ROOM];
    }

    /** Adds a hash, and forgets the oldest one if there are too many. */
    void add(long hash) {
        if (size == hashes.length && size < MOST) {
            hashes = inOrder(Math.min(MOST, 2 * size));
            oldest = 0;
        }
        if (size == MOST) {
            hashes[oldest] = hash;
            oldest = next(oldest);
        } else {
            hashes[place(size)] = hash;
            size++;
        }
    }

    private int next(int place) {
        return place + 1 == hashes.length ? 0 : place + 1;
    }

    /** Where the hash is that came after so many others. */
    private int place(int index) {
        int place = oldest + index;
        return place < hashes.length ? place : place - hashes.length;
    }

    private long[] inOrder(int room) {
        long[] copy = new long[room];
        for (int i = 0; i < size; i++) {
            copy[i] = hashes[place(i)];
        }
        return copy;
    }

    /** Forgets a hash once, the last time it came. */
    void remove(long hash) {
        for (int i = size - 1; i >= 0; i--) {
            if (hashes[place(i)] == hash) {
                for (int later = i; later + 1 < size; later++) {
                    hashes[place(later)] = hashes[place(later + 1)];
                }
                size--;
                return;
            }
        }
    }

    /** All of them, the oldest first. */
    long[] toArray() {
        return inOrder(size);
    }

    /** Those from one to another in unsigned order, both included. */
    long[] between(long first, long last) {
        return Arrays.stream(inOrder(size))
                .filter(hash -> Long.compareUnsigned(first, hash) <= 0 && Long.compareUnsigned(hash, last) <= 0)
                .toArray();
    }

    /** All of them as a section of an image. */
    long[] toWords() {
        long[] words = Words.allocate(size);
        System.arraycopy(inOrder(size), 0, words, Words.LEAD, size);
        return words;
    }

    /** Those of an image. */
    static RecentInserts read(FilterImage image, Section from) {
        long[] words = image.get(from);
        image.check(Words.count(words) <= MOST, Words.count(words) + " " + from + " are too many");
        RecentInserts recent = new RecentInserts();
        for (int i = Words.LEAD; i < words.length; i++) {
            recent.add(words[i]);
        }
        return recent;
    }
}
