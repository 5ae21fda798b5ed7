package dev.besom.broom;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * A compact table of whole hashes, equal ones as often as they were put in: for keys that the front yard cannot take.
 *
 * <pre>
 *   plot        four neighbouring quotients: hash * quotients, then / 4
 *   bucket      8 words, a cache line; each plot has two, and each of its hashes is in either
 *   place       bucket * 8 + cell; the one behind all buckets stands for all hashes that are 0
 *
 *   words       | bucket 0: hash hash 0 0 0 0 0 0 | bucket 1: ... | ... | how many hashes are 0 |
 * </pre>
 *
 * An empty cell is 0, so that the hash 0 has no cell: it is counted. A new hash goes to the emptier one of its two buckets; if
 * both are full, one of theirs moves to its other bucket, and if need be one of that bucket to make room. There is no third
 * move: at the planned load that is enough ({@code docs/adaptivity.md}), so that the cost of every operation is bounded.
 *
 * <p>Because all hashes of a plot are in two buckets, those of a bin of the front yard can be found without an index.
 *
 * <p>The paper leaves open which table it is; this one is after R. Pagh and F. F. Rodler: Cuckoo hashing. ESA 2001, with
 * buckets as by M. Dietzfelbinger and C. Weidling: Balanced allocation and dictionaries with tightly packed constant size
 * bins. ICALP 2005.
 */
final class BackYard {

    static final int CELLS = YardSizing.BUCKET_CELLS;

    /** The cells of one more, and the count behind them, would not fit into an array. */
    static final int MOST_BUCKETS = (int) ((Words.MAX_COUNT - 1) / CELLS);

    private static final int PLOT_SHIFT = 2;
    private static final int NONE = -1;

    final long[] words;
    private final int buckets;
    private final long quotientCount;
    private final int zeros;
    private long inCells;

    /** An empty back yard. */
    BackYard(int buckets, long quotientCount) {
        this(buckets, quotientCount, Words.allocate((long) buckets * CELLS + 1));
    }

    /**
     * Takes over the words of a back yard.
     *
     * @param planned how many buckets it had at first; it may have been made {@link #larger()} since
     */
    static BackYard read(int planned, long quotientCount, long[] words) {
        long buckets = planned;
        while (buckets * CELLS + 1 < Words.count(words)) {
            buckets *= 2;
        }
        return new BackYard(Math.toIntExact(buckets), quotientCount, words);
    }

    private BackYard(int buckets, long quotientCount, long[] words) {
        if (buckets < YardSizing.LEAST_BUCKETS || Words.count(words) != (long) buckets * CELLS + 1) {
            throw new IllegalArgumentException(Words.count(words) + " words are not " + buckets + " buckets");
        }
        this.buckets = buckets;
        this.quotientCount = quotientCount;
        this.words = words;
        this.zeros = Words.LEAD + buckets * CELLS;
        for (int place = 0; place < buckets * CELLS; place++) {
            inCells += isUsed(place) ? 1 : 0;
        }
    }

    /** A back yard of twice the size, if this one is half full at least; this one otherwise: then few buckets are full. */
    BackYard larger() {
        if (inCells < (long) buckets * CELLS / 2 || buckets > MOST_BUCKETS / 2) {
            return this;
        }
        BackYard larger = new BackYard(2 * buckets, quotientCount);
        larger.words[larger.zeros] = words[zeros];
        for (int place = 0; place < buckets * CELLS; place++) {
            if (isUsed(place)) {
                if (!larger.hasRoom(hash(place))) {
                    return this;
                }
                larger.add(hash(place));
            }
        }
        return larger;
    }

    private long plot(long hash) {
        return FastRange.place(hash, quotientCount) >>> PLOT_SHIFT;
    }

    /** The plot of a quotient. */
    static long plotOf(long quotient) {
        return quotient >>> PLOT_SHIFT;
    }

    private int first(long scattered) {
        return (int) FastRange.place(scattered, buckets);
    }

    /** Another bucket than the first. */
    private int second(long scattered, int first) {
        int bucket = first + 1 + (int) FastRange.place(scattered << 32, buckets - 1);
        return bucket < buckets ? bucket : bucket - buckets;
    }

    /** The bucket of a hash that is not the given one of its two. */
    private int other(long hash, int bucket) {
        long scattered = Mix.mix(plot(hash));
        int first = first(scattered);
        return bucket == first ? second(scattered, first) : first;
    }

    private int base(int bucket) {
        return Words.LEAD + bucket * CELLS;
    }

    boolean contains(long hash) {
        if (hash == 0) {
            return words[zeros] != 0;
        }
        long scattered = Mix.mix(plot(hash));
        int first = first(scattered);
        return isIn(first, hash) || isIn(second(scattered, first), hash);
    }

    private boolean isIn(int bucket, long hash) {
        int base = base(bucket);
        boolean found = false;
        for (int cell = 0; cell < CELLS; cell++) {
            found |= words[base + cell] == hash;
        }
        return found;
    }

    /** How many places the hashes of a plot may be at, some of them empty. */
    int placeCount(long plot) {
        return plot == 0 ? 2 * CELLS + Math.toIntExact(words[zeros]) : 2 * CELLS;
    }

    /** A place of a plot, numbered from 0. */
    int place(long plot, int number) {
        if (number >= 2 * CELLS) {
            return buckets * CELLS;
        }
        long scattered = Mix.mix(plot);
        int first = first(scattered);
        int bucket = number < CELLS ? first : second(scattered, first);
        return bucket * CELLS + number % CELLS;
    }

    boolean isUsed(int place) {
        return words[Words.LEAD + place] != 0;
    }

    /** The hash at a place in use. */
    long hash(int place) {
        return place == buckets * CELLS ? 0 : words[Words.LEAD + place];
    }

    /** Whether one more hash finds a place. */
    boolean hasRoom(long hash) {
        if (hash == 0) {
            return words[zeros] < Integer.MAX_VALUE / 2;
        }
        long scattered = Mix.mix(plot(hash));
        int first = first(scattered);
        int second = second(scattered, first);
        return emptyCell(first) != NONE
                || emptyCell(second) != NONE
                || wayOut(first, true) != NONE
                || wayOut(second, true) != NONE;
    }

    /** Puts in a hash for which there is {@link #hasRoom room}; returns its place. */
    int add(long hash) {
        if (hash == 0) {
            words[zeros]++;
            return buckets * CELLS;
        }
        long scattered = Mix.mix(plot(hash));
        int first = first(scattered);
        int second = second(scattered, first);
        int bucket = used(second) < used(first) ? second : first;
        int cell = emptyCell(bucket);
        if (cell == NONE) {
            cell = clear(first);
            bucket = first;
        }
        if (cell == NONE) {
            cell = clear(second);
            bucket = second;
        }
        if (cell == NONE) {
            throw new IllegalStateException("no place for a hash in buckets " + first + " and " + second);
        }
        words[base(bucket) + cell] = hash;
        inCells++;
        return bucket * CELLS + cell;
    }

    /** Makes a cell of a full bucket empty; -1, and no change, if that takes more than two moves. */
    private int clear(int bucket) {
        int cell = wayOut(bucket, false);
        if (cell == NONE) {
            cell = wayOut(bucket, true);
            if (cell == NONE) {
                return NONE;
            }
            int next = other(words[base(bucket) + cell], bucket);
            move(next, wayOut(next, false));
        }
        move(bucket, cell);
        return cell;
    }

    /** The cell of a bucket whose hash can move to its other bucket, at once or after a move from there; -1 if none. */
    private int wayOut(int bucket, boolean afterAnother) {
        int base = base(bucket);
        for (int cell = 0; cell < CELLS; cell++) {
            int other = other(words[base + cell], bucket);
            if (emptyCell(other) != NONE || (afterAnother && wayOut(other, false) != NONE)) {
                return cell;
            }
        }
        return NONE;
    }

    private void move(int bucket, int cell) {
        int from = base(bucket) + cell;
        int other = other(words[from], bucket);
        words[base(other) + emptyCell(other)] = words[from];
        words[from] = 0;
    }

    private int emptyCell(int bucket) {
        int base = base(bucket);
        for (int cell = 0; cell < CELLS; cell++) {
            if (words[base + cell] == 0) {
                return cell;
            }
        }
        return NONE;
    }

    private int used(int bucket) {
        int base = base(bucket);
        int used = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            used += words[base + cell] != 0 ? 1 : 0;
        }
        return used;
    }

    /** Takes out the hash at a place. */
    void removeAt(int place) {
        if (place == buckets * CELLS) {
            words[zeros]--;
        } else {
            words[Words.LEAD + place] = 0;
            inCells--;
        }
    }

    /** How many hashes there are. */
    long size() {
        return words[zeros] + inCells;
    }

    int placeCount() {
        return buckets * CELLS;
    }

    long zeroCount() {
        return words[zeros];
    }

    /**
     * Checks one place in use.
     *
     * @throws IllegalStateException if its hash does not belong there
     */
    void check(int place) {
        long hash = words[Words.LEAD + place];
        int bucket = place / CELLS;
        long scattered = Mix.mix(plot(hash));
        int first = first(scattered);
        if (bucket != first && bucket != second(scattered, first)) {
            throw new IllegalStateException("place " + place + " of the back yard holds a hash of other buckets");
        }
    }
}
