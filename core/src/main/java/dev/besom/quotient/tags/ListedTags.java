package dev.besom.quotient.tags;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.bits.Select;
import dev.besom.bits.Words;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TagMarks;
import java.util.Arrays;

/**
 * Tags that always have room: a bitmap of those that are not 0, and their values in the gamma code of Elias, in a word of
 * the block while they fit and in a list of words beside the table when they do not.
 *
 * <pre>
 *   word 2 of a block   bitmap   bit i: slot i has a tag
 *   word 3              code     bit 63 is 0: for each set bit of the bitmap, in order, the code of its tag, lowest bit first
 *                                bit 63 is 1: the codes are the block's list
 *
 *   code of a tag of n bits      n - 1 zeros, a one, and the n - 1 bits below its highest one
 *   tags 0 1 0 5 2               bitmap 11010     code, lowest bit first: 1 00101 010
 * </pre>
 *
 * Memory grows with what is learned: five bits for an extension of two, one to three for a small selector. A bound that the
 * user sets is kept by {@link #set}, which refuses what would exceed it. Slots that move take their tags along in any case,
 * and can exceed it by the few words that this takes.
 *
 * <p>Cost: the tag of a slot is found by decoding those before it in its block. Lists cost half a bit a slot more from the
 * first one on.
 *
 * <p>P. Elias: Universal codeword sets and representations of the integers. IEEE Transactions on Information Theory 1975.
 */
public final class ListedTags extends Tags {

    /** The words of metadata of a block. */
    public static final int METADATA_WORDS = SlotLayout.TAGS + 2;

    /** The most bits a key that a user can allow for lists. */
    public static final double MOST_SPILL = 64;

    private static final int BITMAP = SlotLayout.TAGS;
    private static final int CODE = SlotLayout.TAGS + 1;
    private static final long LISTED = Long.MIN_VALUE;
    private static final int OWN_BITS = Long.SIZE - 1;

    /** A tag has at most 62 bits, and its code 61 zeros. The largest numbers stand for tags that nothing can hold. */
    private static final int MOST_ZEROS = Long.SIZE - 3;

    private static final long MOST_TAG = (2L << MOST_ZEROS) - 1;

    private static final int MOST_WORDS = SlotLayout.SLOTS_PER_BLOCK * (2 * MOST_ZEROS + 1) / Long.SIZE + 1;

    /** The number of a list's block, and its length. */
    private static final int LIST_HEADER = 2;

    private static final long[] NO_LIST = {};

    private final Slots slots;
    private final long[] words;
    private final double mostListedBits;
    private final long[] tags = new long[SlotLayout.SLOTS_PER_BLOCK];
    private final long[] code = new long[MOST_WORDS + 1];

    /** By the number of the block; empty before the first list. */
    private long[][] lists = {};

    private int listCount;
    private long listedWords;

    /**
     * Tags that are all 0.
     *
     * @param spillBits the most memory for lists
     */
    public ListedTags(Slots slots, double spillBits) {
        this.slots = slots;
        this.words = slots.words();
        this.mostListedBits = spillBits;
    }

    @Override
    public TagMarks marks() {
        return new TagMarks(BITMAP, true);
    }

    @Override
    public boolean isMonotone() {
        return true;
    }

    @Override
    public long get(long slot) {
        int base = slots.base(slot);
        long bitmap = words[base + BITMAP];
        if ((bitmap >>> slot & 1) == 0) {
            return 0;
        }
        int rank = Select.rank(bitmap, SlotLayout.inBlock(slot));
        long own = words[base + CODE];
        return own >= 0 ? decode(own, rank) : decode(list(SlotLayout.block(slot)), rank);
    }

    private long[] list(int block) {
        return block < lists.length ? lists[block] : NO_LIST;
    }

    /** Number {@code rank} of the codes in a word; 0 if there are fewer, in a table that is damaged. */
    private static long decode(long own, int rank) {
        long rest = own;
        for (int passed = 0; passed < rank; passed++) {
            int zeros = Long.numberOfTrailingZeros(rest);
            rest = 2 * zeros + 1 < Long.SIZE ? rest >>> (2 * zeros + 1) : 0;
        }
        int zeros = Long.numberOfTrailingZeros(rest);
        return 2 * zeros + 1 < Long.SIZE ? tag(zeros, rest >>> zeros >>> 1) : 0;
    }

    /** Number {@code rank} of the codes in a list; 0 if there are fewer, in a table that is damaged. */
    private static long decode(long[] list, int rank) {
        int at = 0;
        int zeros = Long.numberOfTrailingZeros(bits(list, at));
        for (int passed = 0; passed < rank && zeros <= MOST_ZEROS; passed++) {
            at += 2 * zeros + 1;
            zeros = Long.numberOfTrailingZeros(bits(list, at));
        }
        return zeros <= MOST_ZEROS ? tag(zeros, bits(list, at + zeros + 1)) : 0;
    }

    /** The tag with so many bits below its highest one: the lowest of a word. */
    private static long tag(int below, long word) {
        return 1L << below | (word & ((1L << below) - 1));
    }

    /** The 64 bits of a list from one on; zeros behind its end. */
    private static long bits(long[] list, int bit) {
        int at = bit >>> 6;
        long low = at < list.length ? list[at] >>> bit : 0;
        long high = at + 1 < list.length ? list[at + 1] : 0;
        return low | high << 1 << ~bit;
    }

    private void read(int block) {
        long bitmap = words[slots.layout().base(block) + BITMAP];
        Arrays.fill(tags, 0);
        long first = (long) block << BLOCK_SHIFT;
        for (long open = bitmap; open != 0; open &= open - 1) {
            int slot = Long.numberOfTrailingZeros(open);
            tags[slot] = get(first + slot);
        }
    }

    /** Writes the code of the tags that were read; returns how many words of a list it takes, 0 if it needs none. */
    private int encode() {
        int bit = 0;
        Arrays.fill(code, 0);
        for (long tag : tags) {
            if (tag == 0) {
                continue;
            }
            int below = Long.SIZE - 1 - Long.numberOfLeadingZeros(tag);
            bit += below;
            put(bit, 1);
            put(bit + 1, tag ^ 1L << below);
            bit += 1 + below;
        }
        return bit <= OWN_BITS ? 0 : (bit + Long.SIZE - 1) >>> 6;
    }

    private void put(int bit, long value) {
        code[bit >>> 6] |= value << bit;
        code[(bit >>> 6) + 1] |= value >>> 1 >>> ~bit;
    }

    /** Stores the tags that were read, and encoded to a list of so many words. */
    private void store(int block, int listWords) {
        int base = slots.layout().base(block);
        long bitmap = 0;
        for (int slot = 0; slot < tags.length; slot++) {
            bitmap |= (tags[slot] == 0 ? 0L : 1L) << slot;
        }
        setList(block, listWords == 0 ? NO_LIST : Arrays.copyOf(code, listWords));
        words[base + CODE] = listWords == 0 ? code[0] : LISTED;
        words[base + BITMAP] = bitmap;
    }

    private void setList(int block, long[] list) {
        if (lists.length == 0) {
            if (list.length == 0) {
                return;
            }
            lists = new long[slots.layout().blockCount()][];
            Arrays.fill(lists, NO_LIST);
        }
        listCount += (list.length == 0 ? 0 : 1) - (lists[block].length == 0 ? 0 : 1);
        listedWords += list.length - lists[block].length;
        lists[block] = list;
    }

    @Override
    public boolean fitsAlone(long slot, long tag) {
        return tag <= MOST_TAG;
    }

    @Override
    public boolean set(long slot, long tag) {
        if (tag > MOST_TAG) {
            return false;
        }
        int block = SlotLayout.block(slot);
        read(block);
        boolean grows = tag > tags[SlotLayout.inBlock(slot)];
        tags[SlotLayout.inBlock(slot)] = tag;
        int listWords = encode();
        int more = listWords - list(block).length;
        if (grows && more > 0 && sizeInBits(listedWords + more) > mostListedBits) {
            return false;
        }
        store(block, listWords);
        return true;
    }

    private long sizeInBits(long allWords) {
        return allWords == 0 ? 0 : allWords * Long.SIZE + (long) slots.layout().blockCount() * Integer.SIZE;
    }

    @Override
    public int blockTooFullToOpen(long at, long free) {
        return -1;
    }

    @Override
    public void open(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        for (int block = lastBlock; block >= firstBlock; block--) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == firstBlock ? 0 : get(first - 1);
            if (coming == 0 && words[slots.layout().base(block) + BITMAP] == 0) {
                continue;
            }
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(free) : SLOT_MASK;
            read(block);
            System.arraycopy(tags, low, tags, low + 1, high - low);
            tags[low] = coming;
            store(block, encode());
        }
    }

    @Override
    public int blockTooFullToClose(long at, long last) {
        return -1;
    }

    @Override
    public void close(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        for (int block = firstBlock; block <= lastBlock; block++) {
            long first = (long) block << BLOCK_SHIFT;
            long coming = block == lastBlock ? 0 : get(first + SlotLayout.SLOTS_PER_BLOCK);
            if (coming == 0 && words[slots.layout().base(block) + BITMAP] == 0) {
                continue;
            }
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(last) : SLOT_MASK;
            read(block);
            System.arraycopy(tags, low + 1, tags, low, high - low);
            tags[high] = coming;
            store(block, encode());
        }
    }

    @Override
    public long spillInBits() {
        return sizeInBits(listedWords);
    }

    @Override
    public int spilledBlocks() {
        return listCount;
    }

    @Override
    public long[] spillSection() {
        long[] section = Words.allocate(listedWords + (long) LIST_HEADER * listCount);
        int at = Words.LEAD;
        for (int block = 0; block < lists.length; block++) {
            long[] list = lists[block];
            if (list.length > 0) {
                section[at++] = block;
                section[at++] = list.length;
                System.arraycopy(list, 0, section, at, list.length);
                at += list.length;
            }
        }
        return section;
    }

    @Override
    public void readSpill(long[] section) {
        long before = -1;
        for (int at = Words.LEAD; at < section.length; ) {
            long block = section[at];
            long length = at + 1 < section.length ? section[at + 1] : 0;
            at += LIST_HEADER;
            if (block <= before || block >= slots.layout().blockCount()) {
                throw new IllegalStateException("the list of block " + block + " is behind that of block " + before);
            }
            if (length < 1 || length > Math.min(MOST_WORDS, section.length - at)) {
                throw new IllegalStateException("a list of " + length + " words for block " + block);
            }
            setList((int) block, Arrays.copyOfRange(section, at, at + (int) length));
            before = block;
            at += (int) length;
        }
    }

    @Override
    public void check(long[] used) {
        int listed = 0;
        for (int block = 0; block < used.length; block++) {
            int base = slots.layout().base(block);
            long own = words[base + CODE];
            if ((words[base + BITMAP] & ~used[block]) != 0) {
                throw new IllegalStateException("block " + block + " has a tag at a free slot");
            }
            listed += own < 0 ? 1 : 0;
            read(block);
            int listWords = encode();
            boolean isWhole = own >= 0
                    ? listWords == 0 && code[0] == own
                    : own == LISTED && Arrays.equals(list(block), Arrays.copyOf(code, listWords));
            if (!isWhole || (own < 0 && listWords == 0)) {
                throw new IllegalStateException("block " + block + " has a code that no tags make");
            }
        }
        if (listed != listCount) {
            throw new IllegalStateException(listCount + " lists for " + listed + " blocks that have one");
        }
    }
}
