package dev.besom.adaptive;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * What an adaptive filter had learned of keys that were deleted, so that a key that is inserted again is told at once from
 * what it was told from before: for each of them one number, the selector or the length of the extension that it had.
 *
 * <pre>
 *   bucket    8 words, the newest first
 *   word      | position, 58 bits | number, 6 bits |      0: free
 * </pre>
 *
 * A position is the hash of a key, or what stands for it in the order of the store. It has two buckets and goes to the one
 * with more room: with a single one, four in a hundred would be lost from a table that is three quarters full, and always
 * the same ones. It is forgotten when it comes back, or when both are full of newer ones and the table may not grow. Numbers
 * above 62 are not kept.
 *
 * <p>Two positions that differ in their last six bits only are taken for one. Whatever a key is given that comes back, the
 * filter makes its fingerprint from it and finds the key by it, so what is known here may be wrong or missing and no key
 * is lost.
 *
 * <p>Cost: a quarter of a bit for each key that the filter has room for, eight bits for each of those that is not there, and
 * 64 words at most; of what does not depend on keys that are missing a filter may allow less. Memory is taken as it is needed,
 * by quarters, and given up as keys come. The filter's inserts and deletes look at two buckets; its queries at nothing.
 *
 * <p>Y. Azar, A. Z. Broder, A. R. Karlin and E. Upfal: Balanced allocations. SIAM Journal on Computing 1999.
 */
public final class Tombstones {

    private static final int BUCKET_WORDS = 8;
    private static final long NUMBER_MASK = 63;
    private static final int MOST = 62;
    private static final int LEAST_WORDS = 64;
    private static final long[] EMPTY = {};

    private final long capacity;
    private final long most;
    private long[] words = EMPTY;
    private int size;

    /** Nothing is known yet; the filter has room for so many keys. */
    public Tombstones(long capacity) {
        this(capacity, Long.MAX_VALUE);
    }

    /**
     * Nothing is known yet.
     *
     * @param capacity the filter has room for so many keys
     * @param mostWords what this may take when no key is missing; a bucket's words at least
     */
    public Tombstones(long capacity, long mostWords) {
        this.capacity = capacity;
        this.most = Math.max(BUCKET_WORDS, mostWords);
    }

    /** The same knowledge for a filter of another capacity. */
    public Tombstones copy(long newCapacity) {
        Tombstones copy = new Tombstones(newCapacity, most);
        copy.words = words.clone();
        copy.size = size;
        return copy;
    }

    /**
     * Keeps the number of a position that leaves.
     *
     * @param number from 1 on
     * @param keys how many keys the filter holds
     */
    public void put(long position, int number, long keys) {
        if (number > MOST) {
            return;
        }
        if (words.length == 0) {
            words = new long[BUCKET_WORDS];
        }
        while (words[roomier(position) + BUCKET_WORDS - 1] != 0 && mayGrow(keys)) {
            resize(larger(words.length));
        }
        push((position & ~NUMBER_MASK) | number);
    }

    /** Whether a larger table may be had, and kept until a good part of its length in keys has come. */
    private boolean mayGrow(long keys) {
        long larger = larger(words.length);
        return larger + larger / 16 <= mostWords(keys);
    }

    /** The length of a table that is a quarter larger, or a bucket. */
    private static int larger(int length) {
        int buckets = length / BUCKET_WORDS;
        return (buckets + Math.max(1, buckets / 4)) * BUCKET_WORDS;
    }

    /** The length of a table that is a fifth smaller, or a bucket. */
    private static int smaller(int length) {
        int buckets = length / BUCKET_WORDS;
        return (buckets - Math.max(1, buckets / 5)) * BUCKET_WORDS;
    }

    /** A quarter of a bit a key; and for keys that are not there, of which many may come back, less than they took. */
    private long mostWords(long keys) {
        return Math.min(most, LEAST_WORDS + capacity / 256) + Math.max(0, capacity - keys) / 8;
    }

    private void push(long word) {
        // Two numbers of one position share a bucket, where the newer comes first.
        int known = indexOf(word);
        int start = known < 0 ? roomier(word) : known - known % BUCKET_WORDS;
        size += words[start + BUCKET_WORDS - 1] == 0 ? 1 : 0;
        System.arraycopy(words, start, words, start + 1, BUCKET_WORDS - 1);
        words[start] = word;
    }

    /** Gives the table another length; if it is smaller, the newest stay. */
    private void resize(int length) {
        long[] before = words;
        words = new long[length];
        size = 0;
        // The last of a bucket is its oldest.
        for (int age = BUCKET_WORDS - 1; age >= 0; age--) {
            for (int at = age; at < before.length; at += BUCKET_WORDS) {
                if (before[at] != 0) {
                    push(before[at]);
                }
            }
        }
    }

    /**
     * The number of a position that comes back, which is forgotten; 0 if it is not known.
     *
     * @param keys how many keys the filter holds
     */
    public int take(long position, long keys) {
        if (size == 0) {
            return 0;
        }
        while (words.length > mostWords(keys)) {
            resize(smaller(words.length));
        }
        int at = indexOf(position);
        if (at < 0) {
            return 0;
        }
        int number = (int) (words[at] & NUMBER_MASK);
        int last = at | (BUCKET_WORDS - 1);
        System.arraycopy(words, at + 1, words, at, last - at);
        words[last] = 0;
        size--;
        if (size == 0) {
            words = EMPTY;
        }
        return number;
    }

    /** The number of a position that has left; 0 if it is not known. */
    public int find(long position) {
        int at = size == 0 ? -1 : indexOf(position);
        return at < 0 ? 0 : (int) (words[at] & NUMBER_MASK);
    }

    private int indexOf(long position) {
        int at = indexOf(position, start(position));
        return at >= 0 ? at : indexOf(position, otherStart(position));
    }

    private int indexOf(long position, int start) {
        for (int at = start; at < start + BUCKET_WORDS && words[at] != 0; at++) {
            if (((words[at] ^ position) & ~NUMBER_MASK) == 0) {
                return at;
            }
        }
        return -1;
    }

    /** All that is known, for {@link #read(long[], long)}; without words if nothing is. */
    public long[] section() {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        return section;
    }

    /**
     * Takes over what is known from a section.
     *
     * @throws IllegalArgumentException if no table looks like that
     */
    public static Tombstones read(long[] section, long capacity) {
        return read(section, new Tombstones(capacity));
    }

    /**
     * Takes over what is known from a section, of which no more than an empty table may take stays when keys come.
     *
     * @throws IllegalArgumentException if no table looks like that
     */
    public static Tombstones read(long[] section, Tombstones tombstones) {
        int length = Words.count(section);
        if (length == 0) {
            return tombstones;
        }
        if (length % BUCKET_WORDS != 0) {
            throw new IllegalArgumentException("a table of tombstones does not have " + length + " words");
        }
        tombstones.words = Arrays.copyOfRange(section, Words.LEAD, section.length);
        for (int i = 0; i < length; i++) {
            tombstones.size += tombstones.check(i) ? 1 : 0;
        }
        if (tombstones.size == 0) {
            throw new IllegalArgumentException("a table of tombstones has none in " + length + " words");
        }
        return tombstones;
    }

    /** Checks a word; returns whether it is in use. */
    private boolean check(int at) {
        long word = words[at];
        boolean follows = at % BUCKET_WORDS == 0 || words[at - 1] != 0;
        long number = word & NUMBER_MASK;
        int bucket = at - at % BUCKET_WORDS;
        boolean isRight = word == 0
                || (follows && number != 0 && number <= MOST && (start(word) == bucket || otherStart(word) == bucket));
        if (!isRight) {
            throw new IllegalArgumentException("word " + at + " of the tombstones is not in its bucket");
        }
        return word != 0;
    }

    /** Whether no position is known. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** How many positions are known. */
    public int size() {
        return size;
    }

    /** The memory of the table. */
    public long sizeInBits() {
        return (long) words.length * Long.SIZE;
    }

    /** Where the first bucket of a position starts. */
    private int start(long position) {
        return bucketAt(Mix.mix(position & ~NUMBER_MASK));
    }

    /** Where its second bucket starts, which may be the same. */
    private int otherStart(long position) {
        return bucketAt(Long.rotateLeft(Mix.mix(position & ~NUMBER_MASK), Integer.SIZE));
    }

    private int bucketAt(long mixed) {
        long buckets = words.length / BUCKET_WORDS;
        return (int) FastRange.place(mixed, buckets) * BUCKET_WORDS;
    }

    /** Where the one of a position's buckets starts that has more room; the first if they are equal. */
    private int roomier(long position) {
        int first = start(position);
        int second = otherStart(position);
        for (int i = 0; i < BUCKET_WORDS; i++) {
            if (words[first + i] == 0) {
                return first;
            }
            if (words[second + i] == 0) {
                return second;
            }
        }
        return first;
    }
}
