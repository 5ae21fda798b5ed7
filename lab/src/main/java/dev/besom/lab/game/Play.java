package dev.besom.lab.game;

import dev.besom.lab.workload.KeySpace;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * One game under way: the adversary's queries, those that it named, and the score. A strategy asks until
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
    private long asked;
    private long wrong;
    private long named;
    private long won;
    private long wrongBeforeBlock;
    private long worstBlock;

    /**
     * @param space whose first keys are stored, and whose foreign keys are asked for
     * @param stored how many keys are stored
     * @param queries the length of the game
     */
    public Play(Opponent opponent, KeySpace space, int stored, long queries) {
        this(opponent, space, stored, queries, 0, wrong -> {});
    }

    /**
     * @param firstForeign the foreign keys from this one on have not been asked for
     * @param blocks told after each block how many of its queries were answered wrongly
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
        return asked >= queries;
    }

    /** A key that is not stored and was not asked for. */
    public long fresh() {
        return space.foreign(nextForeign++);
    }

    /** The first foreign key that was not asked for. */
    long nextForeign() {
        return nextForeign;
    }

    /** Asks for a key, to learn; says whether the answer was wrong. */
    public boolean ask(long key) {
        boolean isWrong = opponent.ask(key);
        asked++;
        wrong += isWrong ? 1 : 0;
        if (asked % BLOCK == 0) {
            worstBlock = Math.max(worstBlock, wrong - wrongBeforeBlock);
            blocks.accept(wrong - wrongBeforeBlock);
            wrongBeforeBlock = wrong;
        }
        return isWrong;
    }

    /** Asks for a key that the adversary expects to be answered wrongly; it wins if it is. */
    public boolean name(long key) {
        boolean isWrong = ask(key);
        named++;
        won += isWrong ? 1 : 0;
        return isWrong;
    }

    /** Asks for fresh keys until one is a false positive; returns it, or any key once the game is over. */
    public long findFalsePositive() {
        long key = fresh();
        while (!ask(key) && !isOver()) {
            key = fresh();
        }
        return key;
    }

    /** Takes stored keys from one on to before another out, and then puts them back; false where that is not possible. */
    public boolean reinsert(int from, int to) {
        long[] keys = new long[to - from];
        Arrays.setAll(keys, i -> space.stored((long) from + i));
        return opponent.reinsert(keys);
    }

    /** The score so far. */
    public Score score() {
        return new Score(asked, wrong, named, won, asked < BLOCK ? Double.NaN : worstBlock / (double) BLOCK);
    }

    /**
     * How a game ended.
     *
     * @param queries asked in all
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
