package dev.besom.guard;

import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;

/** Hashes that crowd: of few keys each in few places. */
record CrowdedHasher(long seed, int places) implements KeyHasher<Long> {

    @Override
    public long hash(Long key) {
        long place = Mix.mix(seed + Math.floorMod(key, places));
        return place ^ Mix.mix(key) >>> 40;
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp("test:crowded", seed + places);
    }

    @Override
    public boolean needsNoSecret() {
        return true;
    }
}
