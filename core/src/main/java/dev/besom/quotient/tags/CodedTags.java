package dev.besom.quotient.tags;

import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TagMarks;

/**
 * Tags packed by a {@link BlockCode} into one word of each block.
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
 */
public final class CodedTags extends BlockTags {

    static final int METADATA_WORDS = SlotLayout.TAGS + 1;

    static final int CODE_BITS = 62;
    static final int HALF_BITS = BITS_BELOW_PLACE;

    private static final int HALF = SlotLayout.SLOTS_PER_BLOCK / 2;
    private static final long TALL = 1L << 62;
    private static final long CODE_MASK = TALL - 1;
    private static final long HALF_MASK = (1L << HALF_BITS) - 1;

    private final BlockCode whole;
    private final BlockCode half;
    private final long mostNotTall;
    private final long[] halves = new long[SlotLayout.SLOTS_PER_BLOCK];

    /**
     * @param whole a code for 64 slots in {@link #CODE_BITS}
     * @param half a code for 32 slots in {@link #HALF_BITS}
     * @param mostNotTall the greatest tag that does not make its block tall
     */
    CodedTags(Slots slots, BlockCode whole, BlockCode half, long mostNotTall, double spillBits) {
        super(slots, SlotLayout.TAGS, NONE, spillBits);
        if (whole.slots != 2 * HALF || whole.bits != CODE_BITS || half.slots != HALF || half.bits != HALF_BITS) {
            throw new IllegalArgumentException("the codes do not fit the words of a block");
        }
        this.whole = whole;
        this.half = half;
        this.mostNotTall = mostNotTall;
    }

    /** The word of a block by the index of its first one; 0 if all its tags are 0. */
    public long word(int base) {
        return words[base + SlotLayout.TAGS];
    }

    /** Whether the word of a block tells that it is tall. */
    public static boolean isTall(long word) {
        return (word & TALL) != 0;
    }

    @Override
    public TagMarks marks() {
        return new TagMarks(SlotLayout.TAGS, false);
    }

    @Override
    public long get(long slot) {
        long word = word(slots.base(slot));
        return word == 0 ? 0 : decode(word, slot);
    }

    /** The tag of a slot of a block whose word is not 0. */
    public long decode(long word, long slot) {
        int inBlock = SlotLayout.inBlock(slot);
        return word >= 0
                ? whole.tagAt(word & CODE_MASK, inBlock)
                : decodeSpilled(word, SlotLayout.block(slot), inBlock);
    }

    private long decodeSpilled(long word, int block, int inBlock) {
        return half.tagAt((inBlock & 1) == 0 ? word & HALF_MASK : spilled(block, word), inBlock >>> 1);
    }

    @Override
    void read(int block, long[] into) {
        long word = word(slots.layout().base(block));
        if (word >= 0) {
            whole.decode(word & CODE_MASK, into, 0);
            return;
        }
        half.decode(word & HALF_MASK, halves, 0);
        half.decode(spilled(block, word) & HALF_MASK, halves, HALF);
        for (int slot = 0; slot < into.length; slot++) {
            into[slot] = halves[(slot & 1) * HALF + (slot >>> 1)];
        }
    }

    @Override
    boolean pack(long[] blockTags) {
        packedControl = whole.encode(blockTags, 0);
        packedSpill = 0;
        if (packedControl == BlockCode.DOES_NOT_FIT) {
            for (int slot = 0; slot < blockTags.length; slot++) {
                halves[(slot & 1) * HALF + (slot >>> 1)] = blockTags[slot];
            }
            packedControl = half.encode(halves, 0);
            packedSpill = half.encode(halves, HALF);
            if (packedControl == BlockCode.DOES_NOT_FIT || packedSpill == BlockCode.DOES_NOT_FIT) {
                return false;
            }
            packedControl |= SPILLED;
        }
        for (long tag : blockTags) {
            if (tag > mostNotTall) {
                packedControl |= TALL;
                break;
            }
        }
        return true;
    }
}
