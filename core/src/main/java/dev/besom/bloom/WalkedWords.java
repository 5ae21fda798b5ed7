package dev.besom.bloom;

import dev.besom.bits.BitVector;

/**
 * Bits along the walk of a scheme.
 *
 * <p>A query looks at two bits before it branches: a miss passes those with a chance of one in four, where a branch after
 * each bit is wrong every second time, and a branch mispredicted costs as much as the memory access it waited for. The
 * others follow two by two.
 *
 * <p>What a step is good for is said by the two subclasses. They call the methods named {@code walk...} from methods of
 * their own, one line each: there the compiler knows the class, and compiles each walk for it without a call left over.
 */
abstract sealed class WalkedWords extends ProbedWords permits NarrowWalk, WideWalk {

    /** The bits that a query looks at before it branches. */
    private static final int GROUP = 2;

    /** How many of them are written out: the compiler makes more of a loop than a few probes are worth. */
    private static final int WRITTEN_OUT = 3 * GROUP;

    private final boolean isGrowthDrawn;
    private final long constantGrowth;

    WalkedWords(long[] words, int probes, IndexScheme scheme, long seed) {
        super(words, probes, seed);
        this.isGrowthDrawn = scheme == IndexScheme.TRIPLE;
        this.constantGrowth = scheme.constantGrowth();
    }

    /** Where probe {@code i} of a walk looks; where {@code i} is constant, so are all factors but the walk's own. */
    abstract long fraction(long x, long y, long z, int i);

    /** The array index of the word at a fraction. */
    abstract int wordIndex(long fraction);

    /** Where step {@code j} of the walk is. */
    final long step(long x, long y, long z, int j) {
        return IndexScheme.step(x, y, z, constantGrowth, j);
    }

    private long growth(long start) {
        return isGrowthDrawn ? IndexScheme.drawnGrowth(start) : constantGrowth;
    }

    final boolean walkIsSet(long hash) {
        long x = start(hash);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        return (firstBits(x, y, z) & 1) != 0 && otherBitsAreSet(x, y, z);
    }

    @Override
    final boolean areSetByLoop(long hash) {
        long x = start(hash);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        long present = 1;
        for (int probe = 0; probe < probes; probe++) {
            present &= bitAt(x, y, z, probe);
        }
        return present != 0;
    }

    /** In its lowest bit: whether the first two bits of a walk, or the only one, are set. */
    private long firstBits(long x, long y, long z) {
        return probes == 1 ? bitAt(x, y, z, 0) : twoBitsAt(x, y, z, 0);
    }

    /** In its lowest bit: whether the bit of probe {@code i} and that of the next are set. */
    private long twoBitsAt(long x, long y, long z, int i) {
        return bitAt(x, y, z, i) & bitAt(x, y, z, i + 1);
    }

    /** Whether the bits after the first two of a walk are set. */
    private boolean otherBitsAreSet(long x, long y, long z) {
        int next = GROUP;
        if (probes >= WRITTEN_OUT) {
            if ((twoBitsAt(x, y, z, 2) & 1) == 0 || (twoBitsAt(x, y, z, 4) & 1) == 0) {
                return false;
            }
            next = WRITTEN_OUT;
        }
        for (; next < probes; next++) {
            if ((bitAt(x, y, z, next) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    /** The bit of probe {@code i}, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long x, long y, long z, int i) {
        long fraction = fraction(x, y, z, i);
        return words[wordIndex(fraction)] >>> fraction;
    }

    /** The answers for up to 64 hashes: the first bits of all of them, then the others of those that are left. */
    final long walkLanes(long[] hashes, int from, int lanes) {
        // No branch depends on what is read, so many memory accesses are in flight at once.
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            long x = start(hashes[from + lane]);
            maybe |= (firstBits(x, IndexScheme.stride(x), growth(x)) & 1) << lane;
        }
        long result = maybe;
        for (long left = maybe; left != 0; left &= left - 1) {
            int lane = Long.numberOfTrailingZeros(left);
            long x = start(hashes[from + lane]);
            if (!otherBitsAreSet(x, IndexScheme.stride(x), growth(x))) {
                result ^= 1L << lane;
            }
        }
        return result;
    }

    final long walkSet(long hash) {
        long x = start(hash);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        long present = 1;
        int next = 0;
        if (probes >= WRITTEN_OUT) {
            present = setAt(x, y, z, 0)
                    & setAt(x, y, z, 1)
                    & setAt(x, y, z, 2)
                    & setAt(x, y, z, 3)
                    & setAt(x, y, z, 4)
                    & setAt(x, y, z, 5);
            next = WRITTEN_OUT;
        }
        for (; next < probes; next++) {
            present &= setAt(x, y, z, next);
        }
        return ~present & 1;
    }

    /** Sets the bit of probe {@code i}; what it was is the lowest bit of the result. */
    private long setAt(long x, long y, long z, int i) {
        long fraction = fraction(x, y, z, i);
        return setBit(wordIndex(fraction), fraction);
    }

    @Override
    final void setAtomically(BitVector bits, long hash) {
        long x = start(hash);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        for (int probe = 0; probe < probes; probe++) {
            long fraction = fraction(x, y, z, probe);
            bits.setAtomically(bitIndex(wordIndex(fraction), fraction));
        }
    }
}
