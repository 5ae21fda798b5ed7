package dev.besom.compact;

import dev.besom.bits.Select;
import dev.besom.math.TinySetMath;

/**
 * The layout of a TinySet block, and questions to it: a hash table with chains and no pointers, in a fixed number of
 * bits, whose fingerprints get shorter as it fills.
 *
 * <pre>
 *   a block     | index: a bit a chain | array ...                                            | free | touched |
 *
 *   its array,  | slots:    0  1  2  3  4 |
 *   5 slots     | last      1  0  1  1  1 |   the slot is the last of its chain
 *               | plane 0   .  .  .  .  . |   the lowest bits of all fingerprints
 *               | plane 1   .  .  .  .  . |   the next
 *               | ...                     |
 *               | plane w   .  .  .       |   cut off where the array ends: a bit more for the first slots only
 * </pre>
 *
 * <ul>
 *   <li><b>index</b>: which chains are not empty. Slots are in the order of their chains, so the r-th of the chains that
 *       are not empty starts behind the r-th <i>last</i> bit that is set.
 *   <li>No counter is stored: the slots end with as many last bits as the index has bits.
 *   <li><b>planes</b>: fingerprints lie across the array, bit by bit. With one more slot every row is one bit longer, and
 *       what is pushed out of the array at its end are the highest bits of the last slots. So both widths of the paper,
 *       <i>size</i> and <i>size + 1</i> for the first <i>mod</i> slots, come about with no arithmetic, and no fingerprint is
 *       ever packed anew.
 *   <li><b>touched</b>: a key was taken out of the block. Slots cannot be given back, because nobody knows the bits that
 *       were cut off; they are <b>free</b>: one more chain, behind all others, and the flag <i>free</i> is its index bit. The flag lies in what is
 *       the array's last bit as long as the block is untouched.
 *   <li>In a touched block slots have moved down, and into the cut plane without a bit to bring along. They bring 0, and
 *       there a 0 says nothing: only a 1 counts.
 * </ul>
 *
 * Departures from the paper: planes instead of fingerprints side by side, which hold the same bits but let a slot be put
 * in by shifts of whole words; a removal costs a block its two flags and half of the cut plane only once it happens, where
 * the paper pays for it in all blocks of a filter with removals; a select takes the place of the scan over last bits, and
 * like the paper's fast scan it starts from the rank of the index; and fingerprints have at most {@value #WIDEST} bits.
 *
 * <p>Cost of a question: one block. A chain is compared as a whole, plane by plane, however many slots it has.
 *
 * <p>All methods take the array of words and the block's first bit in it, and never look outside of the block's words and
 * the one behind, whatever the words hold: they may be changing.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015.
 */
final class ChainBlock {

    /** More chains than two words of index have are never worth it: blocks are cache lines. */
    static final int MAX_CHAINS = 2 * Long.SIZE;

    /** Fingerprints are no longer than this, however empty a block is; with more, half of a hash would not do. */
    static final int WIDEST = TinySetMath.WIDEST;

    /** The flags, as {@link #flags(long[], long)} gives them. */
    static final int FREE = 1;

    static final int TOUCHED = 2;

    /** In a chain of more slots, so many are compared at a time. */
    static final int LANES = Long.SIZE - 1;

    final int blockBits;
    final int chains;

    /** Of an untouched block; a touched one has one bit less. */
    final int arrayBits;

    /** More slots a block cannot have: their last bits alone fill the array of a touched one. */
    final int mostSlots;

    /** Whether index, last bits and flags start and end with words, in blocks that start with a word. */
    private final boolean isInWords;

    /** Where the flags lie; the first of them only in touched blocks. */
    final int freeFlag;

    final int touchedFlag;

    ChainBlock(int blockBits, int chains) {
        this.blockBits = blockBits;
        this.chains = chains;
        this.arrayBits = blockBits - chains - 1;
        this.mostSlots = arrayBits - 1;
        this.isInWords = chains == Long.SIZE && blockBits % Long.SIZE == 0;
        this.freeFlag = blockBits - 2;
        this.touchedFlag = blockBits - 1;
    }

    /** 64 bits from any bit on. */
    static long read(long[] words, long bit) {
        int word = (int) (bit >>> 6);
        return words[word] >>> bit | words[word + 1] << 1 << ~bit;
    }

    /** Bits 0 to {@code count - 1}, for a count from 0 to 63. */
    static long lowest(int count) {
        return ~(-1L << count);
    }

    boolean isEmpty(long[] words, long at, int chain) {
        long bit = at + chain;
        return (words[(int) (bit >>> 6)] >>> bit & 1) == 0;
    }

    /** How many chains are not empty. */
    int chainCount(long[] words, long at) {
        return chains <= Long.SIZE
                ? Long.bitCount(read(words, at) << (Long.SIZE - chains))
                : Long.bitCount(read(words, at)) + Long.bitCount(read(words, at + Long.SIZE) << (MAX_CHAINS - chains));
    }

    /** How many chains before a chain are not empty. */
    int chainsBefore(long[] words, long at, int chain) {
        if (chain < Long.SIZE) {
            return Long.bitCount(read(words, at) & lowest(chain));
        }
        return Long.bitCount(read(words, at)) + Long.bitCount(read(words, at + Long.SIZE) & lowest(chain - Long.SIZE));
    }

    /** {@link #TOUCHED} and, only with it, {@link #FREE}. */
    int flags(long[] words, long at) {
        return flags((int) read(words, at + freeFlag) & (TOUCHED | FREE));
    }

    /** The flags from two bits, of which the lower belongs to the array unless the upper is set. */
    private static int flags(int both) {
        return both & ((both & TOUCHED) | (both >>> 1));
    }

    /**
     * The slot behind that many chains.
     *
     * @return more than {@link #arrayBits} where there are fewer chains, which is never so in a block at rest
     */
    int slotBehind(long[] words, long at, int chainRank) {
        if (chainRank == 0) {
            return 0;
        }
        int left = chainRank - 1;
        for (int base = 0; base < arrayBits; base += Long.SIZE) {
            long last = read(words, at + chains + base);
            int ends = Long.bitCount(last);
            if (left < ends) {
                return base + Select.select(last, left) + 1;
            }
            left -= ends;
        }
        return arrayBits + 1;
    }

    /** The block's slots, free ones included. */
    int slots(long[] words, long at) {
        return slotBehind(words, at, chainCount(words, at) + (flags(words, at) & FREE));
    }

    /** The length of the array as far as it is used: where the cut plane ends. */
    int arrayEnd(int slots, int flags) {
        return Math.min(arrayBits - (flags >>> 1), (WIDEST + 1) * slots);
    }

    /** Whether the chain has a slot with that fingerprint, as far as the slot knows. */
    boolean mightContain(long[] words, long at, int chain, int fingerprint) {
        return !isEmpty(words, at, chain) && mightContainInChain(words, at, chain, fingerprint);
    }

    /** The same for a chain that is not empty. */
    boolean mightContainInChain(long[] words, long at, int chain, int fingerprint) {
        int rank;
        int count;
        int flags;
        long last;
        if (isInWords) {
            int first = (int) (at >>> 6);
            long index = words[first];
            rank = Long.bitCount(index & lowest(chain));
            last = words[first + 1];
            flags = flags((int) (words[(int) ((at + freeFlag) >>> 6)] >>> (Long.SIZE - 2)));
            count = Long.bitCount(index) + (flags & FREE);
        } else {
            rank = chainsBefore(words, at, chain);
            last = read(words, at + chains);
            flags = flags(words, at);
            count = chainCount(words, at) + (flags & FREE);
        }
        // Bit i: a chain starts at slot i, or the slots end before it.
        long starts = last << 1 | 1;
        int slots = count < Long.SIZE ? Select.select(starts, count) : Long.SIZE;
        if (slots == Long.SIZE) {
            return mightContainBeyondAWord(words, at, rank, flags, count, fingerprint);
        }
        int start = Select.select(starts, rank);
        long fromStart = last >>> start;
        long chainSlots = fromStart ^ (fromStart - 1);
        return matches(words, at, slots, flags, start, chainSlots, fingerprint) != 0;
    }

    /** The same where the last bits do not fit into a word. */
    private boolean mightContainBeyondAWord(long[] words, long at, int rank, int flags, int count, int fingerprint) {
        int slots = Math.min(arrayBits, slotBehind(words, at, count));
        int end = Math.min(slots, slotBehind(words, at, rank + 1));
        for (int from = slotBehind(words, at, rank); from < end; from += LANES) {
            if (matches(words, at, slots, flags, from, lowest(Math.min(LANES, end - from)), fingerprint) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Which of some slots hold a fingerprint, as far as they know.
     *
     * @param slots all slots of the block, at least 1
     * @param from the first slot to compare, less than {@code slots}
     * @param candidates bit i: compare slot {@code from + i}
     */
    long matches(long[] words, long at, int slots, int flags, int from, long candidates, int fingerprint) {
        int end = arrayEnd(slots, flags);
        long array = at + chains;
        // Where the slots' bits lie in a plane; up to lastWhole the plane is whole.
        int place = slots + from;
        int lastWhole = end - slots + from;
        int bits = fingerprint;
        long maybe = candidates;
        if (place + 3 * slots <= lastWhole) {
            // Four planes with no branch between them: what a branch might save, it loses by being guessed wrong.
            maybe &= equal(words, array + place, bits)
                    & equal(words, array + place + slots, bits >>> 1)
                    & equal(words, array + place + 2L * slots, bits >>> 2)
                    & equal(words, array + place + 3L * slots, bits >>> 3);
            place += 4 * slots;
            bits >>>= 4;
        }
        while (maybe != 0 && place <= lastWhole) {
            maybe &= equal(words, array + place, bits);
            place += slots;
            bits >>>= 1;
        }
        if (maybe != 0 && place < end) {
            long plane = read(words, array + place);
            long differs = plane ^ -(long) (bits & 1);
            if (flags != 0) {
                differs &= plane;
            }
            maybe &= ~(differs & have(end - place));
        }
        return maybe;
    }

    /** Which slots have a bit in the cut plane, seen from the slot before whose bit the array goes on for so many. */
    private static long have(int bitsLeft) {
        return bitsLeft < Long.SIZE ? lowest(bitsLeft) : -1L;
    }

    /** Which bits from a place on are equal to the lowest of {@code bits}. */
    private static long equal(long[] words, long place, int bits) {
        return ~(read(words, place) ^ -(long) (bits & 1));
    }

    /** Which slots, from one on, know a 1 in the cut plane. */
    long onesInCutPlane(long[] words, long at, int slots, int flags, int from) {
        int end = arrayEnd(slots, flags);
        int place = end / slots * slots + from;
        return place < end ? read(words, at + chains + place) & have(end - place) : 0;
    }

    /** The bits of a slot's fingerprint that lie in the array. */
    int fingerprint(long[] words, long at, int slots, int flags, int slot) {
        int end = arrayEnd(slots, flags);
        int fingerprint = 0;
        int bit = 0;
        for (int place = slots + slot; place < end; place += slots) {
            fingerprint |= (int) (read(words, at + chains + place) & 1) << bit;
            bit++;
        }
        return fingerprint;
    }
}
