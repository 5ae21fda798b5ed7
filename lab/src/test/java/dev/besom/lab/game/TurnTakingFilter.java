package dev.besom.lab.game;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.hash.Mix;
import java.util.ArrayList;
import java.util.List;

/**
 * Adaptive by a heuristic: each key has two fingerprints, and a false positive makes it show the other one. What the one
 * gets wrong stays wrong whenever its turn comes again.
 */
final class TurnTakingFilter implements AdaptiveFilter {

    private static final class Entry {
        final long hash;
        int turn;

        Entry(long hash) {
            this.hash = hash;
        }
    }

    private final List<List<Entry>> buckets = new ArrayList<>();
    private final int bits;
    private long count;
    private long repairs;

    TurnTakingFilter(FilterSpec spec, StoredHashes stored) {
        for (long i = 0; i < spec.capacity(); i++) {
            buckets.add(new ArrayList<>());
        }
        bits = (int) Math.ceil(-Math.log(spec.fpp()) / Math.log(2));
    }

    private List<Entry> bucket(long hash) {
        return buckets.get((int) Long.remainderUnsigned(hash, buckets.size()));
    }

    private boolean isHit(Entry entry, long hash) {
        return (Mix.expand(entry.hash, 1, entry.turn) ^ Mix.expand(hash, 1, entry.turn)) >>> (Long.SIZE - bits) == 0;
    }

    @Override
    public boolean mightContainHash(long hash) {
        return bucket(hash).stream().anyMatch(entry -> isHit(entry, hash));
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        bucket(hash).add(new Entry(hash));
        count++;
        return isNew;
    }

    @Override
    public boolean deleteHash(long hash) {
        boolean wasThere = bucket(hash).removeIf(entry -> entry.hash == hash);
        count -= wasThere ? 1 : 0;
        return wasThere;
    }

    @Override
    public Adaptation repairHash(long hash) {
        for (Entry entry : bucket(hash)) {
            if (isHit(entry, hash)) {
                entry.turn ^= 1;
            }
        }
        repairs++;
        return Adaptation.FIXED;
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(repairs, 0, 0, repairs);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return count * (bits + 1);
    }

    @Override
    public double expectedFpp() {
        return Math.scalb(1.0, -bits);
    }
}
