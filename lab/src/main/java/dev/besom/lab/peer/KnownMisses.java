package dev.besom.lab.peer;

import dev.besom.lab.workload.QueryStream;
import java.util.Arrays;
import java.util.function.LongPredicate;

/** The misses of a log that came more than once, the most frequent first. */
public final class KnownMisses {

    /** Nothing is known. */
    public static final KnownMisses NONE = new KnownMisses(new long[0], new int[0], 0);

    /** A log is read up to here; what is frequent has shown by then. */
    private static final int MOST = 1 << 22;

    private final long[] hashes;
    private final int[] counts;
    private final long queries;

    private KnownMisses(long[] hashes, int[] counts, long queries) {
        this.hashes = hashes;
        this.counts = counts;
        this.queries = queries;
    }

    /** How many different ones there are. */
    int size() {
        return hashes.length;
    }

    /** How often one came; they are in descending order. */
    int count(int index) {
        return counts[index];
    }

    /** All misses of the log, also those that came once. */
    long queries() {
        return queries;
    }

    /** The most frequent ones. */
    long[] first(int count) {
        return Arrays.copyOf(hashes, count);
    }

    /** Counts the queries of a log, of which at most so many are read, but for stored keys. */
    public static KnownMisses of(QueryStream log, long most, LongPredicate isStored) {
        long[] read = new long[(int) Math.min(most, MOST)];
        int size = 0;
        for (int i = 0; i < read.length && log.hasNext(); i++) {
            long hash = log.next();
            if (!isStored.test(hash)) {
                read[size++] = hash;
            }
        }
        Arrays.sort(read, 0, size);
        return ofSorted(read, size);
    }

    private static KnownMisses ofSorted(long[] sorted, int size) {
        // A count in the upper half and the place of the first occurrence in the lower one, so that numbers sort by
        // count.
        long[] runs = new long[size];
        int known = 0;
        for (int from = 0; from < size; ) {
            int to = from + 1;
            while (to < size && sorted[to] == sorted[from]) {
                to++;
            }
            if (to - from > 1) {
                runs[known++] = (long) (to - from) << Integer.SIZE | from;
            }
            from = to;
        }
        Arrays.sort(runs, 0, known);
        long[] hashes = new long[known];
        int[] counts = new int[known];
        for (int i = 0; i < known; i++) {
            long run = runs[known - 1 - i];
            hashes[i] = sorted[(int) run];
            counts[i] = (int) (run >>> Integer.SIZE);
        }
        return new KnownMisses(hashes, counts, size);
    }
}
