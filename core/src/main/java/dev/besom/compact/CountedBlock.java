package dev.besom.compact;

import dev.besom.bits.Select;
import java.util.stream.IntStream;

/**
 * The layout of TinySet blocks that count their slots and whose fingerprints all have one width, and queries of them: all
 * fingerprints are compared before any is looked for. A key takes more bits than with {@link ChainBlock}.
 *
 * <pre>
 *   a block     | index: a bit a chain | slots | last bits: a bit a slot | 0 ... | fingerprints, in whole words |
 *
 *   a word of fingerprints      | 0 | slot 8 | slot 7 | ... | slot 1 | slot 0 |      as many to a word as fit
 * </pre>
 *
 * <ul>
 *   <li><b>index</b> and <b>last bits</b> as in {@link ChainBlock}: the slots are in the order of their chains.
 *   <li><b>slots</b>: as many as the block ever had keys since it was empty; those behind the last chain are free and 0.
 *   <li><b>fingerprints</b>: the lowest bits of each, as many as let all slots have a place in the words that index, counter and
 *       last bits leave over. So the width follows from the number of slots alone, and in one read.
 * </ul>
 *
 * A slot belongs to the chain if as many chains end before it as the index has before the chain: two counts of bits, and no
 * search for the place where the chain starts. A free slot lies behind all chains, and is never taken for one of them.
 *
 * <p>Departure from the paper: it has the last bit beside each fingerprint, and fingerprints that go across words.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015, sections 3.2
 * and 3.3.
 */
final class CountedBlock implements BlockLayout {

    /** Fingerprints that are longer than half a word would waste the rest of it. */
    static final int WIDEST = TinySetMath.WIDEST;

    private static final long[] LOWEST = lowestOfFields();

    /** For each width: how many fingerprints fit into a word. A division would take longer than all else. */
    private static final int[] FIELDS_A_WORD = IntStream.rangeClosed(0, WIDEST)
            .map(width -> width == 0 ? 0 : Long.SIZE / width)
            .toArray();

    private final int words;
    private final int chains;
    private final int counterBits;
    private final int mostSlots;

    /** Where the last bits start. */
    final int lastBits;

    /** For each number of slots: how wide fingerprints are. */
    private final byte[] widths;

    /** The number of the first word of fingerprints, for each number of slots. */
    private final byte[] firsts;

    CountedBlock(int blockBits, int chains) {
        this.words = blockBits / Long.SIZE;
        this.chains = chains;
        this.counterBits = counterBits(blockBits);
        this.lastBits = chains + counterBits;
        this.widths = new byte[1 << counterBits];
        this.firsts = new byte[1 << counterBits];
        int slots = 0;
        int width = WIDEST;
        while (width > 0 && slots < widths.length) {
            widths[slots] = (byte) width;
            firsts[slots] = (byte) headerWords(slots);
            slots++;
            width = widthFor(slots);
        }
        this.mostSlots = slots - 1;
    }

    /** Bits enough for as many slots as have a last bit and one of fingerprint each. */
    static int counterBits(int blockBits) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(blockBits / 2 - 1);
    }

    private int headerWords(int slots) {
        return (lastBits + slots + Long.SIZE - 1) >>> 6;
    }

    private int widthFor(int slots) {
        int left = words - headerWords(slots);
        return left <= 0 ? 0 : Math.min(WIDEST, Long.SIZE / ((slots + left - 1) / left));
    }

    private static long[] lowestOfFields() {
        long[] lowest = new long[WIDEST + 1];
        for (int width = 1; width <= WIDEST; width++) {
            for (int field = 0; field < Long.SIZE / width; field++) {
                lowest[width] |= 1L << (field * width);
            }
        }
        return lowest;
    }

    @Override
    public int blockBits() {
        return words * Long.SIZE;
    }

    @Override
    public int chains() {
        return chains;
    }

    @Override
    public int mostSlots() {
        return mostSlots;
    }

    /** The width of fingerprints in a block of so many slots. */
    int width(int slots) {
        return widths[slots];
    }

    /** How many fingerprints a word of a block of so many slots has. */
    int fieldsAWord(int slots) {
        return FIELDS_A_WORD[widths[slots]];
    }

    /** The number of the first word of fingerprints in a block of so many slots. */
    int firstWord(int slots) {
        return firsts[slots];
    }

    /** The lowest bit of each field of a width that fits into a word. */
    static long lowestBits(int width) {
        return LOWEST[width];
    }

    /** The highest bits of the fields of a word that are 0, where what is given has the lowest bits of all fields. */
    static long zeroFields(long word, long lowest, int width) {
        long highest = lowest << (width - 1);
        long rest = highest - lowest;
        return ~(((word & rest) + rest) | word) & highest;
    }

    @Override
    public double rateOf(int keys) {
        if (keys == 0) {
            return 0;
        }
        if (keys > mostSlots) {
            return 1;
        }
        return -Math.expm1(keys * Math.log1p(-Math.scalb(1.0, -width(keys)) / chains));
    }

    @Override
    public int slots(long[] words, long at) {
        return (int) (ChainBlock.read(words, at + chains) & ChainBlock.lowest(counterBits));
    }

    /** Sets the number of slots of a block that starts an array and has none counted yet. */
    void count(long[] block, int slots) {
        block[chains >>> 6] |= (long) slots << chains;
        if ((chains & 63) + counterBits > Long.SIZE) {
            block[(chains >>> 6) + 1] |= (long) slots >>> (Long.SIZE - (chains & 63));
        }
    }

    /** Takes the number of slots of a block that starts an array away. */
    void uncount(long[] block) {
        long mask = ChainBlock.lowest(counterBits);
        block[chains >>> 6] &= ~(mask << chains);
        if ((chains & 63) + counterBits > Long.SIZE) {
            block[(chains >>> 6) + 1] &= ~(mask >>> (Long.SIZE - (chains & 63)));
        }
    }

    boolean isEmpty(long[] words, long at, int chain) {
        return (words[(int) (at >>> 6) + (chain >>> 6)] >>> chain & 1) == 0;
    }

    /** How many chains before a chain are not empty. */
    int chainsBefore(long[] words, long at, int chain) {
        int first = (int) (at >>> 6);
        return chain < Long.SIZE
                ? Long.bitCount(words[first] & ChainBlock.lowest(chain))
                : Long.bitCount(words[first]) + Long.bitCount(words[first + 1] & ChainBlock.lowest(chain - Long.SIZE));
    }

    /** How many chains are not empty. */
    int chainCount(long[] words, long at) {
        return chainsBefore(words, at, chains - 1) + (isEmpty(words, at, chains - 1) ? 0 : 1);
    }

    /** How many chains end before a slot. */
    private int endsBefore(long[] words, long at, int slot) {
        int ends = 0;
        int base = 0;
        for (; base + Long.SIZE <= slot; base += Long.SIZE) {
            ends += Long.bitCount(ChainBlock.read(words, at + lastBits + base));
        }
        return ends + Long.bitCount(ChainBlock.read(words, at + lastBits + base) & ChainBlock.lowest(slot - base));
    }

    /** The slot behind that many chains, of which there are at least as many. */
    int slotBehind(long[] words, long at, int chainRank) {
        if (chainRank == 0) {
            return 0;
        }
        int left = chainRank - 1;
        for (int base = 0; base <= mostSlots; base += Long.SIZE) {
            long last = ChainBlock.read(words, at + lastBits + base);
            int ends = Long.bitCount(last);
            if (left < ends) {
                return base + Select.select(last, left) + 1;
            }
            left -= ends;
        }
        return mostSlots + 1;
    }

    /** The fingerprint of a slot, as far as it is there. */
    int fingerprint(long[] words, long at, int slots, int slot) {
        int width = width(slots);
        int fieldsAWord = fieldsAWord(slots);
        long word = words[(int) (at >>> 6) + firstWord(slots) + slot / fieldsAWord];
        return (int) (word >>> (slot % fieldsAWord * width) & ChainBlock.lowest(width));
    }

    @Override
    public boolean mightContain(long[] words, long at, int chain, int fingerprint) {
        return !isEmpty(words, at, chain)
                && isAmong(words, at, chainsBefore(words, at, chain), slots(words, at), fingerprint);
    }

    /** Whether a slot of the chain with so many before it has that fingerprint. */
    private boolean isAmong(long[] words, long at, int rank, int slots, int fingerprint) {
        if (slots > mostSlots) {
            // Only while the block changes, and then the query is repeated.
            return false;
        }
        int width = width(slots);
        int fieldsAWord = fieldsAWord(slots);
        long lowest = lowestBits(width);
        long wanted = (fingerprint & ChainBlock.lowest(width)) * lowest;
        int word = (int) (at >>> 6) + firstWord(slots);
        for (int from = 0; from < slots; from += fieldsAWord, word++) {
            for (long alike = zeroFields(words[word] ^ wanted, lowest, width); alike != 0; alike &= alike - 1) {
                int slot = from + Long.numberOfTrailingZeros(alike) / width;
                if (slot < slots && endsBefore(words, at, slot) == rank) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public double rate(long[] words, long at) {
        int slots = slots(words, at);
        int used = slotBehind(words, at, chainCount(words, at));
        int different = 0;
        int start = 0;
        for (int slot = 0; slot < used; slot++) {
            different += isFirstOfItsKind(words, at, slots, start, slot) ? 1 : 0;
            start = isLast(words, at, slot) ? slot + 1 : start;
        }
        return different * Math.scalb(1.0, -width(slots)) / chains;
    }

    /** Whether no slot of a chain before a slot of it has the same fingerprint. */
    private boolean isFirstOfItsKind(long[] words, long at, int slots, int start, int slot) {
        int fingerprint = fingerprint(words, at, slots, slot);
        for (int earlier = start; earlier < slot; earlier++) {
            if (fingerprint(words, at, slots, earlier) == fingerprint) {
                return false;
            }
        }
        return true;
    }

    /** Whether a slot is the last of its chain. */
    boolean isLast(long[] words, long at, int slot) {
        return (ChainBlock.read(words, at + lastBits + slot) & 1) != 0;
    }

    @Override
    public BlockWriter writer() {
        return new CountedEditor(this);
    }
}
