package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bits.PackedFields;
import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.tags.BlockCode;
import dev.besom.quotient.tags.BlockTags;
import dev.besom.quotient.tags.CodeChoice;
import dev.besom.quotient.tags.CodeFields;
import dev.besom.quotient.tags.CodedTags;
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
 * <p>Departures from the paper: most queries decode nothing. A slot can hold only one of the pieces of its key; if no
 * piece of the query equals the slot's remainder, which all are compared with in one step, its selector does not matter.
 * Only blocks that are marked tall, in which a selector points beyond the first word of pieces, are decoded without it.
 * Further: deletes; growth; every slot that was hit is repaired at once; a denser code; a bounded spill; and where there
 * is no room, a quarter of a block's selectors is given up, not all.
 *
 * <p>Budget: up to 0.3 / rate unique queries a key, from the first insert on, the sustained rate is that of a new filter
 * whatever is queried. From there on older repairs are given up for new ones, and a repair says so.
 *
 * <p>Cost: (r + 3.125) / load bits a key and, where blocks spill, up to the option's 0.5 more. A query for a key that
 * is not there costs little more than in a quotient filter; one for a key that is there decodes one selector
 * where its block has any. One writer at a time.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021.
 */
public final class CompactTelescopingFilter extends SelectorFilter {

    static final String KIND = "telescoping-compact";

    /** Repairs a key up to which hardly any is forgotten: unique queries a key, times the rate. */
    static final double REPAIRS_PER_KEY = 0.3;

    static final TaggedForm FORM = new TaggedForm(KIND);
    private static final CodeFields CODE = new CodeFields(FORM.form());

    static final Map<String, String> OPTIONS = options();

    private final CodeChoice choice;
    private final CodedTags coded;

    /** The lowest bit of each piece of a word. */
    private final long lows;

    /** The highest bit of each piece. */
    private final long highs;

    private CompactTelescopingFilter(CodeChoice choice, TaggedTable table, StoredHashes stored) {
        super(table, stored);
        this.choice = choice;
        this.coded = (CodedTags) table.tags;
        this.lows = PackedFields.lows(keys.remainderBits());
        this.highs = PackedFields.highs(keys.remainderBits());
    }

    private static TaggedTable table(CodeChoice choice, TableShape shape, double spill, Slots slots) {
        int mostInFirstWord = Long.SIZE / shape.remainderBits() - 1;
        return new TaggedTable(shape, spill, slots, choice.tags(slots, mostInFirstWord, spill * shape.capacity()));
    }

    private static CompactTelescopingFilter empty(
            CodeChoice choice, TableShape shape, double spill, StoredHashes stored) {
        Slots slots = new Slots(shape.layout(choice.metadataWords()));
        return new CompactTelescopingFilter(choice, table(choice, shape, spill, slots), stored);
    }

    private static double spill(FilterSpec spec) {
        return spec.option("spill", BlockTags.MOST_SPILL, 0, BlockTags.MOST_SPILL);
    }

    static CompactTelescopingFilter make(FilterSpec spec, StoredHashes stored) {
        return empty(CodeChoice.ofSelectors(spec), TableShape.of(spec), spill(spec), stored);
    }

    @Override
    public CompactTelescopingFilter grown(long newCapacity, StoredHashes newStored) {
        CompactTelescopingFilter filter = emptied(newCapacity, newStored);
        filter.fill();
        return filter;
    }

    @Override
    CompactTelescopingFilter emptied(long newCapacity, StoredHashes newStored) {
        return empty(choice, table.shape.withCapacity(newCapacity), table.spillBitsPerKey, newStored);
    }

    static CompactTelescopingFilter read(FilterImage image, StoredHashes stored) {
        CodeChoice choice = CODE.get(image, true);
        double spill = FORM.spillBitsPerKey(image, BlockTags.MOST_SPILL);
        Slots slots = FORM.slots(image, choice.metadataWords());
        TaggedTable table = table(choice, FORM.shape(image), spill, slots);
        return FORM.restore(image, new CompactTelescopingFilter(choice, table, stored));
    }

    @Override
    public FilterImage image() {
        return CODE.set(FORM.write(this), choice).image();
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
    boolean isInRun(long hash, long quotient) {
        long pieces = keys.firstWord(hash);
        long remainder = pieces & slots.remainderMask();
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
