package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.adaptive.Tombstones;
import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.ShortRuns;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.slots.TagMarks;
import dev.besom.quotient.tags.BitmapSelectors;
import dev.besom.quotient.tags.ForgetOption;
import dev.besom.quotient.tags.PlainSelectors;
import dev.besom.quotient.tags.SelectorForm;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A telescoping filter: a quotient filter that repairs false positives by giving the slots that caused them another
 * remainder of the same key. Whatever was queried before, a query for a key that is not stored is answered "maybe" with
 * no more than the filter's rate, for as long as the selectors have room.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | selectors | 64 remainders of r bits |      offsets: 8 bits a block
 *
 *   a slot with selector s holds remainder s of its key: the key's hash seen through a telescope s pieces further out
 * </pre>
 *
 * The selectors are a bitmap and unary values ({@link BitmapSelectors}) in the kind {@code telescoping}, and bytes
 * ({@link PlainSelectors}) in {@code telescoping-plain}. The rest of the picture and the terms are those of
 * {@link SlotLayout}, {@link Runs} and {@link QuotientKeys}.
 *
 * <p>Departures from the paper: deletes, after which a key that comes back is given the selector that it had; growth; every
 * slot that was hit is repaired at once; remainders never come round again; a block without room for its selectors spills,
 * within a bound; and where that is full too, a quarter of the block's selectors is given up for a repair, not all.
 *
 * <p>Budget: up to 0.8 / rate unique queries a key, from the first insert on, the sustained rate is that of a new filter
 * whatever is queried; {@code telescoping-plain} bears 200 / rate. From there on blocks have no room, older repairs are
 * given up for new ones, and a repair says so. With {@code forget=never} the selectors take more memory instead
 * ({@link dev.besom.quotient.tags.ListedTags}), and once the bound of {@code spill} is reached a repair is refused.
 *
 * <p>Cost: (r + 4.125) / load bits a key and, where blocks spill, up to the option's 0.5 more; the plain kind takes
 * (r + 10.125) / load. What is remembered of deleted keys adds what {@link Tombstones} says. A query costs what it costs in
 * a quotient filter and a look at the bitmap. One writer at a time.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh and M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021.
 */
public final class TelescopingFilter extends SelectorFilter {

    static final String KIND = "telescoping";
    static final String PLAIN_KIND = "telescoping-plain";

    /** Repairs a key up to which hardly any is forgotten: unique queries a key, times the rate. */
    static final double REPAIRS_PER_KEY = 0.8;

    /** The same of bytes. Measured; the largest selector leaves room for a few more. */
    static final double PLAIN_REPAIRS_PER_KEY = 200;

    static final TaggedForm FORM = new TaggedForm(KIND);
    private static final LongField LISTED =
            FORM.form().whole("listed", "1 if selectors are in lists that grow, 0 if not");
    static final TaggedForm PLAIN_FORM = new TaggedForm(PLAIN_KIND);

    static final Map<String, String> OPTIONS = options();

    private final SelectorForm form;

    /** The same as the tags where they have this form, so that queries call no virtual method. */
    private final @Nullable BitmapSelectors bitmap;

    private final TagMarks marks;

    private TelescopingFilter(SelectorForm form, TaggedTable table, StoredHashes stored) {
        super(table, stored);
        this.form = form;
        this.bitmap = table.tags instanceof BitmapSelectors bits ? bits : null;
        this.marks = table.tags.marks();
    }

    private static TaggedTable table(SelectorForm form, TableShape shape, double spill, Slots slots) {
        return new TaggedTable(shape, spill, slots, form.tags(slots, spill * shape.capacity()));
    }

    private static TelescopingFilter empty(SelectorForm form, TableShape shape, double spill, StoredHashes stored) {
        Slots slots = new Slots(shape.layout(form.metadataWords()));
        return new TelescopingFilter(form, table(form, shape, spill, slots), stored);
    }

    static TelescopingFilter make(FilterSpec spec, StoredHashes stored) {
        SelectorForm form = ForgetOption.isNever(spec) ? SelectorForm.LISTED : SelectorForm.BITMAP;
        return empty(form, TableShape.of(spec), ForgetOption.spill(spec, form.mostSpill()), stored);
    }

    static TelescopingFilter makePlain(FilterSpec spec, StoredHashes stored) {
        return empty(SelectorForm.PLAIN, TableShape.of(spec), 0, stored);
    }

    @Override
    public TelescopingFilter grown(long newCapacity, StoredHashes newStored) {
        TelescopingFilter filter = emptied(newCapacity, newStored);
        filter.fill();
        return filter;
    }

    @Override
    TelescopingFilter emptied(long newCapacity, StoredHashes newStored) {
        return empty(form, table.shape.withCapacity(newCapacity), table.spillBitsPerKey, newStored);
    }

    private static TaggedForm imageForm(SelectorForm form) {
        return form == SelectorForm.PLAIN ? PLAIN_FORM : FORM;
    }

    static TelescopingFilter read(FilterImage image, StoredHashes stored) {
        return read(image.get(LISTED, 0, 1) == 0 ? SelectorForm.BITMAP : SelectorForm.LISTED, image, stored);
    }

    static TelescopingFilter readPlain(FilterImage image, StoredHashes stored) {
        return read(SelectorForm.PLAIN, image, stored);
    }

    private static TelescopingFilter read(SelectorForm form, FilterImage image, StoredHashes stored) {
        TaggedForm fields = imageForm(form);
        double spill = fields.spillBitsPerKey(image, form.mostSpill());
        Slots slots = fields.slots(image, form.metadataWords());
        TaggedTable table = table(form, fields.shape(image), spill, slots);
        return fields.restore(image, new TelescopingFilter(form, table, stored));
    }

    @Override
    public FilterImage image() {
        ImageForm.Writer writer = imageForm(form).write(this);
        return form == SelectorForm.PLAIN
                ? writer.image()
                : writer.set(LISTED, form == SelectorForm.LISTED ? 1 : 0).image();
    }

    private static Map<String, String> options() {
        Map<String, String> options = new TreeMap<>(TableShape.OPTIONS);
        options.put(
                "spill",
                "most bits a key for blocks whose selectors are full, 0 to 16, default 0.5; forget=never: 0 to 64, default 8");
        options.put(ForgetOption.NAME, ForgetOption.MEANING);
        return options;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long quotient = keys.quotient(hash);
        int place = shortRuns.find(quotient);
        if (place < 0) {
            return isInRun(hash, quotient);
        }
        if (isTagged(quotient, place)) {
            long start = ShortRuns.start(quotient, place);
            return isBetween(hash, start, start + ShortRuns.length(place) - 1);
        }
        return shortRuns.holds(quotient, place, keys.remainder(hash));
    }

    /** Whether a slot of a short run has a selector above 0. */
    private boolean isTagged(long quotient, int place) {
        return !shortRuns.isUntagged(quotient, place, marks);
    }

    @Override
    boolean isInRun(long hash, long quotient) {
        long end = runs.runEnd(quotient);
        return isBetween(hash, runs.runStart(quotient, end), end);
    }

    /** Whether one of the slots of a run holds the remainder that a hash has under the slot's selector. */
    private boolean isBetween(long hash, long start, long end) {
        BitmapSelectors bits = bitmap;
        long remainder = keys.remainder(hash);
        for (long slot = end; slot >= start; slot--) {
            int selector = bits != null ? bits.selector(slot) : (int) tags.get(slot);
            long queried = selector == 0 ? remainder : keys.remainder(hash, selector);
            if (slots.remainder(slot) == queried) {
                return true;
            }
        }
        return false;
    }
}
