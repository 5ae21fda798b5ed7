package dev.besom.broom;

import dev.besom.bits.Multiply;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * How long the extensions of keys were that have left, so that a key that comes back is not mistaken again for what it was
 * told from before.
 *
 * <pre>
 *   bucket    8 words, the newest first
 *   word      | position, 58 bits | length, 6 bits |      0: free
 * </pre>
 *
 * A position is forgotten when it comes back, or when its bucket is full of newer ones and the table may not grow. Under
 * another hash function a key has another position, for which what was learned says nothing.
 */
final class Departed {

    private static final int BUCKET_WORDS = 8;
    private static final long LENGTH_MASK = 63;
    private static final long[] EMPTY = {};

    private long[] words = EMPTY;
    private int size;

    /** Keeps the length of the extension that a position had, in a table of at most so many words. */
    void put(long position, int length, long mostWords) {
        if (words.length == 0) {
            words = new long[BUCKET_WORDS];
        }
        while (words[start(position) + BUCKET_WORDS - 1] != 0 && 2L * words.length <= mostWords) {
            grow();
        }
        push((position & ~LENGTH_MASK) | length);
    }

    private void push(long word) {
        int start = start(word);
        size += words[start + BUCKET_WORDS - 1] == 0 ? 1 : 0;
        System.arraycopy(words, start, words, start + 1, BUCKET_WORDS - 1);
        words[start] = word;
    }

    private void grow() {
        long[] before = words;
        words = new long[2 * before.length];
        size = 0;
        // The last of a bucket is its oldest, and no bucket gets words of two.
        for (int i = before.length - 1; i >= 0; i--) {
            if (before[i] != 0) {
                push(before[i]);
            }
        }
    }

    /** The length of the extension that a position had, which is forgotten; 0 if it is not known. */
    int take(long position) {
        if (size == 0) {
            return 0;
        }
        int start = start(position);
        for (int i = start; i < start + BUCKET_WORDS && words[i] != 0; i++) {
            if (((words[i] ^ position) & ~LENGTH_MASK) == 0) {
                int length = (int) (words[i] & LENGTH_MASK);
                int last = start + BUCKET_WORDS - 1;
                System.arraycopy(words, i + 1, words, i, last - i);
                words[last] = 0;
                size--;
                if (size == 0) {
                    words = EMPTY;
                }
                return length;
            }
        }
        return 0;
    }

    /** All that is known, for {@link #read(long[])}. */
    long[] section() {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        return section;
    }

    /**
     * Takes over what is known from a section.
     *
     * @throws IllegalArgumentException if no table looks like that
     */
    static Departed read(long[] section) {
        Departed departed = new Departed();
        int length = Words.count(section);
        if (length == 0) {
            return departed;
        }
        if (length < BUCKET_WORDS || Integer.bitCount(length) != 1) {
            throw new IllegalArgumentException("a table of departed keys does not have " + length + " words");
        }
        departed.words = Arrays.copyOfRange(section, Words.LEAD, section.length);
        for (int i = 0; i < length; i++) {
            departed.size += departed.check(i) ? 1 : 0;
        }
        return departed;
    }

    /** Checks a word; returns whether it is in use. */
    private boolean check(int at) {
        long word = words[at];
        boolean follows = at % BUCKET_WORDS == 0 || words[at - 1] != 0;
        long length = word & LENGTH_MASK;
        boolean isRight = word == 0
                || (follows && length != 0 && length <= Prefix.MOST_LENGTH && start(word) == at - at % BUCKET_WORDS);
        if (!isRight) {
            throw new IllegalArgumentException("word " + at + " of the departed keys is not in its bucket");
        }
        return word != 0;
    }

    /** How many positions are known. */
    int size() {
        return size;
    }

    long sizeInBits() {
        return (long) words.length * Long.SIZE;
    }

    private int start(long position) {
        long buckets = words.length / BUCKET_WORDS;
        return (int) Multiply.toRange(Mix.mix(position & ~LENGTH_MASK), buckets) * BUCKET_WORDS;
    }
}
