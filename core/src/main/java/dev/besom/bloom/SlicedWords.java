package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.hash.Mix;

/** Bits at places of their own: the schoolbook's independent hash functions, one slice of the expanded hash for each. */
final class SlicedWords extends ProbedWords {

    SlicedWords(long[] words, int probes, long seed) {
        super(words, probes, seed);
    }

    private static long slice(long start, int probe) {
        return Mix.expand(start, 0, probe);
    }

    @Override
    boolean areSet(long hash) {
        long start = start(hash);
        for (int probe = 0; probe < probes; probe++) {
            long fraction = slice(start, probe);
            if ((words[wordAt(fraction)] >>> fraction & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean areSetByLoop(long hash) {
        return areSet(hash);
    }

    @Override
    long set(long hash) {
        long start = start(hash);
        long present = 1;
        for (int probe = 0; probe < probes; probe++) {
            long fraction = slice(start, probe);
            present &= setBit(wordAt(fraction), fraction);
        }
        return ~present & 1;
    }

    @Override
    void setAtomically(BitVector bits, long hash) {
        long start = start(hash);
        for (int probe = 0; probe < probes; probe++) {
            long fraction = slice(start, probe);
            bits.setAtomically(bitIndex(wordAt(fraction), fraction));
        }
    }

    @Override
    public void fill(long[] hashes, int from, int count, long[] result, int word) {
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            maybe |= (areSet(hashes[from + lane]) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }
}
