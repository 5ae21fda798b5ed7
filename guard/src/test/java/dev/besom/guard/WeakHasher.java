package dev.besom.guard;

import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;

/** A hasher with few different hashes, so that keys collide in all 64 bits. */
public record WeakHasher(int hashCount) implements KeyHasher<Integer> {

    @Override
    public long hash(Integer key) {
        return Mix.mix(Math.floorMod(key, hashCount));
    }

    @Override
    public boolean needsNoSecret() {
        return true;
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp("test:weak", hashCount);
    }
}
