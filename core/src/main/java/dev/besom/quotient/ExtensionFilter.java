package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.adaptive.Extensions;
import dev.besom.hash.Mix;
import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.slots.TagMarks;
import dev.besom.quotient.tags.BitmapExtensions;
import dev.besom.quotient.tags.CodeChoice;
import dev.besom.quotient.tags.CodeFields;
import dev.besom.quotient.tags.CodedTags;
import dev.besom.quotient.tags.ForgetOption;
import dev.besom.spi.FilterImage;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An extension filter: a quotient filter that repairs false positives by lengthening the fingerprints that caused them
 * until they differ from the query's.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | extensions 128 | 64 remainders of r bits |  offsets: 8 bits a block
 *
 *   fingerprint of a key: | quotient | remainder | extension: 0, 1, 2, ... bits |
 *                                                  the first bits of a word of the key's expanded hash
 * </pre>
 *
 * The extensions of a block are a bitmap and joined bits ({@link BitmapExtensions}) or, by option, a code of 64 bits
 * ({@link CodedTags}); the rest of the picture and the terms are those of {@link SlotLayout}, {@link Runs} and
 * {@link QuotientKeys}.
 *
 * <p>A repair takes two bits on average, and the longer fingerprint then meets fewer other queries too; but a repeated
 * collision is undone by half with each bit, where a telescoping filter undoes it by the whole rate at once. So at the
 * same memory this one holds fewer repairs. Its queries are cheaper: extensions are looked at only where the remainder
 * matches.
 *
 * <p>Departures from the paper: deletes; growth; every slot that was hit is repaired at once; a bitmap, which takes a bit
 * a slot more than a code and spares nearly every query the decoding, or a denser code; a bounded spill; and where
 * there is no room, a quarter of a block's extensions is given up, not all.
 *
 * <p>Budget: up to 0.25 / rate unique queries a key, from the first insert on, the sustained rate is that of a new filter
 * whatever is queried. From there on older repairs are given up for new ones, and a repair says so. With
 * {@code forget=never} the extensions take more memory instead ({@link dev.besom.quotient.tags.ListedTags}): what was
 * repaired stays repaired, and once the bound of {@code spill} is reached a repair is refused.
 *
 * <p>Cost: (r + 4.125) / load bits a key, with a code (r + 3.125) / load, and, where blocks spill, up to the option's 0.5
 * more. A query costs what it costs in a quotient filter and, where the remainder matches, a look at the bitmap. With
 * a code it decodes one extension then. One writer at a time.
 *
 * <p>M. A. Bender and others: Bloom filters, adaptivity, and the dictionary problem. FOCS 2018 (the broom filter). D. J.
 * Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021 (there "exAF").
 */
public final class ExtensionFilter extends TaggedFilter {

    static final String KIND = "extension";

    /** Repairs a key up to which hardly any is forgotten: unique queries a key, times the rate. */
    static final double REPAIRS_PER_KEY = 0.25;

    static final TaggedForm FORM = new TaggedForm(KIND);
    private static final CodeFields CODE = new CodeFields(FORM.form());

    static final Map<String, String> OPTIONS = options();

    /** The word of the expanded hash that extensions are taken from; remainders use those from 0 on. */
    private static final long EXTENSION_WORD = -1;

    private final CodeChoice choice;

    /** The same as the tags where they have this form, so that queries call no virtual method. */
    private final @Nullable BitmapExtensions bitmap;

    private final TagMarks marks;

    private ExtensionFilter(CodeChoice choice, TaggedTable table, StoredHashes stored) {
        super(table, stored);
        this.choice = choice;
        this.bitmap = table.tags instanceof BitmapExtensions bits ? bits : null;
        this.marks = table.tags.marks();
    }

    private static TaggedTable table(CodeChoice choice, TableShape shape, double spill, Slots slots) {
        return new TaggedTable(shape, spill, slots, choice.tags(slots, Long.MAX_VALUE, spill * shape.capacity()));
    }

    private static ExtensionFilter empty(CodeChoice choice, TableShape shape, double spill, StoredHashes stored) {
        Slots slots = new Slots(shape.layout(choice.metadataWords()));
        return new ExtensionFilter(choice, table(choice, shape, spill, slots), stored);
    }

    static ExtensionFilter make(FilterSpec spec, StoredHashes stored) {
        CodeChoice choice = CodeChoice.ofExtensions(spec);
        return empty(choice, TableShape.of(spec), ForgetOption.spill(spec, choice.mostSpill()), stored);
    }

    @Override
    public ExtensionFilter grown(long newCapacity, StoredHashes newStored) {
        ExtensionFilter filter = emptied(newCapacity, newStored);
        filter.fill();
        return filter;
    }

    @Override
    ExtensionFilter emptied(long newCapacity, StoredHashes newStored) {
        return empty(choice, table.shape.withCapacity(newCapacity), table.spillBitsPerKey, newStored);
    }

    static ExtensionFilter read(FilterImage image, StoredHashes stored) {
        CodeChoice choice = CODE.get(image, false);
        double spill = FORM.spillBitsPerKey(image, choice.mostSpill());
        Slots slots = FORM.slots(image, choice.metadataWords());
        TaggedTable table = table(choice, FORM.shape(image), spill, slots);
        return FORM.restore(image, new ExtensionFilter(choice, table, stored));
    }

    @Override
    public FilterImage image() {
        return CODE.set(FORM.write(this), choice).image();
    }

    private static Map<String, String> options() {
        Map<String, String> options = new TreeMap<>(TableShape.OPTIONS);
        options.put(
                "spill",
                "most bits a key for blocks that need more words, 0 to 0.5, default 0.5; forget=never: 0 to 64, default 8");
        options.put(ForgetOption.NAME, ForgetOption.MEANING);
        options.put(
                "code",
                "how extensions are packed: bitmap (default, fast), enumerative or arithmetic (a bit a key less)");
        return options;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long quotient = keys.quotient(hash);
        int place = shortRuns.find(quotient);
        // A remainder that no slot holds is enough for "no"; where one does, the extensions have their say.
        if (place >= 0 && !shortRuns.holds(quotient, place, keys.remainder(hash))) {
            return false;
        }
        boolean isPlain = place >= 0 && bitmap != null && shortRuns.bits(quotient, place, BitmapExtensions.BITMAP) == 0;
        return isPlain || isInRun(hash, quotient);
    }

    @Override
    boolean isInRun(long hash, long quotient) {
        long remainder = keys.remainder(hash);
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        for (long slot = end; slot >= start; slot--) {
            if (slots.remainder(slot) == remainder && isExtensionOf(slot, hash)) {
                return true;
            }
        }
        return false;
    }

    private boolean isExtensionOf(long slot, long hash) {
        BitmapExtensions bits = bitmap;
        long extension = bits != null ? bits.get(slot) : tags.get(slot);
        return extension == 0 || Extensions.isPrefix(extension, extensionWord(hash));
    }

    private long extensionWord(long hash) {
        return Mix.expand(hash, keys.seed(), EXTENSION_WORD);
    }

    @Override
    boolean isHit(long hash, long remainder, long tag) {
        return remainder == keys.remainder(hash) && Extensions.isPrefix(tag, extensionWord(hash));
    }

    @Override
    long remainder(long owner, long tag) {
        return keys.remainder(owner);
    }

    @Override
    long tagAgainst(long owner, long query, long from) {
        if (!isHit(query, keys.remainder(owner), from)) {
            return from;
        }
        // From the first bit on that the two do not share, an extension tells them apart.
        long bits = extensionWord(owner);
        int shared = Extensions.sharedBits(bits, extensionWord(query));
        return shared < Extensions.MOST_LENGTH ? Extensions.of(bits, shared + 1) : Long.MAX_VALUE;
    }

    @Override
    int magnitude(long tag) {
        return Extensions.length(tag);
    }

    @Override
    long tag(long owner, int magnitude) {
        return Extensions.of(extensionWord(owner), magnitude);
    }

    /** {@inheritDoc} Of the queries with a slot's remainder, one in 2^l has an extension of l bits. */
    @Override
    double warded() {
        double warded = 0;
        for (int block = 0; block < slots.layout().blockCount(); block++) {
            if (slots.words()[slots.layout().base(block) + marks.word()] == 0) {
                continue;
            }
            long first = (long) block << SlotLayout.BLOCK_SHIFT;
            for (long slot = first; slot <= first + SlotLayout.SLOT_MASK; slot++) {
                warded += 1 - Math.scalb(1.0, -magnitude(tags.get(slot)));
            }
        }
        return warded;
    }
}
