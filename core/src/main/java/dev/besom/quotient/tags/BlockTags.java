package dev.besom.quotient.tags;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.adaptive.GroupSpill;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import java.util.Arrays;

/**
 * Tags packed into a word or two of each block. Where a block's own words are not enough it gets one more from a bounded
 * {@link GroupSpill}; where that is not to be had, whatever needed it is refused.
 *
 * <p>How a block's tags are packed is the matter of the forms. All have a control word, which is 0 if all tags are 0 and
 * negative if the block has a word in the spill:
 *
 * <pre>
 *     63        62      61 ............ 0
 *   | 0       | the form's own           |
 *   | spilled |       | place 6 | 56 bits |
 * </pre>
 *
 * <p>Moving tags is planned first, block by block, and then done: {@link #blockTooFullToOpen} makes the plan that
 * {@link #open} carries out, and likewise for closing.
 */
public abstract sealed class BlockTags extends Tags permits CodedTags, BitmapExtensions {

    /** Places in the spill have 6 bits for 128 blocks: half a word a block, or half a bit a key, is all they tell apart. */
    public static final double MOST_SPILL = 0.5;

    static final long SPILLED = 1L << 63;

    /** Bits of the control word below the place in the spill. */
    static final int BITS_BELOW_PLACE = 56;

    private static final long PLACE_MASK = (1L << GroupSpill.PLACE_BITS) - 1;

    /** No second word. */
    static final int NONE = -1;

    final Slots slots;
    final long[] words;
    final GroupSpill spill;
    private final int control;
    private final int second;

    private final long[] tags = new long[SlotLayout.SLOTS_PER_BLOCK];
    private final Plan plan = new Plan();

    /** What {@link #pack(long[])} made: the control word, without a place; the second word; the word for the spill. */
    long packedControl;

    long packedSecond;
    long packedSpill;

    /**
     * @param control the number of the control word in a block
     * @param second the number of the form's other word in a block, or {@link #NONE}
     */
    BlockTags(Slots slots, int control, int second, double spillBits) {
        this.slots = slots;
        this.words = slots.words();
        this.control = control;
        this.second = second;
        this.spill = new GroupSpill(slots.layout().blockCount(), spillBits);
    }

    /** Packs 64 tags; false if they do not fit even with a word in the spill. */
    abstract boolean pack(long[] blockTags);

    /** Writes the tags of a block into an array of 64. */
    abstract void read(int block, long[] into);

    @Override
    public final void readSpill(long[] section) {
        spill.read(section);
    }

    /** The control word of a block by the index of its first word. */
    final long control(int base) {
        return words[base + control];
    }

    static int place(long controlWord) {
        return (int) (controlWord >>> BITS_BELOW_PLACE & PLACE_MASK);
    }

    /** The word in the spill that a control word points to; 0 where there is none, in a table that is damaged. */
    final long spilled(int block, long controlWord) {
        return spill.isUsed(block, place(controlWord)) ? spill.get(block, place(controlWord)) : 0;
    }

    @Override
    public final boolean fitsAlone(long slot, long tag) {
        int block = SlotLayout.block(slot);
        Arrays.fill(tags, 0);
        tags[SlotLayout.inBlock(slot)] = tag;
        plan.clear();
        return plan.add(block, tags);
    }

    @Override
    public final boolean set(long slot, long tag) {
        int block = SlotLayout.block(slot);
        read(block, tags);
        tags[SlotLayout.inBlock(slot)] = tag;
        plan.clear();
        if (!plan.add(block, tags)) {
            return false;
        }
        plan.carryOut();
        return true;
    }

    @Override
    public final int blockTooFullToOpen(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        plan.clear();
        for (int block = lastBlock; block >= firstBlock; block--) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == firstBlock ? 0 : get(first - 1);
            if (coming == 0 && control(slots.layout().base(block)) == 0) {
                continue;
            }
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(free) : SLOT_MASK;
            read(block, tags);
            System.arraycopy(tags, low, tags, low + 1, high - low);
            tags[low] = coming;
            if (!plan.add(block, tags)) {
                return block;
            }
        }
        return -1;
    }

    @Override
    public final void open(long at, long free) {
        plan.carryOut();
    }

    @Override
    public final int blockTooFullToClose(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        plan.clear();
        for (int block = firstBlock; block <= lastBlock; block++) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == lastBlock ? 0 : get(first + SlotLayout.SLOTS_PER_BLOCK);
            if (coming == 0 && control(slots.layout().base(block)) == 0) {
                continue;
            }
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(last) : SLOT_MASK;
            read(block, tags);
            System.arraycopy(tags, low + 1, tags, low, high - low);
            tags[high] = coming;
            if (!plan.add(block, tags)) {
                return block;
            }
        }
        return -1;
    }

    @Override
    public final void close(long at, long last) {
        plan.carryOut();
    }

    @Override
    public final long spillInBits() {
        return spill.sizeInBits();
    }

    @Override
    public final int spilledBlocks() {
        return spill.size();
    }

    @Override
    public final long[] spillSection() {
        return spill.section();
    }

    /**
     * {@inheritDoc} The words of a block must be what its tags are packed into, and no others.
     */
    @Override
    public final void check(long[] used) {
        int spilledBlocks = 0;
        long[] found = new long[SlotLayout.SLOTS_PER_BLOCK];
        long[] places = new long[(used.length >>> GroupSpill.GROUP_SHIFT) + 1];
        for (int block = 0; block < used.length; block++) {
            int base = slots.layout().base(block);
            long word = control(base);
            long secondWord = second == NONE ? 0 : words[base + second];
            if (word == 0 && secondWord == 0) {
                continue;
            }
            if (word < 0) {
                int group = block >>> GroupSpill.GROUP_SHIFT;
                long place = 1L << place(word);
                require((places[group] & place) == 0 && spill.isUsed(block, place(word)), block, "a wrong spill place");
                places[group] |= place;
                spilledBlocks++;
                word &= ~(PLACE_MASK << BITS_BELOW_PLACE);
            }
            read(block, found);
            require(
                    pack(found) && packedControl == word && packedSecond == secondWord,
                    block,
                    "words that no tags make");
            require(word >= 0 || packedSpill == spilled(block, control(base)), block, "a spill that no tags make");
            for (int slot = 0; slot < found.length; slot++) {
                require(found[slot] == 0 || (used[block] >>> slot & 1) != 0, block, "a tag at a free slot");
            }
        }
        if (spilledBlocks != spill.size()) {
            throw new IllegalStateException(spill.size() + " spilled words for " + spilledBlocks + " spilled blocks");
        }
    }

    private static void require(boolean holds, int block, String fault) {
        if (!holds) {
            throw new IllegalStateException("block " + block + " has " + fault);
        }
    }

    /** New words for some blocks, ready to be stored: nothing that it holds can fail any more. */
    private final class Plan {

        private int[] blocks = new int[4];
        private long[] controlWords = new long[4];
        private long[] secondWords = new long[4];
        private long[] spillWords = new long[4];
        private int size;
        private int group;
        private int room;

        void clear() {
            size = 0;
            group = -1;
        }

        /** Adds a block; false if there is no room for its tags. The blocks of one group must come one after another. */
        boolean add(int block, long[] blockTags) {
            if (block >>> GroupSpill.GROUP_SHIFT != group) {
                group = block >>> GroupSpill.GROUP_SHIFT;
                room = spill.room(block);
            }
            if (!pack(blockTags)) {
                return false;
            }
            boolean wasSpilled = control(slots.layout().base(block)) < 0;
            boolean isSpilled = packedControl < 0;
            if (isSpilled && !wasSpilled && --room < 0) {
                return false;
            }
            if (wasSpilled && !isSpilled) {
                room++;
            }
            if (size == blocks.length) {
                blocks = Arrays.copyOf(blocks, 2 * size);
                controlWords = Arrays.copyOf(controlWords, 2 * size);
                secondWords = Arrays.copyOf(secondWords, 2 * size);
                spillWords = Arrays.copyOf(spillWords, 2 * size);
            }
            blocks[size] = block;
            controlWords[size] = packedControl;
            secondWords[size] = packedSecond;
            spillWords[size] = packedSpill;
            size++;
            return true;
        }

        void carryOut() {
            for (int i = 0; i < size; i++) {
                int block = blocks[i];
                int base = slots.layout().base(block);
                long before = words[base + control];
                long word = controlWords[i];
                if (word < 0) {
                    int place = before < 0 ? place(before) : spill.take(block);
                    spill.set(block, place, spillWords[i]);
                    word |= (long) place << BITS_BELOW_PLACE;
                } else if (before < 0) {
                    spill.release(block, place(before));
                }
                words[base + control] = word;
                if (second != NONE) {
                    words[base + second] = secondWords[i];
                }
            }
            size = 0;
        }
    }
}
