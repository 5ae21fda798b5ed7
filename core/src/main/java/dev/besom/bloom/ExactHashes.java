package dev.besom.bloom;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/** A small exact set of hashes: open addressing, at most half full. */
final class ExactHashes {

    private static final int LEAST_PLACES = 16;

    /** 0 marks a free place; the hash 0 itself is kept in {@link #hasZero}. */
    private long[] places = new long[LEAST_PLACES];

    private int used;
    private boolean hasZero;

    boolean contains(long hash) {
        return hash == 0 ? hasZero : places[placeOf(hash)] == hash;
    }

    void add(long hash) {
        if (hash == 0) {
            hasZero = true;
            return;
        }
        int place = placeOf(hash);
        if (places[place] == hash) {
            return;
        }
        places[place] = hash;
        used++;
        if (used * 2 > places.length) {
            rebuild(places.length * 2, 0);
        }
    }

    boolean remove(long hash) {
        if (!contains(hash)) {
            return false;
        }
        if (hash == 0) {
            hasZero = false;
        } else {
            // Rare and small: putting the others back is simpler than closing the gap.
            rebuild(places.length, hash);
        }
        return true;
    }

    int size() {
        return used + (hasZero ? 1 : 0);
    }

    long sizeInBits() {
        return (long) places.length * Long.SIZE;
    }

    /** All hashes in ascending order, as a section of words. */
    long[] toWords() {
        long[] words = Words.allocate(size());
        int at = Words.LEAD;
        if (hasZero) {
            words[at++] = 0;
        }
        for (long hash : places) {
            if (hash != 0) {
                words[at++] = hash;
            }
        }
        Arrays.sort(words, Words.LEAD, words.length);
        return words;
    }

    private void rebuild(int size, long without) {
        long[] old = places;
        places = new long[size];
        used = 0;
        for (long hash : old) {
            if (hash != 0 && hash != without) {
                places[placeOf(hash)] = hash;
                used++;
            }
        }
    }

    /** Where the hash is, or the free place where it belongs. */
    private int placeOf(long hash) {
        int mask = places.length - 1;
        int place = (int) Mix.mix(hash) & mask;
        while (places[place] != 0 && places[place] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }
}
