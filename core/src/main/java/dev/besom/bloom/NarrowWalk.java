package dev.besom.bloom;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;

/** A walk of which each step is good for two probes: one of its upper and one of its lower 32 bits. */
final class NarrowWalk extends WalkedWords {

    private static final long LOW_HALF = 0xFFFFFFFFL;

    NarrowWalk(long[] words, int probes, IndexScheme scheme, long seed) {
        super(words, probes, scheme, seed);
    }

    @Override
    long fraction(long x, long y, long z, int i) {
        long step = step(x, y, z, i >>> 1);
        return (i & 1) == 0 ? step >>> 32 : step & LOW_HALF;
    }

    @Override
    int wordIndex(long fraction) {
        return (int) FastRange.placeOfHalf(fraction, wordCount) + Words.LEAD;
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
