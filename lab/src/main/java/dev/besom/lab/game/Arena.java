package dev.besom.lab.game;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableHashes;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.function.LongConsumer;

/** A filter before a dictionary in memory that can be changed, and the adversary who plays against it. */
public final class Arena implements Opponent {

    private final RehashableMemoryHashes stored = new RehashableMemoryHashes();
    private final InsertableFilter filter;
    private final KeySpace space;
    private final int keys;
    private long nextForeign;

    /** A filter of the kind, filled with as many keys as the spec has capacity. */
    public Arena(Kind kind, FilterSpec spec, long seed) {
        this((s, hashes) -> (InsertableFilter) kind.make(s, hashes), spec, seed);
    }

    /** A filter made in another way. */
    public Arena(Maker maker, FilterSpec spec, long seed) {
        this.space = new KeySpace(seed);
        this.keys = Math.toIntExact(spec.capacity());
        this.filter = maker.make(spec, stored);
        for (long key : space.stored(keys)) {
            filter.insertHash(key);
            stored.add(key);
        }
    }

    /** Makes an empty filter. */
    @FunctionalInterface
    public interface Maker {
        InsertableFilter make(FilterSpec spec, RehashableHashes stored);
    }

    public MembershipFilter filter() {
        return filter;
    }

    /** Lets a strategy play for that many queries, and looks up all stored keys afterwards. */
    public Play.Score play(Strategy strategy, long queries) {
        return play(strategy, queries, wrong -> {});
    }

    /** The same, with somebody who is told how many queries of each block were false positives. */
    public Play.Score play(Strategy strategy, long queries, LongConsumer blocks) {
        Play play = new Play(this, space, keys, queries, nextForeign, blocks);
        Play.Score score = strategy.playAgainst(play);
        nextForeign = play.nextForeign();
        for (long key : space.stored(keys)) {
            if (!filter.mightContainHash(key)) {
                throw new IllegalStateException("the filter lost the key " + key);
            }
        }
        return score;
    }

    @Override
    public boolean query(long key) {
        if (!filter.mightContainHash(key) || stored.contains(key)) {
            return false;
        }
        if (filter instanceof AdaptiveFilter adaptive && adaptive.repairHash(key) == Adaptation.INSEPARABLE) {
            throw new IllegalStateException("no stored key has the hash of " + key);
        }
        return true;
    }

    @Override
    public boolean churn(long key) {
        if (!(filter instanceof DeletableFilter deletable)) {
            return false;
        }
        deletable.insertHash(key);
        stored.add(key);
        stored.remove(key);
        delete(deletable, key);
        return true;
    }

    private static void delete(DeletableFilter filter, long key) {
        if (!filter.deleteHash(key)) {
            throw new IllegalStateException("the key " + key + " is not in the filter");
        }
    }

    @Override
    public boolean reinsert(long[] keysOut) {
        if (!(filter instanceof DeletableFilter deletable)) {
            return false;
        }
        for (long key : keysOut) {
            stored.remove(key);
            delete(deletable, key);
        }
        for (long key : keysOut) {
            deletable.insertHash(key);
            stored.add(key);
        }
        return true;
    }
}
