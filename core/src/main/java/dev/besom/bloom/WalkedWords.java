package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;

/**
 * Bits along the walk of a scheme. In a filter of up to {@link #NARROW_WORDS} words each step of the walk is good for two probes: one
 * of its upper and one of its lower 32 bits. In a larger one a step is one probe of 64 bits.
 *
 * <p>A query looks at two bits before it branches: a miss passes those with a chance of one in four, where a branch after
 * each bit is wrong every second time, and a branch mispredicted costs as much as the memory access it waited for. The
 * next four follow at once, and the others one by one.
 *
 * <p>All that a query or an insert goes through is short and none of it is virtual, so that the compiler inlines it whatever it has
 * seen of it. With a class for each width of a step it left the calls of every bit in one JVM of three, and a query took three to
 * four times as long.
 */
final class WalkedWords extends ProbedWords {

    /**
     * Up to this many words, 16 MB, 32 bits choose a word and a bit of it, with no bit preferred by more than 1 in 32. At
     * eight times as many, bits would differ by a quarter, and the rate be higher by a twenty-fifth.
     */
    static final long NARROW_WORDS = 1L << 21;

    private static final long LOW_HALF = 0xFFFFFFFFL;

    /** The bits that a query looks at before it branches. */
    private static final int FIRST = 2;

    /** How many probes are written out: the compiler makes more of a loop than a few are worth. */
    private static final int WRITTEN_OUT = 6;

    private final boolean isNarrow;
    private final boolean isGrowthDrawn;
    private final long constantGrowth;

    WalkedWords(long[] words, int probes, IndexScheme scheme, long seed) {
        super(words, probes, seed);
        this.isNarrow = wordCount <= NARROW_WORDS;
        this.isGrowthDrawn = scheme == IndexScheme.TRIPLE;
        this.constantGrowth = scheme.constantGrowth();
    }

    /** Where probe {@code i} of a walk looks; where {@code i} is constant, so are all factors but the walk's own. */
    private long fraction(long x, long y, long z, int i) {
        return isNarrow ? half(x, y, z, i) : step(x, y, z, i);
    }

    private long half(long x, long y, long z, int i) {
        return halfOf(step(x, y, z, i >>> 1), i);
    }

    private static long halfOf(long step, int i) {
        return (i & 1) == 0 ? step >>> 32 : step & LOW_HALF;
    }

    /** The array index of the word at a fraction. */
    private int wordIndex(long fraction) {
        return isNarrow ? (int) FastRange.placeOfHalf(fraction, wordCount) + Words.LEAD : wordAt(fraction);
    }

    /** Where step {@code j} of the walk is. */
    private long step(long x, long y, long z, int j) {
        return IndexScheme.step(x, y, z, constantGrowth, j);
    }

    private long growth(long start) {
        return isGrowthDrawn ? IndexScheme.drawnGrowth(start) : constantGrowth;
    }

    @Override
    boolean areSet(long hash) {
        long x = start(hash);
        return isSet(x, IndexScheme.stride(x), growth(x));
    }

    private boolean isSet(long x, long y, long z) {
        return (firstBits(x, y, z) & 1) != 0 && otherBitsAreSet(x, y, z);
    }

    @Override
    boolean areSetByLoop(long hash) {
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
        return probes == WRITTEN_OUT ? nextBitsAreSet(x, y, z) : otherBitsOfAnyAreSet(x, y, z);
    }

    /** Whether the third to the sixth bit of a walk are set. */
    private boolean nextBitsAreSet(long x, long y, long z) {
        return (twoBitsAt(x, y, z, 2) & twoBitsAt(x, y, z, 4) & 1) != 0;
    }

    private boolean otherBitsOfAnyAreSet(long x, long y, long z) {
        return probes < WRITTEN_OUT ? areSetFrom(FIRST, x, y, z) : manyBitsAreSet(x, y, z);
    }

    private boolean manyBitsAreSet(long x, long y, long z) {
        return nextBitsAreSet(x, y, z) && areSetFrom(WRITTEN_OUT, x, y, z);
    }

    private boolean areSetFrom(int probe, long x, long y, long z) {
        for (; probe < probes; probe++) {
            if (!isSetAt(x, y, z, probe)) {
                return false;
            }
        }
        return true;
    }

    private boolean isSetAt(long x, long y, long z, int i) {
        return (bitAt(x, y, z, i) & 1) != 0;
    }

    /** The bit of probe {@code i}, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long x, long y, long z, int i) {
        long fraction = fraction(x, y, z, i);
        return words[wordIndex(fraction)] >>> fraction;
    }

    /** 1 if the first two bits of a hash, or the only one, are set; 0 otherwise. */
    private long firstBit(long hash) {
        long x = start(hash);
        return firstBits(x, IndexScheme.stride(x), growth(x)) & 1;
    }

    /** The answers for up to 64 hashes: the first bits of all of them, then the others of those that are left. */
    @Override
    public void fill(long[] hashes, int from, int count, long[] result, int word) {
        // No branch depends on what is read, so many memory accesses are in flight at once.
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            maybe |= firstBit(hashes[from + lane]) << lane;
        }
        long answers = maybe;
        for (long left = maybe; left != 0; left &= left - 1) {
            int lane = Long.numberOfTrailingZeros(left);
            if (!areSet(hashes[from + lane])) {
                answers ^= 1L << lane;
            }
        }
        result[word] = answers;
    }

    @Override
    long set(long hash) {
        long x = start(hash);
        return ~present(x, IndexScheme.stride(x), growth(x)) & 1;
    }

    /** Sets all bits of a walk; the lowest bit of the result is whether all of them were set. */
    private long present(long x, long y, long z) {
        return probes == WRITTEN_OUT ? setWrittenOut(x, y, z) : setAny(x, y, z);
    }

    private long setWrittenOut(long x, long y, long z) {
        return setTwo(x, y, z, 0) & setTwo(x, y, z, 2) & setTwo(x, y, z, 4);
    }

    private long setAny(long x, long y, long z) {
        return probes < WRITTEN_OUT ? setFrom(0, x, y, z) : setMany(x, y, z);
    }

    private long setMany(long x, long y, long z) {
        return setWrittenOut(x, y, z) & setFrom(WRITTEN_OUT, x, y, z);
    }

    private long setTwo(long x, long y, long z, int i) {
        return setAt(x, y, z, i) & setAt(x, y, z, i + 1);
    }

    private long setFrom(int probe, long x, long y, long z) {
        long present = 1;
        for (; probe < probes; probe++) {
            present &= setAt(x, y, z, probe);
        }
        return present;
    }

    /** Sets the bit of probe {@code i}; what it was is the lowest bit of the result. */
    private long setAt(long x, long y, long z, int i) {
        long fraction = fraction(x, y, z, i);
        return setBit(wordIndex(fraction), fraction);
    }

    @Override
    void setAtomically(BitVector bits, long hash) {
        long x = start(hash);
        long y = IndexScheme.stride(x);
        long z = growth(x);
        for (int probe = 0; probe < probes; probe++) {
            long fraction = fraction(x, y, z, probe);
            bits.setAtomically(bitIndex(wordIndex(fraction), fraction));
        }
    }
}
