package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.bits.BitMoves;
import java.util.Arrays;

/** Changes {@link ChainBlock}s. Slots are put in at the start of their chain, so chains have their newest slot first. */
final class BlockEditor implements BlockWriter {

    private final ChainBlock layout;
    private final ArrayGrowth growth;
    private final int blockWords;
    private final int arrayWords;

    private final boolean isLine;

    /** Whether arrays start with a word in blocks that do. */
    private final boolean isArrayInWords;

    /** The block, its first bit lowest, and words behind it for what is written across its end and then cut off. */
    private final long[] block;

    /** Arrays before and after a change, in blocks where they do not start with a word. */
    private final long[] before;

    private final long[] after;

    BlockEditor(ChainBlock layout) {
        this.layout = layout;
        this.growth = new ArrayGrowth(layout);
        this.blockWords = (layout.blockBits + Long.SIZE - 1) >>> 6;
        this.arrayWords = growth.arrayWords;
        this.isLine = LineBlock.isLine(layout);
        this.isArrayInWords = layout.chains % Long.SIZE == 0;
        this.block = new long[blockWords + ArrayGrowth.SPARE_WORDS];
        this.before = new long[arrayWords + 2];
        this.after = new long[arrayWords + ArrayGrowth.SPARE_WORDS];
    }

    @Override
    public void load(long[] words, long at) {
        if ((at & 63) == 0 && (layout.blockBits & 63) == 0) {
            System.arraycopy(words, (int) (at >>> 6), block, 0, blockWords);
            return;
        }
        for (int word = 0; word < blockWords; word++) {
            block[word] = ChainBlock.read(words, at + (long) word * Long.SIZE);
        }
        int rest = layout.blockBits & 63;
        if (rest != 0) {
            block[blockWords - 1] &= ChainBlock.lowest(rest);
        }
    }

    @Override
    public void store(long[] words, long at) {
        int first = (int) (at >>> 6);
        int shift = (int) at & 63;
        int rest = layout.blockBits & 63;
        if (shift == 0 && rest == 0) {
            System.arraycopy(block, 0, words, first, blockWords);
            return;
        }
        int left = layout.blockBits;
        for (int word = 0; left > 0; word++, left -= Long.SIZE) {
            long mask = left < Long.SIZE ? ChainBlock.lowest(left) : -1L;
            // Growing an array that ends with a word leaves bits behind the block's end: they are not the next block's.
            long bits = block[word] & mask;
            int to = first + word;
            words[to] = (words[to] & ~(mask << shift)) | (bits << shift);
            long above = mask >>> 1 >>> ~shift;
            if (above != 0) {
                words[to + 1] = (words[to + 1] & ~above) | (bits >>> 1 >>> ~shift);
            }
        }
    }

    @Override
    public boolean put(long[] words, long at, int chain, int fingerprint) {
        if (isLine) {
            return insertIntoLine(words, (int) (at >>> 6), chain, fingerprint);
        }
        boolean isNew = !layout.mightContain(words, at, chain, fingerprint);
        insert(words, at, chain, fingerprint);
        return isNew;
    }

    /** The same for blocks of any layout, whoever asks whether the key is new. */
    void insert(long[] words, long at, int chain, int fingerprint) {
        int flags = layout.flags(words, at);
        int used = layout.slotBehind(words, at, layout.chainCount(words, at));
        int start = layout.slotBehind(words, at, layout.chainsBefore(words, at, chain));
        if ((flags & ChainBlock.FREE) != 0) {
            load(words, at);
            useFreeSlot(start, used, flags, layout.isEmpty(words, at, chain), fingerprint);
            set(block, chain);
        } else {
            grow(words, at, chain, start, used, flags, fingerprint);
        }
    }

    /**
     * The same for blocks as {@link LineBlock} has them.
     *
     * @return whether no slot of the chain matched before
     */
    boolean insertIntoLine(long[] words, int first, int chain, int fingerprint) {
        long index = words[first];
        long last = words[first + 1];
        long flags = words[first + LineBlock.WORDS - 1];
        int start = LineBlock.start(index, last, chain);
        int slots = index == 0 ? 0 : LineBlock.slots(words, first, last, Long.bitCount(index));
        boolean isNew = !LineBlock.mightContain(words, first, index, last, start, chain, fingerprint);
        if (LineBlock.free(flags) != 0 || slots >= ArrayGrowth.LONG_ROW) {
            insert(words, (long) first << 6, chain, fingerprint);
        } else {
            LineGrowth.grow(words, first, block, chain, start, slots, (int) (flags >>> 63), fingerprint);
        }
        return isNew;
    }

    /**
     * Makes the block here that of the words with one more slot.
     *
     * @param start the slot at which the chain starts, or would
     * @param slots of the block, none of them free
     * @throws FilterFullException if the block has as many slots as it can have
     */
    void grow(long[] words, long at, int chain, int start, int slots, int flags, int fingerprint) {
        if (slots >= layout.mostSlots) {
            throw new FilterFullException("a block of " + layout.blockBits + " bits has " + slots
                    + " slots and no bit for one more; far more keys were put in than planned, or one key very often");
        }
        if (layout.coreBits(slots) != layout.coreBits(slots + 1)) {
            unite(words, at, blockOfOneSlot(chain, fingerprint), 0, slots + 1, flags);
            return;
        }
        boolean isNewChain = layout.isEmpty(words, at, chain);
        if (isArrayInWords && (at & 63) == 0) {
            int indexWords = layout.chains >>> 6;
            int first = (int) (at >>> 6);
            for (int word = 0; word < indexWords; word++) {
                block[word] = words[first + word];
            }
            growth.grow(words, first + indexWords, block, indexWords, start, slots, isNewChain, flags, fingerprint);
        } else {
            for (int word = 0; word < arrayWords; word++) {
                before[word] = ChainBlock.read(words, at + layout.chains + (long) word * Long.SIZE);
            }
            growth.grow(before, 0, after, 0, start, slots, isNewChain, flags, fingerprint);
            loadIndex(words, at);
            placeArray(after, block);
        }
        set(block, chain);
        if (flags != 0) {
            set(block, layout.touchedFlag);
        }
    }

    /** Copies the index here, and 0 behind it in its last word. */
    private void loadIndex(long[] words, long at) {
        int left = layout.chains;
        for (int word = 0; left >= 0; word++, left -= Long.SIZE) {
            long mask = left < Long.SIZE ? ChainBlock.lowest(left) : -1L;
            block[word] = left == 0 ? 0 : ChainBlock.read(words, at + (long) word * Long.SIZE) & mask;
        }
    }

    private long[] blockOfOneSlot(int chain, int fingerprint) {
        Arrays.fill(before, 0);
        long[] array = new long[arrayWords + ArrayGrowth.SPARE_WORDS];
        growth.grow(before, 0, array, 0, 0, 0, true, 0, fingerprint);
        long[] words = new long[blockWords + 1];
        placeArray(array, words);
        set(words, chain);
        return words;
    }

    /** Puts an array that starts with a word to its place in a block. */
    private void placeArray(long[] array, long[] target) {
        int word = layout.chains >>> 6;
        int shift = layout.chains & 63;
        for (int i = 0; i < arrayWords; i++) {
            target[word + i] |= array[i] << shift;
            target[word + i + 1] = array[i] >>> 1 >>> ~shift;
        }
    }

    private void useFreeSlot(int start, int used, int flags, boolean isNewChain, int fingerprint) {
        int slots = layout.slots(block, 0);
        int core = layout.coreBits(slots);
        int cores = layout.chains + layout.arrayEnd(flags);
        int end = layout.chains + layout.planesEnd(slots, flags);
        BitMoves.down(block, 0, cores - core * used, cores - core * start, core);
        putCore(cores - core * (start + 1), core, fingerprint);
        long bits = ChainBlock.rowBits(fingerprint, core, isNewChain ? 1 : 0);
        for (int row = layout.chains; row < end; row += slots) {
            int rowSlots = Math.min(slots, end - row);
            if (start < rowSlots) {
                BitMoves.up(block, 0, row + start, row + Math.min(used, rowSlots - 1), 1);
                put(row + start, bits & 1);
            }
            bits >>>= 1;
        }
        if (used + 1 == slots) {
            clear(layout.freeFlag);
        }
    }

    /**
     * Takes a fingerprint out of a chain that might contain it; the block is touched from then on, or empty.
     *
     * <p>Of several slots that match, the one that knows most goes: if a slot with a 1 in the cut plane matches, it
     * would not match all of the keys that the other slots match, so it must not be left to stand for them.
     *
     * @return false, and no change, if no slot of the chain matches
     */
    @Override
    public boolean delete(int chain, int fingerprint) {
        if (!layout.mightContain(block, 0, chain, fingerprint)) {
            return false;
        }
        int flags = layout.flags(block, 0);
        int rank = layout.chainsBefore(block, 0, chain);
        int start = layout.slotBehind(block, 0, rank);
        int end = layout.slotBehind(block, 0, rank + 1);
        int used = layout.slotBehind(block, 0, layout.chainCount(block, 0));
        int slots = layout.slots(block, 0);
        if (used == 1) {
            Arrays.fill(block, 0);
            return true;
        }
        if (flags == 0) {
            touch(slots);
        }
        int slot = findMostSpecific(slots, start, end, fingerprint);
        closeSlot(slot, start, used, slots, flags);
        if (end - start == 1) {
            clear(chain);
        }
        set(block, layout.freeFlag);
        return true;
    }

    /** Makes the block a touched one: cores move down by the bit that is now the flag of free slots. */
    private void touch(int slots) {
        int cores = layout.chains + layout.arrayBits;
        BitMoves.down(block, 0, cores - layout.coreBits(slots) * slots, cores, 1);
        clear(layout.freeFlag);
        set(block, layout.touchedFlag);
    }

    private int findMostSpecific(int slots, int start, int end, int fingerprint) {
        int found = -1;
        for (int slot = start; slot < end; slot++) {
            if (layout.matches(block, 0, slots, ChainBlock.TOUCHED, slot, fingerprint)) {
                if (layout.hasOneInCutPlane(block, 0, slots, ChainBlock.TOUCHED, slot)) {
                    return slot;
                }
                found = found < 0 ? slot : found;
            }
        }
        return found;
    }

    /** Moves the slots behind a slot down, and makes the place behind them a free slot. */
    private void closeSlot(int slot, int start, int used, int slots, int flags) {
        int core = layout.coreBits(slots);
        int cores = layout.chains + layout.arrayEnd(ChainBlock.TOUCHED);
        int end = layout.chains + layout.planesEnd(slots, ChainBlock.TOUCHED);
        // A chain's last bits are zeros and a one: the first goes, which is the one where it is alone.
        BitMoves.down(block, 0, layout.chains + start + 1, layout.chains + used, 1);
        put(layout.chains + used - 1, (flags & ChainBlock.FREE) == 0 ? 1 : 0);
        BitMoves.up(block, 0, cores - core * used, cores - core * (slot + 1), core);
        putCore(cores - core * used, core, 0);
        for (int row = layout.chains + slots; row < end; row += slots) {
            int rowUsed = Math.min(used, end - row);
            if (slot < rowUsed) {
                BitMoves.down(block, 0, row + slot + 1, row + rowUsed, 1);
                put(row + rowUsed - 1, 0);
            }
        }
    }

    @Override
    public int slotsOfUnion(long[] words, long[] others, long at) {
        int most = Math.max(layout.slots(words, at), layout.slots(others, at));
        int used = layout.slotBehind(words, at, layout.chainCount(words, at))
                + layout.slotBehind(others, at, layout.chainCount(others, at));
        int slots = Math.max(most, used);
        if (slots > layout.mostSlots) {
            throw new FilterFullException(
                    "a block of " + layout.blockBits + " bits has no room for " + slots + " slots");
        }
        return slots;
    }

    /**
     * {@inheritDoc}
     *
     * <p>No slot of the union has more bits than its fingerprint knows: it lies at least as far behind as in its own
     * block, and among at least as many slots.
     */
    @Override
    public void unite(long[] words, long[] others, long at) {
        int flags = (layout.flags(words, at) | layout.flags(others, at)) & ChainBlock.TOUCHED;
        unite(words, at, others, at, slotsOfUnion(words, others, at), flags);
    }

    private void unite(long[] words, long at, long[] others, long othersAt, int slots, int flags) {
        int core = layout.coreBits(slots);
        int cores = layout.chains + layout.arrayEnd(flags);
        int end = layout.chains + layout.planesEnd(slots, flags);
        Slots newer = new Slots(others, othersAt);
        Slots older = new Slots(words, at);
        Arrays.fill(block, 0);
        int slot = 0;
        while (newer.isLeft() || older.isLeft()) {
            Slots next = newer.isLeft() && newer.chain() <= older.chain() ? newer : older;
            int chain = next.chain();
            int fingerprint = next.take();
            set(block, chain);
            if (newer.chain() != chain && older.chain() != chain) {
                set(block, layout.chains + slot);
            }
            putCore(cores - core * (slot + 1), core, fingerprint);
            int bits = fingerprint >>> core;
            for (int place = layout.chains + slots + slot; place < end; place += slots) {
                put(place, bits & 1);
                bits >>>= 1;
            }
            slot++;
        }
        if (flags != 0) {
            set(block, layout.touchedFlag);
        }
        if (slot < slots) {
            set(block, layout.chains + slots - 1);
            set(block, layout.freeFlag);
        }
    }

    /** Gives the slots of a block in their order. */
    private final class Slots {

        private final long[] words;
        private final long at;
        private final int flags;
        private final int slots;
        private final int used;
        private int chain;
        private int next;

        Slots(long[] words, long at) {
            this.words = words;
            this.at = at;
            this.flags = layout.flags(words, at);
            this.slots = layout.slots(words, at);
            this.used = layout.slotBehind(words, at, layout.chainCount(words, at));
            this.chain = -1;
            advance();
        }

        boolean isLeft() {
            return next < used;
        }

        /** The chain of the next slot; past all chains if there is none. */
        int chain() {
            return chain;
        }

        int take() {
            int fingerprint = layout.fingerprint(words, at, slots, flags, next);
            boolean last = (ChainBlock.read(words, at + layout.chains + next) & 1) != 0;
            next++;
            if (last) {
                advance();
            }
            return fingerprint;
        }

        private void advance() {
            do {
                chain++;
            } while (chain < layout.chains && layout.isEmpty(words, at, chain));
        }
    }

    @Override
    public int checkInvariants() {
        int flags = layout.flags(block, 0);
        int chainCount = layout.chainCount(block, 0);
        if (chainCount == 0) {
            for (int word = 0; word < blockWords; word++) {
                require(block[word] == 0, "it has no chains, but bits");
            }
            return 0;
        }
        int used = layout.slotBehind(block, 0, chainCount);
        int slots = layout.slots(block, 0);
        require(slots <= layout.mostSlots, "its slots do not end inside its array");
        int core = layout.coreBits(slots);
        int end = layout.planesEnd(slots, flags);
        int coresEnd = layout.arrayEnd(flags);
        for (int place = end; place < coresEnd - core * used; place++) {
            require(bit(layout.chains + place) == 0, "a bit between its planes and its cores is set");
        }
        for (int row = slots; row < end; row += slots) {
            for (int place = row + used; place < Math.min(end, row + slots); place++) {
                require(bit(layout.chains + place) == 0, "a free slot has a fingerprint");
            }
        }
        return used;
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalStateException(complaint);
        }
    }

    private long bit(int place) {
        return block[place >>> 6] >>> place & 1;
    }

    private static void set(long[] words, int place) {
        words[place >>> 6] |= 1L << place;
    }

    private void clear(int place) {
        block[place >>> 6] &= ~(1L << place);
    }

    private void putCore(int place, int core, int fingerprint) {
        for (int i = 0; i < core; i++) {
            put(place + i, fingerprint >>> i & 1);
        }
    }

    private void put(int place, long bit) {
        block[place >>> 6] = (block[place >>> 6] & ~(1L << place)) | (bit << place);
    }
}
