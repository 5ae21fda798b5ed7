package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.bits.BitMoves;
import java.util.Arrays;

/**
 * Changes {@link CountedBlock}s. A slot is put in at the start of its chain. While the width stays, the slots behind it move
 * by a field, and with a width that is less all fields are packed anew.
 */
final class CountedEditor implements BlockWriter {

    private final CountedBlock layout;
    private final int blockWords;
    private final boolean isLine;
    private final long[] block;

    /** The slots of the block, or of two, in their order, while they are packed anew. */
    private final int[] chains;

    private final int[] fingerprints;

    CountedEditor(CountedBlock layout) {
        this.layout = layout;
        this.blockWords = layout.blockBits() / Long.SIZE;
        this.isLine = CountedLine.isLine(layout);
        this.block = new long[blockWords + 1];
        this.chains = new int[layout.mostSlots()];
        this.fingerprints = new int[layout.mostSlots()];
    }

    @Override
    public void load(long[] words, long at) {
        System.arraycopy(words, (int) (at >>> 6), block, 0, blockWords);
    }

    @Override
    public void store(long[] words, long at) {
        System.arraycopy(block, 0, words, (int) (at >>> 6), blockWords);
    }

    private static int used(CountedBlock layout, long[] words, long at) {
        return layout.slotBehind(words, at, layout.chainCount(words, at));
    }

    @Override
    public boolean put(long[] words, long at, int chain, int fingerprint) {
        load(words, at);
        boolean isNew = !(isLine
                ? CountedLine.mightContain(block, 0, chain, fingerprint)
                : layout.mightContain(block, 0, chain, fingerprint));
        int slots = layout.slots(block, 0);
        int used = used(layout, block, 0);
        int more = Math.max(slots, used + 1);
        if (more > layout.mostSlots()) {
            throw new FilterFullException("a block of " + layout.blockBits() + " bits has " + slots
                    + " slots and no bit for one more; far more keys were put in than planned, or one key very often");
        }
        if (layout.width(more) != layout.width(slots) || layout.firstWord(more) != layout.firstWord(slots)) {
            packAnew(slots, more, used);
        } else if (more != slots) {
            layout.uncount(block);
            layout.count(block, more);
        }
        int start = layout.slotBehind(block, 0, layout.chainsBefore(block, 0, chain));
        openSlot(start, used, more, fingerprint);
        BitMoves.up(block, 0, layout.lastBits + start, layout.lastBits + used, 1);
        put(layout.lastBits + start, layout.isEmpty(block, 0, chain));
        put(chain, true);
        return isNew;
    }

    /** Narrows the fingerprints of the block. */
    private void packAnew(int slots, int more, int used) {
        int taken = take(block, 0, slots, used, 0);
        pack(more, taken);
    }

    /** Copies the slots of a block to where they are packed from. */
    private int take(long[] words, long at, int slots, int used, int to) {
        int chain = -1;
        boolean isBehindLast = true;
        for (int slot = 0; slot < used; slot++) {
            if (isBehindLast) {
                do {
                    chain++;
                } while (layout.isEmpty(words, at, chain));
            }
            chains[to + slot] = chain;
            fingerprints[to + slot] = layout.fingerprint(words, at, slots, slot);
            isBehindLast = layout.isLast(words, at, slot);
        }
        return to + used;
    }

    /** Makes the block that of the first slots that were taken, which are in the order of their chains. */
    private void pack(int slots, int used) {
        Arrays.fill(block, 0);
        layout.count(block, slots);
        int width = layout.width(slots);
        int fieldsAWord = layout.fieldsAWord(slots);
        for (int slot = 0; slot < used; slot++) {
            put(chains[slot], true);
            put(layout.lastBits + slot, slot + 1 == used || chains[slot + 1] != chains[slot]);
            block[layout.firstWord(slots) + slot / fieldsAWord] |=
                    (fingerprints[slot] & ChainBlock.lowest(width)) << (slot % fieldsAWord * width);
        }
    }

    /** Moves the fields from a slot on up by one, and puts a fingerprint there. */
    private void openSlot(int start, int used, int slots, int fingerprint) {
        int width = layout.width(slots);
        int fieldsAWord = layout.fieldsAWord(slots);
        long fields = ~(-1L << (width * fieldsAWord - 1) << 1);
        int first = layout.firstWord(slots);
        int split = first + start / fieldsAWord;
        for (int word = first + used / fieldsAWord; word > split; word--) {
            block[word] = (block[word] << width | block[word - 1] >>> (width * (fieldsAWord - 1))) & fields;
        }
        int place = start % fieldsAWord * width;
        long before = ChainBlock.lowest(place);
        long open = block[split];
        block[split] = (open & before)
                | (fingerprint & ChainBlock.lowest(width)) << place
                | ((open & ~before) << width & fields);
    }

    /** Moves the fields behind a slot down by one. */
    private void closeSlot(int slot, int used, int slots) {
        int width = layout.width(slots);
        int fieldsAWord = layout.fieldsAWord(slots);
        int first = layout.firstWord(slots);
        int split = first + slot / fieldsAWord;
        int last = first + (used - 1) / fieldsAWord;
        long before = ChainBlock.lowest(slot % fieldsAWord * width);
        block[split] = (block[split] & before) | (block[split] >>> width & ~before);
        for (int word = split; word < last; word++) {
            block[word] |= (block[word + 1] & ChainBlock.lowest(width)) << (width * (fieldsAWord - 1));
            block[word + 1] >>>= width;
        }
    }

    @Override
    public boolean delete(int chain, int fingerprint) {
        if (layout.isEmpty(block, 0, chain)) {
            return false;
        }
        int slots = layout.slots(block, 0);
        int rank = layout.chainsBefore(block, 0, chain);
        int start = layout.slotBehind(block, 0, rank);
        int end = layout.slotBehind(block, 0, rank + 1);
        int slot = start;
        long wanted = fingerprint & ChainBlock.lowest(layout.width(slots));
        while (slot < end && Integer.toUnsignedLong(layout.fingerprint(block, 0, slots, slot)) != wanted) {
            slot++;
        }
        if (slot == end) {
            return false;
        }
        int used = used(layout, block, 0);
        if (used == 1) {
            Arrays.fill(block, 0);
            return true;
        }
        closeSlot(slot, used, slots);
        // A chain's last bits are zeros and a one: the first goes, which is the one where it is alone.
        BitMoves.down(block, 0, layout.lastBits + start + 1, layout.lastBits + used, 1);
        put(layout.lastBits + used - 1, false);
        if (end - start == 1) {
            put(chain, false);
        }
        return true;
    }

    @Override
    public int slotsOfUnion(long[] words, long[] others, long at) {
        int most = Math.max(layout.slots(words, at), layout.slots(others, at));
        int slots = Math.max(most, used(layout, words, at) + used(layout, others, at));
        if (slots > layout.mostSlots()) {
            throw new FilterFullException(
                    "a block of " + layout.blockBits() + " bits has no room for " + slots + " slots");
        }
        return slots;
    }

    @Override
    public void unite(long[] words, long[] others, long at) {
        int slots = slotsOfUnion(words, others, at);
        int own = take(words, at, layout.slots(words, at), used(layout, words, at), 0);
        int all = take(others, at, layout.slots(others, at), used(layout, others, at), own);
        for (int slot = own; slot < all; slot++) {
            insertInOrder(slot);
        }
        pack(slots, all);
    }

    /** Moves a slot to the start of its chain among the slots before it, which are in the order of their chains. */
    private void insertInOrder(int slot) {
        int chain = chains[slot];
        int fingerprint = fingerprints[slot];
        int place = slot;
        for (; place > 0 && chains[place - 1] >= chain; place--) {
            chains[place] = chains[place - 1];
            fingerprints[place] = fingerprints[place - 1];
        }
        chains[place] = chain;
        fingerprints[place] = fingerprint;
    }

    @Override
    public int checkInvariants() {
        int slots = layout.slots(block, 0);
        int chainCount = layout.chainCount(block, 0);
        require(slots <= layout.mostSlots(), "it counts more slots than it has room for");
        int used = layout.slotBehind(block, 0, chainCount);
        require(used <= slots, "its chains do not end inside its slots");
        require(used > 0 || slots == 0, "it has no chains, but slots");
        long[] before = block.clone();
        pack(slots, take(block, 0, slots, used, 0));
        boolean isSame = Arrays.equals(before, 0, blockWords, block, 0, blockWords);
        System.arraycopy(before, 0, block, 0, blockWords);
        require(isSame, "a bit outside of its slots is set");
        return used;
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalStateException(complaint);
        }
    }

    private void put(int place, boolean bit) {
        block[place >>> 6] = (block[place >>> 6] & ~(1L << place)) | (bit ? 1L << place : 0);
    }
}
