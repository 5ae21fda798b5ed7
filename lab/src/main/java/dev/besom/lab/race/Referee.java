package dev.besom.lab.race;

import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.game.Play;
import dev.besom.lab.peer.Rival;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a filter a workload's queries and does what a guard does with the answers: a "maybe" is a read of the
 * dictionary, and where nothing was found there an adaptive filter is told to repair itself.
 */
public final class Referee {

    private final MembershipFilter filter;
    private final Dictionary stored;
    private final @Nullable Latencies latencies;
    private final KeySet falsePositiveKeys = new KeySet();

    /** What filling took. */
    private final AdaptationStatistics before;

    private long queries;
    private long falsePositives;
    private long repairs;
    private long forgot;
    private long inseparable;
    private long remoteReads;

    public Referee(MembershipFilter filter, Dictionary stored) {
        this(filter, stored, null);
    }

    /** @param latencies gets the time of each query for a key that is not stored; null where none is taken */
    Referee(MembershipFilter filter, Dictionary stored, @Nullable Latencies latencies) {
        this.latencies = latencies;
        this.filter = filter;
        this.stored = stored;
        this.before = statistics(filter);
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
        if (latencies == null) {
            return judge(key);
        }
        long hits = remoteReads - falsePositives;
        long start = System.nanoTime();
        boolean isWrong = judge(key);
        long nanos = System.nanoTime() - start;
        if (remoteReads - falsePositives == hits) {
            latencies.record(nanos);
        }
        return isWrong;
    }

    private boolean judge(long key) {
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
        } else if (filter instanceof Rival rival) {
            rival.learnMissing(key);
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

    private static AdaptationStatistics statistics(MembershipFilter filter) {
        if (filter instanceof AdaptiveFilter adaptive) {
            return adaptive.adaptationStatistics();
        }
        return filter instanceof Rival rival ? rival.adaptationStatistics() : new AdaptationStatistics(0, 0, 0, 0);
    }

    /** What was answered is counted here for kinds; a rival decides by itself what it repairs, and counts that. */
    private Tally.Repairs repairs() {
        AdaptationStatistics after = statistics(filter);
        Tally.StoreCost cost = new Tally.StoreCost(
                after.rangeReads() - before.rangeReads(),
                after.movedKeys() - before.movedKeys(),
                after.storeWrites() - before.storeWrites());
        return filter instanceof Rival
                ? new Tally.Repairs(after.repairs(), after.forgot(), after.inseparable(), cost)
                : new Tally.Repairs(repairs, forgot, inseparable, cost);
    }

    private Tally tally(Tally.Rounds rounds) {
        long[] falseNegatives = new long[1];
        stored.forEach(key -> {
            if (!filter.mightContainHash(key)) {
                falseNegatives[0]++;
            }
        });
        return new Tally(
                new Tally.Answers(queries, falsePositives, falsePositiveKeys.size(), remoteReads, falseNegatives[0]),
                repairs(),
                rounds,
                Tally.Changes.NONE,
                filter.sizeInBits());
    }
}
