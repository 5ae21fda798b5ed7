package dev.besom.bench.memory;

import dev.besom.hash.Mix;
import dev.besom.lab.race.Machine;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * Prints what a read of a random cache line costs in tables of several sizes, as Markdown: where each address depends on the read
 * before, where none does, and where none does but other instructions lie between two reads.
 *
 * <p>The other instructions have nothing to do with the reads. In a table that is in the first cache they cost what they cost; what
 * they cost more in a large table is what they take away from the reads in flight, as a processor looks so many instructions ahead and
 * no further.
 *
 * <pre>
 *   bench/run memory.ReadWindow
 * </pre>
 */
public final class ReadWindow {

    private static final int[] SIZES_IN_KB = {16, 1 << 14, 1 << 17};
    private static final int WORDS_OF_LINE = 8;
    private static final int READS = 1 << 18;
    private static final int TURNS = 40;
    private static final int FILLERS = 5;
    private static final int FILLER = 1_000_003;

    private final long[] words;
    private final int lineMask;

    ReadWindow(int sizeInKb) {
        words = new long[sizeInKb << 7];
        lineMask = words.length / WORDS_OF_LINE - 1;
        SplittableRandom random = new SplittableRandom(sizeInKb);
        for (int i = 0; i < words.length; i++) {
            words[i] = random.nextLong();
        }
    }

    public static void main(String[] arguments) {
        System.out.println("| table | dependent | independent | with 60 instructions between |");
        System.out.println("| --- | --: | --: | --: |");
        for (int sizeInKb : SIZES_IN_KB) {
            ReadWindow window = new ReadWindow(sizeInKb);
            System.out.printf(
                    Locale.ROOT,
                    "| %,d KB | %.1f | %.1f | %.1f |%n",
                    sizeInKb,
                    leastNs(window::dependent),
                    leastNs(window::independent),
                    leastNs(window::filled));
        }
        System.out.printf(Locale.ROOT, "%nns a read, least of %d. %s%n", TURNS, Machine.description());
    }

    /** The shortest time of a read in several turns, each with other addresses. */
    private static double leastNs(LongUnaryOperator reads) {
        long least = Long.MAX_VALUE;
        long seen = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            long before = System.nanoTime();
            seen ^= reads.applyAsLong(turn);
            least = Math.min(least, System.nanoTime() - before);
        }
        if (seen == 0) {
            System.err.println("all reads together came to 0");
        }
        return (double) least / READS;
    }

    private long word(long random) {
        return words[((int) random & lineMask) * WORDS_OF_LINE];
    }

    /** Each address is made from the word that was read before. */
    long dependent(long turn) {
        long at = Mix.mix(turn);
        for (int i = 0; i < READS; i++) {
            at = Mix.mix(at + word(at));
        }
        return at;
    }

    long independent(long turn) {
        long sum = 0;
        for (int i = 0; i < READS; i++) {
            sum += word(Mix.mix(turn * READS + i));
        }
        return sum;
    }

    /** The same, with 20 times three instructions between two reads. */
    long filled(long turn) {
        long sum = 0;
        long a = turn;
        long b = turn + 1;
        long c = turn + 2;
        long d = turn + 3;
        for (int i = 0; i < READS; i++) {
            sum += word(Mix.mix(turn * READS + i));
            for (int filler = 0; filler < FILLERS; filler++) {
                a = (a ^ a >>> 9) + FILLER;
                b = (b ^ b >>> 9) + FILLER;
                c = (c ^ c >>> 9) + FILLER;
                d = (d ^ d >>> 9) + FILLER;
            }
        }
        return sum ^ a ^ b ^ c ^ d;
    }
}
