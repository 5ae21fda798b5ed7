package dev.besom.compact;

import dev.besom.bits.Select;
import dev.besom.compact.TinySetMath.Widths;

/**
 * The layout of a TinySet block, and queries of it: a hash table with chains and no pointers, in a fixed number of
 * bits, whose fingerprints get shorter as it fills.
 *
 * <pre>
 *   a block     | index: a bit a chain | array ...                                            | free | touched |
 *
 *   its array   | last bits | plane 4 | plane 5 | ... | cut plane |   ...   core 2 | core 1 | core 0 |
 *
 *   5 slots           0    1    2    3    4
 *         last        1    0    1    1    1      the slot is the last of its chain
 *         cores       .... .... .... .... ....   the lowest 4 bits of each fingerprint
 *         plane 4     .    .    .    .    .      the next bit of all fingerprints
 *         ...
 *         cut plane   .    .    .                cut off where the cores begin: a bit more for the first slots only
 * </pre>
 *
 * <ul>
 *   <li><b>index</b>: which chains are not empty. Slots are in the order of their chains, so the r-th of the chains that
 *       are not empty starts behind the r-th <i>last</i> bit that is set.
 *   <li>No counter is stored: the slots end with as many last bits as the index has bits.
 *   <li><b>cores</b>: where the lowest bits of a chain's fingerprints lie side by side, one read compares sixteen of them at
 *       once, and fifteen of sixteen slots that are no match go no further. They grow from the end of the array towards
 *       its start, so that nobody has to know how many slots there are to find them. Cores have {@value #WIDEST_CORE} bits, or
 *       as many as all slots have room for in a block with so many that it is less.
 *   <li><b>planes</b>: the other bits lie across the array. With one more slot every plane is one bit longer, and
 *       what is pushed into the cores and lost are the highest bits of the last slots. So both widths of the paper,
 *       <i>size</i> and <i>size + 1</i> for the first <i>mod</i> slots, come about with no arithmetic, and no fingerprint is
 *       packed anew before a block has so many slots that cores get shorter.
 *   <li><b>touched</b>: a key was taken out of the block. Slots cannot be given back, because nobody knows the bits that
 *       were cut off; they are <b>free</b>: one more chain, behind all others, and the flag <i>free</i> is its index bit. The flag lies in what is
 *       the array's last bit as long as the block is untouched.
 *   <li>In a touched block slots have moved down, and into the cut plane without a bit to bring along. They bring 0, and
 *       there a 0 says nothing: only a 1 counts.
 * </ul>
 *
 * Where all fingerprints of a block are to have one width there is no cut plane: the planes end where the last whole one does, in
 * touched blocks and others alike, and the bits up to the cores are 0.
 *
 * <p>Departures from the paper: cores and planes instead of whole fingerprints side by side, which hold the same bits but let
 * a slot be put in by shifts of whole words; a removal costs a block its two flags and half of the cut plane only once it happens, where
 * the paper pays for it in all blocks of a filter with removals; a select takes the place of the scan over last bits, and
 * like the paper's fast scan it starts from the rank of the index; and fingerprints have at most {@value #WIDEST} bits.
 *
 * <p>Cost of a query: one block. Most misses end with the cores of their chain.
 *
 * <p>Blocks of one cache line, the usual ones, have a class of their own for queries, {@link LineBlock}.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015.
 */
final class ChainBlock implements BlockLayout {

    /** More chains than two words of index have are never worth it: blocks are cache lines. */
    static final int MAX_CHAINS = 2 * Long.SIZE;

    /** Fingerprints are no longer than this, however empty a block is; with more, half of a hash would not do. */
    static final int WIDEST = TinySetMath.WIDEST;

    /** Cores are no longer than this: with more, blocks at their planned load would have to be packed anew too often. */
    static final int WIDEST_CORE = 4;

    /** The lowest bit of each core that fits into a word, for cores of 2, 3 and 4 bits. */
    private static final long LOWEST_OF_2 = 0x5555555555555555L;

    private static final long LOWEST_OF_3 = 0x1249249249249249L;
    private static final long LOWEST_OF_4 = 0x1111111111111111L;

    /** How many slots are compared at a time, for each length of cores. */
    private static final int[] SLOTS_A_WORD = {64, 64, 32, 21, 16};

    /** 256 divided by each length of cores, and rounded up: exact enough to divide the number of any bit of a word. */
    private static final int[] RECIPROCAL = {256, 256, 128, 86, 64};

    /** The flags, as {@link #flags(long[], long)} gives them. */
    static final int FREE = 1;

    static final int TOUCHED = 2;

    final int blockBits;
    final int chains;

    /** Whether there is a cut plane. */
    private final boolean hasCutPlane;

    /** Of an untouched block; a touched one has one bit less. */
    final int arrayBits;

    /** More slots a block cannot have: their last bits alone fill the array of a touched one. */
    final int mostSlots;

    /** Up to so many slots a block's cores are of the widest. */
    final int mostSlotsOfWidestCore;

    /** Where the flags lie; the first of them only in touched blocks. */
    final int freeFlag;

    final int touchedFlag;

    ChainBlock(int blockBits, int chains) {
        this(blockBits, chains, true);
    }

    ChainBlock(int blockBits, int chains, boolean hasCutPlane) {
        this.blockBits = blockBits;
        this.chains = chains;
        this.hasCutPlane = hasCutPlane;
        this.arrayBits = blockBits - chains - 1;
        this.mostSlots = arrayBits - 1;
        this.mostSlotsOfWidestCore = (arrayBits - 1) / (1 + WIDEST_CORE);
        this.freeFlag = blockBits - 2;
        this.touchedFlag = blockBits - 1;
    }

    @Override
    public int blockBits() {
        return blockBits;
    }

    @Override
    public int chains() {
        return chains;
    }

    @Override
    public int mostSlots() {
        return mostSlots;
    }

    boolean hasCutPlane() {
        return hasCutPlane;
    }

    @Override
    public double rateOf(int keys) {
        return hasCutPlane
                ? TinySetMath.blockRate(arrayBits, chains, keys, Widths.TWO)
                : TinySetMath.blockRate(arrayEnd(TOUCHED), chains, keys, Widths.ONE);
    }

    @Override
    public double rate(long[] words, long at) {
        return BlockRate.of(this, words, at);
    }

    @Override
    public BlockWriter writer() {
        return new BlockEditor(this);
    }

    /** 64 bits from any bit on. */
    static long read(long[] words, long bit) {
        int word = (int) (bit >>> 6);
        return words[word] >>> bit | words[word + 1] << 1 << ~bit;
    }

    /** The same, in an array that starts with a word. */
    static long read(long[] words, int base, int bit) {
        int word = base + (bit >>> 6);
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

    @Override
    public int slots(long[] words, long at) {
        return slotBehind(words, at, chainCount(words, at) + (flags(words, at) & FREE));
    }

    /** Where the array ends, and the first core with it. */
    int arrayEnd(int flags) {
        return arrayBits - (flags >>> 1);
    }

    /** The bits of the array that are used. */
    int usedBits(int slots, int flags) {
        if (hasCutPlane) {
            return Math.min(arrayEnd(flags), (1 + WIDEST) * slots);
        }
        return slots == 0 ? 0 : Math.min(arrayEnd(TOUCHED) / slots, 1 + WIDEST) * slots;
    }

    /** Where the cut plane ends, and all planes with it. */
    int planesEnd(int slots, int flags) {
        return usedBits(slots, flags) - coreBits(slots) * slots;
    }

    /** The bits of a core, the same in touched blocks and others. */
    int coreBits(int slots) {
        if (slots <= mostSlotsOfWidestCore) {
            return WIDEST_CORE;
        }
        int core = WIDEST_CORE - 1;
        while ((1 + core) * slots >= arrayBits) {
            core--;
        }
        return core;
    }

    @Override
    public boolean mightContain(long[] words, long at, int chain, int fingerprint) {
        if (isEmpty(words, at, chain)) {
            return false;
        }
        int flags = flags(words, at);
        int rank = chainsBefore(words, at, chain);
        int count = chainCount(words, at) + (flags & FREE);
        // Bit i: a chain starts at slot i, or the slots end before it.
        long last = read(words, at + chains);
        long starts = last << 1 | 1;
        int slots = count < Long.SIZE ? Select.select(starts, count) : Long.SIZE;
        int start;
        int end;
        if (slots < Long.SIZE) {
            start = Select.select(starts, rank);
            end = start + Long.numberOfTrailingZeros(last >>> start) + 1;
        } else {
            slots = slotBehind(words, at, count);
            start = slotBehind(words, at, rank);
            end = slotBehind(words, at, rank + 1);
        }
        // Only while the block changes do its slots not end inside of it, or chains not inside of the slots.
        slots = Math.min(slots, mostSlots);
        return isAmong(words, at, slots, flags, start, Math.min(end, slots), fingerprint);
    }

    /** Whether one of the slots from {@code start} up to but without {@code end} matches a fingerprint. */
    private boolean isAmong(long[] words, long at, int slots, int flags, int start, int end, int fingerprint) {
        int core = coreBits(slots);
        int slotsAWord = SLOTS_A_WORD[core];
        long coresEnd = at + chains + arrayEnd(flags);
        for (int from = start; from < end; from += slotsAWord) {
            int next = Math.min(from + slotsAWord, end);
            long alike = alikeCores(read(words, coresEnd - (long) core * next), core, fingerprint)
                    & firstCores(next - from, core);
            for (; alike != 0; alike &= alike - 1) {
                int slot = next - 1 - coreAt(Long.numberOfTrailingZeros(alike), core);
                if (planesMatch(words, at, slots, flags, slot, core, fingerprint)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The bits of so many cores, at least 1. Cores of no bits count as one bit each here, as in {@link #alikeCores}. */
    private static long firstCores(int count, int core) {
        return -1L >>> -(count * Math.max(1, core));
    }

    /** Which core of a word starts with a bit: the bit divided by the core's length. */
    private static int coreAt(int bit, int core) {
        return (bit * RECIPROCAL[core]) >>> 8;
    }

    /**
     * What each row gets of a new slot, the lowest bit for the row of last bits: the slot is the last of a new chain only.
     *
     * @param isNewChain 1 or 0
     */
    static long rowBits(int fingerprint, int core, long isNewChain) {
        return Integer.toUnsignedLong(fingerprint) >>> core << 1 | isNewChain;
    }

    /** The lowest bits of the cores that are equal to a fingerprint's, for cores that lie in a word from its lowest bit on. */
    static long alikeCores(long cores, int coreBits, int fingerprint) {
        long differs;
        switch (coreBits) {
            case 0 -> {
                return -1L;
            }
            case 1 -> {
                return ~(cores ^ -(long) (fingerprint & 1));
            }
            case 2 -> {
                differs = cores ^ (fingerprint & 3) * LOWEST_OF_2;
                return ~(differs | differs >>> 1) & LOWEST_OF_2;
            }
            case 3 -> {
                differs = cores ^ (fingerprint & 7) * LOWEST_OF_3;
                return ~(differs | differs >>> 1 | differs >>> 2) & LOWEST_OF_3;
            }
            default -> {
                differs = cores ^ (fingerprint & 15) * LOWEST_OF_4;
                differs |= differs >>> 1;
                return ~(differs | differs >>> 2) & LOWEST_OF_4;
            }
        }
    }

    /** Whether a slot's bits beyond its core are a fingerprint's, as far as the slot knows. */
    boolean planesMatch(long[] words, long at, int slots, int flags, int slot, int core, int fingerprint) {
        int end = usedBits(slots, flags) - core * slots;
        long array = at + chains;
        int bits = fingerprint >>> core;
        for (int place = slots + slot; place < end; place += slots) {
            long bit = array + place;
            long stored = words[(int) (bit >>> 6)] >>> bit & 1;
            if (stored != (bits & 1)) {
                // The rule of the cut plane, where the plane ends behind the array.
                return flags != 0 && stored == 0 && place - slot + slots > end;
            }
            bits >>>= 1;
        }
        return true;
    }

    /** Whether a slot matches a fingerprint, as far as the slot knows. */
    boolean matches(long[] words, long at, int slots, int flags, int slot, int fingerprint) {
        int core = coreBits(slots);
        return ((core(words, at, flags, slot, core) ^ fingerprint) & lowest(core)) == 0
                && planesMatch(words, at, slots, flags, slot, core, fingerprint);
    }

    /** Whether a slot knows a 1 in the cut plane. */
    boolean hasOneInCutPlane(long[] words, long at, int slots, int flags, int slot) {
        int end = planesEnd(slots, flags);
        int place = end / slots * slots + slot;
        return place < end && (read(words, at + chains + place) & 1) != 0;
    }

    private int core(long[] words, long at, int flags, int slot, int core) {
        return (int) (read(words, at + chains + arrayEnd(flags) - core * (slot + 1L)) & lowest(core));
    }

    /** The bits of a slot's fingerprint that lie in the array. */
    int fingerprint(long[] words, long at, int slots, int flags, int slot) {
        int end = planesEnd(slots, flags);
        int bit = coreBits(slots);
        int fingerprint = core(words, at, flags, slot, bit);
        for (int place = slots + slot; place < end; place += slots) {
            fingerprint |= (int) (read(words, at + chains + place) & 1) << bit;
            bit++;
        }
        return fingerprint;
    }
}
