package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.bits.BitMoves;
import java.util.Arrays;

/**
 * The workplace of a filter's one writer: a block is copied here, changed, and copied back whole, so that a change that
 * cannot be made leaves the block as it was.
 *
 * <p>A slot is put in by one pass over the block's words, in which each row gets a bit more:
 *
 * <pre>
 *   before   last: a b c d | plane 0: e f g h | plane 1: i j k
 *   after    last: a b X c d | plane 0: e f Y g h | plane 1: i
 * </pre>
 *
 * Slots are put in at the start of their chain, so chains have their newest slot first.
 */
final class BlockEditor {

    /** What is copied at a time in the pass: with the new bit it must be less than a word. */
    private static final int PIECE = Long.SIZE - 2;

    private final ChainBlock layout;
    private final int blockWords;

    /** The block, its first bit lowest, and words behind it for what is written across its end and then cut off. */
    private final long[] block;

    BlockEditor(ChainBlock layout) {
        this.layout = layout;
        this.blockWords = (layout.blockBits + Long.SIZE - 1) >>> 6;
        this.block = new long[blockWords + 2];
    }

    /** Copies a block here. */
    void load(long[] words, long at) {
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

    /** Copies the block back, and leaves alone what lies before and behind it. */
    void store(long[] words, long at) {
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
            int to = first + word;
            words[to] = (words[to] & ~(mask << shift)) | (block[word] << shift);
            long above = mask >>> 1 >>> ~shift;
            if (above != 0) {
                words[to + 1] = (words[to + 1] & ~above) | (block[word] >>> 1 >>> ~shift);
            }
        }
    }

    /**
     * Makes the block here that of the words with a fingerprint put into a chain: into a free slot if it has one, and
     * with one more slot otherwise.
     *
     * @throws FilterFullException if the block has as many slots as it can have
     */
    void insert(long[] words, long at, int chain, int fingerprint) {
        int flags = layout.flags(words, at);
        int used = layout.slotBehind(words, at, layout.chainCount(words, at));
        int start = layout.slotBehind(words, at, layout.chainsBefore(words, at, chain));
        // What each row gets, the last bits first: the new slot is the last of a new chain only.
        long column = (fingerprint & 0xFFFFFFFFL) << 1 | (layout.isEmpty(words, at, chain) ? 1 : 0);
        if ((flags & ChainBlock.FREE) != 0) {
            load(words, at);
            useFreeSlot(start, used, flags, column);
        } else {
            grow(words, at, start, used, flags, column);
        }
        block[chain >>> 6] |= 1L << chain;
    }

    private void grow(long[] words, long at, int start, int slots, int flags, long column) {
        if (slots >= layout.mostSlots) {
            throw new FilterFullException("a block of " + layout.blockBits + " bits has " + slots
                    + " slots and no bit for one more; far more keys were put in than planned, or one key very often");
        }
        int end = layout.chains + layout.arrayEnd(slots + 1, flags);
        int word = layout.chains >>> 6;
        for (int i = 0; i < word; i++) {
            block[i] = ChainBlock.read(words, at + (long) i * Long.SIZE);
        }
        int filled = layout.chains & 63;
        long open = filled == 0 ? 0 : ChainBlock.read(words, at + (long) word * Long.SIZE) & ChainBlock.lowest(filled);
        long from = at + layout.chains;
        if (slots < PIECE) {
            writeShortRows(words, from, start, slots, column, end, word, filled, open);
        } else {
            writeLongRows(words, from, start, slots, column, end, word, filled, open);
        }
        int last = end >>> 6;
        block[last] &= ChainBlock.lowest(end & 63);
        for (int i = last + 1; i < block.length; i++) {
            block[i] = 0;
        }
        if (flags != 0) {
            set(block, layout.touchedFlag);
        }
    }

    /** Copies the rows with a bit more each, as many at a time as fit into a word. */
    private void writeShortRows(
            long[] words, long at, int start, int slots, long column, int end, int firstWord, int firstBit, long low) {
        long[] target = block;
        long rowMask = ChainBlock.lowest(slots);
        int row = slots + 1;
        int rowsAPiece = PIECE / row;
        // The slots before the new one of the first row; from then on each piece is whole rows, seen from there.
        long from = at;
        long piece = (ChainBlock.read(words, from) & ChainBlock.lowest(start)) | (column & 1) << start;
        long bits = column >>> 1;
        int count = start + 1;
        from += start;
        int word = firstWord;
        int filled = firstBit;
        long open = low;
        while (true) {
            open |= piece << filled;
            filled += count;
            if (filled >= Long.SIZE) {
                target[word++] = open;
                filled -= Long.SIZE;
                open = piece >>> (count - filled);
            }
            if ((word << 6) + filled >= end) {
                break;
            }
            long source = ChainBlock.read(words, from);
            piece = 0;
            count = 0;
            for (int i = 0; i < rowsAPiece; i++) {
                piece |= ((source & rowMask) | (bits & 1) << slots) << count;
                source >>>= slots;
                bits >>>= 1;
                count += row;
            }
            from += (long) rowsAPiece * slots;
        }
        target[word] = open;
    }

    /** The same where a row does not fit into a word. */
    private void writeLongRows(
            long[] words, long at, int start, int slots, long column, int end, int firstWord, int firstBit, long low) {
        long from = at;
        int left = start;
        long bits = column;
        int word = firstWord;
        int filled = firstBit;
        long open = low;
        do {
            int count = Math.min(left, PIECE);
            long piece = ChainBlock.read(words, from) & ChainBlock.lowest(count);
            from += count;
            left -= count;
            if (left == 0) {
                piece |= (bits & 1) << count;
                bits >>>= 1;
                count++;
                left = slots;
            }
            open |= piece << filled;
            filled += count;
            if (filled >= Long.SIZE) {
                block[word++] = open;
                filled -= Long.SIZE;
                open = piece >>> (count - filled);
            }
        } while ((word << 6) + filled < end);
        block[word] = open;
    }

    private void useFreeSlot(int start, int used, int flags, long column) {
        int slots = layout.slots(block, 0);
        int end = layout.chains + layout.arrayEnd(slots, flags);
        long bits = column;
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
    boolean delete(int chain, int fingerprint) {
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
            clear(layout.freeFlag);
            set(block, layout.touchedFlag);
        }
        int slot = findMostSpecific(slots, start, end, fingerprint);
        closeSlot(slot, start, used, slots, flags);
        if (end - start == 1) {
            clear(chain);
        }
        set(block, layout.freeFlag);
        return true;
    }

    private int findMostSpecific(int slots, int start, int end, int fingerprint) {
        int found = -1;
        for (int from = start; from < end; from += ChainBlock.LANES) {
            long candidates = ChainBlock.lowest(Math.min(ChainBlock.LANES, end - from));
            long matching = layout.matches(block, 0, slots, ChainBlock.TOUCHED, from, candidates, fingerprint);
            long specific = matching & layout.onesInCutPlane(block, 0, slots, ChainBlock.TOUCHED, from);
            if (specific != 0) {
                return from + Long.numberOfTrailingZeros(specific);
            }
            if (found < 0 && matching != 0) {
                found = from + Long.numberOfTrailingZeros(matching);
            }
        }
        return found;
    }

    /** Moves the slots behind a slot down, and makes the place behind them a free slot. */
    private void closeSlot(int slot, int start, int used, int slots, int flags) {
        int end = layout.chains + layout.arrayEnd(slots, ChainBlock.TOUCHED);
        // A chain's last bits are zeros and a one: the first goes, which is the one where it is alone.
        BitMoves.down(block, 0, layout.chains + start + 1, layout.chains + used, 1);
        put(layout.chains + used - 1, (flags & ChainBlock.FREE) == 0 ? 1 : 0);
        for (int row = layout.chains + slots; row < end; row += slots) {
            int rowUsed = Math.min(used, end - row);
            if (slot < rowUsed) {
                BitMoves.down(block, 0, row + slot + 1, row + rowUsed, 1);
                put(row + rowUsed - 1, 0);
            }
        }
    }

    /**
     * How many slots the union of two blocks has.
     *
     * @throws FilterFullException if they are too many
     */
    int slotsOfUnion(long[] words, long[] others, long at) {
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
     * Makes the block here the union of two blocks, as if the slots of {@code others} had been put into the other one.
     *
     * <p>No slot of the union has more bits than its fingerprint knows: it lies at least as far behind as in its own
     * block, and among at least as many slots.
     */
    void unite(long[] words, long[] others, long at) {
        int slots = slotsOfUnion(words, others, at);
        int flags = (layout.flags(words, at) | layout.flags(others, at)) & ChainBlock.TOUCHED;
        int end = layout.chains + layout.arrayEnd(slots, flags);
        Slots newer = new Slots(others, at);
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
            for (int place = layout.chains + slots + slot; place < end; place += slots) {
                block[place >>> 6] |= (fingerprint & 1L) << place;
                fingerprint >>>= 1;
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

    /**
     * Checks the block here.
     *
     * @return how many keys it holds
     * @throws IllegalStateException if no changes of blocks lead to it
     */
    int checkInvariants() {
        int flags = layout.flags(block, 0);
        int chainCount = layout.chainCount(block, 0);
        if (chainCount == 0) {
            for (long word : block) {
                require(word == 0, "it has no chains, but bits");
            }
            return 0;
        }
        int used = layout.slotBehind(block, 0, chainCount);
        int slots = layout.slots(block, 0);
        require(slots <= layout.mostSlots, "its slots do not end inside its array");
        int end = layout.arrayEnd(slots, flags);
        for (int place = end; place < layout.arrayBits - (flags >>> 1); place++) {
            require(bit(layout.chains + place) == 0, "a bit behind its planes is set");
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

    private void put(int place, long bit) {
        block[place >>> 6] = (block[place >>> 6] & ~(1L << place)) | (bit << place);
    }
}
