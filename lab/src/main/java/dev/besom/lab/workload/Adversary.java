package dev.besom.lab.workload;

import java.util.Arrays;
import java.util.BitSet;

/**
 * An adversary who whittles a set of queries down to those that the filter keeps getting wrong.
 *
 * <pre>
 *   Q = queriesAKey x n different foreign keys
 *   round:  ten times, ask for each key of Q in turn
 *           drop from Q the keys that were not a false positive in any of the ten
 *   until   |Q| / n is at most 0.01, or the rounds are used up
 * </pre>
 *
 * <p>The figure of merit is the rate of false positives during the last round. A filter that never adapts is wrong on
 * every query of it.
 *
 * <p>Departure: the paper does not say how many rounds it allowed; here it is {@value #DEFAULT_ROUNDS} unless stated
 * otherwise.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021, section 6.1.
 *
 * @param name as written on the command line
 * @param queriesAKey different queries at the start, for each stored key
 * @param rounds the most rounds played
 */
public record Adversary(String name, double queriesAKey, int rounds) implements Workload {

    public static final int DEFAULT_ROUNDS = 20;

    private static final int SUB_ROUNDS = 10;
    private static final double REST_A_KEY = 0.01;

    /** The filter's side of the game. */
    @FunctionalInterface
    public interface Target {
        /** Asks for a key that is not stored, lets the filter adapt, and says whether it was a false positive. */
        boolean ask(long key);
    }

    /**
     * How a game ended.
     *
     * @param rounds rounds played
     * @param lastRoundRate false positives for each query of the last round
     * @param remaining keys left in Q at the end
     */
    public record Outcome(int rounds, double lastRoundRate, int remaining) {}

    /** Plays against a filter of {@code stored} keys. */
    public Outcome play(KeySpace space, long stored, Target target) {
        double size = Math.max(1, Math.rint(queriesAKey * stored));
        if (size > Integer.MAX_VALUE - 64) {
            throw new IllegalArgumentException("workload '" + name + "' needs " + (long) size
                    + " different queries; at most " + (Integer.MAX_VALUE - 64) + " are possible");
        }
        int first = (int) size;
        BitSet wrong = new BitSet(first);
        long wrongCount = 0;
        // The first round's keys are drawn anew in each sub-round: only those that proved false positives are kept.
        for (int subRound = 0; subRound < SUB_ROUNDS; subRound++) {
            for (int i = 0; i < first; i++) {
                if (target.ask(space.foreign(i))) {
                    wrong.set(i);
                    wrongCount++;
                }
            }
        }
        double rate = wrongCount / ((double) SUB_ROUNDS * first);
        long[] queries = wrong.stream().mapToLong(space::foreign).toArray();
        int played = 1;
        while (played < rounds && queries.length > REST_A_KEY * stored) {
            wrong.clear();
            wrongCount = 0;
            for (int subRound = 0; subRound < SUB_ROUNDS; subRound++) {
                for (int i = 0; i < queries.length; i++) {
                    if (target.ask(queries[i])) {
                        wrong.set(i);
                        wrongCount++;
                    }
                }
            }
            rate = wrongCount / ((double) SUB_ROUNDS * queries.length);
            queries = keep(queries, wrong);
            played++;
        }
        return new Outcome(played, rate, queries.length);
    }

    private static long[] keep(long[] queries, BitSet kept) {
        int size = 0;
        for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
            queries[size++] = queries[i];
        }
        return Arrays.copyOf(queries, size);
    }
}
