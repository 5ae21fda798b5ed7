package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * The words of a blocked Bloom filter and where in them the bits of a hash are.
 *
 * <pre>
 *   product of hash and seed      | first word: the top bits, by fastrange | ...                          |
 *   its halves, xored, times AGAIN       | masks | other words | ... |
 *
 *   two groups      first word                    in the other half of its block: which word
 *   four groups     first word                    in each other quarter of its block: which word
 * </pre>
 *
 * A hash draws its first word from all words of the filter; the others are found from that one by xor, so that they are in
 * the same block and in groups of their own.
 *
 * <p>What a query costs is the number of its instructions, in the caches and beyond: a processor has so many of them under way,
 * and the more a query takes the fewer queries wait for memory at once. So the first word is taken from one multiplication, and
 * only the draws from two. With two groups a query looks at the first word first: nine misses in ten end there, and a quarter of
 * the instructions is saved. In the caches a query without a branch on what it reads is faster by a twentieth, but one that has both
 * ways and chooses by size is slower than either. With four groups, and in bulk, it has no branch.
 *
 * <p>Methods are short and none of them is virtual, so that the compiler inlines them whatever it has seen of them: with a class for
 * each number of groups it left a call in one JVM of three, and queries took half as long again. And none that is called behind a branch
 * calls others: where few queries had got there by then, Java 25 left those as calls in one JVM of four, and hits took twice as long.
 */
final class BlockedWords implements Bitmaps.Batch {

    /** Up to so many words half of the product is enough for fastrange, with words alike to within a 64th. */
    private static final long MOST_WORDS_OF_HALF = 1L << 26;

    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;

    /** Odd, with no pattern in its bits: the fractional part of the square root of 7. */
    private static final long AGAIN = 0xA54FF53A5F1D36F1L;

    private final long[] words;
    private final long[] masks;
    private final long wordCount;
    private final boolean isHalfEnough;
    private final boolean isFar;
    private final long factor;
    private final boolean hasTwoGroups;
    private final int groupWords;

    BlockedWords(BitVector bits, BlockedBloomMath.Block block, int bitsPerGroup, long seed) {
        this.words = bits.words();
        this.masks = BlockedMasks.of(bitsPerGroup);
        this.wordCount = bits.sizeInBits() / Long.SIZE;
        this.isFar = Bitmaps.isFar(bits.sizeInBits());
        this.isHalfEnough = wordCount <= MOST_WORDS_OF_HALF;
        this.factor = Mix.factor(seed + SEED_SALT);
        this.hasTwoGroups = block.groups() == 2;
        this.groupWords = block.words() / block.groups();
    }

    /** Whether all bits of a hash are set. */
    boolean areSet(long hash) {
        return areSetOf(product(hash));
    }

    private boolean areSetOf(long product) {
        return hasTwoGroups ? areSetOfTwo(firstWord(product), drawsOfTwo(product)) : isNoneMissing(product);
    }

    private boolean areSetOfTwo(int first, int draws) {
        return areSetInTwoSteps(first, draws, mask(draws, MASK_OF_TWO));
    }

    private boolean areSetInTwoSteps(int first, int draws, long own) {
        return areSetIn(first, own) && areSetIn(otherOfTwo(first, draws), mask(draws, OTHER_MASK_OF_TWO));
    }

    private boolean areSetIn(int word, long own) {
        return (own & ~words[word + Words.LEAD]) == 0;
    }

    private boolean isNoneMissing(long product) {
        return missing(product) == 0;
    }

    /** Sets all bits of a hash, for a single writer; 0 if all of them were set before. */
    long set(long hash) {
        return setOf(product(hash));
    }

    private long setOf(long product) {
        int first = firstWord(product);
        return hasTwoGroups ? setOfTwo(first, drawsOfTwo(product)) : setFour(first, drawsOfFour(product));
    }

    /** Sets all bits of a hash for all threads, in the vector that has these words. */
    void setAtomically(BitVector bits, long hash) {
        long product = product(hash);
        int first = firstWord(product);
        if (hasTwoGroups) {
            int draws = drawsOfTwo(product);
            bits.setAtomically(first, mask(draws, MASK_OF_TWO));
            bits.setAtomically(otherOfTwo(first, draws), mask(draws, OTHER_MASK_OF_TWO));
            return;
        }
        long draws = drawsOfFour(product);
        bits.setAtomically(first, ownOfFour(draws, 0));
        for (int quarter = 1; quarter < 4; quarter++) {
            bits.setAtomically(otherOfFour(first, draws, quarter), ownOfFour(draws, quarter));
        }
    }

    @Override
    public void fill(long[] hashes, int from, int count, long[] result, int word) {
        if (isFar) {
            // Reading the blocks and nothing else keeps as many reads in flight as the processor can have; then they
            // are in the cache. What was read goes where the answers will, lest the loop be left out.
            result[word] = prefetch(hashes, from, count);
        }
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            maybe |= (isNoneMissing(product(hashes[from + lane])) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }

    /** Reads a word of the block of each hash; returns something that depends on all of them. */
    private long prefetch(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= words[firstWord(product(hashes[from + lane])) + Words.LEAD];
        }
        return all;
    }

    /** What everything about a hash follows from. */
    private long product(long hash) {
        return hash * factor;
    }

    /** The word that a hash draws from all. */
    private int firstWord(long product) {
        return (int)
                (isHalfEnough
                        ? FastRange.placeOfHalf(product >>> Integer.SIZE, wordCount)
                        : FastRange.placeOfEven(product, 2 * wordCount));
    }

    /** The mask that the bits from one on choose. */
    private long mask(int draws, int from) {
        // With a power of two in this form the compiler sees that no index is out of bounds.
        return masks[draws >>> from & (masks.length - 1)];
    }

    /** 0 if all bits of a hash are set. */
    private long missing(long product) {
        int first = firstWord(product);
        return hasTwoGroups ? missingOfTwo(first, drawsOfTwo(product)) : missingOfFour(first, drawsOfFour(product));
    }

    /** The bits of these that are not set in a word. */
    private long missing(int word, long own) {
        return own & ~words[word + Words.LEAD];
    }

    /** Sets bits of a word, and returns those that were not set. */
    private long setIn(int word, long own) {
        long before = words[word + Words.LEAD];
        words[word + Words.LEAD] = before | own;
        return own & ~before;
    }

    // Two groups: the upper ones of 32 bits are drawn from.

    private static final int MASK_OF_TWO = Integer.SIZE - BlockedMasks.BITS;
    private static final int OTHER_MASK_OF_TWO = MASK_OF_TWO - BlockedMasks.BITS;
    private static final int WORD_OF_TWO = OTHER_MASK_OF_TWO - 2;

    private static int drawsOfTwo(long product) {
        int high = (int) (product >>> Integer.SIZE);
        return ((int) product ^ high) * (high | 1);
    }

    /** The word in the other half. */
    private int otherOfTwo(int first, int draws) {
        return first ^ (((draws >>> WORD_OF_TWO) & (groupWords - 1)) | groupWords);
    }

    private long missingOfTwo(int first, int draws) {
        return missing(first, mask(draws, MASK_OF_TWO))
                | missing(otherOfTwo(first, draws), mask(draws, OTHER_MASK_OF_TWO));
    }

    private long setOfTwo(int first, int draws) {
        // Both masks before a word is set: for all the compiler knows that might change a mask.
        return setTwo(first, draws, mask(draws, MASK_OF_TWO), mask(draws, OTHER_MASK_OF_TWO));
    }

    private long setTwo(int first, int draws, long own, long otherOwn) {
        return setIn(first, own) | setIn(otherOfTwo(first, draws), otherOwn);
    }

    // Four groups: the upper ones of 64 bits are drawn from, moved down.

    private static final int WORD_OF_FOUR = 4 * BlockedMasks.BITS;
    private static final int DRAWN_BITS_OF_FOUR = WORD_OF_FOUR + 3;

    private static long drawsOfFour(long product) {
        return ((product ^ (product >>> Integer.SIZE)) * ((product ^ AGAIN) | 1)) >>> (Long.SIZE - DRAWN_BITS_OF_FOUR);
    }

    /** The word in the quarter that lies so many quarters from that of the first, by xor. */
    private int otherOfFour(int first, long draws, int quarter) {
        int word = (int) (draws >>> (WORD_OF_FOUR + quarter - 1)) & (groupWords - 1);
        return first ^ (word | quarter * groupWords);
    }

    /** The bits of a hash in its word of a group. */
    private long ownOfFour(long draws, int group) {
        return mask((int) (draws >>> (group * BlockedMasks.BITS)), 0);
    }

    private long missingOfFour(int first, long draws) {
        return missing(first, ownOfFour(draws, 0)) | missingOfOthers(first, draws);
    }

    private long missingOfOthers(int first, long draws) {
        return missingOfOther(first, draws, 1) | missingOfOther(first, draws, 2) | missingOfOther(first, draws, 3);
    }

    private long missingOfOther(int first, long draws, int quarter) {
        return missing(otherOfFour(first, draws, quarter), ownOfFour(draws, quarter));
    }

    private long setFour(int first, long draws) {
        return setIn(first, ownOfFour(draws, 0)) | setOthers(first, draws);
    }

    private long setOthers(int first, long draws) {
        return setOther(first, draws, 1) | setOther(first, draws, 2) | setOther(first, draws, 3);
    }

    private long setOther(int first, long draws, int quarter) {
        return setIn(otherOfFour(first, draws, quarter), ownOfFour(draws, quarter));
    }
}
