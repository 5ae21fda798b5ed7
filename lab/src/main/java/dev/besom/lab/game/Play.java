package dev.besom.lab.game;

import dev.besom.lab.workload.KeySpace;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * One game in progress: the adversary's queries, those that it named, and the score. A strategy queries until
 * {@link #isOver()}.
 */
public final class Play {

    /** The score is also kept for each so many queries. */
    public static final int BLOCK = 1_000_000;

    private final Opponent opponent;
    private final KeySpace space;
    private final int stored;
    private final long queries;
    private final SplittableRandom random;
    private final LongConsumer blocks;

    private long nextForeign;
    private long queried;
    private long wrong;
    private long named;
    private long won;
    private long wrongBeforeBlock;
    private long worstBlock;

    /**
     * @param space whose first keys are stored, and whose foreign keys are queried
     * @param stored how many keys are stored
     * @param queries the length of the game
     */
    public Play(Opponent opponent, KeySpace space, int stored, long queries) {
        this(opponent, space, stored, queries, 0, wrong -> {});
    }

    /**
     * @param firstForeign the foreign keys from this one on have not been queried
     * @param blocks told after each block how many of its queries were false positives
     */
    Play(Opponent opponent, KeySpace space, int stored, long queries, long firstForeign, LongConsumer blocks) {
        this.opponent = opponent;
        this.space = space;
        this.stored = stored;
        this.queries = queries;
        this.random = new SplittableRandom(space.seed() + firstForeign);
        this.nextForeign = firstForeign;
        this.blocks = blocks;
    }

    /** How many keys are stored. */
    public int stored() {
        return stored;
    }

    /** The adversary's dice. */
    public SplittableRandom random() {
        return random;
    }

    public boolean isOver() {
        return queried >= queries;
    }

    /** A key that is not stored and was not queried. */
    public long fresh() {
        return space.foreign(nextForeign++);
    }

    /** The first foreign key that was not queried. */
    long nextForeign() {
        return nextForeign;
    }

    /** Queries a key, to learn; says whether it was a false positive. */
    public boolean query(long key) {
        boolean isWrong = opponent.query(key);
        queried++;
        wrong += isWrong ? 1 : 0;
        if (queried % BLOCK == 0) {
            worstBlock = Math.max(worstBlock, wrong - wrongBeforeBlock);
            blocks.accept(wrong - wrongBeforeBlock);
            wrongBeforeBlock = wrong;
        }
        return isWrong;
    }

    /** Queries a key that the adversary expects to be a false positive; it wins if it is. */
    public boolean name(long key) {
        boolean isWrong = query(key);
        named++;
        won += isWrong ? 1 : 0;
        return isWrong;
    }

    /** Queries fresh keys until one is a false positive; returns it, or any key once the game is over. */
    public long findFalsePositive() {
        long key = fresh();
        while (!query(key) && !isOver()) {
            key = fresh();
        }
        return key;
    }

    /** Puts fresh keys in and takes each out again before the next; false where that is not possible. */
    public boolean churn(long count) {
        for (long i = 0; i < count; i++) {
            if (!opponent.churn(fresh())) {
                return false;
            }
        }
        return true;
    }

    /** Takes stored keys from one on to before another out, and then puts them back; false where that is not possible. */
    public boolean reinsert(int from, int to) {
        long[] keys = new long[to - from];
        Arrays.setAll(keys, i -> space.stored((long) from + i));
        return opponent.reinsert(keys);
    }

    /** The score so far. */
    public Score score() {
        return new Score(queried, wrong, named, won, queried < BLOCK ? Double.NaN : worstBlock / (double) BLOCK);
    }

    /**
     * How a game ended.
     *
     * @param queries all of them
     * @param wrong how many of them were false positives
     * @param named queries that the adversary expected to be false positives
     * @param won how many of those were
     * @param worstBlockRate the largest rate of false positives in a whole block of queries; NaN without such a block
     */
    public record Score(long queries, long wrong, long named, long won, double worstBlockRate) {

        /** What the adversary wins of the queries that it names. */
        public double winningRate() {
            return named == 0 ? 0 : won / (double) named;
        }
    }
}
