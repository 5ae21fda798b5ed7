package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * The words of a blocked Bloom filter and where in them the bits of a hash are. How many groups a block has, and of how many
 * words, is a constant in each of the four subclasses, and chosen once for all queries.
 *
 * <pre>
 *   mixed hash           | block | the rest ...
 *   the rest             | mask  | rotation, rotation | word, word | ...
 *   bits                     9        6         6         2     2          two groups of four words
 * </pre>
 *
 * The subclasses call the methods named {@code block...} from methods of their own, one line each: there the compiler knows the
 * class, and compiles them for its constants.
 */
abstract sealed class BlockedWords implements Bitmaps.Batch {

    private static final int MASK_BITS = 9;
    private static final int ROTATION_BITS = 6;

    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;

    private final long[] words;
    private final long[] masks;
    private final long blockCount;
    private final long factor;

    private BlockedWords(BitVector bits, int bitsPerGroup, long seed) {
        this.words = bits.words();
        this.masks = makeMasks(bitsPerGroup);
        this.blockCount = bits.sizeInBits() / Long.SIZE / groups() / groupWords();
        this.factor = Mix.factor(seed + SEED_SALT);
    }

    static BlockedWords of(BitVector bits, BlockedBloomMath.Block block, int bitsPerGroup, long seed) {
        if (block.words() == BlockedBloomMath.LINE_WORDS) {
            return block.groups() == 2
                    ? new TwoOfFour(bits, bitsPerGroup, seed)
                    : new FourOfTwo(bits, bitsPerGroup, seed);
        }
        return block.groups() == 2 ? new TwoOfTwo(bits, bitsPerGroup, seed) : new FourOfOne(bits, bitsPerGroup, seed);
    }

    /** The masks for so many bits: frozen, for files hold what they set. */
    private static long[] makeMasks(int bitCount) {
        long[] masks = new long[1 << MASK_BITS];
        long draws = 0;
        for (int i = 0; i < masks.length; i++) {
            while (Long.bitCount(masks[i]) < bitCount) {
                masks[i] |= 1L << Mix.expand(draws, bitCount, 0);
                draws++;
            }
        }
        return masks;
    }

    /** Groups of a block: 2 or 4. */
    abstract int groups();

    /** Words of a group. */
    abstract int groupWords();

    /** Whether all bits of a hash are set. */
    abstract boolean areSet(long hash);

    /** Sets all bits of a hash, for a single writer; 1 if one of them was not set, 0 otherwise. */
    abstract long set(long hash);

    final boolean blockIsSet(long hash) {
        long mixed = Mix.scatter(hash, factor);
        long rest = rest(mixed);
        long mask = mask(rest);
        int first = firstWord(mixed);
        if (groups() == 2) {
            return missing(first, rest, mask, 0) == 0 && missing(first, rest, mask, 1) == 0;
        }
        return (missing(first, rest, mask, 0) | missing(first, rest, mask, 1)) == 0
                && (missing(first, rest, mask, 2) | missing(first, rest, mask, 3)) == 0;
    }

    final void blockFill(long[] hashes, int from, int lanes, long[] result, int word) {
        // Reading the blocks and nothing else keeps as many memory accesses in flight as the processor can have; then
        // they are in the cache. What was read goes where the answers will, lest the loop be left out.
        result[word] = prefetch(hashes, from, lanes);
        long maybe = 0;
        for (int lane = 0; lane < lanes; lane++) {
            maybe |= (blockIsSet(hashes[from + lane]) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }

    /** Reads a word of the block of each hash; returns something that depends on all of them. */
    private long prefetch(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= words[firstWord(Mix.scatter(hashes[from + lane], factor))];
        }
        return all;
    }

    final long blockSet(long hash) {
        long mixed = Mix.scatter(hash, factor);
        long rest = rest(mixed);
        long mask = mask(rest);
        int first = firstWord(mixed);
        long missing = set(first, rest, mask, 0) | set(first, rest, mask, 1);
        if (groups() == 4) {
            missing |= set(first, rest, mask, 2) | set(first, rest, mask, 3);
        }
        return missing == 0 ? 0 : 1;
    }

    /** Sets all bits of a hash for all threads, in the vector that has these words. */
    final void setAtomically(BitVector bits, long hash) {
        long mixed = Mix.scatter(hash, factor);
        long rest = rest(mixed);
        long mask = mask(rest);
        for (int group = 0; group < groups(); group++) {
            int word = firstWord(mixed) + wordInBlock(rest, group);
            bits.setAtomically(word - Words.LEAD, rotated(mask, rest, group));
        }
    }

    /** The array index of the first word of the hash's block. */
    private int firstWord(long mixed) {
        return (int) FastRange.place(mixed, blockCount) * groups() * groupWords() + Words.LEAD;
    }

    /** What the choice of the block has left over: the fraction of mixed / 2^64 * blocks, whose top bits are best. */
    private long rest(long mixed) {
        return mixed * blockCount;
    }

    /** The mask of a key, before it is rotated. */
    private long mask(long rest) {
        // With a power of two in this form the compiler sees that no index is out of bounds.
        return masks[(int) (rest >>> (Long.SIZE - MASK_BITS)) & (masks.length - 1)];
    }

    /** The bits that a key uses in its word of a group. */
    private static long rotated(long mask, long rest, int group) {
        // A rotation looks at the lowest six bits of its distance.
        return Long.rotateLeft(mask, (int) (rest >>> (Long.SIZE - MASK_BITS - (group + 1) * ROTATION_BITS)));
    }

    /** The word of the block that a key uses in a group. */
    private int wordInBlock(long rest, int group) {
        int wordBits = Integer.numberOfTrailingZeros(groupWords());
        int place = Long.SIZE - MASK_BITS - groups() * ROTATION_BITS - (group + 1) * wordBits;
        return group * groupWords() + ((int) (rest >>> place) & (groupWords() - 1));
    }

    /** The bits of a key that are not set in its word of a group. */
    private long missing(int first, long rest, long mask, int group) {
        return rotated(mask, rest, group) & ~words[first + wordInBlock(rest, group)];
    }

    /** Sets the bits of a key in its word of a group, and returns those that were not set. */
    private long set(int first, long rest, long mask, int group) {
        int word = first + wordInBlock(rest, group);
        long own = rotated(mask, rest, group);
        long before = words[word];
        words[word] = before | own;
        return own & ~before;
    }

    /** A cache line of two groups of four words. */
    private static final class TwoOfFour extends BlockedWords {

        TwoOfFour(BitVector bits, int bitsPerGroup, long seed) {
            super(bits, bitsPerGroup, seed);
        }

        @Override
        int groups() {
            return 2;
        }

        @Override
        int groupWords() {
            return 4;
        }

        @Override
        boolean areSet(long hash) {
            return blockIsSet(hash);
        }

        @Override
        long set(long hash) {
            return blockSet(hash);
        }

        @Override
        public void fill(long[] hashes, int from, int count, long[] result, int word) {
            blockFill(hashes, from, count, result, word);
        }
    }

    /** A cache line of four groups of two words. */
    private static final class FourOfTwo extends BlockedWords {

        FourOfTwo(BitVector bits, int bitsPerGroup, long seed) {
            super(bits, bitsPerGroup, seed);
        }

        @Override
        int groups() {
            return 4;
        }

        @Override
        int groupWords() {
            return 2;
        }

        @Override
        boolean areSet(long hash) {
            return blockIsSet(hash);
        }

        @Override
        long set(long hash) {
            return blockSet(hash);
        }

        @Override
        public void fill(long[] hashes, int from, int count, long[] result, int word) {
            blockFill(hashes, from, count, result, word);
        }
    }

    /** Half a cache line of two groups of two words. */
    private static final class TwoOfTwo extends BlockedWords {

        TwoOfTwo(BitVector bits, int bitsPerGroup, long seed) {
            super(bits, bitsPerGroup, seed);
        }

        @Override
        int groups() {
            return 2;
        }

        @Override
        int groupWords() {
            return 2;
        }

        @Override
        boolean areSet(long hash) {
            return blockIsSet(hash);
        }

        @Override
        long set(long hash) {
            return blockSet(hash);
        }

        @Override
        public void fill(long[] hashes, int from, int count, long[] result, int word) {
            blockFill(hashes, from, count, result, word);
        }
    }

    /** Half a cache line of four words, each a group. */
    private static final class FourOfOne extends BlockedWords {

        FourOfOne(BitVector bits, int bitsPerGroup, long seed) {
            super(bits, bitsPerGroup, seed);
        }

        @Override
        int groups() {
            return 4;
        }

        @Override
        int groupWords() {
            return 1;
        }

        @Override
        boolean areSet(long hash) {
            return blockIsSet(hash);
        }

        @Override
        long set(long hash) {
            return blockSet(hash);
        }

        @Override
        public void fill(long[] hashes, int from, int count, long[] result, int word) {
            blockFill(hashes, from, count, result, word);
        }
    }
}
