package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * The words of a blocked Bloom filter and where in them the bits of a hash are.
 *
 * <pre>
 *   mixed hash     | first word: the top bits, by fastrange | ... | mask | rotations | other words | ... |
 *
 *   two groups      first word                    in the other half of its block: which word
 *   four groups     first word                    in each other quarter of its block: which word
 * </pre>
 *
 * A hash draws its first word from all words of the filter; the others are found from that one by xor, so that they are in
 * the same block and in groups of their own. How many groups there are is a constant in each of the two subclasses, chosen once
 * for all queries. They answer without a branch: a branch on bits of a filter is wrong too often, and the line that all of
 * them are in has been fetched.
 */
abstract sealed class BlockedWords implements Bitmaps.Batch {

    static final int MASK_BITS = 9;
    static final int ROTATION_BITS = 6;

    private static final long SEED_SALT = 0xB05688C2B3E6C1FDL;

    /** A filter of up to 2^24 words chooses its first word by 40 bits of a hash, a larger one by those that are left. */
    private static final int FEWEST_LOW_BITS = 24;

    final long[] words;
    private final long[] masks;
    private final long wordCount;
    private final int lowBits;
    private final long factor;

    private BlockedWords(BitVector bits, int bitsPerGroup, long seed) {
        this.words = bits.words();
        this.masks = makeMasks(bitsPerGroup);
        this.wordCount = bits.sizeInBits() / Long.SIZE;
        this.lowBits = Math.max(FEWEST_LOW_BITS, Long.SIZE - Long.numberOfLeadingZeros(wordCount - 1));
        this.factor = Mix.factor(seed + SEED_SALT);
    }

    static BlockedWords of(BitVector bits, BlockedBloomMath.Block block, int bitsPerGroup, long seed) {
        int groupWords = block.words() / block.groups();
        return block.groups() == 2
                ? new TwoGroups(bits, bitsPerGroup, seed, groupWords)
                : new FourGroups(bits, bitsPerGroup, seed, groupWords);
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

    /** Whether all bits of a hash are set. */
    abstract boolean areSet(long hash);

    /** Sets all bits of a hash, for a single writer; 0 if all of them were set before. */
    abstract long set(long hash);

    /** Sets all bits of a hash for all threads, in the vector that has these words. */
    abstract void setAtomically(BitVector bits, long hash);

    @Override
    public final void fill(long[] hashes, int from, int count, long[] result, int word) {
        // Reading the blocks and nothing else keeps as many memory accesses in flight as the processor can have; then
        // they are in the cache. What was read goes where the answers will, lest the loop be left out.
        result[word] = prefetch(hashes, from, count);
        long maybe = 0;
        for (int lane = 0; lane < count; lane++) {
            maybe |= (areSet(hashes[from + lane]) ? 1L : 0L) << lane;
        }
        result[word] = maybe;
    }

    /** Reads a word of the block of each hash; returns something that depends on all of them. */
    private long prefetch(long[] hashes, int from, int lanes) {
        long all = 0;
        for (int lane = 0; lane < lanes; lane++) {
            all ^= words[firstWord(scatter(hashes[from + lane])) + Words.LEAD];
        }
        return all;
    }

    /** What everything about a hash follows from. */
    final long scatter(long hash) {
        return Mix.scatter(hash, factor);
    }

    /** The word that a hash draws from all. */
    final int firstWord(long mixed) {
        // Fastrange by the bits above the low ones: at most 2^64 are multiplied, and the place is what overflows. The
        // distance of a shift is taken modulo 64.
        return (int) (((mixed >>> lowBits) * wordCount) >>> -lowBits);
    }

    /** The mask of a key, before it is rotated, by the lowest bits. */
    final long mask(long low) {
        // With a power of two in this form the compiler sees that no index is out of bounds.
        return masks[(int) low & (masks.length - 1)];
    }

    /** The bits of these that are not set in a word. */
    final long missing(int word, long own) {
        return own & ~words[word + Words.LEAD];
    }

    /** Sets bits of a word, and returns those that were not set. */
    final long setIn(int word, long own) {
        long before = words[word + Words.LEAD];
        words[word + Words.LEAD] = before | own;
        return own & ~before;
    }

    /** A key has a word in each half of its block. */
    private static final class TwoGroups extends BlockedWords {

        /** Below this bit of a mixed hash are its draws: above the lowest, which depend on few bits of the hash. */
        private static final int DRAWS_END = 32;

        private static final int MASK_PLACE = DRAWS_END - MASK_BITS;
        private static final int WORD_PLACE = MASK_PLACE - 2 * ROTATION_BITS - 2;

        private final int groupWords;

        TwoGroups(BitVector bits, int bitsPerGroup, long seed, int groupWords) {
            super(bits, bitsPerGroup, seed);
            this.groupWords = groupWords;
        }

        /** The word in the other half. */
        private int second(int first, long mixed) {
            return first ^ (((int) (mixed >>> WORD_PLACE) & (groupWords - 1)) | groupWords);
        }

        /** The bits of a hash in its word of a group. */
        private long own(long mixed, int group) {
            // A rotation looks at the lowest six bits of its distance.
            int rotationPlace = MASK_PLACE - (group + 1) * ROTATION_BITS;
            return Long.rotateLeft(mask(mixed >>> MASK_PLACE), (int) (mixed >>> rotationPlace));
        }

        @Override
        boolean areSet(long hash) {
            long mixed = scatter(hash);
            int first = firstWord(mixed);
            return (missing(first, own(mixed, 0)) | missing(second(first, mixed), own(mixed, 1))) == 0;
        }

        @Override
        long set(long hash) {
            long mixed = scatter(hash);
            int first = firstWord(mixed);
            return setIn(first, own(mixed, 0)) | setIn(second(first, mixed), own(mixed, 1));
        }

        @Override
        void setAtomically(BitVector bits, long hash) {
            long mixed = scatter(hash);
            int first = firstWord(mixed);
            bits.setAtomically(first, own(mixed, 0));
            bits.setAtomically(second(first, mixed), own(mixed, 1));
        }
    }

    /** A key has a word in each quarter of its block. */
    private static final class FourGroups extends BlockedWords {

        private static final int WORD_PLACE = MASK_BITS + 4 * ROTATION_BITS;

        /** Odd: mixes a hash once more, for its low bits are too few for four groups. */
        private static final long AGAIN = 0xA54FF53A5F1D36F1L;

        private static final int UPPER = 28;

        private final int groupWords;

        FourGroups(BitVector bits, int bitsPerGroup, long seed, int groupWords) {
            super(bits, bitsPerGroup, seed);
            this.groupWords = groupWords;
        }

        private static long draws(long mixed) {
            return (mixed * AGAIN) >>> UPPER;
        }

        /** The word in the quarter that lies so many quarters from that of the first, by xor. */
        private int other(int first, long draws, int quarter) {
            int word = (int) (draws >>> (WORD_PLACE + quarter - 1)) & (groupWords - 1);
            return first ^ (word | quarter * groupWords);
        }

        /** The bits of a hash in its word of a group. */
        private long own(long draws, int group) {
            // A rotation looks at the lowest six bits of its distance.
            return Long.rotateLeft(mask(draws), (int) (draws >>> (MASK_BITS + group * ROTATION_BITS)));
        }

        @Override
        boolean areSet(long hash) {
            long mixed = scatter(hash);
            long draws = draws(mixed);
            int first = firstWord(mixed);
            return (missing(first, own(draws, 0))
                            | missing(other(first, draws, 1), own(draws, 1))
                            | missing(other(first, draws, 2), own(draws, 2))
                            | missing(other(first, draws, 3), own(draws, 3)))
                    == 0;
        }

        @Override
        long set(long hash) {
            long mixed = scatter(hash);
            long draws = draws(mixed);
            int first = firstWord(mixed);
            return setIn(first, own(draws, 0))
                    | setIn(other(first, draws, 1), own(draws, 1))
                    | setIn(other(first, draws, 2), own(draws, 2))
                    | setIn(other(first, draws, 3), own(draws, 3));
        }

        @Override
        void setAtomically(BitVector bits, long hash) {
            long mixed = scatter(hash);
            long draws = draws(mixed);
            int first = firstWord(mixed);
            bits.setAtomically(first, own(draws, 0));
            for (int quarter = 1; quarter < 4; quarter++) {
                bits.setAtomically(other(first, draws, quarter), own(draws, quarter));
            }
        }
    }
}
