package dev.besom.bloom;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small exact set of hashes: open addressing, at most half full. One that was read from a file stays the sorted section
 * it was, so that reading takes no more memory, until it is first changed.
 */
final class ExactHashes {

    private static final int LEAST_PLACES = 16;

    /** 0 marks a free place; the hash 0 itself is kept in {@link #hasZero}. */
    private long[] places = new long[LEAST_PLACES];

    private int used;
    private boolean hasZero;

    /** The whole set as the section it was read from; null once it is in {@link #places}. */
    private long @Nullable [] section;

    /** The set of the words of an image's section, which must be in ascending order. */
    static ExactHashes read(FilterImage image, Section from) {
        long[] words = image.get(from);
        for (int i = Words.LEAD + 1; i < words.length; i++) {
            if (words[i - 1] >= words[i]) {
                throw image.malformed(from + " are not in order");
            }
        }
        ExactHashes hashes = new ExactHashes();
        hashes.section = words;
        return hashes;
    }

    boolean contains(long hash) {
        if (section != null) {
            return Arrays.binarySearch(section, Words.LEAD, section.length, hash) >= 0;
        }
        return hash == 0 ? hasZero : places[placeOf(hash)] == hash;
    }

    void add(long hash) {
        leaveSection();
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
            grow();
        }
    }

    boolean remove(long hash) {
        if (!contains(hash)) {
            return false;
        }
        leaveSection();
        if (hash == 0) {
            hasZero = false;
        } else {
            free(placeOf(hash));
            used--;
        }
        return true;
    }

    /** Frees a place, and moves back into the gap what was driven past it, so that every hash is still found. */
    private void free(int gap) {
        int mask = places.length - 1;
        for (int place = (gap + 1) & mask; places[place] != 0; place = (place + 1) & mask) {
            int driven = (place - homeOf(places[place])) & mask;
            if (driven >= ((place - gap) & mask)) {
                places[gap] = places[place];
                gap = place;
            }
        }
        places[gap] = 0;
    }

    /** Moves the hashes of a section to places, where they can change. */
    private void leaveSection() {
        long[] sorted = section;
        if (sorted != null) {
            section = null;
            places = new long[placesFor(Words.count(sorted))];
            for (int i = Words.LEAD; i < sorted.length; i++) {
                add(sorted[i]);
            }
        }
    }

    int size() {
        if (section != null) {
            return Words.count(section);
        }
        return used + (hasZero ? 1 : 0);
    }

    /** The space of the places; also of those that the hashes of a section will take. */
    long sizeInBits() {
        if (section != null) {
            return (long) placesFor(size() - (contains(0) ? 1 : 0)) * Long.SIZE;
        }
        return (long) places.length * Long.SIZE;
    }

    /** The fewest places for so many hashes. */
    private static int placesFor(int hashes) {
        int count = LEAST_PLACES;
        while (hashes * 2 > count) {
            count *= 2;
        }
        return count;
    }

    /** All hashes in ascending order, as a section of words. */
    long[] toWords() {
        if (section != null) {
            return section;
        }
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

    private void grow() {
        long[] old = places;
        places = new long[2 * old.length];
        for (long hash : old) {
            if (hash != 0) {
                places[placeOf(hash)] = hash;
            }
        }
    }

    /** Where the hash is, or the free place where it belongs. */
    private int placeOf(long hash) {
        int mask = places.length - 1;
        int place = homeOf(hash);
        while (places[place] != 0 && places[place] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** The place from which a hash is looked for. */
    private int homeOf(long hash) {
        return (int) Mix.mix(hash) & (places.length - 1);
    }
}
