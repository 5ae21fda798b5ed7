package dev.besom.distribution;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/** A uniform sample of a stream of unknown length, in bounded memory; the same stream gives the same sample. */
final class Reservoir {

    private final long[] sample;
    private final long seed;
    private long seen;

    Reservoir(int capacity, long seed) {
        this.sample = new long[capacity];
        this.seed = seed;
    }

    void add(long hash) {
        if (seen < sample.length) {
            sample[(int) seen] = hash;
        } else {
            long place = FastRange.place(Mix.expand(seen, seed, 0), seen + 1);
            if (place < sample.length) {
                sample[(int) place] = hash;
            }
        }
        seen++;
    }

    int size() {
        return (int) Math.min(seen, sample.length);
    }

    long hash(int index) {
        return sample[index];
    }
}
