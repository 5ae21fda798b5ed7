package dev.besom.bloom;

/** A walk of which each step is one probe of 64 bits. */
final class WideWalk extends WalkedWords {

    WideWalk(long[] words, int probes, IndexScheme scheme, long seed) {
        super(words, probes, scheme, seed);
    }

    @Override
    long fraction(long x, long y, long z, int i) {
        return step(x, y, z, i);
    }

    @Override
    int wordIndex(long fraction) {
        return wordAt(fraction);
    }

    @Override
    boolean areSet(long hash) {
        return walkIsSet(hash);
    }

    @Override
    long set(long hash) {
        return walkSet(hash);
    }

    @Override
    public void fill(long[] hashes, int from, int count, long[] result, int word) {
        result[word] = walkLanes(hashes, from, count);
    }
}
