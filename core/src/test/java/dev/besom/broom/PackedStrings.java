package dev.besom.broom;

import dev.besom.bits.Select;

/**
 * Strings of bits of any length, one after the other in a word, and operations on all of them at once: Lemma 12 of the broom
 * paper in executable form. No filter uses it; {@code docs/decisions.md} says why.
 *
 * <pre>
 *   strings     101, 0, 01            the first bit of each is its lowest
 *   bits        10 0 101              from the top: string 2, string 1, string 0
 *   starts      01 1 001              a one where a string starts
 * </pre>
 *
 * No string is empty, and all together have at most 64 bits. Strings are numbered by <b>rank</b> from 0, which is the number
 * of starts below theirs. Bits past the last string are 0. Answers are bit maps, over positions or over ranks.
 *
 * <p>Cost: a constant number of operations on words, whatever the number of strings. What compares takes one step more for each
 * bit of the longest agreement, and what cuts off first bits for each of those; the paper takes several bits a step by
 * tables, which does not pay for the one or two bits that extensions have.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018, Lemma 12.
 *
 * @param bits of all strings
 * @param starts of all strings
 * @param sizeInBits the lengths of all strings together
 */
record PackedStrings(long bits, long starts, int sizeInBits) {

    /** No strings. */
    static final PackedStrings NONE = new PackedStrings(0, 0, 0);

    PackedStrings {
        boolean fits = sizeInBits >= 0 && sizeInBits <= Long.SIZE && ((bits | starts) & ~low(sizeInBits)) == 0;
        if (!fits || (starts & 1) != (sizeInBits == 0 ? 0 : 1)) {
            throw new IllegalArgumentException("no strings of " + sizeInBits + " bits in all");
        }
    }

    /** The lowest bits of a word, from none to all. */
    static long low(int count) {
        return count == Long.SIZE ? -1L : (1L << count) - 1;
    }

    /** How many strings there are. */
    int count() {
        return Long.bitCount(starts);
    }

    /** Where a string starts; behind the last one, where the next would. */
    int start(int rank) {
        int start = rank < Long.SIZE ? Select.select(starts, rank) : Long.SIZE;
        return Math.min(start, sizeInBits);
    }

    int length(int rank) {
        return start(rank + 1) - start(rank);
    }

    /** The bits of a string. */
    long string(int rank) {
        return bits >>> start(rank) & low(length(rank));
    }

    /** The starts of the strings with ranks from one up to another, which is not among them. */
    long startsOf(int from, int to) {
        return starts & low(start(to)) & ~low(start(from));
    }

    /** Prefix lengths: the positions at which a string agrees with a query, and at all positions of the string before. */
    static long agreeing(long bits, long starts, int sizeInBits, long ofStarts, long query) {
        long inside = low(sizeInBits) & ~starts;
        long agreeing = 0;
        long rest = query;
        for (long here = ofStarts; here != 0; rest >>>= 1) {
            here &= ~(bits ^ -(rest & 1));
            agreeing |= here;
            here = here << 1 & inside;
        }
        return agreeing;
    }

    /**
     * Prefix lengths of the strings with ranks from one up to another, which is not among them.
     *
     * @return the positions at which a string agrees with the query, and at all positions before
     */
    long agreeing(int from, int to, long query) {
        return agreeing(bits, starts, sizeInBits, startsOf(from, to), query);
    }

    /**
     * Prefix matches among the strings with ranks from one up to another, which is not among them.
     *
     * @return the ranks of those that are a prefix of the query
     */
    long prefixesOf(int from, int to, long query) {
        return compress(agreeing(from, to, query), ends());
    }

    /** The last position of each string: the one before the next start, or the last of all. */
    private long ends() {
        return sizeInBits == 0 ? 0 : starts >>> 1 | 1L << (sizeInBits - 1);
    }

    /** Insert: another string before the one with a rank, or behind all. */
    PackedStrings insert(int rank, long string, int length) {
        if (length < 1 || length > Long.SIZE - sizeInBits || (string & ~low(length)) != 0) {
            throw new IllegalArgumentException("no room for " + length + " bits beside " + sizeInBits);
        }
        int at = start(rank);
        return new PackedStrings(
                open(bits, at, length) | string << at, open(starts, at, length) | 1L << at, sizeInBits + length);
    }

    /** Delete: all strings but the one with a rank. */
    PackedStrings delete(int rank) {
        return close(start(rank), length(rank), 0);
    }

    /** Concatenate: one string of the one with a rank and the next. */
    PackedStrings join(int rank) {
        return new PackedStrings(bits, starts & ~(1L << start(rank + 1)), sizeInBits);
    }

    /** Splice: the string with a rank without its first bits; if that are all it has, without the string. */
    PackedStrings trim(int rank, int count) {
        int length = length(rank);
        return count < length ? close(start(rank), count, count == 0 ? 0 : 1L << start(rank)) : delete(rank);
    }

    /** Splice in parallel: all strings without their first bits; those that have no more bits are gone. */
    PackedStrings trimAll(int count) {
        long kept = low(sizeInBits) & ~heads(count);
        long newStarts = kept & heads(count + 1);
        return new PackedStrings(compress(bits, kept), compress(newStarts, kept), Long.bitCount(kept));
    }

    /** The ranks of the strings that are longer than a number of bits. */
    long longerThan(int count) {
        return low(count()) & ~compress(heads(count), ends());
    }

    /** The first positions of all strings, at most so many of each. */
    private long heads(int count) {
        long inside = low(sizeInBits) & ~starts;
        long heads = 0;
        long here = starts;
        for (int done = 0; done < count && here != 0; done++) {
            heads |= here;
            here = here << 1 & inside;
        }
        return heads;
    }

    private static long open(long word, int at, int length) {
        long below = word & low(at);
        return at + length >= Long.SIZE ? below : below | (word & ~low(at)) << length;
    }

    private PackedStrings close(int at, int length, long keptStart) {
        int end = at + length;
        long above = ~low(end);
        long newBits = (bits & low(at)) | (length == Long.SIZE ? 0 : (bits & above) >>> length);
        long newStarts = (starts & low(at)) | (length == Long.SIZE ? 0 : (starts & above) >>> length) | keptStart;
        return new PackedStrings(newBits, newStarts, sizeInBits - length);
    }

    /** The bits of a word at the ones of a mask, side by side. */
    static long compress(long word, long mask) {
        long rest = word & mask;
        long left = mask;
        long gaps = ~mask << 1;
        // Each bit moves down by the number of zeros of the mask below it: by 1 where that is odd, then by 2, 4, ...
        for (int by = 1; by < Long.SIZE; by <<= 1) {
            long odd = gaps ^ gaps << 1;
            odd ^= odd << 2;
            odd ^= odd << 4;
            odd ^= odd << 8;
            odd ^= odd << 16;
            odd ^= odd << 32;
            long moving = odd & left;
            left = (left ^ moving) | moving >>> by;
            long movingBits = rest & moving;
            rest = (rest ^ movingBits) | movingBits >>> by;
            gaps &= ~odd;
        }
        return rest;
    }
}
