package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedFields;
import dev.besom.spi.FilterImage;
import java.util.Map;
import java.util.TreeMap;

/**
 * A telescoping filter in the least memory: like {@code telescoping}, it repairs false positives by giving the slots that
 * caused them another remainder of the same key, but the selectors of a block are a code of one word, where that kind
 * spends two.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | selectors 64 | 64 remainders of r bits |    offsets: 8 bits a block
 *
 *   a slot with selector s holds remainder s of its key
 *
 *   word 0 of a query's expanded hash    | piece 7 | piece 6 | ... | piece 1 | piece 0 |
 *   compared at once with                | slot's remainder beside each of them        |
 * </pre>
 *
 * The codes are described at {@link CodedTags} and {@link BlockCode}; the rest of the picture and the terms are those of
 * {@link SlotLayout}, {@link Runs} and {@link QuotientKeys}.
 *
 * <p>Departures from the paper: most questions decode nothing. A slot can hold only one of the pieces of its key; if no
 * piece of the query equals the slot's remainder, which all are compared with in one step, its selector does not matter.
 * Only blocks that are marked tall, in which a selector points beyond the first word of pieces, are decoded without it.
 * Further: deletes; growth; every slot that was hit is repaired at once; a denser code; a bounded spill; and where there
 * is no room, a quarter of a block's selectors is given up, not all.
 *
 * <p>Cost: (r + 3.125) / load bits a key and, where blocks spill, up to the option's 0.5 more. A question for a key that
 * is not there costs little more than in a quotient filter; one for a key that is there decodes one selector
 * where its block has any. One writer at a time.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021.
 */
public final class CompactTelescopingFilter extends SelectorFilter {

    static final String KIND = "telescoping-compact";

    static final Map<String, String> OPTIONS = options();

    private final CodeChoice choice;
    private final CodedTags coded;

    /** The lowest bit of each piece of a word. */
    private final long lows;

    /** The highest bit of each piece. */
    private final long highs;

    private CompactTelescopingFilter(
            TableShape shape, double spill, CodeChoice choice, StoredHashes stored, Slots slots, long count) {
        super(shape, spill, stored, slots, count, tags(choice, shape, spill, slots));
        this.choice = choice;
        this.coded = (CodedTags) tags;
        this.lows = PackedFields.lows(keys.remainderBits);
        this.highs = PackedFields.highs(keys.remainderBits);
    }

    private static Tags tags(CodeChoice choice, TableShape shape, double spill, Slots slots) {
        int mostInFirstWord = Long.SIZE / shape.remainderBits() - 1;
        return choice.tags(slots, mostInFirstWord, spill * shape.capacity());
    }

    private static CompactTelescopingFilter empty(
            TableShape shape, double spill, CodeChoice choice, StoredHashes stored) {
        return new CompactTelescopingFilter(
                shape, spill, choice, stored, new Slots(shape.layout(CodedTags.METADATA_WORDS)), 0);
    }

    /** An empty filter. */
    public static CompactTelescopingFilter make(FilterSpec spec, StoredHashes stored) {
        return empty(TableShape.of(spec), spill(spec, BlockTags.MOST_SPILL), CodeChoice.ofSelectors(spec), stored);
    }

    @Override
    public CompactTelescopingFilter grown(long newCapacity, StoredHashes newStored) {
        CompactTelescopingFilter filter = emptied(newCapacity, newStored);
        filter.fill();
        return filter;
    }

    @Override
    CompactTelescopingFilter emptied(long newCapacity, StoredHashes newStored) {
        return empty(shape.withCapacity(newCapacity), spillBitsPerKey, choice, newStored);
    }

    static CompactTelescopingFilter read(FilterImage image, StoredHashes stored) {
        checkForm(image, CodeChoice.PARAMETER_COUNT);
        TableShape shape = TableShape.of(image);
        CodeChoice choice = CodeChoice.of(image, PARAMETER_COUNT);
        if (!choice.isOfSelectors()) {
            throw new MalformedFilterException("a code of extensions in a telescoping filter");
        }
        CompactTelescopingFilter filter = new CompactTelescopingFilter(
                shape,
                spill(image, BlockTags.MOST_SPILL),
                choice,
                stored,
                shape.slots(image, CodedTags.METADATA_WORDS),
                count(image));
        filter.readBeside(image);
        return filter;
    }

    private static Map<String, String> options() {
        Map<String, String> options = new TreeMap<>(TableShape.OPTIONS);
        options.put("spill", "most bits a key for blocks that need a second word, 0 to 0.5, default 0.5");
        options.put("code", "how selectors are packed: enumerative (default), shift or general");
        options.put("x", "of the general code: a selector is above 0 with probability 2^-x; default 2");
        options.put("y", "of the general code: one above 0 is above each further number with 2^-y; default 3");
        return options;
    }

    @Override
    String kind() {
        return KIND;
    }

    @Override
    long[] formParameters() {
        return choice.parameters();
    }

    @Override
    public boolean mightContainHash(long hash) {
        long quotient = keys.quotient(hash);
        if (coded.word(slots.base(quotient)) == 0) {
            int place = shortRuns.find(quotient);
            if (place >= 0) {
                return shortRuns.holds(quotient, place, keys.remainder(hash));
            }
        }
        return runs.isOccupied(quotient) && isInRun(hash, quotient);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int first = from + base;
            int hashCount = Math.min(Long.SIZE, count - base);
            long open = shortRuns.occupiedBits(keys, hashes, first, hashCount, result, base >>> 6);
            long word = open;
            for (; open != 0; open &= open - 1) {
                int lane = Long.numberOfTrailingZeros(open);
                if (!mightContainHash(hashes[first + lane])) {
                    word ^= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    boolean isInRun(long hash, long quotient) {
        long pieces = keys.firstWord(hash);
        long remainder = pieces & slots.remainderMask;
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        for (long slot = end; slot >= start; slot--) {
            int base = slots.base(slot);
            long held = slots.remainder(base, SlotLayout.inBlock(slot));
            long word = coded.word(base);
            if (word == 0) {
                if (held == remainder) {
                    return true;
                }
            } else if ((isAnyPiece(held, pieces) || CodedTags.isTall(word)) && isHeld(hash, held, word, slot)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a remainder equals a piece of a word: one of their differences is 0. */
    private boolean isAnyPiece(long remainder, long pieces) {
        return PackedFields.roughZeros(pieces ^ (remainder * lows), lows, highs) != 0;
    }

    private boolean isHeld(long hash, long held, long word, long slot) {
        return held == keys.remainder(hash, (int) coded.decode(word, slot));
    }
}
