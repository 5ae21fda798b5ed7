package dev.besom.lab.race;

import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.game.Play;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;

/**
 * Asks a filter a workload's queries and does what a guard does with the answers: a "maybe" is a read of the
 * dictionary, and where nothing was found there an adaptive filter is told to repair itself.
 */
public final class Referee {

    private final MembershipFilter filter;
    private final StoredKeys stored;
    private final KeySet falsePositiveKeys = new KeySet();

    /** Range reads that filling took. */
    private final long readsBefore;

    private long queries;
    private long falsePositives;
    private long repairs;
    private long forgot;
    private long inseparable;
    private long remoteReads;

    public Referee(MembershipFilter filter, StoredKeys stored) {
        this.filter = filter;
        this.stored = stored;
        this.readsBefore = filter instanceof AdaptiveFilter adaptive
                ? adaptive.adaptationStatistics().rangeReads()
                : 0;
    }

    /** Asks for at most {@code most} keys of a stream. */
    public void play(QueryStream stream, long most) {
        long last = queries + most;
        while (queries < last && stream.hasNext()) {
            ask(stream.next());
        }
    }

    /** Plays an adversary's game to its end. */
    public Adversary.Outcome play(Adversary adversary, KeySpace space) {
        return adversary.play(space, stored.count(), this::ask);
    }

    /** Asks for one key, lets the filter adapt, and says whether it was a false positive. */
    public boolean ask(long key) {
        queries++;
        if (!filter.mightContainHash(key)) {
            return false;
        }
        remoteReads++;
        if (stored.contains(key)) {
            return false;
        }
        falsePositives++;
        falsePositiveKeys.add(key);
        if (filter instanceof AdaptiveFilter adaptive) {
            switch (adaptive.repairHash(key)) {
                case FIXED -> repairs++;
                case FORGOT -> {
                    repairs++;
                    forgot++;
                }
                case INSEPARABLE -> inseparable++;
            }
        }
        return true;
    }

    /** What became of all that was asked, after every stored key was asked for again. */
    public Tally tally(Adversary.Outcome adversary) {
        return tally(new Tally.Rounds(adversary.rounds(), adversary.lastRoundRate()));
    }

    /** What became of all that was asked: a game is one round, and what the adversary won is its rate. */
    public Tally tally(Play.Score score) {
        return tally(new Tally.Rounds(1, score.winningRate()));
    }

    /** What became of all that was asked, after every stored key was asked for again. */
    public Tally tally() {
        return tally(Tally.Rounds.NONE);
    }

    private Tally.StoreCost cost() {
        if (!(filter instanceof AdaptiveFilter adaptive)) {
            return new Tally.StoreCost(0, 0, 0);
        }
        AdaptationStatistics statistics = adaptive.adaptationStatistics();
        return new Tally.StoreCost(
                statistics.rangeReads() - readsBefore, statistics.movedKeys(), statistics.storeWrites());
    }

    private Tally tally(Tally.Rounds rounds) {
        long[] falseNegatives = new long[1];
        stored.forEachBetween(0, -1, key -> {
            if (!filter.mightContainHash(key)) {
                falseNegatives[0]++;
            }
        });
        return new Tally(
                new Tally.Answers(queries, falsePositives, falsePositiveKeys.size(), remoteReads, falseNegatives[0]),
                new Tally.Repairs(repairs, forgot, inseparable, cost()),
                rounds,
                filter.sizeInBits());
    }
}
