package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import java.util.function.Function;

/** Fills filters of a contender as its users do, from keys, and takes the time that this takes. */
final class Filling {

    /** Keys are made from the race's hashes in chunks, outside the time. */
    private static final int CHUNK = 1 << 14;

    private final Contender contender;
    private final Function<RaceKeys, StoredHashes> storeOf;
    private final Loop loop = TimingLoop.fresh();
    private long added;

    /** @param storeOf the dictionary of a new filter */
    Filling(Contender contender, Function<RaceKeys, StoredHashes> storeOf) {
        this.contender = contender;
        this.storeOf = storeOf;
    }

    /**
     * A fill.
     *
     * @param filter what was filled
     * @param store the dictionary that it was made with
     * @param nanosPerKey how long it took for each key, the making of the filter and hashing included
     */
    record Done(MembershipFilter filter, StoredHashes store, double nanosPerKey) {}

    /** Fills one by one; contenders that have no other way than their own are filled in that. */
    Done oneByOne(FilterSpec spec, RaceKeys keys) {
        return contender.isInsertable() ? insert(spec, keys, false) : whole(spec, keys);
    }

    /** Fills all at once. */
    Done atOnce(FilterSpec spec, RaceKeys keys) {
        return contender.isInsertable() ? insert(spec, keys, true) : whole(spec, keys);
    }

    /** How many keys were new in all fills: what keeps the compiler from leaving inserts out. */
    long added() {
        return added;
    }

    private Done insert(FilterSpec spec, RaceKeys source, boolean isBulk) {
        long[] hashes = source.keys();
        long[] keys = new long[CHUNK];
        StoredHashes store = storeOf.apply(source);
        long start = ProcessorClock.nanos();
        LongKeyFilter.Insertable filter =
                Filters.of(contender.empty(spec, store), Preimages.HASHER).asInsertable();
        long taken = ProcessorClock.nanos() - start;
        for (int from = 0; from < hashes.length; from += CHUNK) {
            int count = Math.min(CHUNK, hashes.length - from);
            Preimages.fill(hashes, from, count, keys);
            start = ProcessorClock.nanos();
            if (isBulk) {
                filter.addAll(keys, 0, count);
            } else {
                added += loop.add(filter, keys, 0, count);
            }
            taken += ProcessorClock.nanos() - start;
        }
        return new Done(filter.hashFilter(), store, taken / (double) hashes.length);
    }

    private Done whole(FilterSpec spec, RaceKeys source) {
        long[] numbers = source.keys();
        long taken = 0;
        if (contender.takesHashes()) {
            numbers = new long[numbers.length];
            taken = hash(source.keys(), numbers);
        }
        StoredHashes store = storeOf.apply(source);
        long start = ProcessorClock.nanos();
        MembershipFilter filter = contender.fill(spec, store, numbers);
        taken += ProcessorClock.nanos() - start;
        return new Done(filter, store, taken / (double) numbers.length);
    }

    /** Hashes the keys that have these hashes; how long that took. */
    private static long hash(long[] hashes, long[] again) {
        long[] keys = new long[CHUNK];
        long taken = 0;
        for (int from = 0; from < hashes.length; from += CHUNK) {
            int count = Math.min(CHUNK, hashes.length - from);
            Preimages.fill(hashes, from, count, keys);
            long start = ProcessorClock.nanos();
            for (int i = 0; i < count; i++) {
                again[from + i] = Preimages.HASHER.hash(keys[i]);
            }
            taken += ProcessorClock.nanos() - start;
        }
        return taken;
    }
}
