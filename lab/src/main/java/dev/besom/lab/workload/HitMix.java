package dev.besom.lab.workload;

import dev.besom.hash.Mix;
import java.util.SplittableRandom;

/** A stream in which a share of the queries is for stored keys, each with the same chance, and the rest another stream. */
public final class HitMix implements QueryStream {

    private final QueryStream misses;
    private final long[] keys;
    private final double hitShare;
    private final SplittableRandom random;

    /**
     * @param keys the stored keys; not copied
     * @param hitShare the chance of a hit, from 0 to 1
     */
    public HitMix(QueryStream misses, long[] keys, double hitShare, long seed) {
        if (!(hitShare >= 0 && hitShare <= 1)) {
            throw new IllegalArgumentException("the share of hits must be from 0 to 1, not " + hitShare);
        }
        this.misses = misses;
        this.keys = keys;
        this.hitShare = hitShare;
        this.random = new SplittableRandom(Mix.mix(seed + 5));
    }

    @Override
    public boolean hasNext() {
        return misses.hasNext();
    }

    @Override
    public long next() {
        return keys.length > 0 && random.nextDouble() < hitShare ? keys[random.nextInt(keys.length)] : misses.next();
    }

    @Override
    public void close() {
        misses.close();
    }
}
