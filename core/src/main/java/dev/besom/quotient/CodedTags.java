package dev.besom.quotient;

import static dev.besom.quotient.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.SlotLayout.SLOT_MASK;

import java.util.Arrays;

/**
 * A tag for each slot of a table, 0 at first, packed by a {@link BlockCode} into one word of each block. The tags move
 * with their slots. Where a block's word is not enough it gets a second one from a bounded {@link GroupSpill}; where
 * that is not to be had, whatever needed it is refused before anything changes. No slot ever gets another tag than it
 * was given.
 *
 * <pre>
 *   word 2 of a block    63        62     61 ............ 0
 *                      | 0       | tall | code of the tags 0 .. 63 |
 *
 *                        63        62     61 .. 56   55 ............ 0
 *                      | spilled | tall | place    | code of tags 0, 2, 4, ... |     word in the spill: of 1, 3, 5, ...
 * </pre>
 *
 * Tall means that some tag of the block exceeds what the filter can compare without decoding. A spilled block is halved
 * into even and odd slots because neighbours, which often share a quotient and so its queries, often have tags together.
 *
 * <p>In the paper the code has 56 bits, because the offset takes the other 8 of its word; here the offsets lie apart.
 *
 * <p>Moving tags is planned first, block by block, and then done: {@link #blockTooFullToOpen} makes the plan that
 * {@link #open} carries out, and likewise for closing. One writer at a time.
 */
final class CodedTags {

    static final int METADATA_WORDS = SlotLayout.TAGS + 1;

    private static final int WORD = SlotLayout.TAGS;

    static final int CODE_BITS = 62;
    static final int HALF_BITS = CODE_BITS - GroupSpill.PLACE_BITS;

    private static final int HALF = SlotLayout.SLOTS_PER_BLOCK / 2;
    private static final long SPILLED = 1L << 63;
    private static final long TALL = 1L << 62;
    private static final long CODE_MASK = TALL - 1;
    private static final long HALF_MASK = (1L << HALF_BITS) - 1;
    private static final int PLACE_MASK = (1 << GroupSpill.PLACE_BITS) - 1;

    private final Slots slots;
    private final long[] words;
    private final BlockCode whole;
    private final BlockCode half;
    private final long mostNotTall;
    private final GroupSpill spill;

    private final long[] tags = new long[SlotLayout.SLOTS_PER_BLOCK];
    private final long[] halves = new long[SlotLayout.SLOTS_PER_BLOCK];
    private final Plan plan = new Plan();

    /**
     * @param whole a code for 64 slots in {@link #CODE_BITS}
     * @param half a code for 32 slots in {@link #HALF_BITS}
     * @param mostNotTall the greatest tag that does not make its block tall
     */
    CodedTags(Slots slots, BlockCode whole, BlockCode half, long mostNotTall, double spillBits) {
        if (whole.slots != 2 * HALF || whole.bits != CODE_BITS || half.slots != HALF || half.bits != HALF_BITS) {
            throw new IllegalArgumentException("the codes do not fit the words of a block");
        }
        this.slots = slots;
        this.words = slots.words;
        this.whole = whole;
        this.half = half;
        this.mostNotTall = mostNotTall;
        this.spill = new GroupSpill(slots.layout.blockCount(), spillBits);
    }

    /** Takes over what {@link #spillSection()} gave. */
    void readSpill(long[] section) {
        spill.read(section);
    }

    /** The word of a block by the index of its first one; 0 if all its tags are 0. */
    long word(int base) {
        return words[base + WORD];
    }

    static boolean isTall(long word) {
        return (word & TALL) != 0;
    }

    long get(long slot) {
        long word = words[slots.base(slot) + WORD];
        return word == 0 ? 0 : decode(word, slot);
    }

    /** The tag of a slot of a block whose word is not 0. */
    long decode(long word, long slot) {
        int inBlock = SlotLayout.inBlock(slot);
        return word >= 0
                ? whole.tagAt(word & CODE_MASK, inBlock)
                : decodeSpilled(word, SlotLayout.block(slot), inBlock);
    }

    private long decodeSpilled(long word, int block, int inBlock) {
        return half.tagAt((inBlock & 1) == 0 ? word & HALF_MASK : spill.get(block, place(word)), inBlock >>> 1);
    }

    private static int place(long word) {
        return (int) (word >>> HALF_BITS) & PLACE_MASK;
    }

    /** Writes the tags of a block into an array of 64. */
    void read(int block, long[] into) {
        long word = words[slots.layout.base(block) + WORD];
        if (word >= 0) {
            whole.decode(word & CODE_MASK, into, 0);
        } else {
            half.decode(word & HALF_MASK, halves, 0);
            half.decode(spill.get(block, place(word)), halves, HALF);
            for (int slot = 0; slot < into.length; slot++) {
                into[slot] = halves[(slot & 1) * HALF + (slot >>> 1)];
            }
        }
    }

    /** Gives a slot a tag; false, and no change, if there is no room for it. */
    boolean set(long slot, long tag) {
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

    /**
     * The first block found that would have no room if the slots from {@code at} to {@code free - 1} moved up by one; -1
     * if there is none.
     */
    int blockTooFullToOpen(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        plan.clear();
        for (int block = lastBlock; block >= firstBlock; block--) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == firstBlock ? 0 : get(first - 1);
            if (coming == 0 && word(slots.layout.base(block)) == 0) {
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

    /**
     * Moves the tags of the slots from {@code at} to {@code free - 1} up by one; {@code at} gets 0. Only just after
     * {@link #blockTooFullToOpen} for the same slots found no block.
     */
    void open(long at, long free) {
        plan.carryOut();
    }

    /**
     * The first block found that would have no room if the slots from {@code at + 1} to {@code last} moved down by one;
     * -1 if there is none.
     */
    int blockTooFullToClose(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        plan.clear();
        for (int block = firstBlock; block <= lastBlock; block++) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == lastBlock ? 0 : get(first + SlotLayout.SLOTS_PER_BLOCK);
            if (coming == 0 && word(slots.layout.base(block)) == 0) {
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

    /**
     * Drops the tag of the slot {@code at} and moves those of the slots from {@code at + 1} to {@code last} down by one.
     * Only just after {@link #blockTooFullToClose} for the same slots found no block.
     */
    void close(long at, long last) {
        plan.carryOut();
    }

    long spillInBits() {
        return spill.sizeInBits();
    }

    int spilledBlocks() {
        return spill.size();
    }

    long[] spillSection() {
        return spill.section();
    }

    /**
     * Checks the word of every block.
     *
     * @param used the slots in use, a word for each block; all others must have the tag 0
     * @throws IllegalStateException if one is damaged
     */
    void check(long[] used) {
        int spilled = 0;
        long[] found = new long[SlotLayout.SLOTS_PER_BLOCK];
        long[] places = new long[(used.length >>> GroupSpill.GROUP_SHIFT) + 1];
        for (int block = 0; block < used.length; block++) {
            long word = word(slots.layout.base(block));
            if (word == 0) {
                continue;
            }
            if (word < 0) {
                int group = block >>> GroupSpill.GROUP_SHIFT;
                long place = 1L << place(word);
                require((places[group] & place) == 0 && spill.isUsed(block, place(word)), block, "a wrong spill place");
                places[group] |= place;
                spilled++;
                require(half.isCode(word & HALF_MASK), block, "no code");
                require(half.isCode(spill.get(block, place(word))), block, "no code in the spill");
                read(block, found);
                require(whole.encode(found, 0) == BlockCode.DOES_NOT_FIT, block, "been spilled for nothing");
            } else {
                require(whole.isCode(word & CODE_MASK), block, "no code");
                read(block, found);
            }
            require(isTall(word) == isTall(found), block, "a wrong mark of tall tags");
            for (int slot = 0; slot < found.length; slot++) {
                require(found[slot] == 0 || (used[block] >>> slot & 1) != 0, block, "a tag at a free slot");
            }
        }
        if (spilled != spill.size()) {
            throw new IllegalStateException(spill.size() + " spilled words for " + spilled + " spilled blocks");
        }
    }

    private static void require(boolean holds, int block, String fault) {
        if (!holds) {
            throw new IllegalStateException("block " + block + " has " + fault);
        }
    }

    private boolean isTall(long[] blockTags) {
        for (long tag : blockTags) {
            if (tag > mostNotTall) {
                return true;
            }
        }
        return false;
    }

    /** New words for some blocks, ready to be stored: nothing that it holds can fail any more. */
    private final class Plan {

        private int[] blocks = new int[4];
        private long[] firstWords = new long[4];
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
            boolean wasSpilled = word(slots.layout.base(block)) < 0;
            long first = whole.encode(blockTags, 0);
            long second = 0;
            if (first == BlockCode.DOES_NOT_FIT) {
                for (int slot = 0; slot < blockTags.length; slot++) {
                    halves[(slot & 1) * HALF + (slot >>> 1)] = blockTags[slot];
                }
                first = half.encode(halves, 0);
                second = half.encode(halves, HALF);
                if (first == BlockCode.DOES_NOT_FIT || second == BlockCode.DOES_NOT_FIT) {
                    return false;
                }
                if (!wasSpilled && --room < 0) {
                    return false;
                }
                first |= SPILLED;
            } else if (wasSpilled) {
                room++;
            }
            if (isTall(blockTags)) {
                first |= TALL;
            }
            if (size == blocks.length) {
                blocks = Arrays.copyOf(blocks, 2 * size);
                firstWords = Arrays.copyOf(firstWords, 2 * size);
                spillWords = Arrays.copyOf(spillWords, 2 * size);
            }
            blocks[size] = block;
            firstWords[size] = first;
            spillWords[size] = second;
            size++;
            return true;
        }

        void carryOut() {
            for (int i = 0; i < size; i++) {
                int block = blocks[i];
                int at = slots.layout.base(block) + WORD;
                long before = words[at];
                long word = firstWords[i];
                if (word < 0) {
                    int place = before < 0 ? place(before) : spill.take(block);
                    spill.set(block, place, spillWords[i]);
                    word |= (long) place << HALF_BITS;
                } else if (before < 0) {
                    spill.release(block, place(before));
                }
                words[at] = word;
            }
            size = 0;
        }
    }
}
